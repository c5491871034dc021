//! A crate of which its users know that it has benchmarks, and not which harness runs them.

pub use bench_diff_harness as bench;
