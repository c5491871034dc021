//! The level in the noise of a real machine: recorded slots of one function, with 2000 fresh sets of labels
//! each.
//!
//! The labels are drawn after the recording, so the null hypothesis is true by construction, and the
//! randomisation test of Fisher (1935) makes the level exact for this very noise, stopping included. In numpy
//! replays of such traces 33 of 6400 runs failed at an alpha of 1 %.

use bench_diff_core::{Coin, OrderPolicy, Seed, Verdict};

use crate::binomial::acceptable;
use crate::gate::{NARROW, bounds};
use crate::simulation::{Tally, WARMUP_DUOS, plan, verdict, warmup};
use crate::trace::{Trace, decoded, relabelled};

/// A run sees this many duos of a trace, warm-up included.
const WINDOW: usize = 600;

const RUNS: usize = 2000;

/// This many failures of 2000 runs are accepted at alpha = 1 %: with a true rate of 2 % the chance of so few
/// is 4 %.
const FAILS_OF_2000: usize = 29;

/// Slots are stretched to about a millisecond, which changes no contrast, so that a candidate that is made
/// slower by half a percent does not have to be rounded to the nanoseconds of the recording.
struct Recording {
    name: &'static str,
    bytes: &'static [u8],
    stretch: u32,
}

const BUSY: Recording =
    Recording { name: "a busy machine", bytes: include_bytes!("../data/busy_alloc_20us.bin"), stretch: 50 };

const TWO_SPEEDS: Recording = Recording {
    name: "a loop in two speeds",
    bytes: include_bytes!("../data/two_speed_loop.bin"),
    stretch: 10,
};

impl Recording {
    fn trace(&self) -> Trace {
        decoded(self.bytes, self.stretch)
    }

    fn tally(&self, delta: f64) -> Tally {
        let trace = self.trace();
        let windows: Vec<_> = trace.chunks_exact(WINDOW).collect();
        let verdict_of_run = |run: usize| -> Verdict {
            let mut coin = Coin::new(OrderPolicy::Coin, Seed(run as u64).for_pair(self.name));
            let duos = relabelled(windows[run % windows.len()], &mut coin, delta);
            let (before, counted) = duos.split_at(WARMUP_DUOS);
            let warmup = warmup(before.to_vec(), u64::from(self.stretch));
            verdict(&plan(NARROW), &warmup, counted)
        };
        (0..RUNS).map(verdict_of_run).collect()
    }

    fn has_the_level(&self) {
        let at_lo = self.tally(bounds(NARROW).lo);
        println!("{} at lo: {at_lo:?}", self.name);
        assert!(at_lo.fails <= FAILS_OF_2000, "{} at the lower bound: {at_lo:?}", self.name);

        let at_hi = self.tally(bounds(NARROW).hi);
        println!("{} at hi: {at_hi:?}", self.name);
        assert!(at_hi.passes <= acceptable(RUNS, 0.05, 1e-3), "{} at the upper bound: {at_hi:?}", self.name);

        // A judge that never decides would have the level as well.
        assert!(at_lo.inconclusive + at_hi.inconclusive <= RUNS / 10, "{}: {at_lo:?} {at_hi:?}", self.name);
    }
}

#[test]
fn a_busy_machine_does_not_raise_the_level() {
    BUSY.has_the_level();
}

#[test]
fn a_loop_in_two_speeds_does_not_raise_the_level() {
    TWO_SPEEDS.has_the_level();
}

#[test]
fn the_recordings_are_whole() {
    for (recording, typical_slot) in [(BUSY, 14_437.0), (TWO_SPEEDS, 96_811.0)] {
        let trace = recording.trace();
        assert_eq!(trace.len(), 10 * WINDOW, "{}", recording.name);
        let mut slots: Vec<f64> = trace.iter().flatten().flatten().copied().collect();
        slots.sort_by(f64::total_cmp);
        assert_eq!(slots[slots.len() / 2] / f64::from(recording.stretch), typical_slot, "{}", recording.name);
    }
}
