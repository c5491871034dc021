//! The proof, before any measurement, that both functions of a pair are the same machine code.

/// The comparison of the machine code of both functions of a pair; nothing of it where that was not compared.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Proof {
    /// True if it is the same, so the ratio is 1 wherever the code lies.
    pub(crate) is_same: bool,
    pub(crate) differs: Option<Differs>,
    /// True if functions of one name differ because one of them calls what the other has inlined, which more
    /// functions call.
    pub(crate) by_others: bool,
    /// The paths of what was compiled in two ways if functions of one name differ: of the function, and of
    /// what it calls on one side alone.
    pub(crate) in_two_ways: Vec<String>,
    /// The reason why it is not proven that it is the same, though it may be.
    pub(crate) unknown: Option<String>,
}

impl Proof {
    pub(crate) fn same() -> Self {
        Self { is_same: true, ..Self::default() }
    }

    pub(crate) fn unknown(reason: String) -> Self {
        Self { unknown: Some(reason), ..Self::default() }
    }
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
