use bench_diff_harness::bench_diff;

fn slow() {}

struct Struct;

impl Struct {
    #[bench_diff(baseline = slow)]
    fn by_reference(&self) {}

    #[bench_diff(baseline = slow)]
    fn by_value(self: Box<Self>, _other: u8) {}

    #[bench_diff(baseline = slow)]
    fn made() -> Option<Self> {
        None
    }
}

fn main() {}
