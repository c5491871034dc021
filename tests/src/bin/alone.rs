//! A pair that must not be measured by two runs at a time: each round holds a lock on the file `ALONE`.

use std::env;
use std::fs::File;
use std::hint::black_box;

use bench_diff_harness::bench_diff;

fn locked() -> File {
    let file = File::create(env::var_os("ALONE").expect("ALONE names a file")).expect("it can be made");
    file.try_lock().expect("nobody else measures");
    file
}

fn baseline(_: &File) -> u64 {
    (0..black_box(1_000_u64)).fold(0, |sum, turn| black_box(sum ^ turn))
}

#[bench_diff(baseline = baseline, setup_once = locked, max_slowdown = "900%", check = false, warmup = "0ms")]
fn candidate(_: &File) -> u64 {
    (0..black_box(1_000_u64)).fold(1, |sum, turn| black_box(sum + turn))
}

bench_diff_harness::main!();
