//! Inputs that do not fit, and options that do not fit the inputs.

use bench_diff_harness::bench_diff;

struct Silent;

struct Single(u8);

fn number() -> u64 {
    1
}

fn of_number(_: u64) -> String {
    String::new()
}

fn two(_: u64, _: u64) -> u64 {
    1
}

mod made {
    pub(super) fn text() -> String {
        String::new()
    }
}

fn length(_: &str) -> usize {
    1
}

fn bytes(_: &[u8]) -> usize {
    1
}

fn sort(_: &mut [u64]) {}

fn sort_bytes(_: &mut [u8]) {}

fn iter() -> std::vec::IntoIter<u8> {
    Vec::new().into_iter()
}

fn double(number: u64) -> u64 {
    2 * number
}

fn with_state(_: &String, number: u64) -> u64 {
    number
}

#[bench_diff(baseline = number, args = [1, 2])] //~ E0061 number
fn baseline_without_parameter(number: u64) -> u64 {
    number
}

#[bench_diff(baseline = bytes, setup = made::text)] //~ E0308 bytes
fn baseline_of_another_input(text: &str) -> usize {
    text.len()
}

#[bench_diff(baseline = made::text, setup_once = made::text)] //~ E0061 made::text
fn baseline_without_state(text: &str) -> String {
    text.into()
}

#[bench_diff(baseline = double, setup_once = of_number, args = [1])] //~ E0061 double
fn baseline_of_one_parameter(_: &String, number: u64) -> u64 {
    number
}

#[bench_diff(baseline = sort_bytes, setup = Vec::new)] //~ E0308 sort_bytes
fn baseline_that_changes_another(numbers: &mut [u64]) {
    numbers.reverse();
}

#[bench_diff(baseline = sort_bytes, setup = iter)] //~ E0308 sort_bytes
fn baseline_that_changes_no_object(_: &mut dyn Iterator<Item = u8>) {}

#[bench_diff(baseline = double, setup = made::text)] //~ E0308 made::text
fn setup_of_another_value(number: u64) -> u64 {
    number
}

#[bench_diff(baseline = length, setup = number)] //~ E0308 number
fn setup_of_another_reference(text: &str) -> usize {
    text.len()
}

#[bench_diff(baseline = sort, setup = made::text)] //~ E0308 made::text
fn setup_of_another_change(numbers: &mut [u64]) {
    numbers.reverse();
}

#[bench_diff(baseline = double, setup = double)] //~ E0061 double
fn setup_of_an_arg_without_args(number: u64) -> u64 {
    number
}

#[bench_diff(baseline = double, args = [1], setup = number)] //~ E0061 number
fn setup_without_the_arg(number: u64) -> u64 {
    number
}

#[bench_diff(baseline = double, args = ["a"])] //~ E0308 ["a"]
fn args_of_another_type(number: u64) -> u64 {
    number
}

#[bench_diff(baseline = length, args = [1, 2])] //~ E0308 [1, 2]
fn args_that_cannot_be_borrowed(text: &str) -> usize {
    text.len()
}

#[bench_diff(baseline = double, args = 7)] //~ E0277 7
fn args_that_are_one(number: u64) -> u64 {
    number
}

#[bench_diff(baseline = silent, args = [Silent])] //~ E0277 [Silent]
fn silent(_: &Silent) {}

#[bench_diff(baseline = single, args = [Single(1)])] //~ E0277 [Single(1)]
fn single(_: Single) {}

#[bench_diff(baseline = with_state, setup_once = double, args = [1])] //~ E0308 double
fn another_state(_: &String, number: u64) -> u64 {
    number
}

#[bench_diff(baseline = double, args = [1], max_slowdown = of_number)] //~ E0308 of_number
fn margin_of_another_type(number: u64) -> u64 {
    number
}

#[bench_diff(baseline = double, args = [1], check = two)] //~ E0308 two
fn check_of_another_type(number: u64) -> u64 {
    number
}

fn main() {}
