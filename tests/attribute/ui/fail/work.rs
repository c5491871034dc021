use bench_diff_harness::bench_diff;

fn slow() {}

fn slow_of(_: &[u8]) {}

fn make() -> Vec<u8> {
    vec![1]
}

#[bench_diff(baseline = slow, bytes = |input| input.len())]
fn bytes_without_input() {}

#[bench_diff(baseline = slow_of, setup_once = make, items = |state| state.len())]
fn items_of_the_state(_state: &[u8]) {}

#[bench_diff(baseline = slow_of, setup = make, items = || 1)]
fn without_parameter(_input: &[u8]) {}

#[bench_diff(baseline = slow_of, setup = make, bytes = |input, index| input[index])]
fn two_parameters(_input: &[u8]) {}

#[bench_diff(baseline = slow, bytes = 1, items = 1, bytes = 2)]
fn twice() {}

#[bench_diff(baseline = slow, bytes = "4 kB", items = 1.5)]
fn no_numbers() {}

#[bench_diff(baseline = slow, bytes = 0, items = -1)]
fn no_work() {}

#[bench_diff(baseline = slow, bytes, items =)]
fn nothing() {}

#[bench_diff(baseline = slow, throughput = 4096)]
fn of_criterion() {}

#[bench_diff(baseline = slow, counters = [BytesCount::new(4096)])]
fn of_divan() {}

#[bench_diff(baseline = slow, BytesCount = 4096, ItemsCount = 1)]
fn counts_of_divan() {}

#[bench_diff(baseline = slow, byts = 4096)]
fn misspelt() {}

fn main() {}
