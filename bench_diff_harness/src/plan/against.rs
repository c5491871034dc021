//! The comparison of a run with another revision: each function with itself, by its name.

use bench_diff_core::Gate;

use super::hindrance::Hindrance;
use super::listed::{Change, ListedPair, Listing};
use super::partners::{Labelled, Partner, partners};
use super::uncompared::Uncompared;
use crate::settings::{Changed, defaults};

/// The old side of a run, as reports describe it.
#[derive(Clone, Debug, Default, PartialEq, Eq, miniserde::Serialize)]
pub(crate) struct OtherSide {
    /// The side as the user asked for it.
    pub(crate) asked: String,
    /// Its name beside `now`, and in the command that repeats a pair.
    pub(crate) name: String,
    /// The commit; `None` for a folder.
    pub(crate) id: Option<String>,
    pub(crate) subject: Option<String>,
    /// The content of its binary, as a digest; `None` if none was built.
    pub(crate) program: Option<String>,
    /// The number of functions whose machine code is unchanged.
    pub(crate) same_code: usize,
    /// What keeps most of the others from being proven so, if that is more than half of the functions.
    pub(crate) hindrance: Option<Hindrance>,
    /// The functions that only one side has.
    pub(crate) new: Vec<String>,
    pub(crate) gone: Vec<String>,
    /// Functions that could match several in the old revision.
    pub(crate) unclear: Vec<String>,
    /// The dependencies that have another version.
    pub(crate) lock: Vec<String>,
    /// The files of the working tree's benches that were copied into it.
    pub(crate) laid_over: Vec<String>,
    /// Lines on how it was found and built.
    pub(crate) told: Vec<String>,
    /// The reason that nothing is compared with it: as far as it is known when a run starts, and at the end.
    pub(crate) uncompared: Option<Uncompared>,
}

impl OtherSide {
    /// The flags that name it again.
    pub(crate) fn flags(&self) -> [String; 2] {
        // Folders have one `name`.
        let name = if self.id.is_some() { &self.name } else { &self.asked };
        ["--against".to_owned(), name.clone()]
    }

    /// The functions of the working tree that it does not have, or not for certain.
    pub(crate) fn left_out(&self) -> impl Iterator<Item = &String> {
        self.new.iter().chain(&self.unclear)
    }

    /// Leaves only the functions with these names, of those that were not compared.
    pub(crate) fn show_only(&mut self, is_shown: impl Fn(&str) -> bool) {
        for names in [&mut self.new, &mut self.gone, &mut self.unclear] {
            names.retain(|name| is_shown(name));
        }
    }
}

/// A pair as the old side lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OtherPair {
    pub(crate) name: String,
    /// The name without the number by which it differs from others.
    pub(crate) label: String,
    /// The digest of its arg, if that can be shown.
    pub(crate) arg: Option<u64>,
    /// Its attribute, by its position among those of its binary.
    pub(crate) attribute: usize,
    /// The digest of its work.
    pub(crate) digest: u64,
    /// The reason if nothing can measure it.
    pub(crate) unmeasurable: Option<String>,
}

/// The functions that both sides have, and those of one side.
#[derive(Debug, Default)]
pub(crate) struct Matched {
    pub(crate) listing: Listing,
    pub(crate) new: Vec<String>,
    pub(crate) gone: Vec<String>,
    /// Pairs that could match several in the old revision.
    pub(crate) unclear: Vec<String>,
    /// What the old revision could not list, each with the reason: the names of its functions are not known.
    pub(crate) unlisted: Vec<String>,
}

impl Listing {
    /// The functions that both sides have, each as a pair with itself.
    pub(crate) fn against(self, others: &[OtherPair], changed: Changed) -> Matched {
        let now: Vec<Labelled<'_>> = self.pairs.iter().map(|pair| (&*pair.label, pair.arg)).collect();
        let then: Vec<Labelled<'_>> = others.iter().map(|other| (&*other.label, other.arg)).collect();
        let [of_now, of_then] = partners([&now, &then]);
        let mut matched = Matched::default();
        for (pair, partner) in self.pairs.into_iter().zip(of_now) {
            match partner {
                Partner::Found(other) => matched.listing.pairs.push(pair.beside(&others[other], changed)),
                // A function that fails in the working tree is an error, new or not.
                _ if pair.unmeasurable.is_some() => matched.listing.pairs.push(pair),
                Partner::Nobody => matched.new.push(pair.name),
                Partner::Unclear => matched.unclear.push(pair.name),
            }
        }
        let alone = others.iter().zip(of_then).filter(|(_, partner)| *partner == Partner::Nobody);
        for (other, _) in alone {
            match &other.unmeasurable {
                Some(reason) => matched.unlisted.push(format!("`{}`: {reason}", other.name)),
                None => matched.gone.push(other.name.clone()),
            }
        }
        matched
    }
}

impl ListedPair {
    /// The function beside itself in the old revision. No gate but `max_slowdown` is about that.
    fn beside(self, other: &OtherPair, changed: Changed) -> Self {
        let failed = other.unmeasurable.as_ref().map(|reason| {
            // One text for each function that failed in it, in a process that soon ends.
            &*format!("not compared, since the old revision cannot measure it: {reason}").leak()
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
            changed: (changed == Changed::Show && self.digest != other.digest).then_some(Change::Itself),
            there: Some((other.attribute, other.name.clone())),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, listing, panicking, there};
    use crate::register::Cases;
    use crate::run::here::listed;

    fn other(name: &str) -> OtherPair {
        let label = name.split('#').next().unwrap_or_default().to_owned();
        OtherPair { name: name.to_owned(), label, arg: None, attribute: 0, digest: 0, unmeasurable: None }
    }

    #[test]
    fn functions_meet_by_their_names() {
        let now = listing(&[entry("kept", 1, equal), entry("new", 2, equal), entry("late", 3, equal)]);
        let Matched { listing, new, gone, .. } =
            now.against(&[other("gone"), other("late"), other("kept")], Changed::Show);
        let names: Vec<&str> = listing.pairs.iter().map(|pair| pair.name.as_str()).collect();
        assert_eq!(
            (names, new, gone),
            (vec!["kept", "late"], vec!["new".to_owned()], vec!["gone".to_owned()])
        );
    }

    #[test]
    fn args_of_one_name_meet_those_that_are_equal_or_none() {
        fn of_texts(cases: &mut Cases<'_>) {
            for (arg, digest) in [("1", Some(3)), ("1", Some(1)), ("2", None), ("2", None), ("2", None)] {
                cases.show_arg(|| digest);
                cases.add_arg(arg.to_owned(), |_| {});
            }
        }
        let entry = entry("a", 1, of_texts);
        let now = Listing { pairs: listed(&entry, true), ..Listing::default() };
        let others = [
            OtherPair { arg: Some(1), attribute: 7, ..other("a/1") },
            OtherPair { arg: Some(2), ..other("a/1#2") },
            other("a/2"),
            other("a/2#2"),
        ];
        let Matched { listing, new, gone, unclear, .. } = now.against(&others, Changed::Show);
        let [pair] = &listing.pairs[..] else { panic!("{:?}", listing.pairs) };
        let there = (7, "a/1".to_owned());
        assert_eq!((&*pair.name, &pair.there), ("a/1#2", &Some(there)));
        assert_eq!((new.len(), gone.len()), (0, 0), "one of them may be the other");
        assert_eq!(unclear, ["a/1", "a/2", "a/2#2", "a/2#3"]);
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
        let others = there(&now);
        let pairs = now.against(&others, Changed::Show).listing.pairs;
        let gates: Vec<Gate> = pairs.iter().map(|pair| pair.gate).collect();
        let usual = Gate::MaxSlowdown(0.02);
        assert_eq!(gates, [Gate::MaxSlowdown(0.05), usual, usual, Gate::ReportOnly, usual]);
        assert_eq!(pairs[4].ignore, Some("slow"));
        assert!(pairs.iter().all(|pair| pair.baseline.is_none() && pair.changed.is_none()));
    }

    #[test]
    fn what_fails_today_is_an_error_and_what_failed_before_is_not_judged() {
        let mut now = listing(&[entry("a", 1, equal), entry("b", 2, panicking)]);
        now.pairs[1].unmeasurable = Some("today".to_owned());
        let before = OtherPair { unmeasurable: Some("before".to_owned()), ..other("a") };
        let Matched { listing, new, .. } = now.against(&[before], Changed::Show);
        assert_eq!(new, [""; 0]);
        assert!(listing.pairs[0].ignore.unwrap().ends_with("cannot measure it: before"));
        assert_eq!(listing.pairs[1].unmeasurable.as_deref(), Some("today"));
    }

    #[test]
    fn what_could_not_be_listed_before_is_not_gone() {
        let now = listing(&[entry("files/parse", 1, equal)]);
        let before = OtherPair { unmeasurable: Some("no file".to_owned()), ..other("files") };
        let Matched { new, gone, unlisted, .. } = now.against(&[before], Changed::Show);
        assert_eq!((new.len(), gone.len()), (1, 0));
        assert_eq!(unlisted, ["`files`: no file"]);
    }

    #[test]
    fn a_benchmark_that_has_changed_is_known_unless_it_is_to_be_judged() {
        let now = || listing(&[entry("a", 1, equal)]);
        let before = [OtherPair { digest: 1, ..other("a") }];
        let changed = |others: &[OtherPair], changed| now().against(others, changed).listing.pairs[0].changed;
        assert_eq!(changed(&before, Changed::Show), Some(Change::Itself));
        assert_eq!(changed(&before, Changed::Judge), None);
        assert_eq!(changed(&[other("a")], Changed::Show), None);
    }
}
