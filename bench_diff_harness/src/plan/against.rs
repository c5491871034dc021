//! The comparison of a run with another revision: each function with itself, by its name.

use std::collections::HashMap;

use bench_diff_core::Gate;

use super::listed::{ListedPair, Listing};
use crate::settings::{Changed, defaults};

/// The other side of a run, for whoever tells of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct OtherSide {
    /// The side as the user asked for it.
    pub(crate) asked: String,
    /// Its name beside `now`, and in the command that repeats a pair.
    pub(crate) name: String,
    /// The commit; none of a folder or a program.
    pub(crate) id: Option<String>,
    pub(crate) subject: Option<String>,
    /// A name for the content of its program; none where none was built.
    pub(crate) program: Option<String>,
    /// The number of functions that are the same code on both sides.
    pub(crate) same_code: usize,
    /// The functions that only one side has.
    pub(crate) new: Vec<String>,
    pub(crate) gone: Vec<String>,
    /// The dependencies that have another version.
    pub(crate) lock: Vec<String>,
    /// Lines on how it was found and built.
    pub(crate) told: Vec<String>,
}

impl OtherSide {
    /// What it is, in whichever clone: git may shorten an id to more digits elsewhere.
    pub(crate) fn identity(&self) -> &str {
        self.id.as_deref().unwrap_or(&self.asked)
    }

    /// The flags that name it again.
    pub(crate) fn flags(&self) -> [String; 2] {
        // Folders and programs have one `name`.
        let name = if self.id.is_some() { &self.name } else { &self.asked };
        ["--against".to_owned(), name.clone()]
    }

    /// The other side that two runs have in common, such as those of two benches.
    pub(crate) fn joined((mut one, other): (Self, &Self)) -> Option<Self> {
        one.same_code += other.same_code;
        for (all, more) in
            [(&mut one.new, &other.new), (&mut one.gone, &other.gone), (&mut one.lock, &other.lock)]
        {
            let new: Vec<String> = more.iter().filter(|name| !all.contains(name)).cloned().collect();
            all.extend(new);
        }
        (one.program, one.told) = (None, one.told.into_iter().take(1).collect());
        (one.identity() == other.identity()).then_some(one)
    }
}

/// A pair as the other side lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OtherPair {
    pub(crate) name: String,
    /// Its attribute, by its place among those of its program.
    pub(crate) attribute: usize,
    /// Of the work that it does.
    pub(crate) digest: u64,
    /// The reason if nothing can measure it.
    pub(crate) can_run: Result<(), String>,
}

/// The functions that both sides have, and those of one side.
#[derive(Debug, Default)]
pub(crate) struct Matched {
    pub(crate) listing: Listing,
    pub(crate) new: Vec<String>,
    pub(crate) gone: Vec<String>,
}

impl Listing {
    /// The pairs of today that the other side has as well, each of a function with itself.
    pub(crate) fn against(self, others: &[OtherPair], changed: Changed) -> Matched {
        let mut rest: HashMap<&str, &OtherPair> =
            others.iter().map(|other| (other.name.as_str(), other)).collect();
        let mut matched = Matched::default();
        for pair in self.pairs {
            match rest.remove(pair.name.as_str()) {
                Some(other) => matched.listing.pairs.push(pair.beside(other, changed)),
                // What fails today is an error, whatever there was.
                None if pair.can_run.is_err() => matched.listing.pairs.push(pair),
                None => matched.new.push(pair.name),
            }
        }
        matched.listing.fatal = self.fatal;
        let gone = others.iter().map(|other| &other.name).filter(|name| rest.contains_key(name.as_str()));
        matched.gone = gone.cloned().collect();
        matched
    }
}

impl ListedPair {
    /// The function beside itself on the other side. No gate but `max_slowdown` is about that.
    fn beside(self, other: &OtherPair, changed: Changed) -> Self {
        let failed = other.can_run.as_ref().err().map(|reason| {
            // One text for each function that failed there, in a process that soon ends.
            &*format!("not judged, since it cannot be measured on the other side: {reason}").leak()
        });
        Self {
            baseline: None,
            is_compared: true,
            gate: match self.gate {
                gate @ Gate::MaxSlowdown(_) => gate,
                _ if self.settings.report_only == Some(true) => Gate::ReportOnly,
                _ => Gate::MaxSlowdown(defaults::MARGIN),
            },
            ignore: self.ignore.or(failed),
            has_changed: changed == Changed::Show && self.digest != other.digest,
            attribute_there: other.attribute,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, listing, panicking};

    fn other(name: &str) -> OtherPair {
        OtherPair { name: name.to_owned(), attribute: 0, digest: 0, can_run: Ok(()) }
    }

    #[test]
    fn functions_meet_by_their_names() {
        let now = listing(&[entry("kept", 1, equal), entry("new", 2, equal), entry("late", 3, equal)]);
        let Matched { listing, new, gone } =
            now.against(&[other("gone"), other("late"), other("kept")], Changed::Show);
        let names: Vec<&str> = listing.pairs.iter().map(|pair| pair.name.as_str()).collect();
        assert_eq!(
            (names, new, gone),
            (vec!["kept", "late"], vec!["new".to_owned()], vec!["gone".to_owned()])
        );
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
        let now = listing(&entries);
        let others: Vec<OtherPair> = now.pairs.iter().map(|pair| other(&pair.name)).collect();
        let pairs = now.against(&others, Changed::Show).listing.pairs;
        let gates: Vec<Gate> = pairs.iter().map(|pair| pair.gate).collect();
        let usual = Gate::MaxSlowdown(0.02);
        assert_eq!(gates, [Gate::MaxSlowdown(0.05), usual, usual, Gate::ReportOnly, usual]);
        assert_eq!(pairs[4].ignore, Some("slow"));
        assert!(pairs.iter().all(|pair| pair.baseline.is_none() && !pair.has_changed));
    }

    #[test]
    fn what_fails_today_is_an_error_and_what_failed_before_is_not_judged() {
        let mut now = listing(&[entry("a", 1, equal), entry("b", 2, panicking)]);
        now.pairs[1].can_run = Err("today".to_owned());
        let before = OtherPair { can_run: Err("before".to_owned()), ..other("a") };
        let Matched { listing, new, .. } = now.against(&[before], Changed::Show);
        assert_eq!(new, [""; 0]);
        assert!(listing.pairs[0].ignore.unwrap().ends_with("on the other side: before"));
        assert_eq!(listing.pairs[1].can_run, Err("today".to_owned()));
    }

    #[test]
    fn a_benchmark_that_has_changed_is_known_unless_it_is_to_be_judged() {
        let now = || listing(&[entry("a", 1, equal)]);
        let before = [OtherPair { digest: 1, ..other("a") }];
        assert!(now().against(&before, Changed::Show).listing.pairs[0].has_changed);
        assert!(!now().against(&before, Changed::Judge).listing.pairs[0].has_changed);
        assert!(!now().against(&[other("a")], Changed::Show).listing.pairs[0].has_changed);
    }
}
