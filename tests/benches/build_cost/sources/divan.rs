use std::hint::black_box;

fn main() {
    divan::main();
}

macro_rules! benchmarks {
    ($($name:ident)*) => {
        $(
            #[divan::bench]
            fn $name() -> u64 {
                user::$name(black_box(7))
            }
        )*
    };
}

benchmarks!(one two three four five six seven changed);
