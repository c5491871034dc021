//! The settings of a pair, each of which an attribute, a flag or a variable may give.

use std::time::Duration;

use bench_diff_core::{ClockPolicy, Gate, JudgeKind};

use crate::settings::grammar;
use crate::settings::layouts::Layouts;

/// Passes the only list of the settings of a pair to a macro: the doc, name and type of each, and the
/// function of the grammar that reads it.
macro_rules! for_each_setting {
    ($declare:ident) => {
        $declare! {
            /// `max_slowdown = "2%"`, as a share.
            max_slowdown: f64 = share,
            /// `min_speedup = 1.5`.
            min_speedup: f64 = times,
            /// `max_difference = "2%"`, as a share.
            max_difference: f64 = share,
            /// `max_allocations = "0%"`, as a share.
            max_allocations: f64 = excess,
            /// `report_only`.
            report_only: bool = switch,
            /// `max_tail = 2.0`.
            max_tail: f64 = more_than_once,
            /// `ignore_below = "1ns"`, in nanoseconds.
            ignore_below: f64 = time_of_call,
            /// `judge = "sequential"`.
            judge: JudgeKind = judge,
            /// `alpha = 0.01`.
            alpha: f64 = error_rate,
            /// `beta = 0.05`.
            beta: f64 = error_rate,
            /// `max_time = "2s"`.
            max_time: Duration = time_limit,
            /// `layouts = "linked"`.
            layouts: Layouts = layouts,
            /// `--max-rounds 40`.
            max_rounds: usize = rounds,
            /// `slots = 2000`.
            slots: u64 = slots,
            /// `clock = "auto"`.
            clock: ClockPolicy = clock,
            /// `warmup = "2ms"`.
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

    /// Overrides the margin of a gate with the setting for gates of its kind. `report_only` removes the gate.
    pub(crate) fn apply_to(&self, gate: Gate) -> Gate {
        match gate {
            _ if self.report_only == Some(true) => Gate::ReportOnly,
            Gate::MaxSlowdown(share) => Gate::MaxSlowdown(self.max_slowdown.unwrap_or(share)),
            Gate::MinSpeedup(times) => Gate::MinSpeedup(self.min_speedup.unwrap_or(times)),
            Gate::MaxDifference(share) => Gate::MaxDifference(self.max_difference.unwrap_or(share)),
            Gate::ReportOnly => Gate::ReportOnly,
        }
    }
}
