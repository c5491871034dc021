//! One gate: two amounts of work, measured and judged.

use std::time::Duration;

use bench_diff_core::{
    Bounds, Closures, Instruments, MeasureError, Plan, Seed, SystemClocks, Verdict, Zone, measure,
};

use crate::kernels::{Kernel, Pair};

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
}

/// The answer of one gate.
pub(crate) struct Answer {
    pub(crate) verdict: Option<Verdict>,
    /// With calibration and warm-up.
    pub(crate) time: Duration,
    pub(crate) duos: usize,
    pub(crate) clock: &'static str,
}

/// Asks once; none where the kernel has no such slowdown.
pub(crate) fn ask(question: &Question, seed: Seed) -> Result<Option<Answer>, MeasureError> {
    let Some(mut pair) = question.kernel.pair(question.per_mille) else {
        return Ok(None);
    };
    let Pair { candidate, baseline } = &mut pair;
    let (lo, hi) = question.zone;
    let plan = Plan {
        zone: Some(Zone { slower: Bounds { lo: lo.ln_1p(), hi: hi.ln_1p() }, faster: None }),
        beta: question.beta,
        warmup: Duration::ZERO,
        max_rounds: None,
        seed,
        ..Plan::default()
    };
    let clocks = SystemClocks::new();
    let measurement = measure(&Instruments::new(&clocks), &mut Closures::new(candidate, baseline), &plan)?;
    Ok(Some(Answer {
        verdict: measurement.judgement.verdict,
        time: measurement.elapsed(),
        duos: measurement.duos().count(),
        clock: measurement.rounds[0][0].warmup.clock.name(),
    }))
}
