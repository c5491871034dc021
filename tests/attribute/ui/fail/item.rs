use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow)]
struct Struct;

#[bench_diff(baseline = slow)]
pub enum Enum {}

#[bench_diff(baseline = slow)]
impl Struct {}

#[bench_diff(baseline = slow)]
pub(crate) const CONST: u8 = 1;

#[bench_diff(baseline = slow)]
mod module {}

#[bench_diff(baseline = slow)]
unsafe trait Trait {
    #[bench_diff(baseline = slow)]
    fn without_body();
}

fn main() {}
