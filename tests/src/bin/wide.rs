//! A function of twice the work in a program with code that asks for boundaries of 64 and of 32 bytes.

#![cfg_attr(target_os = "linux", expect(unsafe_code, reason = "assembler is"))]

#[cfg(target_os = "linux")]
use std::arch::global_asm;
use std::hint::black_box;

use bench_diff_harness::bench_diff;
use bench_diff_kernels_old as old;

// As large as nothing else, and kept (`R`), although nothing calls it.
#[cfg(target_os = "linux")]
global_asm!(
    ".pushsection .text.wide,\"axR\"",
    ".balign 64",
    ".globl bench_diff_wide",
    ".type bench_diff_wide, %function",
    "bench_diff_wide: .skip 200",
    ".size bench_diff_wide, 200",
    ".popsection",
    ".pushsection .text.half,\"axR\"",
    ".balign 32",
    ".globl bench_diff_half",
    ".type bench_diff_half, %function",
    "bench_diff_half: .skip 100",
    ".size bench_diff_half, 100",
    ".popsection"
);

/// Twice the work.
#[bench_diff(baseline = once, check = false)]
fn twice() -> u64 {
    once() ^ once()
}

fn once() -> u64 {
    old::crc(black_box(&[7; 1000]))
}

bench_diff_harness::main!();
