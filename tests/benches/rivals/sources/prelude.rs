use std::hint::black_box;
use std::sync::OnceLock;

use bench_diff_kernels_new as new;

/// The most that any side works on.
const MOST: usize = 1050;

/// Both sides read the same ones, whose place is a part of their speed.
fn numbers() -> &'static [u64] {
    static OF_BOTH: OnceLock<Vec<u64>> = OnceLock::new();
    OF_BOTH.get_or_init(|| new::numbers(MOST))
}
