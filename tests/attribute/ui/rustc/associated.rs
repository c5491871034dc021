//! A function of an `impl` cannot be told from a free function where nothing in its head says so.

use bench_diff_harness::bench_diff;

fn slow() {}

struct Struct;

impl Struct {
    #[bench_diff(baseline = slow)] //~ - #[bench_diff(baseline = slow)]
    fn associated() {} //~ E0425 associated
}

fn main() {}
