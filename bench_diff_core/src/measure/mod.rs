//! Measuring a pair: calibration, warm-up, and duos until the judge has seen enough.

mod attempt;
mod round;
#[cfg(test)]
mod tests;
mod warm_up;

use std::time::Duration;

use self::attempt::Attempt;
pub use self::round::{Round, measure_round};
use self::warm_up::{Warm, warm_up};
use crate::clock::{Instruments, SystemClocks};
use crate::coin::Seed;
use crate::duo::Duo;
use crate::error::MeasureError;
use crate::judge::{self, Judge};
use crate::measurement::Measurement;
use crate::plan::Plan;
use crate::sample::{Closures, Pair, Recording, Samples, typical_slots};

/// The duos from which the length of the slots at the end of a measurement is taken.
const LAST_DUOS: usize = 1024;

/// Measures two closures in this process with the default plan: the candidate may be at most 2 % slower.
///
/// # Errors
///
/// The errors of [`measure()`].
pub fn compare(candidate: impl FnMut(), baseline: impl FnMut()) -> Result<Measurement, MeasureError> {
    let plan = Plan { seed: Seed::random(), ..Plan::default() };
    let clocks = SystemClocks::new();
    measure(&Instruments::new(&clocks), &mut Closures::new(candidate, baseline), &plan)
}

/// Measures the functions of a pair in this process as the plan says and judges them by their duos.
/// [`max_rounds`](Plan::max_rounds) has no effect, since rounds take several processes.
///
/// The warm-up begins on the wall clock. If the plan and the functions allow the CPU clock, the second half
/// of the warm-up and all counted slots use it. Functions that turn out to be too fast for their slots are
/// measured again, in longer ones.
///
/// # Errors
///
/// A [`MeasureError`] if the plan demands a clock that the system lacks, if the functions are too fast for
/// the clock or too slow for the plan, or if a statistic cannot be computed. A panic of one of the functions
/// passes through.
///
/// # Panics
///
/// If a number of the plan, except `max_rounds`, is out of the range in [`Plan`], or if the pair has no
/// baseline, which needs [rounds](measure_round).
pub fn measure(
    instruments: &Instruments<'_>,
    pair: &mut dyn Pair,
    plan: &Plan,
) -> Result<Measurement, MeasureError> {
    let plan = &Plan { max_rounds: None, ..*plan };
    plan.assert_in_range();
    assert!(pair.has_baseline(), "rounds judge a function by itself");
    let stopwatch = &*instruments.clocks.wall().stopwatch();
    let is_one_function = pair.is_one_function();
    let begin = |warm: &Warm<'_, '_>| judge::start(plan, &warm.warmup);
    let next = |judge: &mut Box<dyn Judge>, duos: &[Duo], spent| {
        let length = judge.step(duos)?;
        let is_enough = judge.is_out_of_time(spent) || is_one_function && !duos.is_empty();
        (!is_enough).then_some(length)
    };
    let attempt = Attempt::first(plan, None);
    let (recording, judge) = counted(instruments, pair, attempt, stopwatch, begin, next)?;
    let judgement = judge.judgement(&recording.duos)?;
    Ok(Measurement::new(plan, vec![vec![Recording { is_one_function, ..recording }]], judgement))
}

/// Measures a pair after a warm-up, and again in longer slots if its functions turn out to be too fast. After
/// each warm-up, `begin` makes a state, from which `next` decides how many duos to measure next. The state of
/// the measurement that counts is returned.
fn counted<S>(
    instruments: &Instruments<'_>,
    pair: &mut dyn Pair,
    mut attempt: Attempt<'_>,
    stopwatch: &Stopwatch<'_>,
    begin: impl Fn(&Warm<'_, '_>) -> S,
    next: impl Fn(&mut S, &[Duo], Duration) -> Option<usize>,
) -> Result<(Recording, S), MeasureError> {
    loop {
        let mut warm = warm_up(instruments, pair, attempt, stopwatch)?;
        if let Some(again) = attempt.after(typical_slots(&warm.warmup.duos), &mut warm, instruments)? {
            attempt = again;
            continue;
        }
        let mut state = begin(&warm);
        let samples = warm.count(attempt, stopwatch, &mut |duos, spent| next(&mut state, duos, spent));
        // A function may have become faster since the warm-up.
        let last = samples.duos.len().saturating_sub(LAST_DUOS);
        match attempt.after(typical_slots(&samples.duos[last..]), &mut warm, instruments)? {
            Some(again) => attempt = again,
            None => return Ok((warm.recording(samples, stopwatch()), state)),
        }
    }
}

/// The wall time since a start.
type Stopwatch<'c> = dyn Fn() -> Duration + 'c;

impl Warm<'_, '_> {
    /// The recording of the warm-up and the counted samples.
    fn recording(self, Samples { duos, empty }: Samples, elapsed: Duration) -> Recording {
        let limited_by_inputs = self.sampler.limited_by_inputs;
        Recording { empty, limited_by_inputs, elapsed, ..Recording::of(self.warmup, duos) }
    }
}
