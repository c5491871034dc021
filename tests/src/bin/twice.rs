//! Two pairs of one name: the module path does not know the function that a function stands in.

use bench_diff_harness::bench_diff;

fn base() {}

fn _first() {
    #[bench_diff(baseline = base)]
    fn inner() {}
}

fn _second() {
    #[bench_diff(baseline = base)]
    fn inner() {}
}

bench_diff_harness::main!();
