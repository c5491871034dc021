//! Sorting, which is compiled once for whatever is sorted.

use std::cmp::Ordering;

/// The indices of so many things in the order that these compare in. What compares as equal stays as it was.
pub(crate) fn sorted(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}
