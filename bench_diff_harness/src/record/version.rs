//! The version of the shape of the records.

pub(crate) const SCHEMA: u32 = 2;

/// The versions that can be read.
pub(crate) const READABLE_SCHEMAS: [u32; 2] = [1, SCHEMA];
