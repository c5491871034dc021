//! The report in a GitHub job: annotations of the source, and the step summary.

mod annotation;
mod channels;
mod sources;

pub(super) use self::channels::add;
#[cfg(test)]
pub(super) use self::{annotation::Annotations, sources::Sources};
