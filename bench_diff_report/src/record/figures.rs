//! The parts of the figures of a pair.

use bench_diff_core::stats::{Interval, Moments, Summary};
use bench_diff_core::{Judgement, Overhead, RoundFigures, Verdict, WelchFigures};
use bench_diff_system::words;

use super::{GateRecord, finite};

/// An interval of the ratio; an infinite end is null.
#[derive(Clone, Copy, Debug, Default, PartialEq, miniserde::Serialize)]
pub struct IntervalRecord {
    /// The probability that it holds the true ratio, from 0 to 1.
    pub level: f64,
    /// The lower end; `None` for 0.
    pub low: Option<f64>,
    /// The upper end; `None` for infinity.
    pub high: Option<f64>,
}

impl From<Interval> for IntervalRecord {
    fn from(interval: Interval) -> Self {
        Self { level: interval.level, low: finite(interval.low), high: finite(interval.high) }
    }
}

/// Welch's t-test of the logarithms of the slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, miniserde::Serialize)]
pub struct WelchRecord {
    /// The statistic; above 0 if the candidate is slower.
    pub t: Option<f64>,
    /// Its degrees of freedom.
    pub df: Option<f64>,
    /// The one-sided p-value for a slower candidate.
    pub p: Option<f64>,
    /// The two-sided p-value.
    pub p_two_sided: Option<f64>,
    /// True if the run stopped as soon as it had a verdict, so the p-values hold for no fixed number of duos.
    pub nominal: bool,
}

/// The result of all rounds together: the contrasts of each, an estimate of ln(candidate / baseline), and
/// Student's t-test of them.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Serialize)]
pub struct RoundsRecord {
    /// The number of rounds.
    pub n: usize,
    /// The usual distance between contrasts, as the standard deviation of normal ones would be.
    pub spread: f64,
    /// The statistic; above 0 if the candidate is slower.
    pub t: Option<f64>,
    /// Its degrees of freedom.
    pub df: usize,
    /// The one-sided p-value for a slower candidate.
    pub p: Option<f64>,
    /// An estimate of ln(candidate / baseline) for each round.
    pub contrasts: Vec<f64>,
}

impl From<&RoundFigures> for RoundsRecord {
    fn from(&RoundFigures { ref contrasts, spread, t, df, p }: &RoundFigures) -> Self {
        let (n, t, p) = (contrasts.len(), t.and_then(finite), p.and_then(finite));
        Self { n, spread, t, df, p, contrasts: contrasts.clone() }
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
pub struct OverheadRecord {
    /// The share, from 0 to 1, in a slot of the faster function.
    pub share: f64,
    /// The upper bound of that share.
    pub share_max: f64,
    /// The ratio without the overhead; `None` if the share is too small or too large for it.
    pub net_ratio: Option<f64>,
    /// The bounds of the ratio for any overhead up to its upper bound.
    pub net_interval: Option<IntervalRecord>,
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
pub struct SummaryRecord {
    /// The number of slots.
    pub n: u64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub stdev: f64,
    /// The shortest.
    pub min: f64,
    /// The 5th percentile.
    pub p5: f64,
    /// The 25th percentile.
    pub p25: f64,
    /// The median.
    pub median: f64,
    /// The 75th percentile.
    pub p75: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

impl From<Summary> for SummaryRecord {
    fn from(summary: Summary) -> Self {
        let Summary { n, mean, stdev, min, p5, p25, median, p75, p95, p99, max } = summary;
        Self { n, mean, stdev, min, p5, p25, median, p75, p95, p99, max }
    }
}

/// The first functions that differ.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub struct Differs {
    /// The function of the candidate.
    pub function: String,
    /// The size of the baseline's function, in bytes.
    pub baseline_bytes: u64,
    /// The size of the candidate's function, in bytes.
    pub candidate_bytes: u64,
    /// The difference between them.
    pub why: String,
}

words! {
    /// The result of the comparison before a measurement.
    #[derive(Default)]
    pub enum Check {
        /// The functions return equal values.
        Equal = "equal",
        /// No check: the return values cannot be compared.
        #[default]
        None = "none",
        /// No check: the attribute turns it off.
        Off = "off",
    }
}

/// The figures of rounds in random layouts besides those of the verdict, which is about the source.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Serialize)]
pub struct LayoutsRecord {
    /// True if each function was once at each of four offsets of the cache line in every round.
    pub balanced: bool,
    /// The ratio in the binary as linked, from one round, which is not a part of the verdict.
    pub linked: Option<f64>,
    /// ln(candidate / baseline) in each binary of each round.
    pub programs: Vec<Vec<f64>>,
}

impl LayoutsRecord {
    /// The share of the variance between rounds that remains without the variance of single processes. The
    /// binaries of a round have one order of functions, so the share is due to that order. It is 1 - 1 / F of
    /// a one-way analysis of variance (Fisher 1925). `None` unless there are several rounds of equally many
    /// binaries.
    pub(crate) fn share_of_order(&self) -> Option<f64> {
        let size = self.programs.first()?.len();
        let rounds: Result<Vec<Moments>, _> = self.programs.iter().map(|round| Moments::of(round)).collect();
        let rounds = rounds.ok().filter(|rounds| rounds.iter().all(|round| round.n() == size))?;
        let means: Vec<f64> = rounds.iter().map(Moments::mean).collect();
        let between = size as f64 * Moments::of(&means).ok()?.variance();
        let within = rounds.iter().map(Moments::variance).sum::<f64>() / rounds.len() as f64;
        (within > 0.0).then(|| (1.0 - within / between).max(0.0))
    }

    /// The note on a pass if the binary as linked is slower than the gate allows, by more than chance: its
    /// single round has the standard error `error` and differs from the others for other reasons as well.
    pub(super) fn note(
        &self,
        (verdict, ratio, rounds): (Option<Verdict>, f64, &RoundsRecord),
        gate: Option<&GateRecord>,
        error: Option<f64>,
    ) -> Option<String> {
        let (gate, linked) = gate.zip(self.linked)?;
        // It is one binary, so it is compared with single binaries.
        let programs = self.programs.concat();
        let spread = Moments::of(&programs).map_or(rounds.spread, |moments| moments.stdev());
        let (contrast, scatter) = (linked.ln(), spread.hypot(error.unwrap_or_default()));
        let is_beyond_scatter = contrast > ratio.ln() + RoundsRecord::FAR * scatter
            && programs.iter().all(|of_program| contrast > *of_program);
        (verdict == Some(Verdict::Pass) && contrast > gate.hi && is_beyond_scatter).then(|| {
            let percent = (linked - 1.0) * 100.0;
            format!("{percent:.1} % slower in the binary as linked: that is its address, not the code")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The yields of penicillin of Box, Hunter and Hunter (1978, table 7.1) by their blends alone: the
    /// squares sum up to 264 between the five blends, and to 560 in all.
    #[test]
    fn the_share_of_orders_is_that_of_an_analysis_of_variance() {
        let yields =
            [[89, 88, 97, 94], [84, 77, 92, 79], [81, 87, 87, 85], [87, 92, 89, 84], [79, 81, 80, 88]];
        let programs: Vec<Vec<f64>> = yields.map(|blend| blend.map(f64::from).to_vec()).to_vec();
        let share = |programs: &[Vec<f64>]| {
            LayoutsRecord { programs: programs.to_vec(), ..LayoutsRecord::default() }.share_of_order()
        };
        let f = (264.0 / 4.0) / ((560.0 - 264.0) / 15.0);
        assert!((share(&programs).unwrap() - (1.0 - 1.0 / f)).abs() < 1e-12);
        let equal_means = [vec![1.0, 2.0], vec![2.0, 1.0], vec![1.5, 1.5]];
        assert_eq!(share(&equal_means), Some(0.0));
        for nothing in [&programs[..1], &[vec![1.0], vec![2.0]], &[vec![1.0, 2.0], vec![2.0]], &[]] {
            assert_eq!(share(nothing), None);
        }
    }
}
