//! The registered pairs of a binary: named, in the order of the source, no name twice.

use std::collections::HashMap;
use std::process;
use std::rc::Rc;

use bench_diff_core::Gate;

use super::cases::{Case, Cases, MeasurePair};
use super::entry::{Location, PairEntry};
use super::names::{Labels, baseline_of, label, name_of};
use crate::call::exit_guard::ExitGuard;
use crate::call::panics;
use crate::settings::defaults;
use crate::system::lifeline;

/// A registered pair and its name.
#[derive(Clone, Debug)]
pub(crate) struct RegisteredPair {
    pub(crate) name: String,
    /// Its attribute, which other pairs may have in common with it.
    pub(crate) entry: Rc<PairEntry>,
    pub(crate) arg: Option<String>,
    /// The name of the baseline, which pairs with one baseline share.
    pub(crate) baseline: Option<String>,
    /// How many threads call the functions.
    pub(crate) threads: usize,
    /// The gate of this arg, where it depends on that.
    gate: Option<Gate>,
    /// What measures it, or why nothing can.
    pub(crate) run: Result<MeasurePair, String>,
}

impl RegisteredPair {
    pub(crate) fn gate(&self) -> Gate {
        self.gate.or(self.entry.settings.gate()).unwrap_or(defaults::GATE)
    }

    fn is_gated(&self) -> bool {
        self.gate() != Gate::ReportOnly
    }
}

/// Every pair of the binary.
#[derive(Debug)]
pub(crate) struct Registry {
    pairs: Vec<RegisteredPair>,
}

impl Registry {
    /// What the attributes of this binary registered.
    ///
    /// A process that `args` forked, and that came back from them, ends here: it is no part of the run.
    pub(crate) fn load() -> Result<Self, String> {
        let entries: Vec<PairEntry> = inventory::iter::<PairEntry>().copied().collect();
        let process = process::id();
        let registry = Self::new(&entries);
        lifeline::end_copy_of(process);
        registry
    }

    pub(crate) fn new(entries: &[PairEntry]) -> Result<Self, String> {
        let guard = ExitGuard::new();
        let pairs = in_order_of_source(entries).into_iter().flat_map(|entry| {
            let name = name_of(&entry);
            guard.pair(&name);
            expand(&name, &Rc::new(entry))
        });
        let pairs: Vec<RegisteredPair> = pairs.collect();
        guard.come_first();
        let mut seen: HashMap<&str, usize> = HashMap::with_capacity(pairs.len());
        for (index, pair) in pairs.iter().enumerate() {
            let first = *seen.entry(&pair.name).or_insert(index);
            if first != index {
                let (name, [first, second]) =
                    (&pair.name, [&pairs[first], pair].map(|pair| pair.entry.location));
                return Err(format!(
                    "two pairs are named `{name}`: {first} and {second}; \
                     give one of them another name with `#[bench_diff(name = \"...\")]`"
                ));
            }
        }
        Ok(Self { pairs })
    }

    pub(crate) fn pairs(&self) -> &[RegisteredPair] {
        &self.pairs
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The pairs among which alpha is shared: all that have a gate, whether or not this run measures them.
    pub(crate) fn gated(&self) -> usize {
        self.pairs.iter().filter(|pair| pair.is_gated()).count()
    }

    /// Those of them that are ignored, unless a run asks for them.
    pub(crate) fn gated_ignored(&self) -> usize {
        self.pairs.iter().filter(|pair| pair.is_gated() && pair.entry.ignore.is_some()).count()
    }
}

/// Constructors run in an order that differs from build to build.
fn in_order_of_source(entries: &[PairEntry]) -> Vec<PairEntry> {
    let mut entries = entries.to_vec();
    entries.sort_by_cached_key(|entry| {
        let Location { file, line, column, .. } = entry.location;
        (file, line, column, name_of(entry))
    });
    entries
}

/// The pairs of an attribute, or one that says why there are none.
fn expand(name: &str, entry: &Rc<PairEntry>) -> Vec<RegisteredPair> {
    let mut cases = Cases::default();
    let cases = panics::catch(|| (entry.cases)(&mut cases)).map(|()| cases.into_vec());
    let cases = cases.and_then(|cases| if cases.is_empty() { Err(NO_VALUES.to_owned()) } else { Ok(cases) });
    match cases {
        Ok(cases) => {
            let labels: Vec<String> = cases.iter().map(|case| label(name, case)).collect();
            let mut names = Labels::new(&labels);
            let baseline = baseline_of(entry);
            let pairs = cases.into_iter().zip(&labels).map(|(case, label)| {
                let name_of_pair = names.unique(label);
                let instance = name_of_pair.strip_prefix(name).unwrap_or_default();
                let baseline = baseline.as_ref().map(|baseline| format!("{baseline}{instance}"));
                registered(name_of_pair, baseline, Rc::clone(entry), case)
            });
            pairs.collect()
        }
        Err(reason) => {
            vec![RegisteredPair {
                name: name.to_owned(),
                entry: Rc::clone(entry),
                arg: None,
                baseline: None,
                threads: 1,
                gate: None,
                run: Err(reason),
            }]
        }
    }
}

const NO_VALUES: &str = "`args` has no values, so there is nothing to measure";

fn registered(name: String, baseline: Option<String>, entry: Rc<PairEntry>, case: Case) -> RegisteredPair {
    let Case { arg, threads, gate, run, .. } = case;
    let threads = threads.unwrap_or(1);
    let (gate, run) = match gate.and_then(refuse) {
        Some((reason, gate)) => (Some(gate), Err(reason)),
        None => (gate, Ok(run)),
    };
    RegisteredPair { name, entry, arg, baseline, threads, gate, run }
}

/// What is wrong with the gate of an arg, and one of its kind that can be written down.
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

    fn names(registry: &Registry) -> Vec<&str> {
        registry.pairs().iter().map(|pair| pair.name.as_str()).collect()
    }

    #[test]
    fn a_name_is_the_path_without_crate_and_raw_prefix() {
        let entries = [
            entry("sorting", "unstable", 1),
            entry("sorting::by_key::r#dyn", "stable", 2),
            entry("sorting::by_key", "third", 3).name("x::y"),
        ];
        let registry = Registry::new(&entries).unwrap();
        assert_eq!(names(&registry), ["unstable", "by_key::dyn::stable", "x::y"]);
    }

    #[test]
    fn pairs_stand_in_the_order_of_the_source() {
        let entries = [entry("s", "c", 30), entry("s", "a", 10), entry("s", "b", 20)];
        assert_eq!(names(&Registry::new(&entries).unwrap()), ["a", "b", "c"]);
    }

    #[test]
    fn one_name_twice_shows_both_places() {
        let error = Registry::new(&[entry("s", "a", 10), entry("s", "a", 20)]).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("`a`: benches/sorting.rs:10 and benches/sorting.rs:20"), "{text}");
        assert!(text.contains("name ="), "{text}");
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
        let registry = Registry::new(&[family, entry("s", "b", 2)]).unwrap();
        assert_eq!(names(&registry), ["a<u8,4>/1", "a<u8,4>/2", "a<u8,4>/1#2", "b"]);
        assert_eq!(registry.gated(), 4, "each of them has its part of alpha");
    }

    #[test]
    fn a_baseline_has_the_instance_and_the_arg_of_its_pair() {
        let families = [
            PairEntry::new(entry("s::m", "a", 1).location, "a", three).baseline("super::r#ref"),
            PairEntry::new(entry("s::m", "b", 2).location, "b", three).baseline("super::r#ref").name("b"),
            entry("s", "c", 3),
        ];
        let registry = Registry::new(&families).unwrap();
        let baselines: Vec<_> = registry.pairs().iter().map(|pair| pair.baseline.as_deref()).collect();
        let each = ["<u8,4>/1", "<u8,4>/2", "<u8,4>/1#2"].map(|of| format!("m::super::ref{of}"));
        assert_eq!(baselines[..3], each.each_ref().map(|name| Some(name.as_str())));
        assert_eq!(baselines[3..6], baselines[..3], "the second value of a label as well");
        assert_eq!(baselines[6], None);
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
        let registry = Registry::new(&[family]).unwrap();
        assert_eq!(names(&registry), ["a/1/threads=1", "a/1/threads=4", "a/2/threads=1", "a/2/threads=4"]);
        let gates: Vec<Gate> = registry.pairs().iter().map(RegisteredPair::gate).collect();
        assert_eq!(gates, [0.05, 0.05, 0.1, 0.1].map(Gate::MaxSlowdown));
        let threads: Vec<usize> = registry.pairs().iter().map(|pair| pair.threads).collect();
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
        let registry = Registry::new(&[panics, empty, entry("s", "b", 2)]).unwrap();
        assert_eq!(names(&registry), ["named", "panics", "b"]);
        let reasons: Vec<&str> =
            registry.pairs().iter().filter_map(|pair| pair.run.as_ref().err()).map(String::as_str).collect();
        assert_eq!(reasons[0], NO_VALUES);
        assert!(reasons[1].contains("registry.rs") && reasons[1].ends_with("out of args"), "{}", reasons[1]);
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
        let registry = Registry::new(&[family]).unwrap();
        assert_eq!(registry.pairs()[0].gate(), Gate::MaxSlowdown(0.05));
        let reasons: Vec<_> = registry.pairs().iter().map(|pair| pair.run.as_ref().err().cloned()).collect();
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
        let entry = Rc::new(entry("s", "a", 1));
        let names = ["max_slowdown", "min_speedup", "max_difference"];
        for (case, name) in cases.into_vec().into_iter().zip(names) {
            let pair = registered("a".to_owned(), None, Rc::clone(&entry), case);
            assert_eq!(pair.gate().name(), name);
            assert!(pair.gate().zone().unwrap().slower.hi.is_finite(), "a record can hold it");
            let reason = format!("`{name}` of this arg is -1, and it must be finite and above 0");
            assert_eq!(pair.run.err(), Some(reason));
        }
    }

    #[test]
    fn alpha_is_shared_by_all_that_have_a_gate() {
        let entries = [
            entry("s", "a", 1),
            entry("s", "b", 2).min_speedup(2.0).ignore(""),
            entry("s", "c", 3).report_only(true),
        ];
        assert_eq!(Registry::new(&entries).unwrap().gated(), 2);
    }
}
