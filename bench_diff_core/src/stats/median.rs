//! The median of raw times.

/// The median of raw times, in whole nanoseconds: the upper one of the two in the middle of an even number, 0 of nothing.
///
/// It is a time that was measured, so that it can be held against others in whole nanoseconds. The median of contrasts is
/// in [`robust`](super::robust) and is the midpoint of the two in the middle, as an estimate without bias has to be. That
/// of [`Summary`](super::Summary) is the lower one, within the precision of its histogram, as are all of its percentiles.
pub(crate) fn median_time(mut times: Vec<u64>) -> u64 {
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
