use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, max_slowdwon = "2%")]
fn transposed() {}

#[bench_diff(baseline = slow, setup_onec = slow)]
fn swapped() {}

#[bench_diff(baselin = slow)]
fn short() {}

#[bench_diff(baseline = slow, colour = "red")]
fn far() {}

#[bench_diff(baseline = slow, exec_count = 2000)]
fn former() {}

#[bench_diff(slow)]
fn positional() {}

#[bench_diff(baseline = slow, "2%")]
fn without_name() {}

#[bench_diff(, baseline = slow,, report_only)]
fn empty() {}

#[bench_diff(baseline = slow slots = 2000)]
fn without_comma() {}

fn main() {}
