//! Functions that three codegen units get from three others, of which only texts remain.

use std::hint::black_box;

macro_rules! functions {
    ($($words:ident $module:ident $name:ident $text:literal),*) => { $(
        mod $words {
            pub fn words(n: u64) -> u64 {
                let text = format!($text, n);
                text.bytes().map(|byte| u64::from(byte).rotate_left((n % 64) as u32) ^ n).sum::<u64>() * n
            }
        }

        mod $module {
            #[inline(never)]
            #[unsafe(no_mangle)]
            pub fn $name(n: u64) -> u64 {
                super::$words::words(n)
            }
        }
    )* };
}

functions!(
    words_1 one units_1 "one of {} texts",
    words_2 two units_2 "another of {} texts",
    words_3 three units_3 "the last one of {} texts"
);

pub fn main() {
    println!("{}", one::units_1(black_box(1)) + two::units_2(black_box(2)) + three::units_3(black_box(3)));
}
