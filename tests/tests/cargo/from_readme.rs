//! A crate with the manifest of the README.

use crate::quick_start::QuickStart;
use crate::user_crate::dependency;

/// The manifest of the README, which takes the harness from this workspace, with a bench of this name.
pub(crate) fn manifest(bench: &str) -> String {
    QuickStart::read().manifest_with(&dependency(), bench)
}

/// A benchmark with a pair.
pub(crate) const DIGITS: &str = "use std::hint::black_box;

use bench_diff_harness::bench_diff;

fn by_text() -> usize {
    (0..1_000_u64).map(|number| black_box(number.to_string()).len()).sum()
}

#[bench_diff(baseline = by_text)]
fn by_logarithm() -> usize {
    (0..1_000_u64).map(|number| black_box(number).max(1).ilog10() as usize + 1).sum()
}

bench_diff_harness::main!();
";
