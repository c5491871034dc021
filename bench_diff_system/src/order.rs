//! Items in order.
//!
//! A sort is compiled anew for each type of item, and is large. Here, all types share one sort of numbers.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// These items in ascending order, each once.
pub fn in_order<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items = Vec::from_iter(items);
    sort_by(&mut items, T::cmp);
    items.dedup();
    items
}

/// Sorts items. Equal ones keep their order.
pub fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let Some(indices) = sorted(items.len(), &|one, other| compare(&items[one], &items[other])) else {
        return;
    };
    let mut unsorted: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(indices.into_iter().filter_map(|index| unsorted[index].take()));
}

/// Sorts items by a key. Those with the same key keep their order.
pub fn sort_by_key<T, K: Ord>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    sort_by(items, |one, other| key(one).cmp(&key(other)));
}

/// A map with these entries. `collect` would sort them first, and compile one more sort for that.
pub fn map<K: Ord, V>(entries: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    for (key, value) in entries {
        map.insert(key, value);
    }
    map
}

/// The numbers below `count` in this order; `None` if they have it already.
fn sorted(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Option<Vec<usize>> {
    let mut indices: Vec<usize> = (0..count).collect();
    if indices.is_sorted_by(|one, other| compare(*one, *other).is_le()) {
        return None;
    }
    indices.sort_by(|one, other| compare(*one, *other));
    Some(indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_items_keep_their_order() {
        let mut items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd'), (0, 'e')];
        sort_by_key(&mut items, |item| item.0);
        assert_eq!(items, [(0, 'e'), (1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
        assert_eq!(in_order(["b", "a", "b"]), ["a", "b"]);
    }
}
