//! What a run knows before it is planned, beside what the user asked for.

use super::OtherSide;
use crate::settings::Target;

/// The binary of a run, the side that it is compared with, and how cargo builds it again.
#[derive(Debug)]
pub(crate) struct Context {
    /// The content of the binary that measures, as a digest; `None` if nothing is measured.
    pub(crate) program: Option<String>,
    /// The side that functions are compared with in place of their baselines.
    pub(crate) against: Option<OtherSide>,
    /// The package as cargo takes it: its last release may be a dependency of the same name.
    pub(crate) spec: String,
    /// The arguments with which cargo builds the bench.
    pub(crate) build: Vec<String>,
}

impl Context {
    /// The context of a run of this target that measures nothing.
    pub(crate) fn of(target: &Target) -> Self {
        Self {
            program: None,
            against: None,
            spec: format!("{}@{}", target.package, target.version),
            build: vec!["--bench".to_owned(), target.bench()],
        }
    }
}
