//! A hundred attributes with a hundred args each.

fn same(number: usize) -> usize {
    number
}

/// A module for each name, which holds what the macro of these names writes.
macro_rules! modules {
    ($inner:ident: $($name:ident)*) => {
        $(mod $name {
            $inner! {}
        })*
    };
}

macro_rules! tens {
    () => {
        modules! { ones: a b c d e f g h i j }
    };
}

macro_rules! ones {
    () => {
        families! { a b c d e f g h i j }
    };
}

macro_rules! families {
    ($($name:ident)*) => {
        $(#[bench_diff_harness::bench_diff(baseline = crate::same, args = 0..100)]
        fn $name(number: usize) -> usize {
            number
        })*
    };
}

tens! {}

bench_diff_harness::main!();
