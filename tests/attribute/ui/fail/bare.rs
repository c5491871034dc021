use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, report_only = true)]
fn report_only() {}

#[bench_diff(baseline = slow, report_only(true))]
fn parenthesized() {}

#[bench_diff(baseline = slow, ignore = "slow machine")]
fn ignore() {}

fn main() {}
