use tango_bench::{IntoBenchmarks, benchmark_fn, tango_benchmarks};

fn all() -> impl IntoBenchmarks {
    macro_rules! measure {
        ($($name:ident)*) => {
            [$(
                benchmark_fn(stringify!($name), |bencher| {
                    let numbers = numbers();
                    bencher.iter(move || new::$name(&numbers[..black_box(amount::$name)]))
                }),
            )*]
        };
    }
    functions!(measure)
}

tango_benchmarks!(all());
