//! The time limit of a judge. The judge itself never sees a clock.

use std::time::Duration;

/// The time limit of a judge, which is a wish: the least evidence that can decide is always collected.
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
}
