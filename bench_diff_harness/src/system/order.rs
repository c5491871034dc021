//! Items in order.

/// These items in ascending order, each once.
pub(crate) fn in_order<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items = Vec::from_iter(items);
    items.sort_unstable();
    items.dedup();
    items
}
