//! Functions of many kinds, each of which exists twice.

use std::collections::HashMap;
use std::fmt::Write;
use std::hint::black_box;
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

trait Shape {
    fn area(&self) -> u64;
}

macro_rules! functions {
    ($module:ident: $index:ident $vec:ident $format:ident $map:ident $sort:ident $dynamic:ident $recursion:ident
     $statics:ident $text:ident $table:ident $bytes:ident $located:ident $all:ident) => {
        mod $module {
            use super::*;

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $index(numbers: &[u64], at: usize) -> u64 {
                numbers[at] + numbers[at..].iter().sum::<u64>()
            }

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $vec(n: u64) -> Vec<u64> {
                let mut numbers = Vec::new();
                (0..n).for_each(|n| numbers.push(n * n));
                numbers.remove(3);
                numbers
            }

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $format(n: u64) -> String {
                let mut text = format!("{n} and {:>9}", n + 1);
                write!(text, "{:?}", Some(n)).unwrap();
                text
            }

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $map(n: u64) -> u64 {
                let mut counts: HashMap<u64, u64> = HashMap::new();
                (0..n).for_each(|n| *counts.entry(n % 7).or_default() += n);
                counts[&3] + counts.values().sum::<u64>()
            }

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $sort(numbers: &mut [u64]) {
                numbers.sort();
            }

            struct Square(u64);

            struct Strip(u64, Vec<u64>);

            impl Shape for Square {
                fn area(&self) -> u64 {
                    self.0 * self.0
                }
            }

            impl Shape for Strip {
                fn area(&self) -> u64 {
                    self.0 * self.1[2]
                }
            }

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $dynamic(n: u64) -> u64 {
                let shape = |n: u64| -> Box<dyn Shape> {
                    if n % 2 == 0 { Box::new(Square(n)) } else { Box::new(Strip(n, vec![n; 3])) }
                };
                black_box((0..n).map(shape).collect::<Vec<_>>()).iter().map(|shape| shape.area()).sum()
            }

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $recursion(n: u64) -> u64 {
                if n < 2 { n } else { $recursion(black_box(n) - 1) + even(n - 2) }
            }

            #[inline(never)]
            fn even(n: u64) -> u64 {
                if n < 2 { n } else { $recursion(n - 1) }
            }

            static TABLE: [u64; 5] = [1, 2, 3, 4, 5];
            static COUNT: AtomicU64 = AtomicU64::new(3);

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $statics(n: usize) -> u64 {
                TABLE[n] + COUNT.fetch_add(1, SeqCst)
            }

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $text(n: u64) -> &'static str {
                match n {
                    0 => "none",
                    1 => "one of them",
                    2 => "two",
                    3 => "three or so",
                    _ => "many of them",
                }
            }

            #[cold]
            #[inline(never)]
            #[track_caller]
            fn too_many() -> ! {
                panic!("too many")
            }

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $table(n: u64, to: &mut Vec<u64>) {
                if to.len() > 99 {
                    too_many();
                }
                match n {
                    0 => to.push(7),
                    1 => to.clear(),
                    2 => to.reverse(),
                    3 => to.insert(1, n),
                    4 => drop(to.pop()),
                    _ => to.extend([n; 9]),
                }
            }

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $bytes(bytes: &mut [u8; 16]) {
                bytes.iter_mut().enumerate().for_each(|(at, byte)| *byte ^= 17 * at as u8 + 3);
            }

            static HERE: (u64, &Location<'static>) = (3, Location::caller());

            #[inline(never)]
            #[track_caller]
            fn checked(n: u64, most: u64) -> u64 {
                if n > most { panic!("{n} is above {most}, or {}", black_box(&HERE).1) } else { n + HERE.0 }
            }

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $located(n: u64) -> u64 {
                checked(n, 99) + checked(n + 1, 999)
            }

            #[inline(never)]
            #[unsafe(no_mangle)]
            fn $all(n: u64) -> u64 {
                let (mut numbers, mut bytes) = ($vec(n), [n as u8; 16]);
                $sort(&mut numbers);
                $table(n, &mut numbers);
                $bytes(&mut bytes);
                black_box(bytes);
                let sum = $index(&numbers, n as usize) + $map(n) + $dynamic(n) + $recursion(n) + $located(n);
                sum + $statics(n as usize) + ($format(n).len() + $text(n).len()) as u64
            }
        }
    };
}

functions! { one: index_1 vec_1 format_1 map_1 sort_1 dynamic_1 recursion_1 statics_1 text_1 table_1 bytes_1 located_1 all_1 }
#[cfg(not(single))]
functions! { two: index_2 vec_2 format_2 map_2 sort_2 dynamic_2 recursion_2 statics_2 text_2 table_2 bytes_2 located_2 all_2 }

unsafe extern "Rust" {
    safe fn all_1(n: u64) -> u64;
    #[cfg(not(single))]
    safe fn all_2(n: u64) -> u64;
}

fn main() {
    #[cfg(not(single))]
    black_box(all_2 as fn(u64) -> u64)(9);
    println!("{}", black_box(all_1 as fn(u64) -> u64)(9));
}
