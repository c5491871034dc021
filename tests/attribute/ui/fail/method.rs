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

    #[bench_diff(baseline = slow)]
    fn associated() {}
}

trait Trait {
    #[bench_diff(baseline = slow)]
    fn of_trait() {}
}

impl Trait for Struct {
    #[bench_diff(baseline = slow)]
    fn of_trait() {}
}

macro_rules! implement {
    ($type:ty) => {
        impl $type {
            #[bench_diff(baseline = slow)]
            fn of_macro() {}
        }
    };
}

struct Other;

implement!(Other);

impl Other {
    fn function() {
        #[bench_diff(baseline = slow)]
        fn inside_of_a_function() {}
        inside_of_a_function();
    }
}

fn main() {
    Other::function();
}
