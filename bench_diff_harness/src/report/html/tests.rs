//! The page of literal records.
