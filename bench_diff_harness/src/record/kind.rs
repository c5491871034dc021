//! The kind of a record: the `event` of its line.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) enum Kind {
    /// The start of a run.
    #[serde(rename = "start")]
    Start,
    /// The results of one round of a pair.
    #[serde(rename = "round")]
    Round,
    /// A pair that is finished.
    #[default]
    #[serde(rename = "pair")]
    Pair,
    /// The end of a run.
    #[serde(rename = "run")]
    Run,
    /// The self-test of a gate.
    #[serde(rename = "self_test")]
    SelfTest,
}
