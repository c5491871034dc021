//! Groups: the candidates that are compared with one baseline.

use std::collections::HashMap;

/// Puts the pairs of a group next to each other, at the place of the first one. `groups` has the name of the
/// group of each pair. Returns the index of each, and whether its baseline has no other candidate.
pub(crate) fn gather(groups: &[Option<String>]) -> Vec<(usize, bool)> {
    let mut named: HashMap<&str, usize> = HashMap::new();
    // The groups, by the index of their first member.
    let mut members = vec![Vec::new(); groups.len()];
    for (index, group) in groups.iter().enumerate() {
        let first = group.as_ref().map_or(index, |group| *named.entry(group).or_insert(index));
        members[first].push(index);
    }
    let member = |group: Vec<usize>| {
        let is_alone = group.len() == 1;
        group.into_iter().map(move |index| (index, is_alone))
    };
    members.into_iter().flat_map(member).collect()
}

#[cfg(test)]
mod tests {
    use crate::fixture::{entry, equal, planned};
    use crate::register::PairEntry;

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
        planned(line, &entries()).pairs.into_iter().map(|pair| (pair.listed.name, pair.group)).collect()
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
        entries[1].location.module = "sorting::nested";
        let plan = planned("--bench", &entries);
        assert!(plan.pairs.iter().all(|pair| pair.group.is_none()), "{:?}", plan.pairs);
    }
}
