use std::hint::black_box;

macro_rules! benchmarks {
    ($($name:ident)*) => {
        $(
            #[bench_diff_harness::bench_diff]
            fn $name() -> u64 {
                user::$name(black_box(7))
            }
        )*
    };
}

benchmarks!(one two three four five six seven changed);
bench_diff_harness::main!();
