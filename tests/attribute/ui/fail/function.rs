use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow)]
unsafe fn not_safe() {}

#[bench_diff(baseline = slow)]
extern "C" fn foreign() {}

#[bench_diff(baseline = slow)]
#[target_feature(enable = "sse2")]
fn wide() {}

fn main() {}
