use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, judge = "bayes")]
fn unknown() {}

#[bench_diff(baseline = slow, judge = welch)]
fn path() {}

fn main() {}
