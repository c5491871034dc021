//! The reason why a sample has no statistics.

use std::error::Error;
use std::fmt;

/// The reason why a sample has no statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StatsError {
    /// The sample is smaller than the statistic requires.
    TooFew {
        /// The number of values.
        n: usize,
        /// The fewest values that are needed.
        needed: usize,
    },
    /// A value is NaN or infinite, or so large that the mean or the variance overflows.
    NotFinite,
}

impl fmt::Display for StatsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooFew { n, needed } => {
                let values = if needed == 1 { "value" } else { "values" };
                let there_are = if n == 1 { "there is" } else { "there are" };
                write!(f, "a statistic needs at least {needed} {values}, {there_are} {n}")
            }
            Self::NotFinite => {
                f.write_str("a value is not finite: it is NaN or infinite, or its square is out of range")
            }
        }
    }
}

impl Error for StatsError {}

#[cfg(test)]
mod tests {
    use super::StatsError;

    #[test]
    fn too_few_values_are_counted_in_plain_english() {
        let message = |n, needed| StatsError::TooFew { n, needed }.to_string();
        assert_eq!(message(1, 2), "a statistic needs at least 2 values, there is 1");
        assert_eq!(message(0, 2), "a statistic needs at least 2 values, there are 0");
        assert_eq!(message(0, 1), "a statistic needs at least 1 value, there are 0");
    }

    #[test]
    fn bad_values_are_named() {
        assert_eq!(
            StatsError::NotFinite.to_string(),
            "a value is not finite: it is NaN or infinite, or its square is out of range"
        );
    }
}
