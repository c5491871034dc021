//! What a value can do: be shown, compared or duplicated, or be an error.
//!
//! The attribute expands to code without type parameters. In such code, an inherent method of a wrapper with
//! a bound takes precedence over a trait method of the same name without the bound. So each value gets the
//! best that its type offers, and no bound is required of it.

mod compared;
mod duplicate;
mod future;
mod output;
mod shown;

pub(crate) use compared::shorten;
pub use compared::{Compared, Same, accepted, compared};
pub use duplicate::{ByClone, ByCopy, Duplicate, Kind, Never};
pub(crate) use future::run_nothing;
pub use future::{Finish, OutputOf, RunToEnd, output_0, output_1, output_2};
pub use output::{Discarded, Output, discard};
pub use shown::{Shown, Text};

/// The traits with the methods for types that offer less.
pub mod fallback {
    pub use super::compared::Incomparable;
    pub use super::duplicate::{CloneKind, OtherKind};
    pub use super::future::{FinishedKind, FinishedOutput};
    pub use super::output::PlainOutput;
    pub use super::shown::{DebugLabel, DebugMessage, TypeMessage, TypeText};
}
