//! The records of a run, and every form in which people and machines read them.
//!
//! It belongs to the harness of the same version.
