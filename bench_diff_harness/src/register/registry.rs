//! The attributes of a binary, in the order of the source, and the pairs that each of them stands for.

use bench_diff_core::Gate;

use super::cases::{Case, Cases, MeasurePair};
use super::entry::{Location, PairEntry};
use super::names::{Labels, label, name_of};
use crate::call::panics;
use crate::settings::defaults;

/// A registered pair and its name.
#[derive(Clone)]
pub(crate) struct RegisteredPair {
    pub(crate) name: String,
    pub(crate) arg: Option<String>,
    /// The number of threads that call the functions.
    pub(crate) threads: usize,
    /// The gate of this arg, where it depends on that.
    pub(crate) gate: Option<Gate>,
    /// The function that measures it, or the reason if nothing can.
    pub(crate) run: Result<MeasurePair, String>,
    /// The function that made all pairs of its attribute, with everything that they are made of.
    pub(crate) cases: fn(&mut Cases),
}

/// The registered attributes of this binary, in one block of memory: more of them leave no other holes
/// to a function.
pub(crate) fn attributes() -> Vec<PairEntry> {
    let mut entries = Vec::with_capacity(inventory::iter::<PairEntry>().count());
    entries.extend(inventory::iter::<PairEntry>().copied());
    in_order_of_source(entries)
}

/// Constructors run in an order that differs from build to build.
pub(crate) fn in_order_of_source(mut entries: Vec<PairEntry>) -> Vec<PairEntry> {
    entries.sort_unstable_by_key(|entry| {
        let Location { file, line, column, module } = entry.location;
        (file, line, column, entry.name, module, entry.function)
    });
    entries
}

/// The pairs of an attribute, or one that says why there are none. It evaluates `args`, so that only a
/// process of the run may do it.
pub(crate) fn pairs_of(entry: &PairEntry) -> Vec<RegisteredPair> {
    let name = name_of(entry);
    let mut cases = Cases::default();
    let cases = panics::catch(|| (entry.cases)(&mut cases)).map(|()| cases.into_vec());
    let cases = cases.and_then(|cases| if cases.is_empty() { Err(NO_VALUES.to_owned()) } else { Ok(cases) });
    match cases {
        Ok(cases) => {
            let labels: Vec<String> = cases.iter().map(|case| label(&name, case)).collect();
            let mut names = Labels::new(&labels);
            cases
                .into_iter()
                .zip(&labels)
                .map(|(case, label)| registered(names.unique(label), case, entry.cases))
                .collect()
        }
        Err(reason) => {
            let cases = entry.cases;
            vec![RegisteredPair { name, arg: None, threads: 1, gate: None, run: Err(reason), cases }]
        }
    }
}

const NO_VALUES: &str = "`args` has no values, so there is nothing to measure";

fn registered(name: String, case: Case, cases: fn(&mut Cases)) -> RegisteredPair {
    let Case { arg, threads, gate, run, .. } = case;
    let threads = threads.unwrap_or(1);
    let (gate, run) = match gate.and_then(refuse) {
        Some((reason, gate)) => (Some(gate), Err(reason)),
        None => (gate, Ok(run)),
    };
    RegisteredPair { name, arg, threads, gate, run, cases }
}

/// The problem with the gate of an arg, and a valid gate of its kind.
fn refuse(gate: Gate) -> Option<(String, Gate)> {
    let margin = gate.margin()?;
    if margin > 0.0 && margin.is_finite() {
        return None;
    }
    let reason = format!("`{}` of this arg is {margin}, and it must be finite and above 0", gate.name());
    let gate = match gate {
        Gate::MaxSlowdown(_) => Gate::MaxSlowdown(defaults::MARGIN),
        Gate::MinSpeedup(_) => Gate::MinSpeedup(1.0),
        Gate::MaxDifference(_) => Gate::MaxDifference(defaults::MARGIN),
        Gate::ReportOnly => Gate::ReportOnly,
    };
    Some((reason, gate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::register::Location;

    fn entry(module: &'static str, function: &'static str, line: u32) -> PairEntry {
        PairEntry::new(Location { module, file: "benches/sorting.rs", line, column: 1 }, function, |cases| {
            cases.add(|_| {});
        })
    }

    fn pairs(entries: &[PairEntry]) -> Vec<RegisteredPair> {
        in_order_of_source(entries.to_vec()).iter().flat_map(pairs_of).collect()
    }

    fn names(pairs: &[RegisteredPair]) -> Vec<&str> {
        pairs.iter().map(|pair| pair.name.as_str()).collect()
    }

    #[test]
    fn a_name_is_the_path_without_crate_and_raw_prefix() {
        let entries = [
            entry("sorting", "unstable", 1),
            entry("sorting::by_key::r#dyn", "stable", 2),
            entry("sorting::by_key", "third", 3).name("x::y"),
        ];
        let pairs = pairs(&entries);
        assert_eq!(names(&pairs), ["unstable", "by_key::dyn::stable", "x::y"]);
    }

    #[test]
    fn pairs_stand_in_the_order_of_the_source() {
        let entries = [entry("s", "c", 30), entry("s", "a", 10), entry("s", "b", 20)];
        assert_eq!(names(&pairs(&entries)), ["a", "b", "c"]);
    }

    fn three(cases: &mut Cases) {
        cases.instance(&["u8".to_owned(), "4".to_owned()]);
        for arg in ["1", "2", "1"] {
            cases.add_arg(arg.to_owned(), |_| {});
        }
    }

    #[test]
    fn a_family_has_a_name_for_each_pair() {
        let family = PairEntry::new(entry("s", "a", 1).location, "a", three);
        let pairs = pairs(&[family, entry("s", "b", 2)]);
        assert_eq!(names(&pairs), ["a<u8,4>/1", "a<u8,4>/2", "a<u8,4>/1#2", "b"]);
    }

    #[test]
    fn each_number_of_threads_has_a_pair_with_the_gate_of_its_arg() {
        let family = PairEntry::new(entry("s", "a", 1).location, "a", |cases| {
            cases.threads(&[1, 4]);
            for (arg, margin) in [("1", 0.05), ("2", 0.1)] {
                cases.add_arg(arg.to_owned(), |_| {});
                cases.max_slowdown(margin);
            }
        });
        let pairs = pairs(&[family]);
        assert_eq!(names(&pairs), ["a/1/threads=1", "a/1/threads=4", "a/2/threads=1", "a/2/threads=4"]);
        let gates: Vec<Gate> = pairs.iter().filter_map(|pair| pair.gate).collect();
        assert_eq!(gates, [0.05, 0.05, 0.1, 0.1].map(Gate::MaxSlowdown));
        let threads: Vec<usize> = pairs.iter().map(|pair| pair.threads).collect();
        assert_eq!(threads, [1, 4, 1, 4]);
    }

    #[test]
    fn a_family_without_pairs_is_one_that_says_why() {
        let place = entry("s", "a", 1).location;
        let panics = PairEntry::new(place, "panics", |cases| {
            cases.add(|_| {});
            panic!("out of args");
        });
        let empty = PairEntry::new(place, "empty", |_| {}).name("named");
        let pairs = pairs(&[panics, empty, entry("s", "b", 2)]);
        assert_eq!(names(&pairs), ["panics", "named", "b"]);
        let reasons: Vec<&str> =
            pairs.iter().filter_map(|pair| pair.run.as_ref().err()).map(String::as_str).collect();
        assert!(reasons[0].contains("registry.rs") && reasons[0].ends_with("out of args"), "{}", reasons[0]);
        assert_eq!(reasons[1], NO_VALUES);
    }

    #[test]
    fn a_gate_that_depends_on_the_arg_is_checked() {
        let place = entry("s", "a", 1).location;
        let family = PairEntry::new(place, "a", |cases| {
            for (arg, margin) in [("1", 0.05), ("2", 0.0), ("3", f64::NAN), ("4", f64::INFINITY)] {
                cases.add_arg(arg.to_owned(), |_| {});
                cases.max_slowdown(margin);
            }
        });
        let pairs = pairs(&[family]);
        assert_eq!(pairs[0].gate, Some(Gate::MaxSlowdown(0.05)));
        let reasons: Vec<_> = pairs.iter().map(|pair| pair.run.as_ref().err().cloned()).collect();
        assert!(reasons[0].is_none() && reasons[1..].iter().all(Option::is_some), "{reasons:?}");
        assert!(reasons[2].as_ref().unwrap().contains("NaN"), "{reasons:?}");
    }

    #[test]
    fn a_gate_that_is_refused_keeps_its_name() {
        let mut cases = Cases::default();
        let settings = [Cases::max_slowdown, Cases::min_speedup, Cases::max_difference];
        for set in settings {
            cases.add(|_| {});
            set(&mut cases, -1.0);
        }
        let names = ["max_slowdown", "min_speedup", "max_difference"];
        for (case, name) in cases.into_vec().into_iter().zip(names) {
            let pair = registered("a".to_owned(), case, |_| {});
            let gate = pair.gate.unwrap();
            assert_eq!(gate.name(), name);
            assert!(gate.zone().unwrap().slower.hi.is_finite(), "a record can hold it");
            let reason = format!("`{name}` of this arg is -1, and it must be finite and above 0");
            assert_eq!(pair.run.err(), Some(reason));
        }
    }
}
