//! Groups: the candidates that are compared with one baseline.

use std::collections::HashMap;
use std::hash::Hash;

use crate::plan::PairPlan;

/// Puts the pairs of a group one after the other, at the place of the first one. A pair that has its baseline for itself
/// is in no group.
pub(crate) fn gather(pairs: impl Iterator<Item = PairPlan>) -> Vec<PairPlan> {
    gather_by(pairs, |pair| pair.group.clone(), |pair| pair.group = None)
}

/// The same for whatever knows its group and can be taken out of it.
pub(crate) fn gather_by<T, K: Eq + Hash>(
    pairs: impl Iterator<Item = T>,
    group_of: impl Fn(&T) -> Option<K>,
    take_out: impl Fn(&mut T),
) -> Vec<T> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    let mut places: HashMap<K, usize> = HashMap::new();
    for pair in pairs {
        let new = groups.len();
        let place = group_of(&pair).map_or(new, |group| *places.entry(group).or_insert(new));
        if place == new {
            groups.push(Vec::new());
        }
        groups[place].push(pair);
    }
    for group in &mut groups {
        if let [alone] = group.as_mut_slice() {
            take_out(alone);
        }
    }
    let mut gathered = Vec::new();
    for group in groups {
        gathered.extend(group);
    }
    gathered
}

#[cfg(test)]
mod tests {
    use crate::entry::PairEntry;
    use crate::fixture::{entry, equal, planned};

    fn entries() -> [PairEntry; 5] {
        [
            entry("a", 1, equal).baseline("slow"),
            entry("b", 2, equal),
            entry("c", 3, equal).baseline("other"),
            entry("d", 4, equal).baseline("slow"),
            entry("e", 5, equal),
        ]
    }

    fn groups(line: &str) -> Vec<(String, Option<String>)> {
        planned(line, &entries()).pairs.into_iter().map(|pair| (pair.name, pair.group)).collect()
    }

    fn pair(name: &str, group: Option<&str>) -> (String, Option<String>) {
        (name.to_owned(), group.map(str::to_owned))
    }

    #[test]
    fn a_group_runs_at_the_place_of_its_first_pair_and_the_rest_in_order() {
        let slow = Some("slow");
        let expected = [pair("a", slow), pair("d", slow), pair("b", None), pair("c", None), pair("e", None)];
        assert_eq!(groups("--bench"), expected);
    }

    #[test]
    fn a_list_and_a_test_are_in_the_order_of_the_source() {
        for line in ["--list", "--list --bench", "--test", ""] {
            let names: Vec<String> = groups(line).into_iter().map(|(name, _)| name).collect();
            assert_eq!(names, ["a", "b", "c", "d", "e"], "{line}");
        }
    }

    #[test]
    fn a_filter_that_leaves_one_pair_leaves_no_group() {
        assert_eq!(groups("--bench --exact d"), [pair("d", None)]);
    }

    #[test]
    fn pairs_of_different_modules_are_no_group() {
        let mut entries = [entries()[0], entries()[3]];
        entries[1].place.module = "sorting::nested";
        let plan = planned("--bench", &entries);
        assert!(plan.pairs.iter().all(|pair| pair.group.is_none()), "{:?}", plan.pairs);
    }
}
