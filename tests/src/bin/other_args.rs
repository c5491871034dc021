//! Args that are others in the process of a round, as the variable `OTHER_ARGS` says.

use std::env;
use std::fs::File;
use std::process;
use std::thread;
use std::time::Duration;

use bench_diff_harness::bench_diff;

fn numbers() -> Vec<u64> {
    // The process that lists the pairs is the first.
    let is_of_round = File::create_new(env::temp_dir().join("listed")).is_err();
    match env::var("OTHER_ARGS").as_deref() {
        Ok("panic") if is_of_round => panic!("out of numbers"),
        Ok("exit") if is_of_round => process::exit(0),
        Ok("fewer") if is_of_round => vec![2],
        Ok("more") if is_of_round => vec![1, 2],
        Ok("endless") if is_of_round => forever(),
        _ => vec![1],
    }
}

fn forever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

fn same(number: u64) -> u64 {
    (0..2_000).fold(number, |sum, turn| std::hint::black_box(sum ^ turn))
}

#[bench_diff(baseline = same, args = numbers(), max_slowdown = "900%", warmup = "0ms")]
fn family(number: u64) -> u64 {
    same(number)
}

bench_diff_harness::main!();
