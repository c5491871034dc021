//! Work that is no whole number, and functions that are none of the input.

use bench_diff_harness::bench_diff;

const SHARE: f64 = 1.5;

fn number() -> u64 {
    1
}

fn length(text: &str) -> usize {
    text.len()
}

fn text() -> String {
    String::new()
}

fn consumed(text: String) -> usize {
    text.len()
}

#[bench_diff(baseline = number, bytes = SHARE)] //~ E0277 SHARE
fn bytes_of_a_float() -> u64 {
    1
}

#[bench_diff(baseline = number, items = length)] //~ E0277 length
fn items_of_no_input() -> u64 {
    1
}

#[bench_diff(baseline = number, items = "one".to_owned())] //~ E0277 "one".to_owned()
fn items_of_a_text() -> u64 {
    1
}

#[bench_diff(baseline = length, setup = text, bytes = SHARE)] //~ E0277 SHARE
fn bytes_of_a_float_beside_an_input(text: &str) -> usize {
    text.len()
}

#[bench_diff(baseline = length, setup = text, bytes = consumed)] //~ E0277 consumed
fn bytes_of_the_input_itself(text: &str) -> usize {
    text.len()
}

#[bench_diff(baseline = length, setup = text, items = |text| text.words())] //~ E0599 words
fn items_of_no_method(text: &str) -> usize {
    text.len()
}

#[bench_diff(baseline = length, setup = text, items = |text| text)] //~ E0277 |
fn items_of_the_input(text: &str) -> usize {
    text.len()
}

fn main() {}
