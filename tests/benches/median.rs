//! The median of what a study has measured.

/// The median, or the upper one of the two in the middle; `None` if there are no values.
///
/// # Panics
///
/// If one of them is not a number.
pub(crate) fn median<T: Copy + PartialOrd>(values: &[T]) -> Option<T> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(|one, other| one.partial_cmp(other).expect("a number"));
    sorted.get(sorted.len() / 2).copied()
}
