//! The arguments as typed.

/// The arguments as typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Typed {
    pub(crate) filters: Vec<String>,
    /// The flags by their names, each with its value; a switch has none, and is here once.
    pub(crate) flags: Vec<(&'static str, Option<String>)>,
}

impl Typed {
    pub(crate) fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|(name, _)| *name == flag)
    }
}
