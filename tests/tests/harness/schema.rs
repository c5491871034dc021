//! The published schema of the records.
