//! The latencies of one function in a few numbers: mean, extremes and percentiles.

use hdrhistogram::Histogram;

use super::{Moments, StatsError};

/// The latencies of one side, in nanoseconds per call.
///
/// Mean, standard deviation, minimum and maximum come from the exact latencies. The percentiles come from a
/// histogram: each is within one part in 10 000 of a measured latency, or, for latencies below 1e-11 of the
/// largest one, within 1e-15 of the largest one.
///
/// Percentile `p` is the smallest latency such that at least `p` % of all latencies are at or below it. So
/// the median of two latencies is the lower one, while [`median_time`](super::median_time) takes the upper
/// one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The number of latencies, at least 1.
    pub n: u64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The sample standard deviation (denominator `n - 1`), 0 for a single latency.
    pub stdev: f64,
    /// The smallest latency.
    pub min: f64,
    /// The 5th percentile.
    pub p5: f64,
    /// The 25th percentile, the lower quartile.
    pub p25: f64,
    /// The 50th percentile.
    pub median: f64,
    /// The 75th percentile, the upper quartile.
    pub p75: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The largest latency.
    pub max: f64,
}

impl Summary {
    /// Summarizes `latencies`, in nanoseconds per call and at least 0, in any order.
    ///
    /// # Errors
    ///
    /// [`StatsError::TooFew`] without latencies, [`StatsError::NotFinite`] if one is NaN or infinite or if
    /// the variance overflows.
    pub fn of(latencies: &[f64]) -> Result<Self, StatsError> {
        let (mean, stdev) = mean_and_stdev(latencies)?;
        let min = latencies.iter().copied().fold(f64::INFINITY, f64::min);
        let max = latencies.iter().copied().fold(0.0, f64::max);

        let recorded = Recorded::of(latencies, max);
        let percentile = |percent| recorded.percentile(percent).clamp(min, max);
        Ok(Self {
            n: latencies.len() as u64,
            mean,
            stdev,
            min,
            p5: percentile(5),
            p25: percentile(25),
            median: percentile(50),
            p75: percentile(75),
            p95: percentile(95),
            p99: percentile(99),
            max,
        })
    }
}

fn mean_and_stdev(latencies: &[f64]) -> Result<(f64, f64), StatsError> {
    match *latencies {
        [] => Err(StatsError::TooFew { n: 0, needed: 1 }),
        [only] if only.is_finite() => Ok((only, 0.0)),
        [_] => Err(StatsError::NotFinite),
        _ => Moments::of(latencies).map(|moments| (moments.mean(), moments.stdev())),
    }
}

/// A histogram of latencies in ticks. It counts in integers, so the tick must be small compared with every
/// latency.
struct Recorded {
    ticks: Histogram<u64>,
    tick: f64,
}

impl Recorded {
    const SIGNIFICANT_DIGITS: u8 = 4;
    const TICKS_IN_SMALLEST: f64 = (1_u64 << 17) as f64;
    /// Bounds the memory at about 5 MB. Up to this number, f64 represents every integer.
    const TICKS_IN_LARGEST: f64 = (1_u64 << 52) as f64;

    /// Records `latencies`, which are finite, at least zero and at most `max`.
    fn of(latencies: &[f64], max: f64) -> Self {
        let smallest = latencies.iter().copied().filter(|&latency| latency > 0.0).fold(max, f64::min);
        let tick =
            (smallest / Self::TICKS_IN_SMALLEST).max(max / Self::TICKS_IN_LARGEST).max(f64::MIN_POSITIVE);

        let in_ticks = |latency: f64| (latency / tick).round() as u64;
        let mut ticks = Histogram::new_with_bounds(1, in_ticks(max).max(2), Self::SIGNIFICANT_DIGITS)
            .expect("the bounds are 1 and at least 2, and the digits at most 5");
        for &latency in latencies {
            ticks.saturating_record(in_ticks(latency));
        }
        Self { ticks, tick }
    }

    fn percentile(&self, percent: u64) -> f64 {
        let n = self.ticks.len();
        let rank = (n * percent).div_ceil(100);
        // The histogram rounds `quantile * n` up to a rank. With half a rank less, it does not reach the next
        // one if the product is inexact: 0.05 * 140 is above 7.
        let quantile = (rank as f64 - 0.5) / n as f64;
        let bucket = self.ticks.value_at_quantile(quantile);
        self.ticks.median_equivalent(bucket) as f64 * self.tick
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::{StatsError, Summary};

    const PERCENTS: [usize; 6] = [5, 25, 50, 75, 95, 99];

    fn percentiles(summary: &Summary) -> [f64; 6] {
        [summary.p5, summary.p25, summary.median, summary.p75, summary.p95, summary.p99]
    }

    fn assert_relative(actual: f64, expected: f64, tolerance: f64) {
        let error = (actual - expected).abs() / expected.abs();
        assert!(error <= tolerance, "{actual} is not {expected}: relative error {error:e}");
    }

    fn ramp(n: u32) -> Vec<f64> {
        (0..n).map(|i| 100.0 * (f64::from(i * 37 % n) / f64::from(n)).exp()).collect()
    }

    /// `numpy.quantile(ramp(997), ..., method='inverted_cdf')`, `mean` and `std(ddof=1)` of NumPy 2.4.6.
    #[test]
    fn numpy_inverted_cdf() {
        let summary = Summary::of(&ramp(997)).unwrap();
        let expected = [
            105.037_520_908_844_1,
            128.370_348_478_101_96,
            164.789_463_683_893_2,
            211.540_808_786_209_14,
            258.532_066_505_948_1,
            269.115_349_359_351_17,
        ];
        for (actual, expected) in percentiles(&summary).into_iter().zip(expected) {
            assert_relative(actual, expected, 1e-4);
        }
        assert_eq!((summary.n, summary.min), (997, 100.0));
        assert_relative(summary.mean, 171.742_024_641_971_02, 1e-14);
        assert_relative(summary.stdev, 49.197_097_594_778_19, 1e-14);
    }

    #[test]
    fn the_resolution_is_relative_from_a_quarter_nanosecond_to_100_seconds() {
        for scale in [0.25, 1.0, 1e11] {
            let latencies: Vec<f64> = (0..1000).map(|i| scale * (1.0 + f64::from(i) * 1e-3)).collect();
            let summary = Summary::of(&latencies).unwrap();
            for (actual, percent) in percentiles(&summary).into_iter().zip(PERCENTS) {
                assert_relative(actual, latencies[percent * 10 - 1], 1e-4);
            }
        }
    }

    #[test]
    fn one_slow_call_does_not_coarsen_the_others() {
        let mut latencies = vec![0.25; 999];
        latencies.push(1e11);
        let summary = Summary::of(&latencies).unwrap();
        assert_eq!((summary.min, summary.max), (0.25, 1e11));
        for percentile in percentiles(&summary) {
            assert_relative(percentile, 0.25, 1e-4);
        }
    }

    #[test]
    fn an_exact_rank_is_not_rounded_up_to_the_next() {
        let latencies: Vec<f64> = (1..=140).map(f64::from).collect();
        assert_relative(Summary::of(&latencies).unwrap().p5, 7.0, 1e-4);
    }

    #[test]
    fn equal_latencies_are_every_percentile() {
        for latency in [0.0, 0.25, 17.3, 1e11] {
            let summary = Summary::of(&[latency; 50]).unwrap();
            assert_eq!((summary.mean, summary.stdev), (latency, 0.0));
            assert_eq!((summary.min, summary.max), (latency, latency));
            assert_eq!(percentiles(&summary), [latency; 6]);
        }
    }

    #[test]
    fn a_single_latency_has_no_spread() {
        let summary = Summary::of(&[12.5]).unwrap();
        assert_eq!((summary.n, summary.mean, summary.stdev), (1, 12.5, 0.0));
        assert_eq!(percentiles(&summary), [12.5; 6]);
    }

    #[test]
    fn zeros_mix_with_positive_latencies() {
        let summary = Summary::of(&[0.0, 0.0, 0.0, 3.0, 4.0]).unwrap();
        assert_eq!((summary.min, summary.p5, summary.median, summary.max), (0.0, 0.0, 0.0, 4.0));
        assert_relative(summary.p75, 3.0, 1e-4);
        assert_relative(summary.p95, 4.0, 1e-4);
    }

    #[test]
    fn an_astronomic_range_is_recorded_in_bounded_memory() {
        let summary = Summary::of(&[f64::MIN_POSITIVE, 1.0, 1e100, 1e150]).unwrap();
        assert_eq!((summary.min, summary.max), (f64::MIN_POSITIVE, 1e150));
        assert_relative(summary.p99, 1e150, 1e-4);
        let tiny = Summary::of(&[5e-324, 5e-324]).unwrap();
        assert_eq!((tiny.median, tiny.stdev), (5e-324, 0.0));
    }

    #[test]
    fn bad_samples_are_errors() {
        assert_eq!(Summary::of(&[]), Err(StatsError::TooFew { n: 0, needed: 1 }));
        assert_eq!(Summary::of(&[f64::NAN]), Err(StatsError::NotFinite));
        assert_eq!(Summary::of(&[1.0, f64::INFINITY]), Err(StatsError::NotFinite));
    }

    proptest! {
        #[test]
        fn percentiles_are_ranks_of_the_sorted_sample(mut latencies in vec(0.2..1e10, 1..300)) {
            let summary = Summary::of(&latencies).unwrap();
            latencies.sort_by(f64::total_cmp);
            for (actual, percent) in percentiles(&summary).into_iter().zip(PERCENTS) {
                let rank = (latencies.len() * percent).div_ceil(100);
                prop_assert!((actual / latencies[rank - 1] - 1.0).abs() <= 1e-4);
            }
        }

        #[test]
        fn percentiles_rise_from_min_to_max(
            latencies in vec(prop_oneof![Just(0.0), 0.0..10.0, 0.0..1e12], 1..100),
        ) {
            let summary = Summary::of(&latencies).unwrap();
            let [p5, p25, median, p75, p95, p99] = percentiles(&summary);
            prop_assert!([summary.min, p5, p25, median, p75, p95, p99, summary.max].is_sorted());
        }
    }
}
