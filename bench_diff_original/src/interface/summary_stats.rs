//! The summary of one function's latencies.

/// The latencies of one function, in whole units of the [`LatencyUnit`](crate::LatencyUnit),
/// rounded to the nearest; mean and standard deviation with their fraction.
///
/// Percentile p is the smallest latency such that at least p % of all are at or below it. Where a latency is
/// not large against the unit, [`median_f1`](crate::DiffOut::median_f1) and its like are exact, and
/// a finer unit is better.
#[derive(Clone, Debug, PartialEq)]
pub struct SummaryStats {
    /// The number of latencies.
    pub count: u64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The sample standard deviation (denominator n - 1), NaN of a single latency.
    pub stdev: f64,
    /// The smallest latency.
    pub min: u64,
    /// The 1st percentile.
    pub p1: u64,
    /// The 5th percentile.
    pub p5: u64,
    /// The 10th percentile.
    pub p10: u64,
    /// The 25th percentile.
    pub p25: u64,
    /// The 50th percentile.
    pub median: u64,
    /// The 75th percentile.
    pub p75: u64,
    /// The 90th percentile.
    pub p90: u64,
    /// The 95th percentile.
    pub p95: u64,
    /// The 99th percentile.
    pub p99: u64,
    /// The largest latency.
    pub max: u64,
}
