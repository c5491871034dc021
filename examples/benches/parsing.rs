//! Inputs from files, outputs that borrow from them, and a function without a baseline.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use bench_diff_harness::bench_diff;
use memchr::memmem::Finder;

/// Read once for every duo and shared by both functions, whose outputs borrow from it.
fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn by_lines(text: &str) -> Vec<(&str, &str)> {
    text.lines().filter_map(|line| line.split_once(" = ")).collect()
}

/// Looks for ` = ` in the whole text, which has fewer of them than lines.
#[bench_diff(baseline = by_lines, args = ["Cargo.toml", "Cargo.lock"], setup = read, max_slowdown = "10%")]
fn by_signs(text: &str) -> Vec<(&str, &str)> {
    static SIGN: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(" = "));
    let mut pairs = Vec::new();
    let mut end = 0;
    for sign in SIGN.find_iter(text.as_bytes()) {
        // A second sign of a line is a part of its value.
        if sign < end {
            continue;
        }
        let start =
            memchr::memrchr(b'\n', &text.as_bytes()[end..sign]).map_or(end, |newline| end + newline + 1);
        let value = sign + SIGN.needle().len();
        end = memchr::memchr(b'\n', &text.as_bytes()[value..]).map_or(text.len(), |length| value + length);
        pairs.push((&text[start..sign], &text[value..end]));
    }
    pairs
}

/// Without a baseline: its latency and its rate are shown.
#[bench_diff(args = ["Cargo.toml", "Cargo.lock"], setup = read, bytes = str::len)]
fn longest_line(text: &str) -> Option<usize> {
    text.lines().map(|line| line.chars().count()).max()
}

bench_diff_harness::main!();
