//! The settings of a pair, each of which an attribute, a flag or a variable may give.

use std::time::Duration;

use bench_diff_core::{ClockPolicy, Gate, JudgeKind};

use crate::settings::choices::Layouts;
use crate::settings::grammar;

/// Passes the only list of the settings of a pair to a macro: the doc, name and type of each, and the
/// function of the grammar that reads it.
macro_rules! for_each_setting {
    ($declare:ident) => {
        $declare! {
            /// How much slower the candidate may be, as a share: above 0; 0.02 is 2 %.
            max_slowdown: f64 = share,
            /// How many times as fast as the baseline the candidate has to be: above 0.
            min_speedup: f64 = times,
            /// How much slower or faster the candidate may be, as a share: above 0; 0.02 is 2 %.
            max_difference: f64 = share,
            /// How much more the candidate may allocate in a call, as a share: at least 0.
            max_allocations: f64 = excess,
            /// Whether the pair is only measured and never fails. It overrides the limits.
            report_only: bool = switch,
            /// The difference per call that does not count, in nanoseconds: above 0 and at most 3.6e12, an
            /// hour.
            ignore_below: f64 = time_of_call,
            /// The test that decides.
            judge: JudgeKind = judge,
            /// The highest probability that any pair of the binary fails wrongly in a run: above 0 and below
            /// 0.5.
            alpha: f64 = error_rate,
            /// The highest probability that this pair passes wrongly: above 0 and below 0.5.
            beta: f64 = error_rate,
            /// The soft limit on the time of the slots of all rounds: above 0.
            max_time: Duration = time_limit,
            /// How code is placed in memory.
            layouts: Layouts = layouts,
            /// The maximum number of rounds: from 1 to 1000.
            max_rounds: usize = rounds,
            /// The slots of each function for the judge `welch`: from 2 to 15 000 000.
            slots: u64 = slots,
            /// The clock that times the slots.
            clock: ClockPolicy = clock,
            /// The least time to warm up, shared by the processes of a round.
            warmup: Duration = duration,
        }
    };
}
pub(crate) use for_each_setting;

macro_rules! declare_settings {
    ($($(#[$doc:meta])* $name:ident: $kind:ty = $grammar:ident,)*) => {
        /// The settings of a pair that were given; the others are `None`.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub(crate) struct PairSettings {
            $($(#[$doc])* pub(crate) $name: Option<$kind>,)*
        }

        impl PairSettings {
            /// The names of all settings.
            pub(super) const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// No settings.
            pub(crate) const NONE: Self = Self { $($name: None,)* };

            /// Reads the setting with the name of this flag; other flags are left alone.
            ///
            /// # Errors
            ///
            /// What was expected.
            pub(super) fn read(&mut self, flag: &str, text: &str) -> Result<(), &'static str> {
                match flag.replace('-', "_").as_str() {
                    $(stringify!($name) => self.$name = Some(grammar::$grammar(text)?),)*
                    _ => {}
                }
                Ok(())
            }

            /// These settings, and those of `other` that are not given here.
            pub(crate) fn with_fallback(self, other: &Self) -> Self {
                Self { $($name: self.$name.or(other.$name),)* }
            }
        }
    };
}

for_each_setting!(declare_settings);

impl PairSettings {
    /// The gate, of which an attribute has at most one.
    pub(crate) fn gate(&self) -> Option<Gate> {
        if self.report_only == Some(true) {
            return Some(Gate::ReportOnly);
        }
        let slowdown = self.max_slowdown.map(Gate::MaxSlowdown);
        slowdown.or(self.min_speedup.map(Gate::MinSpeedup)).or(self.max_difference.map(Gate::MaxDifference))
    }

    /// The gate of a pair under these settings of a run: `report_only` removes it, and `max_slowdown`
    /// replaces the margin of a gate of the same kind.
    pub(crate) fn apply_to(&self, gate: Gate) -> Gate {
        match (gate, self.max_slowdown) {
            _ if self.report_only == Some(true) => Gate::ReportOnly,
            (Gate::MaxSlowdown(_), Some(share)) => Gate::MaxSlowdown(share),
            _ => gate,
        }
    }
}

/// The defaults of a pair: those of a plan, and those that depend on the judge.
pub(crate) mod defaults {
    use std::time::Duration;

    use bench_diff_core::{Gate, JudgeKind, Plan};

    pub(crate) const GATE: Gate = Gate::MaxSlowdown(MARGIN);
    pub(crate) const MARGIN: f64 = 0.02;

    pub(crate) fn plan() -> Plan {
        Plan { zone: GATE.zone(), ..Plan::default() }
    }

    /// The warm-up of a pair with this judge. `welch` keeps the one of the library that it comes from.
    pub(crate) fn warmup(judge: JudgeKind) -> Duration {
        match judge {
            JudgeKind::Sequential => plan().warmup,
            JudgeKind::Welch => Duration::from_secs(3),
        }
    }
}
