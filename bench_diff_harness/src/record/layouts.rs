//! What rounds in random layouts say, and what the program as linked says beside them.

use super::{GateRecord, IntervalRecord, Outcome, RoundsRecord};

/// The rounds of a pair in random layouts: the figures of its verdict, which is about the source, and the
/// ratio in the program as linked, which is not judged.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct LayoutsRecord {
    pub(crate) n: usize,
    pub(crate) ratio: Option<f64>,
    pub(crate) interval: Option<IntervalRecord>,
    pub(crate) spread: f64,
    pub(crate) p_fail: Option<f64>,
    pub(crate) p_pass: Option<f64>,
    pub(crate) ln_e_fail: Option<f64>,
    pub(crate) ln_e_pass: Option<f64>,
    /// Whether functions and constants begin on boundaries of 64 bytes at least.
    pub(crate) aligned: bool,
    /// The ratio in the program as linked, from one round.
    pub(crate) linked: Option<f64>,
    /// ln(candidate / baseline) in each layout.
    pub(crate) contrasts: Vec<f64>,
}

impl LayoutsRecord {
    /// What a reader of a pass should know, who finds the program as linked slower than that: by more than
    /// its one round, which is known to this error, may differ from the others for another reason.
    pub(super) fn note(
        &self,
        outcome: Outcome,
        gate: Option<&GateRecord>,
        error: Option<f64>,
    ) -> Option<String> {
        let (gate, (linked, ratio)) = gate.zip(self.linked.zip(self.ratio))?;
        let (contrast, scatter) = (linked.ln(), self.spread.hypot(error.unwrap_or_default()));
        let is_beyond_scatter = contrast > ratio.ln() + RoundsRecord::FAR * scatter
            && self.contrasts.iter().all(|of_layout| contrast > *of_layout);
        (outcome == Outcome::Pass && contrast > gate.hi && is_beyond_scatter).then(|| {
            let percent = (linked - 1.0) * 100.0;
            format!("{percent:.1} % slower as this program is linked: the place of the code, not the code")
        })
    }
}
