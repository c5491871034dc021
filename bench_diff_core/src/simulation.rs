//! Simulated functions on a manual clock, which drive the real sampler in tests, and figures of such
//! functions.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use crate::clock::{
    Activity, ClockCost, ClockPolicy, Clocks, Instruments, ManualClock, SelfTimed, SlotClock,
};
use crate::coin::Seed;
use crate::error::MeasureError;
use crate::gate::Gate;
use crate::judge::Verdict;
use crate::measure::measure;
use crate::measurement::Measurement;
use crate::overhead::{Call, Calls};
use crate::plan::{JudgeKind, Plan};
use crate::sample::{Closures, Functions, Pair, Side};
use crate::stats::standard_normal;

/// Gates, true ratios, and the verdicts that every judge reaches if the noise is small.
pub(crate) const PLAIN_CASES: [(Gate, f64, Verdict); 12] = [
    (Gate::MaxSlowdown(0.02), 1.0, Verdict::Pass),
    (Gate::MaxSlowdown(0.02), 0.5, Verdict::Pass),
    (Gate::MaxSlowdown(0.02), 1.05, Verdict::Fail),
    (Gate::MaxSlowdown(0.02), 1000.0, Verdict::Fail),
    (Gate::MaxSlowdown(0.02), 0.001, Verdict::Pass),
    (Gate::MaxSlowdown(3.0), 2.0, Verdict::Pass),
    (Gate::MinSpeedup(1.5), 0.6, Verdict::Pass),
    (Gate::MinSpeedup(1.5), 0.7, Verdict::Fail),
    (Gate::MaxDifference(0.02), 1.0, Verdict::Pass),
    (Gate::MaxDifference(0.02), 1.05, Verdict::Fail),
    (Gate::MaxDifference(0.02), 0.95, Verdict::Fail),
    (Gate::MaxDifference(0.02), 0.001, Verdict::Fail),
];

/// A plan that measures as little as a test needs.
pub(crate) fn plan() -> Plan {
    Plan {
        zone: Gate::MaxSlowdown(0.02).zone(),
        judge: JudgeKind::Welch,
        alpha: 0.01,
        beta: 0.05,
        slots: 400,
        max_time: Duration::from_secs(2),
        warmup: Duration::ZERO,
        max_rounds: None,
        ignore_below: None,
        clock: ClockPolicy::Auto,
        seed: Seed(1),
    }
}

/// Overhead that is this share of a slot of each function.
pub(crate) fn calls(candidate: f64, baseline: f64) -> Option<Calls> {
    let call = |share| Call { time: 2.0, share_min: share, share_max: share };
    Some(Calls { candidate: call(candidate), baseline: call(baseline) })
}

/// Returns whether only rounding makes these numbers differ.
pub(crate) fn near(actual: f64, expected: f64) -> bool {
    (actual - expected).abs() < 1e-12
}

/// Measures two functions, each given as its latency in nanoseconds at every call.
pub(crate) fn simulate(
    plan: &Plan,
    mut candidate: impl FnMut() -> f64,
    mut baseline: impl FnMut() -> f64,
) -> Result<Measurement, MeasureError> {
    let clock = ManualClock::new();
    let pass = |nanoseconds: f64| clock.advance(Duration::from_secs_f64(nanoseconds * 1e-9));
    let mut pair = Closures::new(|| pass(candidate()), || pass(baseline()));
    measure(&instruments(&clock), &mut pair, plan)
}

/// Two functions that time themselves, each given as the nanoseconds that it reports for a number of calls.
pub(crate) struct Reporting<C, B>(pub(crate) C, pub(crate) B);

impl<C: FnMut(u64) -> u64, B: FnMut(u64) -> u64> Pair for Reporting<C, B> {
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        let Self(candidate, baseline) = self;
        measure(Functions {
            candidate: Side::plain(&mut SelfTimed(|calls| Duration::from_nanos(candidate(calls)))),
            baseline: Some(Side::plain(&mut SelfTimed(|calls| Duration::from_nanos(baseline(calls))))),
            empty: Side::plain(&mut SelfTimed(|_| Duration::ZERO)),
        });
    }

    fn times_itself(&self) -> bool {
        true
    }
}

/// The instruments of a manual clock. Measuring them would take millions of calls, far more than most
/// simulated runs.
fn instruments(clock: &ManualClock) -> Instruments<'_> {
    let wall = ClockCost { resolution: 1, reading: 0 };
    Instruments { clocks: clock, wall, cpu: None, empty_call: 0.0 }
}

#[test]
fn the_instruments_of_a_manual_clock_equal_measured_ones() {
    let clock = ManualClock::new();
    let (known, measured) = (instruments(&clock), Instruments::new(&clock));
    let figures = |of: &Instruments<'_>| (of.wall, of.cpu, of.empty_call);
    assert_eq!(figures(&known), figures(&measured));
}

/// Measures two functions that move the clocks themselves.
pub(crate) fn simulate_on(
    clocks: &dyn Clocks,
    plan: &Plan,
    candidate: impl FnMut(),
    baseline: impl FnMut(),
) -> Result<Measurement, MeasureError> {
    simulate_pair(clocks, plan, &mut Closures::new(candidate, baseline))
}

/// Measures the functions of a pair that move the clocks themselves.
pub(crate) fn simulate_pair(
    clocks: &dyn Clocks,
    plan: &Plan,
    pair: &mut dyn Pair,
) -> Result<Measurement, MeasureError> {
    measure(&Instruments::new(clocks), pair, plan)
}

/// Log-normal noise around a median. The same seed gives the same sequence.
pub(crate) struct Noise(RefCell<u64>);

impl Noise {
    pub(crate) fn new(seed: u64) -> Self {
        Self(RefCell::new(seed))
    }

    pub(crate) fn log_normal(&self, median: f64, sigma: f64) -> f64 {
        median * (sigma * standard_normal(|| self.uniform())).exp()
    }

    /// Uniform on (0, 1]: xorshift64* (Marsaglia 2003, Vigna 2016), unrelated to the generator of the coin.
    pub(crate) fn uniform(&self) -> f64 {
        let state = &mut *self.0.borrow_mut();
        *state ^= *state >> 12;
        *state ^= *state << 25;
        *state ^= *state >> 27;
        1.0 - (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A machine whose clocks and activity are moved by hand.
///
/// A simulated function that computes advances both clocks. One that waits or is interrupted advances only
/// the wall clock.
#[derive(Debug)]
pub(crate) struct ManualClocks {
    wall: ManualClock,
    pub(crate) cpu: ManualClock,
    activity: Cell<Option<Activity>>,
}

impl ManualClocks {
    /// A machine whose clocks stand at 0 and whose process has done nothing.
    pub(crate) fn new() -> Self {
        Self {
            wall: ManualClock::new(),
            cpu: ManualClock::new(),
            activity: Cell::new(Some(Activity::default())),
        }
    }

    /// The thread computes: both clocks advance.
    pub(crate) fn compute(&self, time: Duration) {
        self.wall.advance(time);
        self.cpu.advance(time);
    }

    /// The thread is interrupted by others: only the wall clock advances.
    pub(crate) fn interrupt(&self, time: Duration) {
        self.wall.advance(time);
    }

    /// The thread gives up its core and waits: only the wall clock advances, and the wait is counted.
    pub(crate) fn wait(&self, time: Duration) {
        self.wall.advance(time);
        self.change(|activity| activity.voluntary_switches += 1);
    }

    /// Other threads of the process compute.
    pub(crate) fn compute_elsewhere(&self, time: Duration) {
        self.change(|activity| activity.other_threads_cpu += time);
    }

    /// From now on, the machine does not report the activity of the process.
    pub(crate) fn hide_activity(&self) {
        self.activity.set(None);
    }

    fn change(&self, change: impl FnOnce(&mut Activity)) {
        let mut activity = self.activity.get();
        if let Some(activity) = &mut activity {
            change(activity);
        }
        self.activity.set(activity);
    }
}

impl Clocks for ManualClocks {
    fn wall(&self) -> &dyn SlotClock {
        &self.wall
    }

    fn cpu(&self) -> Option<&dyn SlotClock> {
        Some(&self.cpu)
    }

    fn activity(&self) -> Option<Activity> {
        self.activity.get()
    }
}
