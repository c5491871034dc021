//! What rounds in random layouts say, and what the program as linked says beside them.

use super::{GateRecord, IntervalRecord, Outcome};

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
    /// What a reader of a pass should know, who finds the program as linked slower than that.
    pub(super) fn note(&self, outcome: Outcome, gate: Option<&GateRecord>) -> Option<String> {
        let (gate, linked) = gate.zip(self.linked)?;
        (outcome == Outcome::Pass && linked.ln() > gate.hi).then(|| {
            let percent = (linked - 1.0) * 100.0;
            format!("{percent:.1} % slower as this program is linked: the place of the code, not the code")
        })
    }
}
