//! Inputs that are changed: each call gets its own clone of the text, which is compared after the call.

use bench_diff_harness::bench_diff;

fn text(len: usize) -> Vec<u8> {
    b"The Quick Brown Fox Jumps Over The Lazy Dog. ".iter().copied().cycle().take(len).collect()
}

fn by_letter(text: &mut [u8]) {
    for letter in text {
        if letter.is_ascii_uppercase() {
            *letter += b'a' - b'A';
        }
    }
}

/// The gate keeps what was gained: at least three times faster.
#[bench_diff(baseline = by_letter, args = [1_000, 100_000], setup = text, min_speedup = 3.0)]
fn by_library(text: &mut [u8]) {
    text.make_ascii_lowercase();
}

bench_diff_harness::main!();
