use bench_diff_harness::bench_diff;

fn slow() {}

fn make() -> u8 {
    1
}

#[bench_diff(baseline = slow, args = [1, 2])]
fn args_without_parameter() {}

#[bench_diff(baseline = slow, setup = make)]
fn setup_without_parameter() {}

#[bench_diff(baseline = slow, setup_once = make)]
fn state_without_parameter() {}

#[bench_diff(baseline = slow)]
fn parameter_without_input(_input: u8) {}

#[bench_diff(baseline = slow, setup = make)]
fn two_inputs(_input: u8, _: &[u8]) {}

#[bench_diff(baseline = slow, setup_once = make, setup = make)]
fn input_without_parameter(_state: &u8) {}

#[bench_diff(baseline = slow, setup_once = make, args = [1])]
fn state_and_two_inputs(_state: &u8, _: u8, _: u8) {}

#[bench_diff(baseline = slow, setup_once = make)]
fn state_by_value(_state: u8) {}

#[bench_diff(baseline = slow, setup_once = make)]
fn state_to_change(_state: &mut u8) {}

#[bench_diff(baseline = slow, args = [1])]
fn open_parameter(_input: impl Copy) {}

#[bench_diff(baseline = slow, args)]
fn no_args() {}

#[bench_diff(baseline = slow, args = 1 < 1)]
fn no_values(_input: u8) {}

#[bench_diff(baseline = slow, setup = make(), setup_once = || make())]
fn no_paths(_input: u8) {}

fn main() {}
