//! The attributes of a bench binary in the order of the source, and the pairs of each attribute.

use std::ops::ControlFlow;

use bench_diff_system::order::sort_by_key;

use super::cases::{Case, Cases, Visit};
use super::entry::{Location, PairEntry, name_of};
use crate::call::panics;

/// The attributes that this binary submitted through `inventory`. They are in one block of memory, so
/// additional attributes do not change the holes in the heap that functions find.
#[must_use]
pub fn submitted() -> Vec<PairEntry> {
    let mut entries = Vec::with_capacity(inventory::iter::<PairEntry>().count());
    entries.extend(inventory::iter::<PairEntry>().copied());
    in_order_of_source(entries)
}

/// Sorts the attributes, since the order in which constructors run differs from build to build.
pub(crate) fn in_order_of_source(mut entries: Vec<PairEntry>) -> Vec<PairEntry> {
    sort_by_key(&mut entries, |entry| {
        let Location { file, line, column, module } = entry.location;
        (file, line, column, entry.name, module, entry.function)
    });
    entries
}

/// Visits the pairs of an attribute until the visitor returns `Break`. This evaluates `args`, so only
/// processes of a run may do it.
///
/// # Errors
///
/// A panic in the code that makes the pairs, before the visitor returned `Break`.
pub(crate) fn visit(entry: &PairEntry, visit: Visit<'_>) -> Result<(), String> {
    let mut cases = Cases::new(entry, visit);
    if let Some((threads, set)) = entry.threads {
        set(&mut cases, threads);
    }
    let visited = panics::catch_leaving(|| (entry.cases)(&mut cases));
    // Behind the benchmark may be a check that does not expect its calls.
    if cases.is_over { Ok(()) } else { visited }
}

/// The pairs of an attribute. If there are none, or others are missing, the last pair stands for them and
/// contains the reason. This evaluates `args`, as [`visit`] does.
pub(crate) fn cases_of(entry: &PairEntry) -> Vec<Case> {
    let mut cases = Vec::new();
    let visited = visit(entry, &mut |case, _| {
        cases.push(case);
        ControlFlow::Continue(())
    });
    let (reason, is_unlisted) = match visited {
        Ok(()) if !cases.is_empty() || entry.may_be_empty => return cases,
        Ok(()) => (NO_VALUES.to_owned(), false),
        Err(reason) => (reason, true),
    };
    let (label, unmeasurable) = (name_of(entry), Some(reason));
    cases.push(Case { name: label.clone(), label, threads: 1, unmeasurable, is_unlisted, ..Case::default() });
    cases
}

const NO_VALUES: &str = "`args` has no values, so there is nothing to measure";

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use bench_diff_core::Gate;

    use super::*;
    use crate::fixture::three;

    fn entry(module: &'static str, function: &'static str, line: u32) -> PairEntry {
        PairEntry::new(Location { module, file: "benches/sorting.rs", line, column: 1 }, function, |cases| {
            cases.add(|_| {});
        })
    }

    fn pairs(entries: &[PairEntry]) -> Vec<Case> {
        in_order_of_source(entries.to_vec()).iter().flat_map(cases_of).collect()
    }

    fn names(pairs: &[Case]) -> Vec<&str> {
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
    fn pairs_are_in_the_order_of_the_source() {
        let entries = [entry("s", "c", 30), entry("s", "a", 10), entry("s", "b", 20)];
        assert_eq!(names(&pairs(&entries)), ["a", "b", "c"]);
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
                cases.max_slowdown(margin);
                cases.add_arg(arg.to_owned(), |_| {});
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
    fn threads_of_an_entry_override_those_of_its_function() {
        let location = entry("s", "a", 1).location;
        let asks = PairEntry::new(location, "a", |cases| {
            cases.threads(&[2]);
            cases.add(|_| {});
        });
        assert_eq!(names(&pairs(&[asks.threads(&[1, 4])])), ["a/threads=1", "a/threads=4"]);
        assert_eq!(names(&pairs(&[asks.default_threads(&[1, 4])])), ["a/threads=2"]);
        let plain = entry("s", "a", 1).default_threads(&[1, 4]);
        assert_eq!(names(&pairs(&[plain])), ["a/threads=1", "a/threads=4"]);
    }

    #[test]
    fn numbers_of_an_entry_reach_its_function() {
        let context = [None, Some(3), Some(7), None];
        let location = entry("s", "a", 1).location;
        let shows = PairEntry::new(location, "a", |cases| {
            cases.add_arg(format!("{:?}", cases.context()), |_| {});
        });
        let pairs = pairs(&[shows.context(context)]);
        assert_eq!(pairs[0].arg, Some(format!("{context:?}")));
    }

    #[test]
    fn pairs_that_cannot_be_listed_have_one_pair_with_the_reason() {
        let location = entry("s", "a", 1).location;
        let panics = PairEntry::new(location, "panics", |cases| {
            cases.add_arg("1".to_owned(), |_| {});
            panic!("out of args");
        });
        let empty = PairEntry::new(location, "empty", |_| {}).name("named");
        let pairs = pairs(&[panics, empty, entry("s", "b", 2)]);
        assert_eq!(names(&pairs), ["panics/1", "panics", "named", "b"]);
        let reasons: Vec<&str> = pairs.iter().filter_map(|pair| pair.unmeasurable.as_deref()).collect();
        assert!(reasons[0].contains("registry.rs") && reasons[0].ends_with("out of args"), "{}", reasons[0]);
        assert_eq!(reasons[1], NO_VALUES);
        assert!(cases_of(&empty.may_be_empty()).is_empty());
    }

    #[test]
    fn a_function_that_names_its_benchmarks_is_visited_to_its_end() {
        thread_local!(static IS_AT_END: Cell<bool> = const { Cell::new(false) });
        let ends = |family: fn(&mut Cases<'_>)| {
            IS_AT_END.set(false);
            let mut seen = 0;
            let family = PairEntry::new(entry("s", "a", 1).location, "a", family);
            let visited = visit(&family, &mut |_, _| {
                seen += 1;
                ControlFlow::Break(())
            });
            assert_eq!((visited.is_ok(), seen), (true, 1));
            IS_AT_END.get()
        };
        assert!(ends(|cases| {
            cases.add_named("one", 0, |_| {});
            cases.add_named("two", 0, |_| {});
            IS_AT_END.set(true);
            panic!("the folder is not empty");
        }));
        assert!(!ends(|cases| {
            cases.add(|_| {});
            IS_AT_END.set(true);
        }));
    }

    #[test]
    fn a_gate_that_depends_on_the_arg_is_checked() {
        let location = entry("s", "a", 1).location;
        let family = PairEntry::new(location, "a", |cases| {
            for (arg, margin) in [("1", 0.05), ("2", 0.0), ("3", f64::NAN), ("4", f64::INFINITY)] {
                cases.max_slowdown(margin);
                cases.add_arg(arg.to_owned(), |_| {});
            }
        });
        let pairs = pairs(&[family]);
        assert_eq!(pairs[0].gate, Some(Gate::MaxSlowdown(0.05)));
        let reasons: Vec<_> = pairs.iter().map(|pair| pair.unmeasurable.clone()).collect();
        assert!(reasons[0].is_none() && reasons[1..].iter().all(Option::is_some), "{reasons:?}");
        assert!(reasons[2].as_ref().unwrap().contains("NaN"), "{reasons:?}");
    }

    #[test]
    fn a_refused_gate_keeps_its_name() {
        let location = entry("s", "a", 1).location;
        let family = PairEntry::new(location, "a", |cases| {
            let settings: [fn(&mut Cases<'_>, f64); 3] = [
                |cases, margin| cases.max_slowdown(margin),
                |cases, margin| cases.min_speedup(margin),
                |cases, margin| cases.max_difference(margin),
            ];
            for set in settings {
                set(cases, -1.0);
                cases.add(|_| {});
            }
        });
        let names = ["max_slowdown", "min_speedup", "max_difference"];
        for (pair, name) in pairs(&[family]).into_iter().zip(names) {
            let gate = pair.gate.unwrap();
            assert_eq!(gate.name(), name);
            assert!(gate.zone().unwrap().slower.hi.is_finite(), "a record can contain it");
            let reason = format!("`{name}` of this arg is -1, and it must be finite and above 0");
            assert_eq!(pair.unmeasurable, Some(reason));
        }
    }
}
