//! The result of a comparison, and what describes it.

use std::cmp::Ordering::{self, Equal, Greater, Less};

use bench_diff_core::sample::relative_resolution;
use bench_diff_core::{Duo, Seed};

use super::SummaryStats;
use super::plan::DiffPlan;
use super::sample::{Figures, Sample};

/// The latencies of two functions that were compared, with their statistics.
///
/// Latencies and their differences are in the [`LatencyUnit`](crate::LatencyUnit) of the
/// comparison, less what reading the clock costs. All differences are those of f1 minus f2, all ratios those
/// of f1 over f2.
///
/// Everything is computed once, from the nanoseconds that were measured. A number that cannot be computed is
/// NaN: a standard deviation of one execution, a logarithm where a latency is zero, since it was shorter than
/// what the clock resolves. What would decide something on such a number panics: [`HypTestResult::accepted`]
/// and [`Ci::position_of`]. No error is ever taken for "no difference". Latencies that are all equal are
/// ordinary data, whose spread is taken to be as small as the clock resolves, at least 1e-5.
///
/// [`HypTestResult::accepted`]: crate::stats_types::HypTestResult::accepted
/// [`Ci::position_of`]: crate::stats_types::Ci::position_of
#[derive(Clone, Debug)]
pub struct DiffOut {
    seed: Seed,
    overhead: u64,
    duos: Vec<Duo>,
    pub(super) f1: Sample,
    pub(super) f2: Sample,
    /// The pairs by what their latencies say.
    count_f1_lt_f2: u64,
    count_f1_eq_f2: u64,
    count_f1_gt_f2: u64,
    diff: Figures,
    pub(super) diff_ln: Figures,
    /// The least spread that a logarithm is taken to have.
    pub(super) stdev_floor: f64,
}

impl DiffOut {
    /// The result of at least one pair of slots, in nanoseconds, `overhead` of which are no function's.
    pub(super) fn new(
        plan: &DiffPlan,
        resolution: u64,
        overhead: u64,
        mut duos: Vec<Duo>,
        half: Option<[u64; 2]>,
    ) -> Self {
        let net = |slot: u64| slot.saturating_sub(overhead);
        for duo in &mut duos {
            *duo = Duo { candidate: duo.candidate.map(net), baseline: duo.baseline.map(net), ..*duo };
        }
        let slots = |side: fn(&Duo) -> [u64; 2]| duos.iter().map(side).collect::<Vec<_>>().into_flattened();
        let (mut f1, mut f2) = (slots(|duo| duo.candidate), slots(|duo| duo.baseline));
        if let Some([of_f1, of_f2]) = half {
            f1.push(net(of_f1));
            f2.push(net(of_f2));
        }

        let pairs = || f1.iter().copied().zip(f2.iter().copied());
        let unit = f64::from(plan.unit.nanoseconds());
        let differences: Vec<f64> = pairs().map(|(f1, f2)| (f1 as f64 - f2 as f64) / unit).collect();
        let ln_ratios: Vec<f64> = pairs().map(|(f1, f2)| (f1 as f64).ln() - (f2 as f64).ln()).collect();
        let count = |ordering: Ordering| pairs().filter(|(f1, f2)| f1.cmp(f2) == ordering).count() as u64;
        let [count_f1_lt_f2, count_f1_eq_f2, count_f1_gt_f2] = [Less, Equal, Greater].map(count);
        let (f1, f2) = (Sample::new(plan.unit, &f1), Sample::new(plan.unit, &f2));
        let faster = f1.median.min(f2.median) * unit;
        Self {
            seed: plan.seed,
            overhead,
            duos,
            f1,
            f2,
            count_f1_lt_f2,
            count_f1_eq_f2,
            count_f1_gt_f2,
            diff: Figures::of(&differences),
            diff_ln: Figures::of(&ln_ratios),
            stdev_floor: relative_resolution(resolution, faster as u64),
        }
    }

    /// The executions of each function that counted: as many as were asked for.
    pub fn n(&self) -> u64 {
        self.f1.summary.count
    }

    /// [`n`](Self::n) as a float.
    pub fn nf(&self) -> f64 {
        self.n() as f64
    }

    /// The summary of the latencies of f1.
    pub fn summary_f1(&self) -> SummaryStats {
        self.f1.summary.clone()
    }

    /// The summary of the latencies of f2.
    pub fn summary_f2(&self) -> SummaryStats {
        self.f2.summary.clone()
    }

    /// The mean latency of f1.
    pub fn mean_f1(&self) -> f64 {
        self.f1.summary.mean
    }

    /// The mean latency of f2.
    pub fn mean_f2(&self) -> f64 {
        self.f2.summary.mean
    }

    /// The median latency of f1, of an even number the lower one of the two in the middle.
    pub fn median_f1(&self) -> f64 {
        self.f1.median
    }

    /// The median latency of f2, of an even number the lower one of the two in the middle.
    pub fn median_f2(&self) -> f64 {
        self.f2.median
    }

    /// The median latency of f1 minus that of f2.
    pub fn diff_medians_f1_f2(&self) -> f64 {
        self.median_f1() - self.median_f2()
    }

    /// The median latency of f1 over that of f2; infinite or NaN where the latter is zero.
    pub fn ratio_medians_f1_f2(&self) -> f64 {
        self.median_f1() / self.median_f2()
    }

    /// The pairs of neighbouring executions in which f1 was faster.
    pub fn count_f1_lt_f2(&self) -> u64 {
        self.count_f1_lt_f2
    }

    /// The pairs of neighbouring executions that took equally long.
    pub fn count_f1_eq_f2(&self) -> u64 {
        self.count_f1_eq_f2
    }

    /// The pairs of neighbouring executions in which f1 was slower.
    pub fn count_f1_gt_f2(&self) -> u64 {
        self.count_f1_gt_f2
    }

    /// The mean of the logarithms of the latencies of f1.
    pub fn mean_ln_f1(&self) -> f64 {
        self.f1.ln.mean
    }

    /// The sample standard deviation of the logarithms of the latencies of f1.
    pub fn stdev_ln_f1(&self) -> f64 {
        self.f1.ln.stdev
    }

    /// The mean of the logarithms of the latencies of f2.
    pub fn mean_ln_f2(&self) -> f64 {
        self.f2.ln.mean
    }

    /// The sample standard deviation of the logarithms of the latencies of f2.
    pub fn stdev_ln_f2(&self) -> f64 {
        self.f2.ln.stdev
    }

    /// The mean of the differences of paired latencies, which is the difference of the means.
    pub fn mean_diff_f1_f2(&self) -> f64 {
        self.diff.mean
    }

    /// The sample standard deviation of the differences of paired latencies, which is not the difference of
    /// the standard deviations.
    pub fn stdev_diff_f1_f2(&self) -> f64 {
        self.diff.stdev
    }

    /// The mean of the differences of paired logarithms, which is the difference of the means of the
    /// logarithms.
    pub fn mean_diff_ln_f1_f2(&self) -> f64 {
        self.diff_ln.mean
    }

    /// The sample standard deviation of the differences of paired logarithms, which is not the difference of
    /// the standard deviations.
    pub fn stdev_diff_ln_f1_f2(&self) -> f64 {
        self.diff_ln.stdev
    }

    /// The ratio of the geometric means, which of log-normal latencies is that of the medians: `exp` of
    /// [`mean_diff_ln_f1_f2`](Self::mean_diff_ln_f1_f2).
    pub fn ratio_medians_f1_f2_from_lns(&self) -> f64 {
        self.mean_diff_ln_f1_f2().exp()
    }

    /// The duos with f1 as the candidate, in nanoseconds less [`overhead`](Self::overhead), in the order in
    /// which they were measured. Half a duo at the end of an odd number is not among them.
    pub fn duos(&self) -> &[Duo] {
        &self.duos
    }

    /// The time subtracted from every latency, in nanoseconds: the median of empty slots, in which the clock
    /// was read twice and nothing was called.
    pub fn overhead(&self) -> u64 {
        self.overhead
    }

    /// The seed of the coin: in a [`DiffPlan`](crate::DiffPlan) it repeats the order of the duos.
    pub fn seed(&self) -> Seed {
        self.seed
    }
}
