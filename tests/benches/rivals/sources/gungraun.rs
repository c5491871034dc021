use gungraun::{library_benchmark, library_benchmark_group, main};

macro_rules! count {
    ($($name:ident)*) => {
        $(
            #[library_benchmark(setup = numbers)]
            #[bench::of()]
            fn $name(numbers: &'static [u64]) -> u64 {
                new::$name(&numbers[..black_box(amount::$name)])
            }
        )*
        library_benchmark_group!(name = all, benchmarks = [$($name),*]);
    };
}

functions!(count);
main!(library_benchmark_groups = all);
