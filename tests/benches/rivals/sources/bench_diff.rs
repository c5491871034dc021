macro_rules! pairs {
    ($($name:ident)*) => {
        $(
            mod $name {
                use super::*;

                fn before(numbers: &&'static [u64]) -> u64 {
                    old::$name(&numbers[..black_box(OLDER)])
                }

                #[bench_diff_harness::bench_diff(baseline = before, setup_once = numbers, check = false)]
                fn after(numbers: &&'static [u64]) -> u64 {
                    new::$name(&numbers[..black_box(amount::$name)])
                }
            }
        )*
    };
}

functions!(pairs);

bench_diff_harness::main!();
