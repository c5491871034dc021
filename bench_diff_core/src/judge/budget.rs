//! The time limits of a judge. The judge itself never sees a clock.

use std::time::Duration;

use crate::error::MeasureError;

/// A pair is refused if it would take more than this many times its maximum time.
const LARGEST_OVERRUN: u32 = 10;

/// The advised time has a quarter in reserve, since no two runs are equally fast.
const ADVISED_OVERRUN: u32 = 8;

/// The time limits of a judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    /// The maximum time, from the first counted duo on.
    pub(crate) max_time: Duration,
    /// The duos, or the rounds, that every pair gets.
    pub(crate) fewest: usize,
    /// Set if all data so far agree, so that a few more duos will decide.
    pub(crate) in_sight: bool,
}

impl Budget {
    /// Refuses a pair whose fewest duos or rounds would take too long, given that one takes this many
    /// nanoseconds.
    pub(crate) fn check(&self, typical: u64) -> Result<(), MeasureError> {
        let nanoseconds = u64::try_from(self.fewest).unwrap_or(u64::MAX).saturating_mul(typical);
        let duration = Duration::from_nanos(nanoseconds);
        if duration <= self.max_time.saturating_mul(LARGEST_OVERRUN) {
            return Ok(());
        }
        let milliseconds = (duration / ADVISED_OVERRUN).as_nanos().div_ceil(1_000_000);
        let needed = Duration::from_millis(u64::try_from(milliseconds).unwrap_or(u64::MAX));
        Err(MeasureError::TooSlow { needed })
    }

    /// Returns whether to give up a pair that is still undecided after this time and this many duos or
    /// rounds.
    pub(crate) fn is_spent(&self, elapsed: Duration, count: usize) -> bool {
        elapsed >= self.max_time && count >= self.fewest && !self.in_sight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: Budget = Budget { max_time: Duration::from_secs(2), fewest: 10, in_sight: false };

    #[test]
    fn time_ends_a_pair_after_its_fewest_duos() {
        let late = Duration::from_secs(5);
        assert!(!BUDGET.is_spent(Duration::from_secs(1), 1000));
        assert!(!BUDGET.is_spent(late, 9));
        assert!(BUDGET.is_spent(late, 10));
        assert!(!Budget { in_sight: true, ..BUDGET }.is_spent(late, 10));
    }

    #[test]
    fn ten_times_too_long_is_refused_with_advice_that_works() {
        assert_eq!(BUDGET.check(2_000_000_000), Ok(()), "10 duos in 20 s");
        let error = BUDGET.check(4_000_000_000).unwrap_err();
        assert_eq!(error, MeasureError::TooSlow { needed: Duration::from_secs(5) });
        assert_eq!(error.to_string(), "cannot be decided in time: raise max_time to 5 s");
        assert_eq!(Budget { max_time: Duration::from_secs(5), ..BUDGET }.check(4_000_000_000), Ok(()));
    }

    #[test]
    fn endless_duos_are_refused_without_overflow() {
        let error = BUDGET.check(u64::MAX).unwrap_err();
        let MeasureError::TooSlow { needed } = error else { panic!("{error}") };
        assert_eq!(Budget { max_time: needed, ..BUDGET }.check(u64::MAX), Ok(()));
        assert_eq!(Budget { max_time: Duration::MAX, ..BUDGET }.check(u64::MAX), Ok(()));
        assert!(Budget { max_time: Duration::ZERO, ..BUDGET }.check(1).is_err());
    }
}
