//! The new release of twenty-four functions against the old one, whose source is the same: on the same thousand
//! numbers, unless the program is compiled with `UNCHANGED_NUMBERS`, which gives the new one more of them.

use std::hint::black_box;

use bench_diff_harness::bench_diff;
use bench_diff_kernels_new as new;
use bench_diff_kernels_old as old;

macro_rules! pairs {
    ($($name:ident)*) => {
        $(
            mod $name {
                use super::*;

                fn baseline(numbers: &[u64]) -> u64 {
                    old::$name(&numbers[..OF_OLD])
                }

                #[bench_diff(baseline = baseline, setup_once = numbers, check = false)]
                fn candidate(numbers: &[u64]) -> u64 {
                    new::$name(&numbers[..OF_NEW])
                }
            }
        )*
    };
}

const OF_OLD: usize = 1000;

const OF_NEW: usize = match option_env!("UNCHANGED_NUMBERS") {
    Some(digits) => match usize::from_str_radix(digits, 10) {
        Ok(count) => count,
        Err(_) => panic!("UNCHANGED_NUMBERS is a number"),
    },
    None => OF_OLD,
};

/// One place for the numbers of both, which is a part of their speed.
fn numbers() -> Vec<u64> {
    black_box(old::numbers(OF_NEW.max(OF_OLD)))
}

pairs! {
    sum dot bubble sort insertion fnv crc sieve collatz bits words fmt parse btree hash lev matrix utf8 binary xorshift rle
    tokens hex states
}

/// So that one source makes programs of many layouts.
const PADDING: usize = match option_env!("UNCHANGED_PADDING") {
    Some(digits) => (digits.as_bytes()[0] - b'0') as usize,
    None => 0,
};

include!("../../benches/padding.rs");

bench_diff_harness::main!();
