//! The results of rounds in random layouts, and that of the program as linked.

use bench_diff_core::stats::Moments;

use super::{GateRecord, IntervalRecord, Outcome, RoundsRecord};

/// The rounds of a pair in random layouts: the figures of its verdict, which is about the source, and the
/// ratio in the program as linked, which is not judged.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct LayoutsRecord {
    pub(crate) n: usize,
    pub(crate) ratio: Option<f64>,
    pub(crate) interval: Option<IntervalRecord>,
    pub(crate) spread: f64,
    pub(crate) p_fail: Option<f64>,
    pub(crate) p_pass: Option<f64>,
    pub(crate) ln_e_fail: Option<f64>,
    pub(crate) ln_e_pass: Option<f64>,
    /// True if in each round every function lay once at each of four places of the cache line. `None` in
    /// records of format 1, where all of them lay at one.
    pub(crate) balanced: Option<bool>,
    /// The ratio in the program as linked, from one round.
    pub(crate) linked: Option<f64>,
    /// ln(candidate / baseline) in each round: the mean over its programs.
    pub(crate) contrasts: Vec<f64>,
    /// ln(candidate / baseline) in each program of each round. `None` in records of format 1, where a round
    /// is one program.
    pub(crate) programs: Option<Vec<Vec<f64>>>,
}

impl LayoutsRecord {
    /// The note on a pass if the program as linked is slower than the gate allows, by more than chance: its
    /// single round has the standard error `error` and differs from the others for other reasons as well.
    pub(super) fn note(
        &self,
        outcome: Outcome,
        gate: Option<&GateRecord>,
        error: Option<f64>,
    ) -> Option<String> {
        let (gate, (linked, ratio)) = gate.zip(self.linked.zip(self.ratio))?;
        // It is one program, so it is compared with single programs.
        let programs =
            self.programs.as_ref().map_or_else(|| self.contrasts.clone(), |rounds| rounds.concat());
        let spread = Moments::of(&programs).map_or(self.spread, |moments| moments.stdev());
        let (contrast, scatter) = (linked.ln(), spread.hypot(error.unwrap_or_default()));
        let is_beyond_scatter = contrast > ratio.ln() + RoundsRecord::FAR * scatter
            && programs.iter().all(|of_program| contrast > *of_program);
        (outcome == Outcome::Pass && contrast > gate.hi && is_beyond_scatter).then(|| {
            let percent = (linked - 1.0) * 100.0;
            format!("{percent:.1} % slower as this program is linked: the place of the code, not the code")
        })
    }
}
