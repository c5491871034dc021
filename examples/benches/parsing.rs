//! A parser over real files: the lines of `key = value` in two files of this workspace.

use std::fs;
use std::path::Path;

use bench_diff_harness::bench_diff;

/// Read once for every duo and shared by both functions: what they return borrows from it.
fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn by_chars(text: &str) -> Vec<(&str, &str)> {
    text.lines().filter_map(|line| line.split_once(" = ")).collect()
}

/// Looks for the sign first, of which there are fewer than lines.
#[bench_diff(baseline = by_chars, args = ["Cargo.toml", "Cargo.lock"], setup = read, max_slowdown = "10%")]
fn by_signs(text: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    let mut rest = text;
    while let Some(sign) = memchr::memmem::find(rest.as_bytes(), b" = ") {
        let start = memchr::memrchr(b'\n', &rest.as_bytes()[..sign]).map_or(0, |newline| newline + 1);
        let (key, value) = (&rest[start..sign], &rest[sign + 3..]);
        let end = memchr::memchr(b'\n', value.as_bytes()).unwrap_or(value.len());
        pairs.push((key, &value[..end]));
        rest = &value[end..];
    }
    pairs
}

bench_diff_harness::main!();
