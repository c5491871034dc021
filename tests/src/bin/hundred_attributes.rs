//! A hundred attributes with a hundred args each, or as many as the variable `ARGS` says.

use std::env;

fn same(number: usize) -> usize {
    number
}

fn count() -> usize {
    env::var("ARGS").ok().and_then(|count| count.parse().ok()).unwrap_or(100)
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
        $(#[bench_diff_harness::bench_diff(baseline = crate::same, args = 0..crate::count())]
        fn $name(number: usize) -> usize {
            number
        })*
    };
}

tens! {}

bench_diff_harness::main!();
