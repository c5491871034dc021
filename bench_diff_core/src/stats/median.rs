//! The median of raw times.

/// The median of raw times, in whole nanoseconds: the upper one of the two in the middle of an even number, 0
/// of nothing.
///
/// It is a time that was measured, so that it can be held against others in whole nanoseconds. The median of
/// contrasts, of which a judgement is made, is the midpoint of the two in the middle, as an estimate without
/// bias has to be. That of a [`Summary`](super::Summary) is the lower one, as percentiles are, within the
/// precision of its histogram. The summary of the original (`bench_diff_original`) has the lower one
/// as well, and exactly.
#[must_use]
pub fn median_time(mut times: Vec<u64>) -> u64 {
    let middle = times.len() / 2;
    if times.is_empty() { 0 } else { *times.select_nth_unstable(middle).1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_in_the_middle_the_upper_one_counts() {
        assert_eq!(median_time(Vec::new()), 0);
        assert_eq!(median_time(vec![5, 1, 3]), 3);
        assert_eq!(median_time(vec![7, 1, 3, 4]), 4);
    }
}
