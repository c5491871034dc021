//! The records: what a run leaves behind, one JSON object a line.

use bench_diff_core::stats::{Interval, Summary};
use bench_diff_core::{
    Control, Duo, Gate, Judgement, MeasureError, Measurement, Note, Overhead, Plan, Verdict,
};
use serde::Serialize;

use crate::machine::{Costs, Machine};
use crate::plan::{PairPlan, RunPlan};
use crate::probe::Check;

/// The version of the shape of the records.
const SCHEMA: u32 = 1;

/// How a pair ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    Pass,
    Fail,
    Inconclusive,
    /// It could not be measured or judged.
    Error,
    Ignored,
    /// Measured, and not judged by intent.
    Measured,
}

/// One pair. A field without a value is null, never NaN.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct PairRecord {
    pub(crate) schema: u32,
    pub(crate) event: &'static str,
    pub(crate) name: String,
    pub(crate) file: &'static str,
    pub(crate) line: u32,
    /// The baseline of several pairs of the run, where it is one of them.
    pub(crate) group: Option<String>,
    pub(crate) outcome: Outcome,
    pub(crate) reason: Option<String>,
    pub(crate) check: Option<&'static str>,
    pub(crate) judge: &'static str,
    pub(crate) gate: Option<GateRecord>,
    pub(crate) ratio: Option<f64>,
    pub(crate) interval: Option<IntervalRecord>,
    pub(crate) p_fail: Option<f64>,
    pub(crate) p_pass: Option<f64>,
    pub(crate) ln_e_fail: Option<f64>,
    pub(crate) ln_e_pass: Option<f64>,
    pub(crate) mde: Option<f64>,
    pub(crate) duos: Option<usize>,
    pub(crate) iterations: Option<u64>,
    pub(crate) clock: Option<&'static str>,
    pub(crate) order: &'static str,
    pub(crate) seed: String,
    pub(crate) elapsed_s: Option<f64>,
    pub(crate) welch: Option<WelchRecord>,
    pub(crate) overhead: Option<OverheadRecord>,
    pub(crate) candidate: Option<SummaryRecord>,
    pub(crate) baseline: Option<SummaryRecord>,
    pub(crate) control: Option<ControlRecord>,
    pub(crate) notes: Vec<String>,
}

/// The gate of a pair and the bounds of its zone, which are logarithms of a ratio.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct GateRecord {
    pub(crate) kind: &'static str,
    pub(crate) margin: f64,
    pub(crate) unit: &'static str,
    pub(crate) lo: f64,
    pub(crate) hi: f64,
    pub(crate) lo2: Option<f64>,
    pub(crate) hi2: Option<f64>,
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
}

/// An interval of the ratio; an infinite end is null.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct IntervalRecord {
    pub(crate) level: f64,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
}

/// Welch's t-test of the logarithms of the slots.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct WelchRecord {
    pub(crate) t: Option<f64>,
    pub(crate) df: Option<f64>,
    pub(crate) p: Option<f64>,
    pub(crate) p_two_sided: Option<f64>,
    pub(crate) nominal: bool,
}

/// How much of a slot is overhead, and the ratio without it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct OverheadRecord {
    pub(crate) share: f64,
    pub(crate) share_max: f64,
    pub(crate) net_ratio: Option<f64>,
    pub(crate) net_interval: Option<IntervalRecord>,
}

/// The latencies of one function, in nanoseconds per call.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct SummaryRecord {
    pub(crate) n: u64,
    pub(crate) mean: f64,
    pub(crate) stdev: f64,
    pub(crate) min: f64,
    pub(crate) p5: f64,
    pub(crate) p25: f64,
    pub(crate) median: f64,
    pub(crate) p75: f64,
    pub(crate) p95: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
}

/// The baseline against itself, in as many duos as the pair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct ControlRecord {
    pub(crate) ratio: Option<f64>,
    pub(crate) interval: IntervalRecord,
}

/// What is known of the machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct MachineRecord {
    pub(crate) cpu: Option<String>,
    pub(crate) cores: Option<usize>,
    pub(crate) governor: Option<String>,
    pub(crate) load: Option<f64>,
    pub(crate) costs: Option<Costs>,
}

/// A whole run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct RunRecord {
    pub(crate) event: &'static str,
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) inconclusive: usize,
    pub(crate) errors: usize,
    pub(crate) ignored: usize,
    pub(crate) measured: usize,
    pub(crate) elapsed_s: f64,
    pub(crate) machine: MachineRecord,
}

impl PairRecord {
    /// The record of a pair that was measured.
    pub(crate) fn measured(
        run: &RunPlan,
        pair: &PairPlan,
        check: Check,
        measurement: &Measurement,
        notes: Vec<String>,
    ) -> Result<Self, MeasureError> {
        let judgement = &measurement.judgement;
        let iterations = measurement.warmup.iterations;
        let summary = |side: fn(&Duo) -> [u64; 2]| {
            Summary::of(&latencies(&measurement.duos, iterations, side)).map(SummaryRecord::from)
        };
        Ok(Self {
            outcome: outcome(run, judgement),
            check: Some(check.name()),
            ratio: finite(judgement.ratio),
            interval: Some(judgement.interval.into()),
            p_fail: judgement.p_fail.and_then(finite),
            p_pass: judgement.p_pass.and_then(finite),
            ln_e_fail: judgement.ln_e_fail.and_then(finite),
            ln_e_pass: judgement.ln_e_pass.and_then(finite),
            mde: judgement.mde.and_then(finite),
            duos: Some(measurement.duos.len()),
            iterations: Some(iterations),
            clock: Some(measurement.warmup.clock.name()),
            elapsed_s: Some(measurement.elapsed.as_secs_f64()),
            welch: Some(WelchRecord {
                t: finite(judgement.welch.t),
                df: finite(judgement.welch.df),
                p: finite(judgement.welch.p),
                p_two_sided: finite(judgement.welch.p_two_sided),
                nominal: judgement.welch.nominal,
            }),
            overhead: measurement.overhead.map(OverheadRecord::from),
            candidate: Some(summary(|duo| duo.candidate)?),
            baseline: Some(summary(|duo| duo.baseline)?),
            control: measurement.control.as_ref().map(ControlRecord::of),
            notes,
            ..Self::unmeasured(run, pair, Outcome::Measured, reason(run, judgement))
        })
    }

    /// The record of a pair of which there are no figures, for this reason.
    pub(crate) fn unmeasured(
        run: &RunPlan,
        pair: &PairPlan,
        outcome: Outcome,
        reason: Option<String>,
    ) -> Self {
        let PairPlan { name, group, place, gate, plan, .. } = pair;
        Self {
            schema: SCHEMA,
            event: "pair",
            name: name.clone(),
            file: place.file,
            line: place.line,
            group: group.clone(),
            outcome,
            reason,
            check: None,
            judge: plan.judge.name(),
            gate: GateRecord::of(*gate, plan),
            ratio: None,
            interval: None,
            p_fail: None,
            p_pass: None,
            ln_e_fail: None,
            ln_e_pass: None,
            mde: None,
            duos: None,
            iterations: None,
            clock: None,
            order: plan.order.name(),
            seed: run.seed.to_string(),
            elapsed_s: None,
            welch: None,
            overhead: None,
            candidate: None,
            baseline: None,
            control: None,
            notes: Vec::new(),
        }
    }
}

fn outcome(run: &RunPlan, judgement: &Judgement) -> Outcome {
    match judgement.verdict.filter(|_| run.unjudged.is_none()) {
        None => Outcome::Measured,
        Some(Verdict::Pass) => Outcome::Pass,
        Some(Verdict::Fail) => Outcome::Fail,
        Some(Verdict::Inconclusive) => Outcome::Inconclusive,
    }
}

/// Why there is no verdict, where there is none.
fn reason(run: &RunPlan, judgement: &Judgement) -> Option<String> {
    match (run.unjudged, judgement.verdict) {
        (Some(unjudged), _) => Some(unjudged.to_owned()),
        (None, Some(Verdict::Inconclusive)) => {
            let causes = judgement.notes.iter().filter(|note| is_cause(note)).map(ToString::to_string);
            Some(causes.collect::<Vec<_>>().join("\n")).filter(|causes| !causes.is_empty())
        }
        (None, _) => None,
    }
}

/// Whether a note says what keeps a judge from a verdict.
fn is_cause(note: &Note) -> bool {
    matches!(
        note,
        Note::TooShort { .. } | Note::Empty { .. } | Note::TooNoisy { .. } | Note::InsideZone { .. }
    )
}

#[expect(clippy::cast_precision_loss, reason = "a slot of 2^53 ns lasts 104 days")]
fn latencies(duos: &[Duo], iterations: u64, side: impl Fn(&Duo) -> [u64; 2]) -> Vec<f64> {
    duos.iter().flat_map(side).map(|slot| slot as f64 / iterations as f64).collect()
}

fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

impl GateRecord {
    fn of(gate: Gate, plan: &Plan) -> Option<Self> {
        let zone = plan.zone?;
        Some(Self {
            kind: match gate {
                Gate::MaxSlowdown(_) => "max_slowdown",
                Gate::MinSpeedup(_) => "min_speedup",
                Gate::MaxDifference(_) => "max_difference",
                Gate::ReportOnly => "report_only",
            },
            margin: gate.margin()?,
            unit: "ln",
            lo: zone.slower.lo,
            hi: zone.slower.hi,
            lo2: zone.faster.map(|faster| faster.lo),
            hi2: zone.faster.map(|faster| faster.hi),
            alpha: plan.alpha,
            beta: plan.beta,
        })
    }
}

impl ControlRecord {
    fn of(control: &Control) -> Self {
        Self { ratio: finite(control.ratio), interval: control.interval.into() }
    }
}

impl From<Interval> for IntervalRecord {
    fn from(interval: Interval) -> Self {
        Self { level: interval.level, low: finite(interval.low), high: finite(interval.high) }
    }
}

impl From<Overhead> for OverheadRecord {
    fn from(Overhead { share, share_max, net }: Overhead) -> Self {
        Self {
            share,
            share_max,
            net_ratio: net.and_then(|net| finite(net.ratio)),
            net_interval: net.map(|net| net.interval.into()),
        }
    }
}

impl From<Summary> for SummaryRecord {
    fn from(summary: Summary) -> Self {
        let Summary { n, mean, stdev, min, p5, p25, median, p75, p95, p99, max } = summary;
        Self { n, mean, stdev, min, p5, p25, median, p75, p95, p99, max }
    }
}

impl From<&Machine> for MachineRecord {
    fn from(machine: &Machine) -> Self {
        let Machine { cpu, cores, governor, load, costs, .. } = machine;
        Self {
            cpu: cpu.clone(),
            cores: *cores,
            governor: governor.as_ref().map(ToString::to_string),
            load: *load,
            costs: *costs,
        }
    }
}

impl RunRecord {
    /// The count of the outcomes.
    pub(crate) fn of(machine: &Machine, outcomes: impl Iterator<Item = Outcome>, elapsed_s: f64) -> Self {
        let mut run = Self { event: "run", elapsed_s, machine: machine.into(), ..Self::default() };
        for outcome in outcomes {
            *match outcome {
                Outcome::Pass => &mut run.passed,
                Outcome::Fail => &mut run.failed,
                Outcome::Inconclusive => &mut run.inconclusive,
                Outcome::Error => &mut run.errors,
                Outcome::Ignored => &mut run.ignored,
                Outcome::Measured => &mut run.measured,
            } += 1;
        }
        run
    }
}
