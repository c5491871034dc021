//! The median of raw times.

/// The median of raw times, in whole nanoseconds. It is the upper one of the two in the middle of an even
/// number, and 0 if there are no times.
///
/// It is a measured time, so that it can be compared with others in whole nanoseconds. The median of
/// contrasts, which a judgement uses, is the midpoint of the two in the middle, since an estimate must not be
/// biased. The median in a [`Summary`](super::Summary) is the lower one, as percentiles are, within the
/// precision of its histogram. The summary of the original (`bench_diff_original`) has the lower one as well,
/// exactly.
#[must_use]
pub fn median_time(mut times: Vec<u64>) -> u64 {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upper_one_of_two_in_the_middle_is_the_median() {
        assert_eq!(median_time(Vec::new()), 0);
        assert_eq!(median_time(vec![5, 1, 3]), 3);
        assert_eq!(median_time(vec![7, 1, 3, 4]), 4);
    }
}
