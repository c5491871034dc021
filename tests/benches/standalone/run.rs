//! One run: two functions, measured once and tested twice.

use std::time::Duration;

use bench_diff_core::{
    BLOCK, Bounds, Clock, ClockKind, ClockPolicy, Duo, InstantClock, OrderPolicy, Plan, Seed, Verdict,
    Warmup, Zone, judge,
};
use bench_diff_original::stats_types::{AltHyp, Hyp};
use bench_diff_original::{DiffOut, DiffPlan};

use crate::scenario::Cell;

const ALPHA: f64 = 0.05;
const BETA: f64 = 0.05;

/// The upper end of the zone of the sequential judge: the smallest difference that there is here.
const SMALLEST: f64 = 0.01;

/// A duo from which on two of them are a warm-up and each is looked at, in nanoseconds.
const LONG_DUO: u64 = 10_000_000;

/// The results of the tests.
pub(crate) struct Outcome {
    pub(crate) welch_is_right: bool,
    pub(crate) sequential_is_right: bool,
    /// The duos after which the sequential judge knew, or all of them.
    pub(crate) duos: usize,
    /// ln of the measured ratio of the geometric means, f1 over f2.
    pub(crate) ln_ratio: f64,
}

impl Outcome {
    /// `welch sequential duos ln-ratio`
    pub(crate) fn line(&self) -> String {
        format!("{} {} {} {}", self.welch_is_right, self.sequential_is_right, self.duos, self.ln_ratio)
    }

    pub(crate) fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        Some(Self {
            welch_is_right: words.next()?.parse().ok()?,
            sequential_is_right: words.next()?.parse().ok()?,
            duos: words.next()?.parse().ok()?,
            ln_ratio: words.next()?.parse().ok()?,
        })
    }
}

pub(crate) fn run(cell: &Cell, seed: Seed) -> Outcome {
    let [mut f1, mut f2] = cell.scenario.work(cell.scale.turns, seed);
    let plan = DiffPlan {
        unit: cell.scale.unit,
        exec_count: cell.scale.exec_count,
        warmup: cell.warmup,
        order: OrderPolicy::Coin,
        seed,
    };
    let out = plan.run(|| f1.run(), || f2.run());
    let truth = cell.scenario.truth();
    let asked = match truth {
        Hyp::Null => AltHyp::Ne,
        Hyp::Alt(alternative) => alternative,
    };
    let (verdict, duos) = sequential(&out, asked);
    let found = verdict == Verdict::Fail;
    Outcome {
        welch_is_right: out.welch_ln_test(asked, ALPHA).accepted() == truth,
        sequential_is_right: found == (truth != Hyp::Null),
        duos,
        ln_ratio: out.mean_diff_ln_f1_f2(),
    }
}

/// The verdict of the sequential judge on this alternative, where a failure proves it, and the duos that it
/// took.
fn sequential(out: &DiffOut, asked: AltHyp) -> (Verdict, usize) {
    let bounds = Bounds { lo: 0.0, hi: SMALLEST.ln_1p() };
    let mirrored = Bounds { lo: 0.0, hi: -bounds.hi };
    let plan = Plan {
        zone: Some(Zone { slower: bounds, faster: (asked == AltHyp::Ne).then_some(mirrored) }),
        alpha: ALPHA,
        beta: BETA,
        max_time: Duration::MAX,
        max_rounds: None,
        clock: ClockPolicy::Wall,
        seed: out.seed(),
        ..Plan::default()
    };
    // f1 is the candidate of the duos; to be asked whether it is less, f2 takes its place.
    let exchanged = asked == AltHyp::Lt;
    let duos: Vec<Duo> = out.duos().iter().map(|duo| if exchanged { swapped(duo) } else { *duo }).collect();
    let is_long = duos[0].total() >= LONG_DUO;
    let (practice, counted) = duos.split_at(if is_long { 2 } else { 16 });
    let warmup = Warmup {
        duos: practice.to_vec(),
        empty: Vec::new(),
        iterations: 1,
        clock: ClockKind::Wall,
        resolution: InstantClock.resolution(),
    };
    let verdict = |length: usize| {
        let judgement = judge(&plan, &warmup, &counted[..length]).expect("no latency of this work is zero");
        judgement.verdict.expect("there is a zone")
    };
    let last = verdict(counted.len());
    let (first_look, block) = if is_long { (1, 1) } else { (2 * BLOCK, BLOCK) };
    let looks = (first_look..counted.len()).step_by(block);
    // A verdict stands, so the looks before it are all without one.
    let looks: Vec<usize> = if last == Verdict::Inconclusive { Vec::new() } else { looks.collect() };
    let before = looks.partition_point(|look| verdict(*look) == Verdict::Inconclusive);
    (last, looks.get(before).copied().unwrap_or(counted.len()))
}

/// The duo with the labels of its functions exchanged.
fn swapped(duo: &Duo) -> Duo {
    Duo { order: duo.order.reversed(), candidate: duo.baseline, baseline: duo.candidate }
}
