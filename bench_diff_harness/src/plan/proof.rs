//! The proof, before any measurement, that both functions of a pair are the same machine code.

/// The comparison of the machine code of both functions of a pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Proof {
    /// The code was not compared.
    #[default]
    None,
    /// It is the same, so the ratio is 1 wherever the code lies.
    Same,
    Differs {
        at: Differs,
        /// True if functions of one name differ because one of them calls what the other has inlined, which
        /// more functions call.
        by_others: bool,
    },
    /// It may be the same; the text is the reason why that is not proven.
    Unknown(String),
}

/// The first functions that differ.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Differs {
    /// The function of the candidate.
    pub(crate) function: String,
    pub(crate) baseline_bytes: u64,
    pub(crate) candidate_bytes: u64,
    /// The difference between them.
    pub(crate) why: String,
}

/// The number of pairs that share alpha: those with a gate without those that are proven, at least one.
pub(crate) fn sharing(gated: usize, proven: usize) -> usize {
    gated.saturating_sub(proven).max(1)
}
