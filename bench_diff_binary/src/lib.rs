//! A linked bench binary: links it again in random orders, and proves its functions unchanged.
//!
//! It belongs to the harness of the same version.
