//! The time of a call and its share of overhead, from the warm-up alone. They are known before the first
//! counted duo.

use super::share;
use crate::duo::{Duo, slots_of};
use crate::sample::Warmup;
use crate::stats::median_time;
use crate::stats::robust::Location;

/// The nominal tail on either side of a share. The actual tail is up to a third larger if shares are normally
/// distributed, and several times as large if they are as skewed as an exponential distribution.
const TAIL: f64 = 0.025;

/// Fewer duos do not show the precision of a share.
const FEWEST: usize = 2;

/// A call of each function of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Calls {
    pub(crate) candidate: Call,
    pub(crate) baseline: Call,
}

/// A call of one function, with its share of overhead between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Call {
    /// The time of a typical call, in nanoseconds.
    pub(crate) time: f64,
    /// The lower bound of the share, nominally at 97.5 %.
    pub(crate) share_min: f64,
    /// The upper bound of the share, nominally at 97.5 %.
    pub(crate) share_max: f64,
}

impl Calls {
    /// The calls by the empty slots of a warm-up, each compared with the duo before it. `None` if there are
    /// fewer than two.
    pub(crate) fn of(warmup: &Warmup) -> Option<Self> {
        let of = |side| Call::of(warmup, side);
        Some(Self { candidate: of(|duo| duo.candidate)?, baseline: of(|duo| duo.baseline)? })
    }
}

impl Call {
    fn of(warmup: &Warmup, side: fn(&Duo) -> [u64; 2]) -> Option<Self> {
        let pairs = warmup.duos.iter().zip(&warmup.empty);
        let shares: Vec<f64> =
            pairs.map(|(duo, empty)| share(*empty, side(duo), warmup.resolution)).collect();
        if shares.len() < FEWEST {
            return None;
        }
        let location = Location::of(&shares, warmup.relative_resolution());
        let reach = location.reach(TAIL);
        Some(Self {
            time: median_time(slots_of(&warmup.duos, side)) as f64 / warmup.iterations as f64,
            share_min: (location.center - reach).clamp(0.0, 1.0),
            share_max: (location.center + reach).clamp(0.0, 1.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ClockKind;
    use crate::duo::Order;
    use crate::overhead::Overhead;
    use crate::sample::Recording;
    use crate::stats::Interval;

    /// A warm-up of slots of 10 us with these empty slots.
    fn warmup(empty: Vec<u64>, resolution: u64) -> Warmup {
        let duo = Duo { order: Order::BaselineFirst, candidate: [10_000; 2], baseline: [20_000; 2] };
        Warmup { duos: vec![duo; empty.len()], empty, iterations: 4, clock: ClockKind::Wall, resolution }
    }

    /// The overhead of a round with this warm-up.
    fn overhead(warmup: Warmup, duos: &[Duo], empty: &[u64]) -> Option<Overhead> {
        Overhead::of(&[vec![Recording { empty: empty.to_vec(), ..Recording::of(warmup, duos.to_vec()) }]])
    }

    #[test]
    fn the_overhead_is_unknown_without_empty_slots() {
        for few in [vec![], vec![30]] {
            assert_eq!(overhead(warmup(few, 1), &[], &[]), None);
        }
    }

    #[test]
    fn a_coarse_clock_widens_the_bounds_of_the_share() {
        let share = |empty: u64, resolution| {
            let overhead = overhead(warmup(vec![empty; 16], resolution), &[], &[]).unwrap();
            (overhead.share, overhead.share_max)
        };
        assert_eq!(share(30, 30).0, 0.003);
        assert!(share(30, 30).1 > 0.004 && share(30, 30).1 < 0.005);
        assert!(share(30, 1).1 < 0.003_1);
        let (none, most) = share(0, 30);
        assert!(none == 0.0 && most > 0.001, "{none} {most}");
        assert_eq!(share(20_000, 1), (1.0, 1.0), "the share is at most 1");
    }

    #[test]
    fn each_function_has_the_share_that_moves_its_bounds() {
        let warmup = warmup(vec![2_000; 16], 1);
        let Calls { candidate, baseline } = Calls::of(&warmup).unwrap();
        // The slots last 10 and 20 us.
        assert!((candidate.share_max - 0.2).abs() < 1e-3, "{candidate:?}");
        assert!((baseline.share_max - 0.1).abs() < 1e-3, "{baseline:?}");
        assert_eq!(overhead(warmup, &[], &[]).unwrap().share_max, candidate.share_max);
    }

    #[test]
    fn two_long_duos_are_enough() {
        let share_max = overhead(warmup(vec![28, 53], 1), &[], &[]).unwrap().share_max;
        assert!(share_max < 0.03, "{share_max}");
    }

    #[test]
    fn a_slot_without_time_leaves_numbers() {
        let mut warmup = warmup(vec![0; 16], 1);
        warmup.duos[..8].iter_mut().for_each(|duo| duo.candidate = [0; 2]);
        let overhead = overhead(warmup.clone(), &[], &[]).unwrap();
        assert!(overhead.share >= 0.0 && overhead.share_max <= 1.0, "{overhead:?}");
    }

    #[test]
    fn a_change_of_pace_after_the_warm_up_is_not_overhead() {
        let warmup = warmup(vec![5_000; 100], 1);
        // A fifth slower, with an empty slot after each block. The last block is shorter.
        let slow = Duo { candidate: [12_000; 2], baseline: [24_000; 2], ..warmup.duos[0] };
        let overhead = overhead(warmup.clone(), &[slow; 20], &[6_000; 3]).unwrap();
        assert!((overhead.share - 0.5).abs() < 1e-12, "{overhead:?}");
        let net = overhead.net(0.5, Interval { level: 0.95, low: 0.4, high: 0.6 });
        // 12 - 6 us against 24 - 6 us.
        assert!((net.unwrap().ratio - 1.0 / 3.0).abs() < 1e-12, "{net:?}");
    }
}
