//! A function of an `impl` or a `trait` whose tokens are those of a free one.

use bench_diff_harness::bench_diff;

fn slow() {}

struct Struct;

impl Struct {
    #[bench_diff(baseline = slow)] //~ - #[bench_diff(baseline = slow)]
    fn associated() {} //~ E0425 associated
}

trait Trait {
    #[bench_diff(baseline = slow)] //~ - #[bench_diff(baseline = slow)]
    fn of_trait() {} //~ E0425 of_trait
}

impl Struct {
    fn function() {
        #[bench_diff(baseline = slow)]
        fn inside_of_a_function() {}
        inside_of_a_function();
    }
}

fn main() {
    Struct::function();
}
