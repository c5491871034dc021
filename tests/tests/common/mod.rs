//! The common part of the binaries of tests: how a program is run and read, and the pages of the project.

pub(crate) mod heard;
pub(crate) mod pages;
pub(crate) mod ran;
pub(crate) mod skip;
