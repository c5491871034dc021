//! The choice of the clock that times the slots.

use std::time::Duration;

use super::{Activity, ClockCost, Instruments, SlotClock};
use crate::error::MeasureError;

/// The choice of the clock of the slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockPolicy {
    /// The wall clock.
    Wall,
    /// The CPU clock of the thread. It counts neither other work on its core nor the thread's own waiting.
    Cpu,
    /// The CPU clock if it sees all of the work, else the wall clock.
    ///
    /// The warm-up of both functions decides, or the first half of a duo if calls are so long that there is
    /// none. The CPU clock is chosen if the thread never gave up its core to wait, if other threads and
    /// programs that it waited for used at most 50 us of CPU time, and if a typical slot lasts at least 200
    /// readings and 200 steps of the CPU clock. Systems that report no [`Activity`](super::Activity) use the
    /// wall clock, as do slots that later turn out to be too short for the CPU clock.
    #[default]
    Auto,
}

impl ClockPolicy {
    /// Every policy.
    pub const ALL: [Self; 3] = [Self::Wall, Self::Cpu, Self::Auto];

    /// The word for this policy in an attribute, on the command line and in a record.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Cpu => "cpu",
            Self::Auto => "auto",
        }
    }
}

/// The clock that timed the slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockKind {
    /// The wall clock.
    #[default]
    Wall,
    /// The CPU clock of the thread.
    Cpu,
}

impl ClockKind {
    /// The word for this clock in a record.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Cpu => "cpu",
        }
    }
}

/// A slot on the CPU clock lasts at least this many readings of it, unless the policy demands that clock.
const READINGS_PER_SLOT: u64 = 200;

/// The CPU time of other threads that does not count.
const NO_CPU_TIME: Duration = Duration::from_micros(50);

/// The choice of the clock for one pair.
pub(crate) struct Choice<'c> {
    instruments: &'c Instruments<'c>,
    /// The CPU clock if the policy allows it.
    cpu: Option<(&'c dyn SlotClock, ClockCost)>,
    /// Set if the choice depends on the functions.
    depends: bool,
}

impl<'c> Choice<'c> {
    pub(crate) fn new(policy: ClockPolicy, instruments: &'c Instruments<'c>) -> Result<Self, MeasureError> {
        let cpu = instruments.clocks.cpu().zip(instruments.cpu);
        let cpu = match policy {
            ClockPolicy::Wall => None,
            ClockPolicy::Cpu => Some(cpu.ok_or(MeasureError::NoCpuClock)?),
            ClockPolicy::Auto => cpu,
        };
        Ok(Self { instruments, cpu, depends: policy == ClockPolicy::Auto })
    }

    /// The step of the clock that decides how long slots have to be.
    pub(crate) fn step(&self) -> u64 {
        let wall = self.instruments.wall.step();
        match self.cpu {
            Some((_, cost)) if !self.depends => wall.max(cost.step()),
            _ => wall,
        }
    }

    /// The shortest slot that needs no more calls, in nanoseconds.
    pub(crate) fn shortest_slot(&self) -> u64 {
        self.step().saturating_mul(READINGS_PER_SLOT)
    }

    /// The CPU clock if it may be chosen.
    pub(crate) fn cpu(&self) -> Option<&'c dyn SlotClock> {
        self.cpu.map(|(cpu, _)| cpu)
    }

    /// The CPU clock if it is chosen. To be called right after the warm-up, with the activity before it and
    /// its typical slot.
    pub(crate) fn cpu_clock(
        &self,
        before: Option<Activity>,
        slot: u64,
    ) -> Option<(&'c dyn SlotClock, ClockCost)> {
        let activity = self.instruments.clocks.activity().zip(before);
        let activity = activity.map(|(after, before)| after.since(before));
        self.cpu.filter(|(_, cost)| {
            let is_long = slot >= cost.step().saturating_mul(READINGS_PER_SLOT);
            !self.depends || (is_long && activity.is_some_and(only_computes))
        })
    }
}

fn only_computes(activity: Activity) -> bool {
    activity.voluntary_switches == 0 && activity.other_threads_cpu <= NO_CPU_TIME
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::clock::{Clock, Clocks, ManualClock};
    use crate::measurement::Measurement;
    use crate::plan::Plan;
    use crate::simulation::{ManualClocks, plan, simulate_on};

    const SLOT: Duration = Duration::from_micros(100);

    fn run(
        clock: ClockPolicy,
        clocks: &dyn Clocks,
        candidate: impl FnMut(),
        baseline: impl FnMut(),
    ) -> Measurement {
        simulate_on(clocks, &Plan { clock, slots: 20, ..plan() }, candidate, baseline).unwrap()
    }

    /// The choice of `auto` for a function compared with one that only computes. The choice must be the same
    /// if the two change places.
    fn chosen(function: impl Fn(&ManualClocks)) -> ClockKind {
        let as_candidate = ManualClocks::new();
        let as_baseline = ManualClocks::new();
        let [candidate, baseline] = [
            run(ClockPolicy::Auto, &as_candidate, || function(&as_candidate), || as_candidate.compute(SLOT)),
            run(ClockPolicy::Auto, &as_baseline, || as_baseline.compute(SLOT), || function(&as_baseline)),
        ]
        .map(|measurement| measurement.rounds[0][0].warmup.clock);
        assert_eq!(candidate, baseline, "the choice does not depend on the labels");
        candidate
    }

    #[test]
    fn the_cpu_clock_times_a_function_that_only_computes() {
        assert_eq!(chosen(|clocks| clocks.compute(SLOT)), ClockKind::Cpu);
        assert_eq!(chosen(|clocks| clocks.compute(SLOT * 50)), ClockKind::Cpu);
    }

    #[test]
    fn the_wall_clock_times_a_function_that_waits() {
        let waits = |clocks: &ManualClocks| {
            clocks.compute(SLOT);
            clocks.wait(SLOT);
        };
        assert_eq!(chosen(waits), ClockKind::Wall);
    }

    #[test]
    fn the_wall_clock_times_a_function_that_waits_at_times() {
        let calls = Cell::new(0);
        let seldom_waits = |clocks: &ManualClocks| {
            clocks.compute(SLOT);
            calls.set(calls.get() + 1);
            if calls.get() % 10 == 0 {
                clocks.wait(SLOT);
            }
        };
        assert_eq!(chosen(seldom_waits), ClockKind::Wall);
    }

    #[test]
    fn a_wait_before_the_warm_up_does_not_count() {
        let (clocks, calls) = (ManualClocks::new(), Cell::new(0));
        let waits_at_first = || {
            clocks.compute(SLOT);
            calls.set(calls.get() + 1);
            if calls.get() == 1 {
                clocks.wait(SLOT);
            }
        };
        let measurement = run(ClockPolicy::Auto, &clocks, waits_at_first, || clocks.compute(SLOT));
        assert_eq!(measurement.rounds[0][0].warmup.clock, ClockKind::Cpu);
    }

    #[test]
    fn the_wall_clock_times_a_function_that_uses_other_threads() {
        let with_help_of = |help| {
            move |clocks: &ManualClocks| {
                clocks.compute(SLOT);
                clocks.compute_elsewhere(help);
            }
        };
        assert_eq!(chosen(with_help_of(SLOT)), ClockKind::Wall);
        assert_eq!(chosen(with_help_of(Duration::from_micros(4))), ClockKind::Wall);
        assert_eq!(chosen(with_help_of(Duration::from_nanos(100))), ClockKind::Cpu, "1.6 us in all");
    }

    #[test]
    fn a_machine_that_shows_no_activity_uses_its_wall_clock() {
        let clocks = ManualClocks::new();
        clocks.hide_activity();
        let compute = || clocks.compute(SLOT);
        assert_eq!(
            run(ClockPolicy::Auto, &clocks, compute, compute).rounds[0][0].warmup.clock,
            ClockKind::Wall
        );

        let clock = ManualClock::new();
        let compute = || clock.advance(SLOT);
        assert_eq!(
            run(ClockPolicy::Auto, &clock, compute, compute).rounds[0][0].warmup.clock,
            ClockKind::Wall
        );
    }

    #[test]
    fn a_demanded_clock_is_used() {
        let clocks = ManualClocks::new();
        let compute = || clocks.compute(SLOT);
        assert_eq!(
            run(ClockPolicy::Wall, &clocks, compute, compute).rounds[0][0].warmup.clock,
            ClockKind::Wall
        );
        clocks.hide_activity();
        let wait = || {
            clocks.compute(SLOT);
            clocks.wait(SLOT);
        };
        assert_eq!(run(ClockPolicy::Cpu, &clocks, wait, compute).rounds[0][0].warmup.clock, ClockKind::Cpu);
    }

    #[test]
    fn a_missing_cpu_clock_is_an_error() {
        let (clock, calls) = (ManualClock::new(), Cell::new(0));
        let compute = || calls.set(calls.get() + 1);
        let plan = Plan { clock: ClockPolicy::Cpu, ..plan() };
        let error = simulate_on(&clock, &plan, compute, compute).unwrap_err();
        assert_eq!(error, MeasureError::NoCpuClock);
        assert!(error.to_string().contains("no CPU clock"), "{error}");
        assert_eq!(calls.get(), 0, "no function was called");
    }

    #[test]
    fn interruptions_do_not_reach_the_cpu_clock() {
        let (clocks, calls) = (ManualClocks::new(), Cell::new(0));
        let compute = |time| {
            calls.set(calls.get() + 1);
            clocks.compute(time);
            if calls.get() % 7 == 0 {
                clocks.interrupt(Duration::from_millis(4));
            }
        };
        let (slower, faster) = (Duration::from_micros(2_040), Duration::from_micros(2_000));
        let measurement = run(ClockPolicy::Auto, &clocks, || compute(slower), || compute(faster));
        assert_eq!(measurement.rounds[0][0].warmup.clock, ClockKind::Cpu);
        for duo in measurement.rounds[0][0].warmup.duos.iter().chain(&measurement.rounds[0][0].duos) {
            assert_eq!((duo.candidate, duo.baseline), ([2_040_000; 2], [2_000_000; 2]));
        }
        // 2 duos of calibration, 8 of the warm-up on either clock, 10 that count.
        let duos = 2 + 8 + 8 + 10;
        let interruptions = Duration::from_millis(4) * (calls.get() / 7);
        assert_eq!(calls.get(), 4 * duos);
        assert_eq!(measurement.elapsed(), 2 * (slower + faster) * duos + interruptions, "by the wall clock");
    }

    #[test]
    fn the_warm_up_of_long_functions_is_short_on_both_clocks() {
        let (clocks, calls) = (ManualClocks::new(), Cell::new(0));
        let compute = || {
            calls.set(calls.get() + 1);
            clocks.compute(Duration::from_millis(100));
        };
        let measurement = run(ClockPolicy::Auto, &clocks, compute, compute);
        assert_eq!(
            (measurement.rounds[0][0].warmup.clock, measurement.rounds[0][0].warmup.duos.len()),
            (ClockKind::Cpu, 2)
        );
        // 2 duos of calibration, 1 of the warm-up on the wall clock and 2 on the CPU clock, 10 that count.
        assert_eq!(calls.get(), 4 * (2 + 1 + 2 + 10));
    }

    /// A machine whose CPU clock takes time to read and moves in ticks.
    struct Coarse {
        clocks: ManualClocks,
        reading: Duration,
        tick: u64,
    }

    impl Coarse {
        fn new(reading: u64, tick: u64) -> Self {
            Self { clocks: ManualClocks::new(), reading: Duration::from_nanos(reading), tick }
        }

        fn run(&self, policy: ClockPolicy, call: u64) -> Measurement {
            let compute = || self.clocks.compute(Duration::from_nanos(call));
            run(policy, self, compute, compute)
        }
    }

    impl Clock for Coarse {
        type Moment = u64;

        fn now(&self) -> u64 {
            self.clocks.compute(self.reading);
            self.clocks.cpu.now() / self.tick * self.tick
        }

        fn nanoseconds(&self, start: u64, end: u64) -> u64 {
            end - start
        }
    }

    impl Clocks for Coarse {
        fn wall(&self) -> &dyn SlotClock {
            self.clocks.wall()
        }

        fn cpu(&self) -> Option<&dyn SlotClock> {
            Some(self)
        }

        fn activity(&self) -> Option<Activity> {
            self.clocks.activity()
        }
    }

    #[test]
    fn the_wall_clock_times_a_slot_of_few_readings() {
        let chosen = |reading, tick, call| {
            Coarse::new(reading, tick).run(ClockPolicy::Auto, call).rounds[0][0].warmup.clock
        };
        assert_eq!(chosen(300, 1, 59_900), ClockKind::Wall);
        assert_eq!(chosen(300, 1, 60_000), ClockKind::Cpu);
        assert_eq!(chosen(100, 10_000_000, 5_000_000), ClockKind::Wall, "it ticks every 10 ms");
    }

    #[test]
    fn slots_are_long_enough_for_a_demanded_cpu_clock() {
        let warmup = Coarse::new(300, 1).run(ClockPolicy::Cpu, 1_000).rounds[0][0].warmup.clone();
        assert_eq!((warmup.clock, warmup.resolution), (ClockKind::Cpu, 300));
        assert_eq!(warmup.iterations, 64, "200 readings of 300 ns are 60 us");
        let warmup = Coarse::new(300, 1).run(ClockPolicy::Auto, 1_000).rounds[0][0].warmup.clone();
        assert_eq!((warmup.clock, warmup.resolution), (ClockKind::Wall, 1));
        assert_eq!(warmup.iterations, 16, "10 us are enough for the wall clock");
    }
}
