//! The functions that the benchmarks of both revisions call.

use std::hint::black_box;

/// The program of today.
const IS_NOW: bool = matches!(env!("CARGO_BIN_NAME").as_bytes(), [.., b'n', b'o', b'w']);

pub(crate) fn work(turns: usize) -> u64 {
    let chain = |product: u64, _| black_box(product.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    (0..black_box(turns)).fold(1, chain)
}

/// Takes four times as long today.
pub(crate) fn slower() -> u64 {
    work(if IS_NOW { 8_000 } else { 2_000 })
}

/// What a `main` may do at its end: it removes what its benchmarks need.
pub(crate) fn clean_up() {
    if let Some(file) = std::env::var_os("NEEDED_BY_BENCHMARKS") {
        std::fs::remove_file(file).expect("only one process cleans up");
    }
}
