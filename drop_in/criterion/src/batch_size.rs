//! How many inputs are made at a time.

/// The most calls in a row. Their inputs are made before the first of them.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum BatchSize {
    /// Inputs and outputs are small: at most 65536 calls.
    SmallInput,
    /// Inputs or outputs are large: at most 64 calls.
    LargeInput,
    /// An input or output holds a scarce resource: one call.
    PerIteration,
    /// As many calls as bench_diff makes in a row anyway.
    NumBatches(u64),
    /// At most this many calls.
    NumIterations(u64),
}

impl BatchSize {
    pub(crate) fn most_calls(self) -> u64 {
        match self {
            Self::SmallInput => 1 << 16,
            Self::LargeInput => 64,
            Self::PerIteration => 1,
            Self::NumBatches(_) => u64::MAX,
            Self::NumIterations(calls) => calls.max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_limits_the_calls_in_a_row() {
        let limits = [
            (BatchSize::SmallInput, 65536),
            (BatchSize::LargeInput, 64),
            (BatchSize::PerIteration, 1),
            (BatchSize::NumIterations(10), 10),
            (BatchSize::NumIterations(0), 1),
            (BatchSize::NumBatches(1), u64::MAX),
        ];
        for (size, most) in limits {
            assert_eq!(size.most_calls(), most, "{size:?}");
        }
    }
}
