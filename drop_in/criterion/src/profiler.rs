//! Profilers. bench_diff calls none.

use std::path::Path;

/// A profiler in the process of the benchmark. It has no effect.
pub trait Profiler {
    /// Never called.
    fn start_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path);

    /// Never called.
    fn stop_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path);
}

/// A profiler outside of the process.
#[derive(Debug)]
pub struct ExternalProfiler;

impl Profiler for ExternalProfiler {
    fn start_profiling(&mut self, _: &str, _: &Path) {}

    fn stop_profiling(&mut self, _: &str, _: &Path) {}
}
