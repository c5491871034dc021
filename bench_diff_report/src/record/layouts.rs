//! The results of rounds in random layouts, and that of the binary as linked.

use bench_diff_core::stats::Moments;

use super::{GateRecord, Outcome, RoundsRecord};

/// The figures of rounds in random layouts besides those of the verdict, which is about the source.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Serialize)]
pub struct LayoutsRecord {
    /// True if each function was once at each of four offsets of the cache line in every round.
    pub balanced: bool,
    /// The ratio in the binary as linked, from one round, which is not a part of the verdict.
    pub linked: Option<f64>,
    /// ln(candidate / baseline) in each binary of each round.
    pub programs: Vec<Vec<f64>>,
}

impl LayoutsRecord {
    /// The note on a pass if the binary as linked is slower than the gate allows, by more than chance: its
    /// single round has the standard error `error` and differs from the others for other reasons as well.
    pub(super) fn note(
        &self,
        (outcome, ratio, rounds): (Outcome, f64, &RoundsRecord),
        gate: Option<&GateRecord>,
        error: Option<f64>,
    ) -> Option<String> {
        let (gate, linked) = gate.zip(self.linked)?;
        // It is one binary, so it is compared with single binaries.
        let programs = self.programs.concat();
        let spread = Moments::of(&programs).map_or(rounds.spread, |moments| moments.stdev());
        let (contrast, scatter) = (linked.ln(), spread.hypot(error.unwrap_or_default()));
        let is_beyond_scatter = contrast > ratio.ln() + RoundsRecord::FAR * scatter
            && programs.iter().all(|of_program| contrast > *of_program);
        (outcome == Outcome::Pass && contrast > gate.hi && is_beyond_scatter).then(|| {
            let percent = (linked - 1.0) * 100.0;
            format!("{percent:.1} % slower in the binary as linked: that is its address, not the code")
        })
    }
}
