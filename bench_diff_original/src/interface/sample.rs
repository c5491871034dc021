//! The latencies of one function, and the figures of any sample.

use bench_diff_core::stats::{Moments, StatsError};

use super::{LatencyUnit, SummaryStats};

/// Mean and standard deviation of a sample of at least one value, and its moments, which need two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figures {
    /// NaN where a value is not finite.
    pub(super) mean: f64,
    /// NaN as well of a single value.
    pub(super) stdev: f64,
    pub(super) moments: Result<Moments, StatsError>,
}

impl Figures {
    pub(super) fn of(values: &[f64]) -> Self {
        let moments = Moments::of(values);
        let mean = match (moments, values) {
            (Ok(moments), _) => moments.mean(),
            (Err(_), [only]) if only.is_finite() => *only,
            (Err(_), _) => f64::NAN,
        };
        Self { mean, stdev: moments.map_or(f64::NAN, |moments| moments.stdev()), moments }
    }
}

/// The statistics of the latencies of one function, computed once.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) summary: SummaryStats,
    /// The median in the unit, not rounded: exactly the lower one of the two in the middle of an even number,
    /// as the percentiles of the original are, where
    /// [`median_time`](bench_diff_core::stats::median_time) takes the upper one.
    pub(super) median: f64,
    /// The figures of the logarithms of the latencies in the unit.
    pub(super) ln: Figures,
}

impl Sample {
    /// Computes the statistics of these latencies, at least one, in nanoseconds.
    pub(super) fn new(unit: LatencyUnit, nanoseconds: &[u64]) -> Self {
        let in_unit = |latency: u64| latency as f64 / f64::from(unit.nanoseconds());
        let values: Vec<f64> = nanoseconds.iter().copied().map(in_unit).collect();
        let logarithms: Vec<f64> = values.iter().map(|latency| latency.ln()).collect();
        let Figures { mean, stdev, .. } = Figures::of(&values);

        let mut sorted = nanoseconds.to_vec();
        sorted.sort_unstable();
        let percentile = |percent: usize| sorted[(sorted.len() * percent).div_ceil(100).max(1) - 1];
        let rounded = |latency: u64| in_unit(latency).round() as u64;
        let whole = |percent| rounded(percentile(percent));
        Self {
            summary: SummaryStats {
                count: nanoseconds.len() as u64,
                mean,
                stdev,
                min: whole(0),
                p1: whole(1),
                p5: whole(5),
                p10: whole(10),
                p25: whole(25),
                median: whole(50),
                p75: whole(75),
                p90: whole(90),
                p95: whole(95),
                p99: whole(99),
                max: whole(100),
            },
            median: in_unit(percentile(50)),
            ln: Figures::of(&logarithms),
        }
    }
}
