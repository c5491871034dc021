//! The time between the end of one slot and the start of the next one of the same block.

use std::cell::{Cell, RefCell};
use std::hint::black_box;
use std::time::{Duration, Instant};

use bench_diff_core::{
    Clock, Clocks, Closures, InstantClock, Instruments, MeasureError, Plan, SlotClock, SystemClocks, measure,
};

use crate::plans::gated;
use crate::{RUNS, chain, median};

/// More readings than a measurement of this size takes.
const READINGS: usize = 1 << 20;

/// The longest time allowed between two slots, beside two readings of the clock.
const ALLOWED: f64 = 10.0;

/// A wall clock that remembers when it was read, and whether a function has run since the reading before.
struct Recorder {
    readings: RefCell<Vec<(Instant, bool)>>,
    called: Cell<bool>,
}

impl Clock for Recorder {
    type Moment = Instant;

    #[inline]
    fn now(&self) -> Instant {
        let moment = Instant::now();
        self.readings.borrow_mut().push((moment, self.called.take()));
        moment
    }

    fn nanoseconds(&self, start: Instant, end: Instant) -> u64 {
        InstantClock.nanoseconds(start, end)
    }
}

impl Clocks for Recorder {
    fn wall(&self) -> &dyn SlotClock {
        self
    }
}

pub(crate) fn print() -> Result<(), MeasureError> {
    let reading = Instruments::new(&SystemClocks::new()).wall.reading;
    let gaps: Result<Vec<f64>, _> = (0..RUNS).map(|run| median_gap(run as u64)).collect();
    let (gap, allowed) = (median(gaps?), 2.0 * reading as f64 + ALLOWED);
    println!("| a reading of the clock | between two slots | allowed: two readings and {ALLOWED} ns |");
    println!("|---|---|---|");
    println!("| {reading} ns | {gap:.0} ns | {allowed:.0} ns |\n");
    Ok(())
}

fn median_gap(seed: u64) -> Result<f64, MeasureError> {
    let recorder =
        Recorder { readings: RefCell::new(Vec::with_capacity(READINGS)), called: Cell::new(false) };
    let call = || {
        recorder.called.set(true);
        black_box(chain(100));
    };
    let plan = Plan { warmup: Duration::ZERO, ..gated(seed) };
    measure(&Instruments::new(&recorder), &mut Closures::new(call, call), &plan)?;
    let readings = recorder.readings.borrow();
    // A slot ends with a reading after a call. What follows is the start of a slot if that ends so as well.
    let gaps = readings.windows(3).filter(|three| three[0].1 && !three[1].1 && three[2].1);
    Ok(median(gaps.map(|three| (three[1].0 - three[0].0).as_nanos() as f64).collect()))
}
