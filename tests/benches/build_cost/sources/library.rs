//! Eight functions, one of which does more work in the newer revision.

use std::hint::black_box;

fn turns(number: u64, count: u64) -> u64 {
    (0..count).fold(black_box(number), |sum, turn| black_box(sum.rotate_left(5) ^ turn))
}

macro_rules! functions {
    ($($name:ident: $count:expr;)*) => {
        $(
            pub fn $name(number: u64) -> u64 {
                turns(number, $count)
            }
        )*
    };
}

functions! {
    one: 1_000;
    two: 2_000;
    three: 3_000;
    four: 4_000;
    five: 5_000;
    six: 6_000;
    seven: 7_000;
    changed: CHANGED;
}
