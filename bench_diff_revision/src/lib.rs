//! The old side of `--against`: finds a revision, checks it out, and has cargo build the bench in it.
//!
//! It belongs to the harness of the same version.
