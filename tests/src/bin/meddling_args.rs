//! Args that meddle with the process of the run, as the variable `MEDDLE` says, for a function that is slower.

#![cfg_attr(unix, expect(unsafe_code, reason = "it is what meddles"))]

use std::hint::black_box;
use std::{env, panic, process, thread};

use bench_diff_harness::bench_diff;

fn numbers() -> Vec<u64> {
    match env::var("MEDDLE").as_deref() {
        #[cfg(unix)]
        Ok("handler") => leave_in_the_end(),
        #[cfg(unix)]
        Ok("handler, exit later") if !is_of_round() => {
            leave_in_the_end();
            exit_later();
        }
        #[cfg(unix)]
        Ok("fork and exit") => {
            let child = unsafe { libc::fork() };
            if child == 0 {
                process::exit(0);
            }
            let mut status = 0;
            assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
            assert_eq!(status, 0, "the child had another code");
        }
        #[cfg(unix)]
        Ok("fork") => assert_ne!(unsafe { libc::fork() }, -1),
        Ok("exit later") if !is_of_round() => exit_later(),
        Ok("payload") => panic::panic_any(Payload),
        Ok("elsewhere") => env::set_current_dir("src").unwrap_or_else(|error| panic!("no src: {error}")),
        _ => {}
    }
    vec![1]
}

fn exit_later() {
    thread::spawn(|| {
        while !has_rounds() {
            thread::yield_now();
        }
        process::exit(0)
    });
}

fn is_of_round() -> bool {
    env::args().any(|argument| argument == "--bench-diff-round")
}

/// Whether the run is past its `args`: then there is a folder for what processes find.
fn has_rounds() -> bool {
    let mut entries = std::fs::read_dir(env::temp_dir()).into_iter().flatten().flatten();
    entries.any(|entry| entry.file_name().to_string_lossy().starts_with("bench_diff-"))
}

#[cfg(unix)]
fn leave_in_the_end() {
    assert_eq!(unsafe { libc::atexit(leave) }, 0);
}

#[cfg(unix)]
extern "C" fn leave() {
    unsafe { libc::_exit(0) };
}

/// What panics again when it is dropped.
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

bench_diff_harness::main!();
