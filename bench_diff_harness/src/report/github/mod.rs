//! What a job on GitHub is told: annotations of the source, and the summary of the step.

mod annotation;
mod sources;
mod summary;

pub(super) use self::annotation::Annotations;
pub(super) use self::sources::Sources;
pub(super) use self::summary::Summary;
