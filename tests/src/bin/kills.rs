//! Pairs that take some rounds and pass, for runs that are killed.

use std::hint::black_box;

use bench_diff_harness::bench_diff;

fn works() -> u64 {
    (0..black_box(1_000_u64)).fold(0, |sum, turn| black_box(sum ^ turn))
}

macro_rules! pairs {
    ($($name:ident $start:literal)*) => {
        $(
            #[bench_diff(baseline = works, max_slowdown = "900%", check = false, warmup = "0ms")]
            fn $name() -> u64 {
                (0..black_box(1_000_u64)).fold($start, |sum, turn| black_box(sum + turn))
            }
        )*
    };
}

pairs! { first 1 second 2 third 3 fourth 4 }

bench_diff_harness::main!();
