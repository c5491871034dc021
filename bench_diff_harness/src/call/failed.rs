//! Why a pair cannot be measured.

/// The reason why a pair cannot be measured, as its process reports it.
#[derive(Clone, Debug, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Failed {
    pub(crate) reason: String,
    /// The panics in the reason. The hook has printed them as well.
    pub(crate) panics: Vec<String>,
}

impl From<String> for Failed {
    fn from(reason: String) -> Self {
        Self { reason, panics: Vec::new() }
    }
}

impl From<&str> for Failed {
    fn from(reason: &str) -> Self {
        reason.to_owned().into()
    }
}
