//! The library that this one comes from: the interface of the crate `bench_diff` 1.1.0, its model of noise, and its loops.

pub(crate) mod interface;
pub mod loop_overhead;
pub mod noise_model;
