//! A record of one of several runs.

use std::path::Path;

use crate::record::{Figures, PairRecord};

/// A record and the file that it is from.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) struct Source<'a> {
    pub(in crate::store) record: &'a PairRecord,
    pub(in crate::store) path: &'a Path,
}

impl Source<'_> {
    pub(super) fn is_same_code(&self) -> bool {
        self.record.figures().is_some_and(Figures::is_one_code)
    }

    /// One line on this run.
    pub(super) fn note(&self) -> String {
        let seed = &self.record.seed;
        let Some(Figures { outcome, ratio, duos, ln_e_fail, ln_e_pass, .. }) = self.record.figures() else {
            return String::new();
        };
        let [fail, pass] = [ln_e_fail, ln_e_pass].map(|known| known.unwrap_or(f64::NAN));
        format!(
            "{} with seed {seed}: ratio {ratio:.4}, {duos} duos, ln E {fail:.2} for a failure and {pass:.2} for a pass ({})",
            outcome.name(),
            self.path.display()
        )
    }
}
