//! The duo sampler: measures two functions in interleaved slots.

use crate::clock::Clock;
use crate::coin::Coin;
use crate::duo::{Duo, Order};
use crate::error::MeasureError;
use crate::slot::Side;

/// Duos between two looks at the data. Within a block nothing is judged, printed, written or allocated.
pub const BLOCK: usize = 8;

/// The shortest slot that is measured, unless one call takes longer, in nanoseconds.
const SHORTEST_SLOT: u64 = 10_000;

/// A slot lasts at least this many steps of the clock.
const STEPS_PER_SLOT: u64 = 200;

/// Calls after which a function that still takes no measurable time is given up.
const MOST_ITERATIONS: u64 = 1 << 24;

/// Measures duos of two functions, each slot of the same number of calls.
pub struct Sampler<'c, 's, C> {
    clock: &'c C,
    candidate: Side<'s>,
    baseline: Side<'s>,
    iterations: u64,
}

impl<'c, 's, C: Clock> Sampler<'c, 's, C> {
    /// A sampler whose slots are one call long.
    pub fn new(clock: &'c C, candidate: Side<'s>, baseline: Side<'s>) -> Self {
        Self { clock, candidate, baseline, iterations: 1 }
    }

    /// The same functions with as many calls in a slot, timed by another clock.
    pub fn on<D: Clock>(self, clock: &'c D) -> Sampler<'c, 's, D> {
        Sampler { clock, candidate: self.candidate, baseline: self.baseline, iterations: self.iterations }
    }

    /// The clock that times the slots.
    #[must_use]
    pub fn clock(&self) -> &'c C {
        self.clock
    }

    /// The calls in every slot, of both functions alike.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Doubles the calls of a slot until the slots of the faster function are long enough for the clock.
    ///
    /// A length is believed only when two duos in a row confirm it, since the first calls of a function are slow.
    ///
    /// # Errors
    ///
    /// [`MeasureError::NoTime`] where even 2^24 calls take too little time.
    pub fn calibrate(&mut self, coin: &mut Coin, resolution: u64) -> Result<(), MeasureError> {
        let target = SHORTEST_SLOT.max(STEPS_PER_SLOT.saturating_mul(resolution));
        let mut confirmed = false;
        loop {
            let long_enough = self.duo(coin.flip()).slots().all(|slot| slot >= target);
            match (long_enough, confirmed) {
                (true, true) => return Ok(()),
                (true, false) => confirmed = true,
                (false, _) if self.iterations >= MOST_ITERATIONS => return Err(MeasureError::NoTime),
                (false, _) => {
                    confirmed = false;
                    self.iterations *= 2;
                }
            }
        }
    }

    /// Measures up to [`BLOCK`] duos and adds them to `duos`.
    pub fn block(&mut self, coin: &mut Coin, length: usize, duos: &mut Vec<Duo>) {
        let length = length.min(BLOCK);
        duos.reserve(length);
        duos.extend((0..length).map(|_| self.duo(coin.flip())));
    }

    fn duo(&mut self, order: Order) -> Duo {
        let mut times = [0; 4];
        for (position, time) in times.iter_mut().enumerate() {
            let outer = position == 0 || position == 3;
            let side = match (order, outer) {
                (Order::CandidateFirst, true) | (Order::BaselineFirst, false) => &mut self.candidate,
                (Order::CandidateFirst, false) | (Order::BaselineFirst, true) => &mut self.baseline,
            };
            *time = side.slot(self.clock, self.iterations);
        }
        let [first, second, third, fourth] = times;
        let (outer, inner) = ([first, fourth], [second, third]);
        match order {
            Order::CandidateFirst => Duo { order, candidate: outer, baseline: inner },
            Order::BaselineFirst => Duo { order, candidate: inner, baseline: outer },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::time::Duration;

    use super::*;
    use crate::clock::ManualClock;
    use crate::coin::{OrderPolicy, Seed};
    use crate::slot::Chores;

    fn coin() -> Coin {
        Coin::new(OrderPolicy::Coin, Seed(3))
    }

    #[test]
    fn duos_are_palindromes_in_the_order_of_the_coin() {
        let (clock, calls) = (ManualClock::new(), RefCell::new(String::new()));
        let call = |name, nanoseconds| {
            calls.borrow_mut().push(name);
            clock.advance(Duration::from_nanos(nanoseconds));
        };
        let (mut candidate, mut baseline) = (|| call('C', 7), || call('B', 5));
        let mut sampler = Sampler::new(
            &clock,
            Side { call: &mut candidate, chores: None },
            Side { call: &mut baseline, chores: None },
        );
        let mut duos = Vec::new();
        sampler.block(&mut coin(), BLOCK, &mut duos);

        let mut expected = coin();
        for (duo, called) in duos.iter().zip(calls.borrow().as_bytes().chunks(4)) {
            assert_eq!(duo.order, expected.flip());
            assert_eq!(called, if duo.order == Order::BaselineFirst { b"BCCB" } else { b"CBBC" });
            assert_eq!((duo.candidate, duo.baseline), ([7, 7], [5, 5]));
        }
        assert_eq!(duos.len(), BLOCK);
    }

    #[test]
    fn a_linear_drift_cancels_in_every_duo() {
        let (clock, slots) = (ManualClock::new(), Cell::new(0));
        let call = || {
            slots.set(slots.get() + 1);
            clock.advance(Duration::from_nanos(1_000_000 + 100 * slots.get()));
        };
        let (mut candidate, mut baseline) = (call, call);
        let mut sampler = Sampler::new(
            &clock,
            Side { call: &mut candidate, chores: None },
            Side { call: &mut baseline, chores: None },
        );
        let mut duos = Vec::new();
        sampler.block(&mut coin(), BLOCK, &mut duos);
        for duo in duos {
            // One step of the drift is 1e-4 of a slot.
            assert!(duo.contrast().abs() < 1e-7, "{}", duo.contrast());
        }
    }

    fn calibrated(
        mut candidate: impl FnMut(u64) -> u64,
        mut baseline: impl FnMut(u64) -> u64,
        resolution: u64,
    ) -> Result<u64, MeasureError> {
        let (clock, calls) = (ManualClock::new(), Cell::new(0));
        let pass = |nanoseconds| {
            calls.set(calls.get() + 1);
            clock.advance(Duration::from_nanos(nanoseconds));
        };
        let mut candidate = || pass(candidate(calls.get()));
        let mut baseline = || pass(baseline(calls.get()));
        let mut sampler = Sampler::new(
            &clock,
            Side { call: &mut candidate, chores: None },
            Side { call: &mut baseline, chores: None },
        );
        sampler.calibrate(&mut coin(), resolution)?;
        Ok(sampler.iterations())
    }

    #[test]
    fn slots_are_long_enough_for_the_faster_function() {
        assert_eq!(calibrated(|_| 100, |_| 100, 1), Ok(128), "12.8 us");
        assert_eq!(calibrated(|_| 5_000, |_| 100, 1), Ok(128), "the slower one is no excuse");
        assert_eq!(calibrated(|_| 10_000, |_| 20_000, 1), Ok(1), "long enough already");
        assert_eq!(calibrated(|_| 2_000_000, |_| 2_000_000, 1), Ok(1));
        assert_eq!(calibrated(|_| 100, |_| 100, 100), Ok(256), "200 steps of a coarse clock are 20 us");
    }

    #[test]
    fn a_slow_start_is_not_believed() {
        let cold = |calls| if calls < 4 { 50_000 } else { 100 };
        assert_eq!(calibrated(cold, cold, 1), Ok(128));
    }

    #[test]
    fn functions_without_time_are_given_up() {
        assert_eq!(calibrated(|_| 0, |_| 0, 1), Err(MeasureError::NoTime));
        assert_eq!(calibrated(|_| 0, |_| 1_000, 1), Err(MeasureError::NoTime));
    }

    #[test]
    fn chores_stand_around_every_slot_and_are_not_timed() {
        struct Log<'a>(&'a RefCell<String>, &'a ManualClock);
        impl Chores for Log<'_> {
            fn before_slot(&mut self, iterations: u64) {
                self.0.borrow_mut().push_str(&format!("<{iterations}"));
                self.1.advance(Duration::from_millis(1));
            }
            fn after_slot(&mut self) {
                self.0.borrow_mut().push('>');
                self.1.advance(Duration::from_millis(1));
            }
        }
        let (clock, log) = (ManualClock::new(), RefCell::new(String::new()));
        let call = || {
            log.borrow_mut().push('.');
            clock.advance(Duration::from_nanos(9));
        };
        let (mut candidate, mut baseline) = (call, call);
        let (mut chores, mut same_chores) = (Log(&log, &clock), Log(&log, &clock));
        let mut sampler = Sampler::new(
            &clock,
            Side { call: &mut candidate, chores: Some(&mut chores) },
            Side { call: &mut baseline, chores: Some(&mut same_chores) },
        );
        let mut duos = Vec::new();
        sampler.block(&mut coin(), 1, &mut duos);
        assert_eq!(*log.borrow(), "<1.><1.><1.><1.>");
        assert_eq!((duos[0].candidate, duos[0].baseline), ([9, 9], [9, 9]));
    }
}
