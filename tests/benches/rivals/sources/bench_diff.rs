macro_rules! functions_of_now {
    ($($name:ident)*) => {
        $(
            #[bench_diff_harness::bench_diff(setup_once = numbers)]
            fn $name(numbers: &&'static [u64]) -> u64 {
                new::$name(&numbers[..black_box(amount::$name)])
            }
        )*
    };
}

functions!(functions_of_now);

bench_diff_harness::main!();
