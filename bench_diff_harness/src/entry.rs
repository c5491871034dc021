//! What the attribute registers: one constant per function, collected through `inventory`.

use std::fmt;
use std::time::Duration;

use bench_diff_core::{ClockPolicy, Gate, JudgeKind};

use crate::cases::Cases;
use crate::layouts::Layouts;

/// A registered function and its baseline, built by the expansion of `#[bench_diff]`: one pair, or one for each of its
/// args, types and consts.
#[derive(Clone, Copy, Debug)]
pub struct PairEntry {
    pub(crate) place: Place,
    pub(crate) function: &'static str,
    /// The path of the baseline, as it is written.
    pub(crate) baseline: Option<&'static str>,
    pub(crate) options: PairOptions,
    pub(crate) ignore: Option<&'static str>,
    pub(crate) cases: fn(&mut Cases),
}

inventory::collect!(PairEntry);

/// Where an attribute stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The module path, with the crate's name in front.
    pub module: &'static str,
    /// The source file, relative to the root of the workspace.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The options that stand in an attribute; what is not written is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PairOptions {
    pub(crate) name: Option<&'static str>,
    pub(crate) gate: Option<Gate>,
    pub(crate) judge: Option<JudgeKind>,
    pub(crate) alpha: Option<f64>,
    pub(crate) beta: Option<f64>,
    pub(crate) max_time: Option<Duration>,
    pub(crate) layouts: Option<Layouts>,
    pub(crate) slots: Option<u64>,
    pub(crate) clock: Option<ClockPolicy>,
    pub(crate) warmup: Option<Duration>,
}

impl PairEntry {
    /// Pairs with no option set.
    #[must_use]
    pub const fn new(place: Place, function: &'static str, cases: fn(&mut Cases)) -> Self {
        let options = PairOptions {
            name: None,
            gate: None,
            judge: None,
            alpha: None,
            beta: None,
            max_time: None,
            layouts: None,
            slots: None,
            clock: None,
            warmup: None,
        };
        Self { place, function, baseline: None, options, ignore: None, cases }
    }

    /// `baseline = path`, without blanks.
    #[must_use]
    pub const fn baseline(mut self, path: &'static str) -> Self {
        self.baseline = Some(path);
        self
    }

    /// `name = "..."`.
    #[must_use]
    pub const fn name(mut self, name: &'static str) -> Self {
        self.options.name = Some(name);
        self
    }

    /// `max_slowdown = "2%"`, as a share.
    #[must_use]
    pub const fn max_slowdown(mut self, share: f64) -> Self {
        self.options.gate = Some(Gate::MaxSlowdown(share));
        self
    }

    /// `min_speedup = 1.5`.
    #[must_use]
    pub const fn min_speedup(mut self, times: f64) -> Self {
        self.options.gate = Some(Gate::MinSpeedup(times));
        self
    }

    /// `max_difference = "2%"`, as a share.
    #[must_use]
    pub const fn max_difference(mut self, share: f64) -> Self {
        self.options.gate = Some(Gate::MaxDifference(share));
        self
    }

    /// `report_only`.
    #[must_use]
    pub const fn report_only(mut self) -> Self {
        self.options.gate = Some(Gate::ReportOnly);
        self
    }

    /// `judge = "sequential"`.
    #[must_use]
    pub const fn judge(mut self, judge: JudgeKind) -> Self {
        self.options.judge = Some(judge);
        self
    }

    /// `alpha = 0.01`.
    #[must_use]
    pub const fn alpha(mut self, alpha: f64) -> Self {
        self.options.alpha = Some(alpha);
        self
    }

    /// `beta = 0.05`.
    #[must_use]
    pub const fn beta(mut self, beta: f64) -> Self {
        self.options.beta = Some(beta);
        self
    }

    /// `max_time = "2s"`, in nanoseconds.
    #[must_use]
    pub const fn max_time(mut self, nanoseconds: u64) -> Self {
        self.options.max_time = Some(Duration::from_nanos(nanoseconds));
        self
    }

    /// `clock = "auto"`.
    #[must_use]
    pub const fn clock(mut self, clock: ClockPolicy) -> Self {
        self.options.clock = Some(clock);
        self
    }

    /// `layouts = "linked"`.
    #[must_use]
    pub const fn layouts(mut self, layouts: Layouts) -> Self {
        self.options.layouts = Some(layouts);
        self
    }

    /// `slots = 2000`.
    #[must_use]
    pub const fn slots(mut self, slots: u64) -> Self {
        self.options.slots = Some(slots);
        self
    }

    /// `warmup = "2ms"`, in nanoseconds.
    #[must_use]
    pub const fn warmup(mut self, nanoseconds: u64) -> Self {
        self.options.warmup = Some(Duration::from_nanos(nanoseconds));
        self
    }

    /// `ignore`, or `#[ignore = "reason"]`; the reason may be empty.
    #[must_use]
    pub const fn ignore(mut self, reason: &'static str) -> Self {
        self.ignore = Some(reason);
        self
    }
}
