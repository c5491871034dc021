//! What is proven of the functions of pairs before anything is measured: that both are the same machine code.

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

/// How many of so many pairs with a gate share alpha, where so many of them are proven: one at least.
pub(crate) fn sharing(gated: usize, proven: usize) -> usize {
    gated.saturating_sub(proven).max(1)
}
