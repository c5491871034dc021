//! The gate of an ordinary test: two functions, measured in this process by one call.

use std::panic::Location;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bench_diff_core::{Gate, Instruments, Measure, Plan, Seed, SystemClocks};

use crate::call::heap::keep_freed_memory;
use crate::call::probe::work_on;
use crate::call::value::Compared;
use crate::record::json::Word;
use crate::record::{GateRecord, Outcome, PairRecord, notes};
use crate::report;
use crate::settings::defaults;
use crate::system::stderr;

/// Panics if `candidate` is proven to be slower than `baseline` by more than the default gate of 2 % allows:
/// the verdict of a benchmark, in an ordinary `#[test]`.
///
/// ```
/// fn by_division(n: u64) -> u64 {
///     (1..=n).filter(|divisor| n % divisor == 0).count() as u64
/// }
///
/// fn by_root(n: u64) -> u64 {
///     let root = n.isqrt();
///     let below = (1..=root).filter(|divisor| n % divisor == 0).count() as u64;
///     2 * below - u64::from(root * root == n)
/// }
///
/// # // In place of:
/// // #[test]
/// fn the_root_is_worth_its_trouble() {
///     use std::hint::black_box;
///
///     assert_eq!(by_root(720), by_division(720));
///     bench_diff_harness::assert_not_slower(
///         || by_division(black_box(10_000)),
///         || by_root(black_box(10_000)),
///     );
/// }
/// # the_root_is_worth_its_trouble();
/// ```
///
/// This is [`NotSlower`] with its defaults; see there for the reliability and the cost of the verdict.
///
/// # Panics
///
/// In a release build, if the candidate is too slow, or if the two cannot be measured, such as functions that
/// take no time. The message is the explanation of a benchmark. A panic of one of the functions passes
/// through.
#[track_caller]
pub fn assert_not_slower<T>(baseline: impl Fn() -> T, candidate: impl Fn() -> T) {
    NotSlower::new().assert(baseline, candidate);
}

/// A gate for an ordinary test, with settings: see [`assert_not_slower`].
///
/// ```
/// use std::time::Duration;
/// use bench_diff_harness::NotSlower;
///
/// let gate = NotSlower::new().max_slowdown(0.7).max_time(Duration::from_millis(500));
/// gate.assert(|| "1234".parse::<u64>(), || "1234".parse::<u64>());
/// ```
///
/// Outputs of the functions pass through a black box and are dropped outside the timed code. They are not
/// compared. Inputs have to pass through a [black box](std::hint::black_box) explicitly, or the compiler may
/// compute the result in advance.
///
/// # Reliability
///
/// The functions run in turns, in one process and at the addresses that the linker gave them. The verdict is
/// about this process: with a probability of at most alpha, 1 %, it fails functions that are equal *here*. It
/// does not distinguish a slow function from one at an unlucky address, which made a difference of 32.4 % in
/// one program, or in a slow mode of the processor, which can last as long as the process. So unchanged
/// source can fail after a change elsewhere in the program, and then again each time. A panic proves half of
/// the margin: use 70 % or more, and leave finer margins to the attribute
/// [`bench_diff`](macro@crate::bench_diff), whose rounds are separate processes in random layouts.
///
/// Each call has an alpha of its own: of a hundred calls in a run, one fails falsely.
///
/// # Cost
///
/// A few milliseconds if the functions are equal or far apart and the machine is quiet, up to
/// [`max_time`](Self::max_time) if they are near the gate or the machine is busy, and more if calls are long:
/// 16 duos of four calls each are the minimum. One call measures at a time in a process, so others wait.
/// Other tests still run at the same time and make it take longer; `--test-threads=1` avoids that.
///
/// # Debug builds
///
/// With debug assertions, nothing is called or judged, and a note says so: `cargo test --release` judges.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "it measures nothing before `assert` is called"]
pub struct NotSlower {
    max_slowdown: f64,
    max_time: Duration,
    strict: bool,
}

impl NotSlower {
    /// The default gate: 2 %, 2 s, and an inconclusive verdict passes with a warning.
    pub const fn new() -> Self {
        Self { max_slowdown: defaults::MARGIN, max_time: Duration::from_secs(2), strict: false }
    }

    /// The margin as a share above 0: 0.25 is 25 %. A panic proves half of it, and a return without a warning
    /// proves less than three halves of it.
    ///
    /// # Panics
    ///
    /// If the share is not above 0, or not finite.
    pub const fn max_slowdown(self, share: f64) -> Self {
        assert!(share > 0.0 && share.is_finite(), "max_slowdown has to be a share above 0, as 0.25 for 25 %");
        Self { max_slowdown: share, ..self }
    }

    /// The time after which the verdict is inconclusive. The limit is soft: a verdict that is close to a
    /// decision may take longer.
    pub const fn max_time(self, time: Duration) -> Self {
        Self { max_time: time, ..self }
    }

    /// Panics if the verdict is inconclusive as well, like `--strict`.
    pub const fn strict(self) -> Self {
        Self { strict: true, ..self }
    }

    /// Measures both functions, and returns if the candidate passes. If the verdict is inconclusive, it
    /// returns as well, after a warning on the error stream.
    ///
    /// # Panics
    ///
    /// Like [`assert_not_slower`].
    #[track_caller]
    pub fn assert<T>(self, baseline: impl Fn() -> T, candidate: impl Fn() -> T) {
        let place = Location::caller();
        if cfg!(debug_assertions) {
            stderr::note(format_args!("{place}: {UNJUDGED}"));
            return;
        }
        let end = {
            static MEASURING: Mutex<()> = Mutex::new(());
            // A function that panicked leaves nothing behind that is used again.
            let _one_at_a_time = MEASURING.lock().unwrap_or_else(PoisonError::into_inner);
            let clocks = SystemClocks::new();
            self.end(&clocks.instruments(), Seed::random(), baseline, candidate)
        };
        match end {
            End::Passed => {}
            End::Undecided(text) => stderr::warning(format_args!("{place}: {text}")),
            End::Failed(text) => panic!("{text}"),
        }
    }

    fn end<C: Measure, T>(
        self,
        instruments: &Instruments<'_, C>,
        seed: Seed,
        baseline: impl Fn() -> T,
        candidate: impl Fn() -> T,
    ) -> End {
        let gate = Gate::MaxSlowdown(self.max_slowdown);
        let plan =
            Plan { zone: gate.zone(), max_time: self.max_time, max_rounds: None, seed, ..defaults::plan() };
        keep_freed_memory();
        let measured = work_on(
            |probe| probe.compare_0(|| Ok(candidate()), || Ok(baseline()), |_: &T, _: &T| Compared::Off),
            |pair| {
                let measurement = C::measure(instruments, pair, &plan)?;
                let record = PairRecord {
                    judge: Word(plan.judge),
                    gate: GateRecord::of(gate, &plan),
                    ..PairRecord::default()
                };
                record.measured(None, &measurement, notes(&measurement, &[]))
            },
        );
        let record = match measured {
            Some(Ok(record)) => record,
            Some(Err(error)) => return End::Failed(format!("it cannot be measured: {error}")),
            None => unreachable!("a probe works on what it is handed"),
        };
        let says = |title: &str| format!("{title}\n  {}", report::findings(&record).join("\n  "));
        match record.outcome() {
            Outcome::Fail => End::Failed(says("the candidate is slower than its baseline")),
            Outcome::Inconclusive if self.strict => End::Failed(says(UNDECIDED)),
            Outcome::Inconclusive => End::Undecided(says(UNDECIDED)),
            Outcome::Pass | Outcome::Error | Outcome::Ignored | Outcome::Measured => End::Passed,
        }
    }
}

impl Default for NotSlower {
    fn default() -> Self {
        Self::new()
    }
}

/// The end of an assertion.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Passed,
    Undecided(String),
    Failed(String),
}

const UNDECIDED: &str = "it is inconclusive whether the candidate is slower than its baseline";

const UNJUDGED: &str = "debug assertions are on, so it is not judged which function is slower; \
    `cargo test --release` turns them off";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{CLOCK, pass, undecided_latency};

    fn end(gate: NotSlower, baseline: impl Fn(), candidate: impl Fn()) -> End {
        CLOCK.with(|clock| gate.end(&Instruments::new(clock), Seed(1), baseline, candidate))
    }

    #[test]
    fn a_candidate_as_fast_as_its_baseline_passes() {
        let gate = NotSlower::new();
        assert_eq!(end(gate, || pass(20_000), || pass(20_000)), End::Passed);
        assert_eq!(end(gate, || pass(20_000), || pass(10_000)), End::Passed);
        assert_eq!(end(gate.max_slowdown(0.1), || pass(20_000), || pass(21_000)), End::Passed);
    }

    #[test]
    fn a_slower_candidate_fails_with_the_figures_of_a_report() {
        let End::Failed(text) = end(NotSlower::new(), || pass(20_000), || pass(21_000)) else {
            panic!("it is 5 % slower")
        };
        assert!(text.starts_with("the candidate is slower than its baseline\n  measured: 5."), "{text}");
        assert!(text.contains("\n  allowed:  at most 2 % slower (max_slowdown); "), "{text}");
        assert!(text.contains("\n  proves over +1.0 %, error <= 1 %; "), "{text}");
    }

    #[test]
    fn what_is_inconclusive_passes_unless_it_is_strict() {
        let gate = NotSlower::new().max_slowdown(1e-6).max_time(Duration::from_millis(100));
        let End::Undecided(text) = end(gate, undecided_latency, undecided_latency) else {
            panic!("a millionth cannot be seen")
        };
        assert!(text.starts_with(UNDECIDED) && text.contains("\n  measured: "), "{text}");
        assert!(!text.contains("--strict"), "{text}");
        assert!(matches!(end(gate.strict(), undecided_latency, undecided_latency), End::Failed(_)));
    }

    #[test]
    fn what_cannot_be_measured_fails() {
        let End::Failed(text) = end(NotSlower::new(), || (), || ()) else { panic!("it takes no time") };
        assert!(text.starts_with("it cannot be measured: "), "{text}");
    }

    #[test]
    #[should_panic(expected = "max_slowdown has to be a share above 0")]
    fn a_margin_is_above_0() {
        let _ = NotSlower::new().max_slowdown(0.0);
    }
}
