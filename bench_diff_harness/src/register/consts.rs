//! The values of a const array, one by one.

/// The most values of `consts = ARRAY`; the attribute does not see the length of the array.
const MOST: usize = 32;

/// Refuses an array that the attribute cannot expand.
///
/// # Panics
///
/// At compile time, if there are no values or too many.
#[track_caller]
pub const fn at_most_32<T>(values: &[T]) {
    assert!(!values.is_empty(), "`consts` has no values");
    assert!(values.len() <= MOST, "`consts` takes an array of at most 32 values");
}

/// Returns whether there is a value at this index.
#[must_use]
pub const fn has_const<T>(values: &[T], index: usize) -> bool {
    index < values.len()
}

/// Returns the value at this index, or an unused one if there is none.
#[must_use]
pub const fn nth_const<T: Copy>(values: &[T], index: usize) -> T {
    if index < values.len() { values[index] } else { values[0] }
}
