//! One gate: two amounts of work, measured and judged.

use std::time::{Duration, Instant};

use bench_diff_core::{
    Bounds, Clock, ClockKind, ClockPolicy, Closures, Duo, InstantClock, Instruments, JudgeKind, MeasureError,
    Order, Plan, Seed, SystemClocks, Verdict, Warmup, Zone, judge, measure,
};

use crate::kernels::{Kernel, Pair};

/// The method by which a gate is decided.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Sequential,
    /// 2000 slots of each function, in duos.
    Welch,
    /// Welch's t-test on slots of one function after those of the other.
    Traditional,
}

pub(crate) const METHODS: [(&str, Method); 3] =
    [("sequential", Method::Sequential), ("welch", Method::Welch), ("traditional", Method::Traditional)];

/// The zones that are studied: their lower and upper ends as shares.
pub(crate) const ZONES: [(&str, f64, f64); 2] = [("0-1%", 0.0, 0.01), ("1-3%", 0.01, 0.03)];

/// The question to one gate.
#[derive(Clone, Copy)]
pub(crate) struct Question {
    pub(crate) kernel: Kernel,
    /// The true slowdown.
    pub(crate) per_mille: u64,
    pub(crate) zone: (f64, f64),
    pub(crate) beta: f64,
    pub(crate) method: Method,
    pub(crate) clock: ClockPolicy,
    pub(crate) warmup: Duration,
}

/// The answer of one gate.
pub(crate) struct Answer {
    pub(crate) verdict: Option<Verdict>,
    /// With calibration and warm-up.
    pub(crate) time: Duration,
    pub(crate) duos: usize,
    pub(crate) clock: &'static str,
}

const SLOTS: u64 = 2000;

/// Asks once; none where the kernel has no such slowdown.
pub(crate) fn ask(question: &Question, seed: Seed) -> Result<Option<Answer>, MeasureError> {
    let Some(mut pair) = question.kernel.pair(question.per_mille) else {
        return Ok(None);
    };
    let Pair { candidate, baseline } = &mut pair;
    let (lo, hi) = question.zone;
    let plan = Plan {
        zone: Some(Zone { slower: Bounds { lo: lo.ln_1p(), hi: hi.ln_1p() }, faster: None }),
        judge: if question.method == Method::Sequential { JudgeKind::Sequential } else { JudgeKind::Welch },
        beta: question.beta,
        slots: SLOTS,
        warmup: question.warmup,
        max_rounds: None,
        clock: question.clock,
        seed,
        ..Plan::default()
    };
    if question.method == Method::Traditional {
        return traditional(&plan, candidate, baseline).map(Some);
    }
    let clocks = SystemClocks::new();
    let measurement = measure(&Instruments::new(&clocks), &mut Closures::new(candidate, baseline), &plan)?;
    Ok(Some(Answer {
        verdict: measurement.judgement.verdict,
        time: measurement.elapsed(),
        duos: measurement.duos().count(),
        clock: measurement.rounds[0][0].warmup.clock.name(),
    }))
}

/// All slots of the baseline, then all of the candidate: two moments of the machine.
fn traditional(
    plan: &Plan,
    candidate: &mut dyn FnMut(),
    baseline: &mut dyn FnMut(),
) -> Result<Answer, MeasureError> {
    let start = Instant::now();
    let iterations = calls_in_a_slot(baseline);
    let baseline = slots(baseline, iterations, plan.warmup);
    let candidate = slots(candidate, iterations, plan.warmup);
    let in_twos = |slots: Vec<u64>| slots.chunks_exact(2).map(|two| [two[0], two[1]]).collect::<Vec<_>>();
    let duos: Vec<Duo> = in_twos(candidate)
        .into_iter()
        .zip(in_twos(baseline))
        .map(|(candidate, baseline)| Duo { order: Order::BaselineFirst, candidate, baseline })
        .collect();
    let warmup = Warmup {
        duos: duos[..16].to_vec(),
        empty: Vec::new(),
        iterations,
        resolution: InstantClock.resolution(),
        clock: ClockKind::Wall,
    };
    let judgement = judge(plan, &warmup, &duos)?;
    Ok(Answer { verdict: judgement.verdict, time: start.elapsed(), duos: duos.len(), clock: "wall" })
}

fn slots(call: &mut dyn FnMut(), iterations: u64, warmup: Duration) -> Vec<u64> {
    let start = Instant::now();
    while start.elapsed() < warmup {
        call();
    }
    (0..SLOTS).map(|_| slot(call, iterations)).collect()
}

fn slot(call: &mut dyn FnMut(), iterations: u64) -> u64 {
    let start = InstantClock.now();
    for _ in 0..iterations {
        call();
    }
    InstantClock.nanoseconds(start, InstantClock.now())
}

/// As the sampler has it: slots of 10 us at the least.
fn calls_in_a_slot(call: &mut dyn FnMut()) -> u64 {
    let mut iterations = 1;
    while slot(call, iterations) < 10_000 {
        iterations *= 2;
    }
    iterations
}
