//! Everything of the function stays, but for an `#[ignore]` that the pair has taken over.

#![deny(warnings)]

use bench_diff_harness::bench_diff;

const fn slow() -> u64 {
    1
}

/// Docs.
#[bench_diff(baseline = slow)]
#[ignore = "not part of every run"]
#[inline(never)]
#[must_use]
#[track_caller]
pub const fn fast() -> u64 {
    2
}

const AT_COMPILE_TIME: u64 = fast();

fn main() {
    assert_eq!(AT_COMPILE_TIME, slow() + 1);
}
