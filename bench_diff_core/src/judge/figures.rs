//! Welch's figures, which every judge shows.

use crate::duo::{Duo, slots_of};
use crate::stats::{Moments, StatsError, WelchTest};

/// Welch's t-test of delta = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WelchFigures {
    /// The t statistic; above 0 the candidate is slower.
    pub t: f64,
    /// The degrees of freedom after Welch and Satterthwaite.
    pub df: f64,
    /// The one-sided p-value of "the candidate is slower".
    pub p: f64,
    /// The two-sided p-value of "the two differ".
    pub p_two_sided: f64,
    /// Set if the number of slots depended on the data, so that the p-values are nominal.
    pub nominal: bool,
}

impl WelchFigures {
    pub(super) fn of(test: &WelchTest, nominal: bool) -> Self {
        Self { t: test.t(), df: test.df(), p: test.p_greater(0.0), p_two_sided: test.p_two_sided(), nominal }
    }
}

/// The figures of all rounds together, each of them once.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundFigures {
    /// The contrast of each round, in their order: an estimate of ln(candidate / baseline).
    pub contrasts: Vec<f64>,
    /// Their spread, on the scale of a standard deviation of normal ones.
    pub spread: f64,
    /// Student's t statistic of "their mean is 0"; above 0 the candidate is slower. None of a single round.
    pub t: Option<f64>,
    /// Its degrees of freedom, one less than there are rounds.
    pub df: usize,
    /// Its one-sided p-value of "the candidate is slower", nominal where the rounds decided when to stop.
    pub p: Option<f64>,
}

impl RoundFigures {
    /// The figures of at least one round, with no spread below `floor`.
    pub(super) fn of(contrasts: Vec<f64>, spread: f64, floor: f64) -> Self {
        let df = contrasts.len() - 1;
        let test = Moments::of(&contrasts).ok().map(|moments| WelchTest::paired(&moments, floor));
        Self { contrasts, spread, t: test.map(|test| test.t()), df, p: test.map(|test| test.p_greater(0.0)) }
    }
}

/// Welch's test of the logarithms of the slots of these processes, by the time of a call, since their slots
/// differ in their number of calls; with no spread below `floor`.
pub(super) fn welch_test<'d>(
    processes: &(impl Iterator<Item = (&'d [Duo], u64)> + Clone),
    floor: f64,
) -> Result<WelchTest, StatsError> {
    let of = |side: fn(&Duo) -> [u64; 2]| {
        let logarithms = processes.clone().flat_map(|(duos, calls)| {
            slots_of(duos, side).into_iter().map(move |slot| (slot as f64 / calls as f64).ln())
        });
        Moments::of(&logarithms.collect::<Vec<_>>())
    };
    Ok(WelchTest::new(&of(|duo| duo.candidate)?, &of(|duo| duo.baseline)?, floor))
}
