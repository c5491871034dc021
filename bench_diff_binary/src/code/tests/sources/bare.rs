//! Functions without std, each of them twice; with `changed`, the second ones do different work.

#![no_std]
#![no_main]

use core::hint::black_box;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicU64, Ordering::SeqCst};

macro_rules! functions {
    ($module:ident $factor:literal $limit:literal $word:literal: $constant:ident $table:ident $text:ident $callee:ident $float:ident) => {
        mod $module {
            use super::*;

            static TABLE: [u64; 5] = [3, 1, 4, 1, $limit];
            static COUNT: AtomicU64 = AtomicU64::new(3);

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $constant(n: u64) -> u64 {
                black_box(n) * $factor
            }

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $table(n: u64) -> u64 {
                black_box(&TABLE).iter().map(|factor| factor ^ n).sum::<u64>() + COUNT.fetch_add(1, SeqCst)
            }

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $text(n: u64) -> &'static str {
                if n > 3 { "a usual way" } else { $word }
            }

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $callee(n: u64) -> u64 {
                if n < 2 { $constant(n) } else { $callee(black_box(n) - 1) + $constant(n - 2) }
            }

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $float(n: f64) -> f64 {
                n * [0.1, 0.2, 0.3, $limit as f64 + 0.7][n as usize & 3]
            }
        }
    };
}

functions! { one 5 9 "a fast way": constant_1 table_1 text_1 callee_1 float_1 }
#[cfg(not(changed))]
functions! { other 5 9 "a fast way": constant_2 table_2 text_2 callee_2 float_2 }
#[cfg(changed)]
functions! { other 7 8 "a slow way": constant_2 table_2 text_2 callee_2 float_2 }

unsafe extern "Rust" {
    safe fn table_1(n: u64) -> u64;
    safe fn table_2(n: u64) -> u64;
    safe fn text_1(n: u64) -> &'static str;
    safe fn text_2(n: u64) -> &'static str;
    safe fn callee_1(n: u64) -> u64;
    safe fn callee_2(n: u64) -> u64;
    safe fn float_1(n: f64) -> f64;
    safe fn float_2(n: f64) -> f64;
}

#[unsafe(no_mangle)]
extern "C" fn _start() {
    black_box((table_1(1), table_2(1), text_1(1), text_2(1), callee_1(1), callee_2(1), float_1(1.0), float_2(1.0)));
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}
