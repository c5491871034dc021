//! Args that meddle with their process, or differ between processes, as the variable `MEDDLE` says, before a
//! function that has none.

#![cfg_attr(unix, expect(unsafe_code, reason = "it is what meddles"))]

use std::fs::File;
use std::hint::black_box;
use std::time::Duration;
use std::{env, panic, process, thread};

use bench_diff_harness::bench_diff;

fn numbers() -> Vec<u64> {
    match env::var("MEDDLE").as_deref() {
        Ok("panic") => panic::panic_any(Payload),
        Ok("exit") => process::exit(0),
        Ok("abort") => process::abort(),
        Ok("never return") => wait(),
        Ok("print") => println!("args are evaluated"),
        #[cfg(unix)]
        Ok("leave a handler") => assert_eq!(unsafe { libc::atexit(leave) }, 0),
        #[cfg(unix)]
        Ok("fork and come back") => assert_ne!(unsafe { libc::fork() }, -1),
        Ok("go elsewhere") => {
            env::set_current_dir("src").unwrap_or_else(|error| panic!("no src: {error}"));
        }
        Ok("differ") if is_of_round() => return others(),
        _ => {}
    }
    vec![1]
}

/// Returns whether another process has listed the pairs before.
fn is_of_round() -> bool {
    File::create_new(env::temp_dir().join("listed")).is_err()
}

/// What the process of a round finds in place of the args that were listed.
fn others() -> Vec<u64> {
    match env::var("OTHERS").as_deref() {
        Ok("panic") => panic!("out of numbers"),
        Ok("exit") => process::exit(0),
        Ok("never return") => wait(),
        _ => vec![2],
    }
}

fn wait() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

#[cfg(unix)]
extern "C" fn leave() {
    unsafe { libc::_exit(0) };
}

/// A payload that panics again when it is dropped.
struct Payload;

impl Drop for Payload {
    fn drop(&mut self) {
        panic!("a payload is dropped");
    }
}

fn quick(number: u64) -> u64 {
    (0..black_box(100)).fold(number, |sum, turn| black_box(sum ^ turn))
}

#[bench_diff(baseline = quick, args = numbers(), check = false, warmup = "0ms")]
fn slow(number: u64) -> u64 {
    (0..black_box(10_000)).fold(number, |sum, turn| black_box(sum ^ turn))
}

fn works() -> u64 {
    quick(1)
}

#[bench_diff(baseline = works, max_slowdown = "900%", warmup = "0ms")]
fn works_too() -> u64 {
    works()
}

bench_diff_harness::main!();
