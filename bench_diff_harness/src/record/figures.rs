//! The figures of a pair.

use bench_diff_core::stats::{Interval, Summary};
use bench_diff_core::{Judgement, Overhead, RoundFigures, WelchFigures};

use super::finite;

/// An interval of the ratio; an infinite end is null.
#[derive(Clone, Copy, Debug, Default, PartialEq, miniserde::Serialize)]
pub(crate) struct IntervalRecord {
    pub(crate) level: f64,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
}

impl From<Interval> for IntervalRecord {
    fn from(interval: Interval) -> Self {
        Self { level: interval.level, low: finite(interval.low), high: finite(interval.high) }
    }
}

/// Welch's t-test of the logarithms of the slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, miniserde::Serialize)]
pub(crate) struct WelchRecord {
    pub(crate) t: Option<f64>,
    pub(crate) df: Option<f64>,
    pub(crate) p: Option<f64>,
    pub(crate) p_two_sided: Option<f64>,
    pub(crate) nominal: bool,
}

/// The result of all rounds together: the contrasts of each, an estimate of ln(candidate / baseline), and
/// Student's t-test of them.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Serialize)]
pub(crate) struct RoundsRecord {
    pub(crate) n: usize,
    pub(crate) spread: f64,
    pub(crate) t: Option<f64>,
    pub(crate) df: usize,
    pub(crate) p: Option<f64>,
    pub(crate) contrasts: Vec<f64>,
}

impl From<&RoundFigures> for RoundsRecord {
    fn from(RoundFigures { contrasts, spread, t, df, p }: &RoundFigures) -> Self {
        Self {
            n: contrasts.len(),
            spread: *spread,
            t: t.and_then(finite),
            df: *df,
            p: p.and_then(finite),
            contrasts: contrasts.clone(),
        }
    }
}

impl RoundsRecord {
    /// A round that is this many spreads from the middle, and at least this far, differs for another reason
    /// than rounds usually do.
    pub(super) const FAR: f64 = 6.0;
    const NOT_FAR: f64 = 0.03;

    /// The range of usual rounds around this contrast, if nothing disturbs one of them.
    pub(crate) fn usual(&self, center: f64) -> [f64; 2] {
        let reach = (Self::FAR * self.spread).max(Self::NOT_FAR);
        [center - reach, center + reach]
    }
}

/// The share of overhead in a slot, and the ratio without it.
#[derive(Clone, Copy, Debug, PartialEq, miniserde::Serialize)]
pub(crate) struct OverheadRecord {
    pub(crate) share: f64,
    pub(crate) share_max: f64,
    pub(crate) net_ratio: Option<f64>,
    pub(crate) net_interval: Option<IntervalRecord>,
}

impl From<WelchFigures> for WelchRecord {
    fn from(WelchFigures { t, df, p, p_two_sided, nominal }: WelchFigures) -> Self {
        Self { t: finite(t), df: finite(df), p: finite(p), p_two_sided: finite(p_two_sided), nominal }
    }
}

impl OverheadRecord {
    pub(super) fn of(overhead: &Overhead, judgement: &Judgement) -> Self {
        let net = overhead.net(judgement.ratio, judgement.interval);
        Self {
            share: overhead.share,
            share_max: overhead.share_max,
            net_ratio: net.and_then(|net| finite(net.ratio)),
            net_interval: net.map(|net| net.interval.into()),
        }
    }
}

/// The latencies of one function, in nanoseconds per call.
#[derive(Clone, Copy, Debug, Default, PartialEq, miniserde::Serialize)]
pub(crate) struct SummaryRecord {
    pub(crate) n: u64,
    pub(crate) mean: f64,
    pub(crate) stdev: f64,
    pub(crate) min: f64,
    pub(crate) p5: f64,
    pub(crate) p25: f64,
    pub(crate) median: f64,
    pub(crate) p75: f64,
    pub(crate) p95: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
}

impl From<Summary> for SummaryRecord {
    fn from(summary: Summary) -> Self {
        let Summary { n, mean, stdev, min, p5, p25, median, p75, p95, p99, max } = summary;
        Self { n, mean, stdev, min, p5, p25, median, p75, p95, p99, max }
    }
}

/// The first functions that differ.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Differs {
    /// The function of the candidate.
    pub(crate) function: String,
    pub(crate) baseline_bytes: u64,
    pub(crate) candidate_bytes: u64,
    /// The difference between them.
    pub(crate) why: String,
}

/// The result of the comparison before a measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) enum Check {
    /// The functions return equal values.
    #[serde(rename = "equal")]
    Equal,
    /// No check: the return values cannot be compared.
    #[default]
    #[serde(rename = "none")]
    None,
    /// No check: the attribute turns it off.
    #[serde(rename = "off")]
    Off,
}
