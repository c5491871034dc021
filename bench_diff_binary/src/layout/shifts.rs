//! The shifts of code and data in the four binaries of a round.
//!
//! The speed of a loop depends on its offset in a cache line. Each of the four binaries shifts all of its
//! code by another quarter of a line, so that in a round every function is at each offset once, and effects
//! of the offset of a single function cancel. Constants and variables, the heap and the stack are shifted in
//! the same way, each in its own order. On its page, all code begins at a random line, and so do all data.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use bench_diff_core::{CACHE_LINE, Seed};

/// The number of binaries in a round: one for each quarter of a cache line.
pub const PROGRAMS: usize = 4;

pub(super) const LINE: u64 = CACHE_LINE as u64;

/// A page, in bytes, in which processors look up lines and compare addresses.
pub(super) const PAGE: u64 = 4096;
const LINES_OF_PAGE: u64 = PAGE / LINE;

/// The distance between the offsets of two binaries, in bytes. Code with a wider alignment cannot be at every
/// offset.
pub(super) const GRAIN: u64 = LINE / PROGRAMS as u64;

/// The size of the block before the heap in lines: 16 to 64 KiB, too large for the holes that the start of a
/// process leaves.
const LINES_OF_HEAP: Range<u64> = (16 << 10) / LINE..(64 << 10) / LINE;

/// A binary of a round. Its file is removed when this value is dropped.
#[derive(Debug)]
pub struct Layout {
    /// The file of the binary.
    pub program: PathBuf,
    /// Where its code, data, heap and stack begin.
    pub shifts: Shifts,
    /// The seed for the order of functions and data in its round.
    pub(super) seed: Seed,
}

impl Drop for Layout {
    fn drop(&mut self) {
        // If this fails, the folder of the run is removed with everything in it.
        let _ = fs::remove_file(&self.program);
    }
}

/// The shifts of one binary of a round, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shifts {
    /// Of all code, less than a page.
    pub(super) code: u64,
    /// Of all constants and variables, less than a page.
    pub(super) data: u64,
    /// The size of the first block on the heap, in bytes.
    pub heap: u64,
    /// In grains of 16 bytes, from 0 to 3.
    pub stack: u8,
}

impl Shifts {
    /// The shifts of the binaries in the round with this seed, in the order of measurement.
    pub(super) fn of_round(seed: Seed) -> [Self; PROGRAMS] {
        let [code, data, heap, stack] = ["code", "data", "heap", "stack"].map(|what| permutation(seed, what));
        let lines = LINES_OF_HEAP.end - LINES_OF_HEAP.start;
        std::array::from_fn(|program| {
            let seed = seed.for_round(program);
            let on_page = |what: &str| LINE * (seed.for_pair(what).0 % LINES_OF_PAGE);
            Self {
                code: on_page("code") + GRAIN * code[program],
                data: on_page("data") + GRAIN * data[program],
                heap: LINE * (LINES_OF_HEAP.start + seed.0 % lines) + GRAIN * heap[program],
                stack: stack[program] as u8,
            }
        })
    }
}

/// The numbers 0 to 3 in an order derived from the seed and the purpose.
fn permutation(seed: Seed, purpose: &str) -> [u64; PROGRAMS] {
    let mut numbers = std::array::from_fn(|number| number as u64);
    numbers.sort_by_cached_key(|number| seed.for_pair(&format!("{purpose} {number}")).0);
    numbers
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    #[test]
    fn in_a_round_everything_is_at_each_offset_once() {
        for seed in 0..1000 {
            let shifts = Shifts::of_round(Seed(seed));
            let of = |shift: fn(&Shifts) -> u64| -> HashSet<u64> { shifts.iter().map(shift).collect() };
            let all = HashSet::from([0, 1, 2, 3].map(|grains| grains * GRAIN));
            assert_eq!(
                [
                    of(|shifts| shifts.code % LINE),
                    of(|shifts| shifts.data % LINE),
                    of(|shifts| shifts.heap % LINE)
                ],
                [(); 3].map(|()| all.clone())
            );
            assert_eq!(of(|shifts| shifts.stack.into()), HashSet::from([0, 1, 2, 3]));
            assert!(
                shifts.iter().all(|of_program| (16 << 10..64 << 10).contains(&of_program.heap)),
                "{shifts:?}"
            );
        }
    }

    #[test]
    fn orders_are_equally_likely_and_independent() {
        let mut orders: HashMap<[u64; 4], usize> = HashMap::new();
        let mut together = 0;
        for seed in 0..24_000 {
            let shifts = Shifts::of_round(Seed(seed));
            *orders.entry(shifts.map(|of_program| of_program.code % LINE)).or_default() += 1;
            let is_together = |shifts: &Shifts| shifts.code % LINE == shifts.data % LINE;
            together += usize::from(shifts.iter().all(is_together));
        }
        // The expected number is 1000, and one standard deviation is 31.
        assert!(
            orders.len() == 24 && orders.values().all(|count| (845..=1155).contains(count)),
            "{orders:?}"
        );
        assert!((845..=1155).contains(&together), "{together}");
    }

    #[test]
    fn code_and_data_are_equally_likely_at_each_line_of_a_page() {
        let mut lines = [[0; LINES_OF_PAGE as usize]; 2];
        for shifts in (0..16_000).flat_map(|seed| Shifts::of_round(Seed(seed))) {
            for (lines, shift) in lines.iter_mut().zip([shifts.code, shifts.data]) {
                lines[(shift / LINE) as usize] += 1;
            }
        }
        // The expected number is 1000, and one standard deviation is 31.
        assert!(lines.as_flattened().iter().all(|count| (845..=1155).contains(count)), "{lines:?}");
    }
}
