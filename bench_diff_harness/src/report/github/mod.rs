//! The report to a job on GitHub: annotations of the source, and the summary of the step.

mod annotation;
mod channels;
mod sources;

pub(super) use self::channels::add;
#[cfg(test)]
pub(super) use self::{annotation::Annotations, sources::Sources};
