//! The shifts of code and data in the four programs of a round.
//!
//! A loop runs faster or slower depending on its place on a cache line. Each of the four programs shifts all
//! of its code by another quarter of a line, so that in a round every function lies at each place once, and
//! effects of the place of one function alone cancel. Constants and variables, the heap and the stack are
//! shifted likewise, each in an order of its own.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use bench_diff_core::Seed;

/// The programs of a round.
pub(crate) const PROGRAMS: usize = 4;

/// The alignment that compilers give to functions, in bytes.
pub(super) const GRAIN: u64 = 16;

/// The lines of 64 bytes in the block before the heap: 16 to 64 KiB, too large for the holes that the start
/// of a process leaves.
const LINES_OF_HEAP: Range<u64> = 256..1024;

/// A program of a round, whose file goes with it.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) program: PathBuf,
    pub(crate) shifts: Shifts,
    /// That of the order in its round.
    pub(super) seed: Seed,
}

impl Drop for Layout {
    fn drop(&mut self) {
        // Leftovers go with the folder.
        let _ = fs::remove_file(&self.program);
    }
}

/// The shifts of one program of a round, in bytes after a multiple of 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shifts {
    pub(super) code: u64,
    pub(super) data: u64,
    /// The size of the first block on the heap, in bytes.
    pub(crate) heap: u64,
    /// In grains of 16 bytes, from 0 to 3.
    pub(crate) stack: u8,
}

impl Shifts {
    /// The shifts of the programs of the round with this seed, in the order of measurement.
    pub(super) fn of_round(seed: Seed) -> [Self; PROGRAMS] {
        let [code, data, heap, stack] = ["code", "data", "heap", "stack"].map(|what| permutation(seed, what));
        let lines = LINES_OF_HEAP.end - LINES_OF_HEAP.start;
        std::array::from_fn(|program| Self {
            code: GRAIN * code[program],
            data: GRAIN * data[program],
            heap: 64 * (LINES_OF_HEAP.start + seed.for_round(program).0 % lines) + GRAIN * heap[program],
            stack: stack[program] as u8,
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
    fn in_a_round_everything_lies_at_each_place_once() {
        for seed in 0..1000 {
            let shifts = Shifts::of_round(Seed(seed));
            let of = |shift: fn(&Shifts) -> u64| -> HashSet<u64> { shifts.iter().map(shift).collect() };
            let all = HashSet::from([0, 16, 32, 48]);
            assert_eq!(
                [of(|it| it.code), of(|it| it.data), of(|it| it.heap % 64)],
                [(); 3].map(|()| all.clone())
            );
            assert_eq!(of(|it| it.stack.into()), HashSet::from([0, 1, 2, 3]));
            assert!(shifts.iter().all(|it| (16 << 10..64 << 10).contains(&it.heap)), "{shifts:?}");
        }
    }

    #[test]
    fn the_orders_are_drawn_alike_and_apart() {
        let mut orders: HashMap<[u64; 4], usize> = HashMap::new();
        let mut together = 0;
        for seed in 0..24_000 {
            let shifts = Shifts::of_round(Seed(seed));
            *orders.entry(shifts.map(|it| it.code)).or_default() += 1;
            together += usize::from(shifts.iter().all(|it| it.code == it.data));
        }
        // 1000 of each +- 5 standard deviations of 31.
        assert!(
            orders.len() == 24 && orders.values().all(|count| (845..=1155).contains(count)),
            "{orders:?}"
        );
        assert!((845..=1155).contains(&together), "{together}");
    }
}
