//! The plan of one pair: how it is measured, and how its verdict is found.

use bench_diff_core::{ClockPolicy, Gate, JudgeKind, Plan, Seed};
use bench_diff_report::record::{AllowedRecord, Obstacle};

use super::listed::ListedPair;
use super::proof::{Cause, Proof};
use crate::settings::{Config, Ignored, Layouts, Mode, PairSettings, defaults};

/// One pair of a run.
#[derive(Clone, Debug)]
pub(crate) struct PairPlan {
    /// The pair as the bench binary lists it.
    pub(crate) listed: ListedPair,
    /// The baseline, if other pairs of the run share it.
    pub(crate) group: Option<String>,
    /// The reason, perhaps empty, if it is left out.
    pub(crate) ignored: Option<&'static str>,
    pub(crate) gate: Gate,
    /// The slowdown that the change allows besides.
    pub(crate) allowed: Option<AllowedRecord>,
    pub(crate) plan: Plan,
    /// The share by which the candidate may allocate more; `None` if everything is allowed.
    pub(crate) max_allocations: Option<f64>,
    pub(crate) layouts: Layouts,
    /// The comparison of the machine code of its functions.
    pub(crate) proof: Proof,
    /// The reason if nothing can measure it.
    pub(crate) unmeasurable: Option<String>,
}

impl PairPlan {
    /// Returns whether its rounds are to run in random layouts.
    pub(crate) fn wants_layouts(&self) -> bool {
        self.ignored.is_none() && self.can_have_layouts() && !self.is_proven()
    }

    /// True if a proof of unchanged machine code decides it, even if this run ignores it.
    pub(crate) fn can_be_proven(&self) -> bool {
        self.plan.zone.is_some() && self.can_have_layouts()
    }

    /// True if a proof decides it.
    pub(crate) fn is_proven(&self) -> bool {
        self.proof.is_same && self.can_be_proven() && self.ignored.is_none()
    }

    /// Why it is not known whether the machine code is unchanged, if the run tried to find out.
    pub(crate) fn unproven(&self) -> Option<String> {
        let Cause { obstacle: Obstacle::Unknown, why } = self.proof.cause.as_ref()? else {
            return None;
        };
        Some(format!("not known whether both functions have identical machine code: {why}"))
    }

    /// Returns whether its verdict holds for all layouts.
    fn can_have_layouts(&self) -> bool {
        let is_random = matches!(self.layouts, Layouts::Auto | Layouts::All);
        is_random && self.plan.max_rounds.is_some() && self.unmeasurable.is_none()
    }
}

/// Plans a pair of a run with so many gated ones.
pub(super) fn plan_pair(pair: &ListedPair, config: &Config, gated: usize, seed: Seed) -> PairPlan {
    let is_alone = !pair.is_compared();
    let gate = if is_alone { Gate::ReportOnly } else { config.pairs.apply_to(pair.gate) };
    let allowed = pair.allowed.clone().filter(|_| matches!(gate, Gate::MaxSlowdown(_)));
    let more = allowed.as_ref().map_or(0.0, |allowed| allowed.slowdown);
    // Flag or environment, then attribute, then default.
    let mut settings = config.pairs.with_fallback(&pair.settings);
    if is_alone {
        settings = of_latency(settings);
    }
    let layouts = settings.layouts.unwrap_or_default();
    let resolved = resolved(&settings, layouts, gated);
    let has_threads = pair.threads > 1;
    let is_unmeasurable = has_threads && resolved.clock == ClockPolicy::Cpu;
    // With a budget, pairs that are judged by rounds go on until it is spent. A pair in one process could use
    // up all of it by itself.
    let is_judged_by_rounds = gate.zone().is_some() && resolved.max_rounds.is_some();
    let budget = config.budget_of_run().filter(|_| is_judged_by_rounds);
    let plan = Plan {
        zone: gate.zone().map(|zone| zone.allowing(more)),
        seed: seed.for_pair(&pair.name),
        clock: if has_threads { ClockPolicy::Wall } else { resolved.clock },
        // For a quick look, one process is enough.
        max_rounds: resolved.max_rounds.or(is_alone.then_some(1)),
        max_time: settings.max_time.or(budget).unwrap_or(resolved.max_time),
        ..resolved
    };
    PairPlan {
        listed: pair.clone(),
        group: pair.baseline.clone(),
        // A list marks what is ignored, whichever pairs it selects.
        ignored: pair
            .ignore
            .filter(|_| config.selection.ignored == Ignored::Skipped || config.mode == Mode::List),
        gate,
        allowed,
        plan,
        max_allocations: settings.max_allocations.filter(|_| gate.zone().is_some()),
        layouts,
        proof: Proof::default(),
        unmeasurable: is_unmeasurable
            .then(|| CPU_CLOCK_OF_THREADS.to_owned())
            .or_else(|| pair.unmeasurable.clone()),
    }
}

/// The settings of a function without a baseline: it is measured until its latency is known to 1 %, or for a
/// few rounds. More of them would say more about the machine, whose pace affects any latency, than about the
/// function.
fn of_latency(settings: PairSettings) -> PairSettings {
    const ROUNDS: usize = 10;

    PairSettings {
        judge: Some(JudgeKind::Sequential),
        max_rounds: settings.max_rounds.or(Some(ROUNDS)),
        ..settings
    }
}

pub(super) const CPU_CLOCK_OF_THREADS: &str = "the CPU clock sees one thread only, and several call these functions; \
    use the clock `wall` or `auto`";

/// The plan of these settings, before anything else is known of the pair.
fn resolved(settings: &PairSettings, layouts: Layouts, gated: usize) -> Plan {
    let default = defaults::plan();
    let judge = settings.judge.unwrap_or(default.judge);
    let has_rounds = judge == JudgeKind::Sequential && layouts != Layouts::None;
    Plan {
        judge,
        alpha: settings.alpha.unwrap_or(default.alpha) * (1.0 / gated.max(1) as f64),
        beta: settings.beta.unwrap_or(default.beta),
        max_rounds: settings.max_rounds.or(default.max_rounds).filter(|_| has_rounds),
        ignore_below: settings.ignore_below.or(default.ignore_below),
        max_time: settings.max_time.unwrap_or(default.max_time),
        slots: settings.slots.unwrap_or(default.slots),
        clock: settings.clock.unwrap_or(default.clock),
        warmup: settings.warmup.unwrap_or_else(|| defaults::warmup(judge)),
        ..default
    }
}
