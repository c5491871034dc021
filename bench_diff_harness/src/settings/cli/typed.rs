//! What was typed.

/// What was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Typed {
    pub(crate) filters: Vec<String>,
    pub(crate) skip: Vec<String>,
    pub(crate) exact: bool,
    pub(crate) list: bool,
    pub(crate) test: bool,
    pub(crate) bench: bool,
    pub(crate) ignored: bool,
    pub(crate) include_ignored: bool,
    pub(crate) quiet: bool,
    pub(crate) shuffle: bool,
    pub(crate) shuffle_seed: Option<u64>,
    /// Whether a file for the log was asked for, which is never written.
    pub(crate) logfile: bool,
    pub(crate) color: Option<String>,
    pub(crate) help: bool,
    /// The settings with their values, by the names of their flags.
    pub(crate) settings: Vec<(&'static str, String)>,
    /// The switches, by the names of their flags.
    pub(crate) switches: Vec<&'static str>,
}
