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
    /// Whether the number of slots depended on the data, so that the p-values do not mean what they say.
    pub nominal: bool,
}

impl WelchFigures {
    pub(super) fn of(test: &WelchTest, nominal: bool) -> Self {
        Self { t: test.t(), df: test.df(), p: test.p_greater(0.0), p_two_sided: test.p_two_sided(), nominal }
    }
}

/// The test of the logarithms of all slots, with no spread below `floor`.
pub(super) fn welch_test(duos: &[Duo], floor: f64) -> Result<WelchTest, StatsError> {
    let candidate = Moments::of(&logarithms(duos, |duo| duo.candidate))?;
    let baseline = Moments::of(&logarithms(duos, |duo| duo.baseline))?;
    Ok(WelchTest::new(&candidate, &baseline, floor))
}

#[expect(clippy::cast_precision_loss, reason = "a slot of 2^53 ns lasts 104 days")]
fn logarithms(duos: &[Duo], side: fn(&Duo) -> [u64; 2]) -> Vec<f64> {
    slots_of(duos, side).into_iter().map(|slot| (slot as f64).ln()).collect()
}
