//! Pairs for runs that are killed or wait for each other: some that take some rounds and pass, and one that must
//! not be measured by two runs at a time.

use std::env;
use std::fs::File;
use std::hint::black_box;

use bench_diff_harness::bench_diff;

fn work() -> u64 {
    (0..black_box(2_000_u64)).fold(0, |sum, turn| black_box(sum ^ turn))
}

/// Held by each round.
fn locked() -> File {
    let file = File::create(env::var_os("ALONE").expect("ALONE names a file")).expect("it can be made");
    file.try_lock().expect("nobody else measures");
    file
}

fn work_beside(_: &File) -> u64 {
    work()
}

#[bench_diff(baseline = work_beside, setup_once = locked, max_slowdown = "900%", check = false, warmup = "0ms")]
fn alone(_: &File) -> u64 {
    (0..black_box(2_000_u64)).fold(1, |sum, turn| black_box(sum + turn))
}

macro_rules! rounds {
    ($($name:ident $start:literal)*) => {
        $(
            #[bench_diff(baseline = work, max_slowdown = "900%", check = false, warmup = "0ms")]
            fn $name() -> u64 {
                (0..black_box(2_000_u64)).fold($start, |sum, turn| black_box(sum + turn))
            }
        )*
    };
}

rounds! { first 1 second 2 third 3 fourth 4 }

bench_diff_harness::main!();
