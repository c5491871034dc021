//! Why a pair cannot be measured.

use bench_diff_core::MeasureError;

/// The reason why a pair cannot be measured or judged.
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

impl From<MeasureError> for Failed {
    fn from(error: MeasureError) -> Self {
        error.to_string().into()
    }
}

impl From<&str> for Failed {
    fn from(reason: &str) -> Self {
        reason.to_owned().into()
    }
}
