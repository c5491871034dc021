//! What is proven of the functions of pairs before anything is measured: that both are the same machine code.

use std::collections::HashMap;

use super::RunPlan;
use super::pair::PairPlan;

/// What is known of the machine code of both functions of a pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Proof {
    /// It was not looked at.
    #[default]
    None,
    /// It is the same, so their ratio is 1 wherever it lies.
    Same,
    Differs(Differs),
    /// It may be the same, and why that is not proven.
    Unknown(String),
}

/// The first functions that are not the same code.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Differs {
    /// That of the candidate.
    pub(crate) function: String,
    pub(crate) baseline_bytes: u64,
    pub(crate) candidate_bytes: u64,
    /// What differs in them.
    pub(crate) why: String,
}

impl PairPlan {
    /// Whether it is decided where both functions are the same code: where it is judged wherever they lie.
    pub(crate) fn can_be_proven(&self) -> bool {
        self.plan.zone.is_some() && self.plan.self_test.is_none() && self.can_have_layouts()
    }

    /// Whether it is decided.
    pub(crate) fn is_proven(&self) -> bool {
        self.proof == Proof::Same && self.can_be_proven()
    }

    /// Where the code of both functions parts, where that is known.
    pub(crate) fn differs(&self) -> Option<&Differs> {
        if let Proof::Differs(differs) = &self.proof { Some(differs) } else { None }
    }

    /// Why it is not known whether both functions are the same code, where that was looked for.
    pub(crate) fn unproven(&self) -> Option<String> {
        let Proof::Unknown(reason) = &self.proof else { return None };
        Some(format!("whether both functions are the same code is not known: {reason}"))
    }
}

impl RunPlan {
    /// The pairs that a proof decides, whether or not the filters left them out.
    pub(crate) fn provable(&self) -> impl Iterator<Item = &PairPlan> {
        self.pairs.iter().chain(&self.elsewhere).filter(|pair| pair.can_be_proven())
    }

    /// The same run with what is known of its pairs, by their names. Those that are the same code have no
    /// share of alpha: which these are follows from the program alone.
    pub(crate) fn with_proofs(mut self, proofs: &HashMap<String, Proof>) -> Self {
        let before = self.sharing();
        for pair in self.pairs.iter_mut().chain(&mut self.elsewhere) {
            pair.proof = proofs.get(&pair.registered).cloned().unwrap_or_default();
        }
        self.gated_proven = self.provable().filter(|pair| pair.is_proven()).count();
        let more = before as f64 / self.sharing() as f64;
        self.pairs.iter_mut().for_each(|pair| pair.plan.alpha *= more);
        self
    }

    /// How many pairs share alpha.
    fn sharing(&self) -> usize {
        sharing(self.gated, self.gated_proven)
    }
}

/// How many of so many pairs with a gate share alpha, where so many of them are proven: one at least.
pub(crate) fn sharing(gated: usize, proven: usize) -> usize {
    gated.saturating_sub(proven).max(1)
}
