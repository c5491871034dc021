//! Welch's figures, which are shown for every judge.

use crate::duo::{Duo, slots_of};
use crate::stats::{Moments, StatsError, WelchTest};

/// Welch's t-test of "the logarithms of the slots have equal means" (Welch 1947; degrees of freedom by
/// Satterthwaite 1946).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WelchFigures {
    /// The t statistic. Above 0, the candidate is slower.
    pub t: f64,
    /// The degrees of freedom by Welch and Satterthwaite.
    pub df: f64,
    /// The one-sided p-value for "the candidate is slower".
    pub p: f64,
    /// The two-sided p-value for "the two differ".
    pub p_two_sided: f64,
    /// Set if the number of slots depended on the data, so that the p-values are nominal.
    pub nominal: bool,
}

impl WelchFigures {
    pub(super) fn of(test: &WelchTest, nominal: bool) -> Self {
        Self { t: test.t(), df: test.df(), p: test.p_greater(0.0), p_two_sided: test.p_two_sided(), nominal }
    }
}

/// The figures of all rounds together. Each round counts as one observation.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundFigures {
    /// The contrast of each round, in their order: an estimate of ln(candidate / baseline).
    pub contrasts: Vec<f64>,
    /// Their median absolute deviation times 1.4826, which estimates the standard deviation of normally
    /// distributed contrasts (Hampel 1974). At least one step of the clock, as a share of a slot.
    pub spread: f64,
    /// Student's t statistic against "their mean is 0". Above 0, the candidate is slower. None for a single
    /// round.
    pub t: Option<f64>,
    /// Its degrees of freedom, the number of rounds minus 1.
    pub df: usize,
    /// Its one-sided p-value for "the candidate is slower". It is nominal if the number of rounds depended on
    /// the data.
    pub p: Option<f64>,
}

impl RoundFigures {
    /// The figures of at least one round. The spread is at least `floor`.
    pub(super) fn of(contrasts: Vec<f64>, spread: f64, floor: f64) -> Self {
        let df = contrasts.len() - 1;
        let test = Moments::of(&contrasts).ok().map(|moments| WelchTest::paired(&moments, floor));
        Self { contrasts, spread, t: test.map(|test| test.t()), df, p: test.map(|test| test.p_greater(0.0)) }
    }
}

/// Welch's test of the logarithms of the slots of these processes. It uses the time per call, since the
/// processes differ in the number of calls per slot. The spread is at least `floor`.
pub(super) fn welch_test(processes: &[(&[Duo], u64)], floor: f64) -> Result<WelchTest, StatsError> {
    let candidate = moments_of(processes, |duo| duo.candidate)?;
    let baseline = moments_of(processes, |duo| duo.baseline)?;
    Ok(WelchTest::new(&candidate, &baseline, floor))
}

/// The moments of the logarithms of the times per call on one side.
fn moments_of(processes: &[(&[Duo], u64)], side: fn(&Duo) -> [u64; 2]) -> Result<Moments, StatsError> {
    let logarithms = processes.iter().flat_map(|(duos, calls)| {
        slots_of(duos, side).into_iter().map(|slot| (slot as f64 / *calls as f64).ln())
    });
    Moments::of(&logarithms.collect::<Vec<_>>())
}
