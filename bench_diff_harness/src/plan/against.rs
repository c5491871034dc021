//! The comparison of a run with another revision: each function with itself, by its name.

use std::collections::{HashMap, HashSet};

use bench_diff_core::Gate;

use super::key::PairKey;
use super::listed::{ListedPair, Listing};
use crate::settings::defaults;

/// A pair as the old side lists it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OtherPair {
    pub(crate) name: String,
    /// The name without the number by which it differs from others.
    pub(crate) label: String,
    pub(crate) key: PairKey,
    /// The reason if nothing can measure it.
    pub(crate) unmeasurable: Option<String>,
}

/// Removes the labels of functions that have other names in `again`, the list of another process of their
/// binary. They are then matched by their order.
pub(crate) fn unlabel<'p>(pairs: impl Iterator<Item = (PairKey, &'p mut String)>, again: &[OtherPair]) {
    for (key, label) in pairs {
        if again.iter().any(|again| key.is_renamed(again.key)) {
            label.clear();
        }
    }
}

impl Listing {
    /// Returns whether each side has functions with names of a front end that the other side lacks.
    pub(crate) fn differs_both_ways(&self, others: &[OtherPair]) -> bool {
        let named = self.pairs.iter().filter(|pair| pair.key.is_named_by_front_end() && !pair.is_unlisted);
        let new: HashSet<&str> = named.map(|pair| &*pair.label).collect();
        let named = others.iter().filter(|other| other.key.is_named_by_front_end());
        let old: HashSet<&str> = named.map(|other| &*other.label).collect();
        !new.is_subset(&old) && !old.is_subset(&new)
    }

    /// The functions that both sides have, each as a pair with itself, and the names of the others. Functions
    /// of one name are paired in their order, if both sides have the same number of them.
    pub(crate) fn against(self, others: &[OtherPair]) -> (Self, Vec<String>) {
        let mut by_label: HashMap<&str, Vec<&OtherPair>> = HashMap::new();
        for other in others.iter().rev() {
            by_label.entry(&other.label).or_default().push(other);
        }
        let mut count: HashMap<String, usize> = HashMap::new();
        for pair in self.pairs.iter().filter(|pair| !pair.is_unlisted) {
            *count.entry(pair.label.clone()).or_default() += 1;
        }
        by_label.retain(|label, old| count.get(*label) == Some(&old.len()));
        let (mut compared, mut not_compared) = (Self::default(), Vec::new());
        for pair in self.pairs {
            match by_label.get_mut(&*pair.label).and_then(Vec::pop) {
                // A function that fails in the working tree is an error, new or not.
                _ if pair.unmeasurable.is_some() => compared.pairs.push(pair),
                Some(other) => compared.pairs.push(pair.beside(other)),
                None => not_compared.push(pair.name),
            }
        }
        (compared, not_compared)
    }
}

impl ListedPair {
    /// The function beside itself in the old revision. No gate but `max_slowdown` is about that.
    fn beside(self, other: &OtherPair) -> Self {
        let failed = other.unmeasurable.as_ref().map(|reason| {
            // One text for each function that failed in it, in a process that soon ends.
            &*format!("not compared, since the old revision cannot measure it: {reason}").leak()
        });
        Self {
            baseline: None,
            gate: match self.gate {
                gate @ Gate::MaxSlowdown(_) => gate,
                _ if self.settings.report_only == Some(true) => Gate::ReportOnly,
                _ => Gate::MaxSlowdown(self.settings.max_slowdown.unwrap_or(defaults::MARGIN)),
            },
            ignore: self.ignore.or(failed),
            old: Some(other.key),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, listing, panicking, there};
    use crate::plan::{Names, digest};
    use crate::register::Cases;
    use crate::run::here::listed;
    use crate::settings::PairSettings;

    fn other(name: &str) -> OtherPair {
        let label = name.split('#').next().unwrap_or_default().to_owned();
        OtherPair { name: name.to_owned(), label, ..OtherPair::default() }
    }

    #[test]
    fn functions_meet_by_their_names() {
        let new = listing(&[entry("kept", 1, equal), entry("new", 2, equal), entry("late", 3, equal)]);
        let (listing, not_compared) = new.against(&[other("gone"), other("late"), other("kept")]);
        let names: Vec<&str> = listing.pairs.iter().map(|pair| pair.name.as_str()).collect();
        assert_eq!((names, not_compared), (vec!["kept", "late"], vec!["new".to_owned()]));
    }

    #[test]
    fn functions_of_one_name_meet_in_the_same_number_and_order() {
        fn of_texts(cases: &mut Cases<'_>) {
            ["1", "1", "2", "2", "2"].iter().for_each(|arg| cases.add_arg((*arg).to_owned(), |_| {}));
        }
        let new = Listing { pairs: listed(&entry("a", 1, of_texts)), ..Listing::default() };
        let [first, second] = [7, 8].map(|attribute| PairKey { attribute, ..PairKey::default() });
        let others = [
            OtherPair { key: first, ..other("a/1") },
            OtherPair { key: second, ..other("a/1#2") },
            other("a/2"),
            other("a/2#2"),
        ];
        let (listing, not_compared) = new.against(&others);
        let [one, two] = &listing.pairs[..] else { panic!("{:?}", listing.pairs) };
        assert_eq!((&*one.name, &one.old), ("a/1", &Some(first)));
        assert_eq!((&*two.name, &two.old), ("a/1#2", &Some(second)));
        assert_eq!(not_compared, ["a/2", "a/2#2", "a/2#3"]);
    }

    #[test]
    fn a_function_is_gated_by_how_much_slower_it_may_be() {
        let entries = [
            entry("a", 1, equal).max_slowdown(0.05).baseline("b"),
            entry("b", 2, equal).min_speedup(2.0),
            entry("c", 3, equal).max_difference(0.1),
            entry("d", 4, equal).report_only(true),
            entry("e", 5, equal).ignore("slow"),
        ];
        let mut new = listing(&entries);
        // As in the manifest, beside the limit of the attribute.
        new.pairs[2].settings.max_slowdown = Some(0.1);
        let others = there(&new);
        let pairs = new.against(&others).0.pairs;
        let gates: Vec<Gate> = pairs.iter().map(|pair| pair.gate).collect();
        let [usual, five, ten] = [0.02, 0.05, 0.1].map(Gate::MaxSlowdown);
        assert_eq!(gates, [five, usual, ten, Gate::ReportOnly, usual]);
        assert_eq!(pairs[4].ignore, Some("slow"));
        assert!(pairs.iter().all(|pair| pair.baseline.is_none()));
    }

    #[test]
    fn what_fails_today_is_an_error_and_what_failed_before_is_not_judged() {
        let mut new = listing(&[entry("a", 1, equal), entry("b", 2, panicking)]);
        new.pairs[1].unmeasurable = Some("today".to_owned());
        let before =
            ["a", "b"].map(|name| OtherPair { unmeasurable: Some("before".to_owned()), ..other(name) });
        let (listing, not_compared) = new.against(&before);
        assert_eq!(not_compared, [""; 0]);
        assert!(listing.pairs[0].ignore.unwrap().ends_with("cannot measure it: before"));
        let today = &listing.pairs[1];
        assert_eq!((today.unmeasurable.as_deref(), today.ignore), (Some("today"), None), "on both sides");
    }

    /// What a binary lists whose front end gives these names.
    fn named(names: &[&str]) -> Vec<OtherPair> {
        let all = Names::of(names.iter().copied());
        let pair = |(index, name): (usize, &&str)| {
            let key = PairKey { attribute: 0, name: digest(name), index, names: all };
            OtherPair { key, ..other(name) }
        };
        names.iter().enumerate().map(pair).collect()
    }

    /// The names that are compared, each with the old one, and those that are not, if the sides list these
    /// names, and then list them again.
    fn compared(new: [&[&str]; 2], old: [&[&str]; 2]) -> (Vec<(String, String)>, Vec<String>) {
        let [new, new_again] = new.map(named);
        let [mut old, old_again] = old.map(named);
        let pair = |pair: OtherPair| ListedPair {
            key: pair.key,
            ..ListedPair::new(&entry("a", 1, equal), pair.name, None, &PairSettings::NONE)
        };
        let mut new = Listing { pairs: new.into_iter().map(pair).collect(), ..Listing::default() };
        if new.differs_both_ways(&old) {
            unlabel(new.pairs.iter_mut().map(|pair| (pair.key, &mut pair.label)), &new_again);
            unlabel(old.iter_mut().map(|pair| (pair.key, &mut pair.label)), &old_again);
        }
        let (listing, not_compared) = new.against(&old);
        let old_name = |key| old.iter().find(|pair| Some(pair.key) == key).unwrap().name.clone();
        let pairs = listing.pairs.into_iter();
        (pairs.map(|pair| (pair.name, old_name(pair.old))).collect(), not_compared)
    }

    #[test]
    fn names_that_differ_between_processes_of_either_side_meet_in_their_order() {
        let (pairs, rest) = compared(
            [&["a", "at 1", "new", "at 2"], &["a", "at 5", "new", "at 6"]],
            [&["at 3", "a", "at 4", "gone"], &["at 7", "a", "at 8", "gone"]],
        );
        let expected = [("a", "a"), ("at 1", "at 3"), ("at 2", "at 4")];
        assert_eq!(pairs, expected.map(|(new, old)| (new.to_owned(), old.to_owned())));
        assert_eq!(rest, ["new"]);
        // One more on one side, and a name that the other side has as well.
        let (pairs, rest) = compared([&["1", "2"], &["4", "5"]], [&["2", "3", "4"], &["5", "6", "7"]]);
        assert_eq!((pairs, rest), (Vec::new(), vec!["1".to_owned(), "2".to_owned()]));
    }

    #[test]
    fn names_that_are_new_and_gone_never_meet() {
        let new = ["kept", "new"];
        let (pairs, rest) = compared([&new, &new], [&["kept", "gone"], &["kept", "gone"]]);
        assert_eq!((pairs.len(), rest), (1, vec!["new".to_owned()]));
        let (pairs, rest) = compared([&new, &["kept", "at 1"]], [&["kept", "gone"], &["kept", "gone"]]);
        assert_eq!((pairs.len(), rest), (1, vec!["new".to_owned()]), "it differs on one side alone");
    }
}
