//! The proof, before any measurement, that both functions of a pair have identical machine code.

use bench_diff_report::record::{Differs, Obstacle};

/// The comparison of the machine code of both functions of a pair; the default if nothing was compared.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Proof {
    /// True if it is the same, so the ratio is 1 wherever the code lies.
    pub(crate) is_same: bool,
    pub(crate) differs: Option<Differs>,
    /// True if they may differ in nothing but how the compiler divided the crates of both sides.
    pub(crate) by_units: bool,
    /// The obstacle, if the code was compared and is not known to be the same.
    pub(crate) cause: Option<Cause>,
}

impl Proof {
    pub(crate) fn same() -> Self {
        Self { is_same: true, ..Self::default() }
    }

    /// The proof of functions that may be the same, which is not known for this reason.
    pub(crate) fn unknown(reason: String) -> Self {
        Self { cause: Some(Cause { obstacle: Obstacle::Unknown, why: reason }), ..Self::default() }
    }
}

/// The obstacle to the proof of one pair.
#[derive(Clone, Debug, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Cause {
    pub(crate) obstacle: Obstacle,
    /// The reason or the call in words, or the path of the function.
    pub(crate) why: String,
}
