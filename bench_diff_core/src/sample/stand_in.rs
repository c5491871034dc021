//! The stand-in that a self-test measures: the baseline instead of the candidate, with the requested extra
//! work.

use crate::clock::SlotClock;
use crate::plan::{ExtraWork, SelfTest};
use crate::stats::median_time;

/// The work is timed in pieces of at least this many nanoseconds, to find the time of a unit.
const LONG_ENOUGH: u64 = 20_000;

/// If the clock has not moved after this many units, it is given up.
const MOST_UNITS: u64 = 1 << 30;

/// The timings of such a piece. Their median is used, since the extra work is a share of a typical slot.
const TRIES: usize = 9;

/// The stand-in for the candidate and the baseline: the baseline on both sides, one of them with extra work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StandIn {
    slows_candidate: bool,
    /// Additional calls of the baseline in a slot.
    calls: u64,
    /// Units of [`Clock::work`](crate::Clock::work) at the end of a slot.
    units: u64,
    /// The share of the duos with extra work.
    share: f64,
}

impl StandIn {
    /// Equal sides.
    pub(crate) const EQUAL: Self = Self { slows_candidate: false, calls: 0, units: 0, share: 1.0 };

    /// The stand-in for this test if a slot of this many calls lasts this many nanoseconds.
    pub(crate) fn of(test: SelfTest, iterations: u64, slot: u64, clock: &dyn SlotClock) -> Self {
        let SelfTest { ratio, share } = test;
        let slowed = Self { slows_candidate: ratio > 1.0, share, ..Self::EQUAL };
        match ExtraWork::of(ratio, iterations) {
            ExtraWork::None => Self::EQUAL,
            ExtraWork::Calls(calls) => Self { calls, ..slowed },
            ExtraWork::Share(share) => {
                let units = share * slot as f64 / nanoseconds_per_unit(clock);
                Self { units: (units.round() as u64).max(1), ..slowed }
            }
        }
    }

    /// The stand-in for a single duo, given a uniform random number.
    pub(super) fn of_duo(self, drawn: u64) -> Self {
        if drawn as f64 <= self.share * u64::MAX as f64 { self } else { Self::EQUAL }
    }

    /// The additional calls of a slot on one side, and the work at its end. Both sides have them, if only
    /// zero, so that the same machine code makes their calls.
    pub(super) fn extra(self, is_candidate: bool) -> (u64, u64) {
        let Self { calls, units, .. } = if is_candidate == self.slows_candidate { self } else { Self::EQUAL };
        (calls, units)
    }
}

fn nanoseconds_per_unit(clock: &dyn SlotClock) -> f64 {
    let time = |units| clock.slot(&mut || {}, 0, Some(units));
    let mut units = 1024;
    loop {
        let typical = median_time((0..TRIES).map(|_| time(units)).collect());
        if typical >= LONG_ENOUGH || units >= MOST_UNITS {
            return typical.max(1) as f64 / units as f64;
        }
        units *= 2;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::time::Duration;

    use super::super::{BLOCK, Closures, Pair, Sampler, Samples};
    use super::*;
    use crate::clock::{InstantClock, ManualClock};
    use crate::coin::{Chance, OrderPolicy, Seed};

    /// The median slots of candidate and baseline, and the names of the called functions in order.
    fn slots(ratio: f64, iterations: u64, call: u64) -> ([u64; 2], String) {
        let (clock, called) = (ManualClock::new(), RefCell::new(String::new()));
        let function = |name| {
            called.borrow_mut().push(name);
            clock.advance(Duration::from_nanos(call));
        };
        let mut pair = Closures::new(|| function('C'), || function('B'));
        let test = SelfTest { ratio, share: 1.0 };
        let stand_in = StandIn::of(test, iterations, call * iterations, &clock);
        let mut sampler =
            Sampler::new(&clock, &mut pair).with_iterations(iterations).with_stand_in(Some(stand_in));
        let mut samples = Samples::default();
        sampler.block(&mut Chance::new(OrderPolicy::Coin, Seed(3)), BLOCK, &mut samples);
        let duo = samples.duos[0];
        assert!(samples.duos.iter().all(|other| other.candidate == duo.candidate));
        drop(pair);
        ([duo.candidate[0], duo.baseline[0]], called.into_inner())
    }

    #[test]
    fn the_candidate_is_never_called() {
        for ratio in [0.5, 1.0, 1.04] {
            let (_, called) = slots(ratio, 10, 100);
            assert!(!called.contains('C'), "{ratio}");
        }
    }

    #[test]
    fn slots_of_many_calls_have_more_of_them() {
        assert_eq!(slots(1.0, 128, 100).0, [12_800, 12_800]);
        assert_eq!(slots(1.04, 128, 100).0, [13_300, 12_800], "5 of 5.12 calls");
        assert_eq!(slots(1.0 / 1.5, 128, 100).0, [12_800, 19_200], "the baseline gets the extra work");
        assert_eq!(slots(1.04, 128, 100).1.len(), BLOCK * 2 * (128 + 133));
    }

    #[test]
    fn slots_of_few_calls_have_work_at_their_end() {
        assert_eq!(slots(1.04, 1, 20_000).0, [20_800, 20_000]);
        assert_eq!(slots(1.04, 64, 300).0, [19_968, 19_200], "3 calls would be 4.7 %");
        assert_eq!(slots(0.1, 128, 100).0, [12_800, 128_000], "not nine times as many inputs");
        assert_eq!(slots(1.000_2, 1, 20_000).0, [20_004, 20_000]);
    }

    #[test]
    fn chance_draws_a_share_of_the_duos() {
        let (clock, call) = (ManualClock::new(), 20_000);
        let mut pair = Closures::new(|| panic!("called"), || clock.advance(Duration::from_nanos(call)));
        let slots = |pair: &mut dyn Pair, seed| {
            let test = SelfTest { ratio: 10.0, share: 0.03 };
            let stand_in = StandIn::of(test, 1, call, &clock);
            let mut sampler = Sampler::new(&clock, pair).with_stand_in(Some(stand_in));
            let (mut chance, mut samples) = (Chance::new(OrderPolicy::Coin, seed), Samples::default());
            (0..500).for_each(|_| sampler.block(&mut chance, BLOCK, &mut samples));
            samples.duos
        };
        let duos = slots(&mut pair, Seed(3));
        let slow = duos.iter().filter(|duo| duo.candidate == [200_000; 2]).count();
        // 120 of 4000 and 4 standard deviations of 11.
        assert!((76..=164).contains(&slow), "{slow}");
        let usual = duos.iter().filter(|duo| duo.candidate == [20_000; 2]).count();
        assert_eq!(slow + usual, duos.len());
        assert!(duos.iter().all(|duo| duo.baseline == [20_000; 2]));
        let of_order = |seed| Chance::new(OrderPolicy::Coin, seed).order.flip();
        assert_eq!(duos[0].order, of_order(Seed(3)), "the draws do not change the coin");
        assert_eq!(slots(&mut pair, Seed(3)), duos, "a seed draws the same duos");
        assert_ne!(slots(&mut pair, Seed(4)), duos);
    }

    #[test]
    fn a_unit_of_work_takes_time_on_a_real_clock() {
        let unit = nanoseconds_per_unit(&InstantClock);
        assert!(unit > 0.0 && unit < 1e4, "{unit}");
    }
}
