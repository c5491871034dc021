//! The registered pairs of a binary: named, in the order of the source, no name twice.

use std::collections::HashMap;
use std::fmt;

use bench_diff_core::Gate;

use crate::defaults;
use crate::entry::PairEntry;

/// A registered pair and its name.
#[derive(Clone, Debug)]
pub(crate) struct RegisteredPair {
    pub(crate) name: String,
    pub(crate) entry: PairEntry,
}

/// Every pair of the binary.
#[derive(Debug)]
pub(crate) struct Registry {
    pairs: Vec<RegisteredPair>,
}

impl Registry {
    /// What the attributes of this binary registered.
    pub(crate) fn load() -> Result<Self, DuplicateName> {
        Self::new(inventory::iter::<PairEntry>().copied())
    }

    pub(crate) fn new(entries: impl Iterator<Item = PairEntry>) -> Result<Self, DuplicateName> {
        let mut pairs: Vec<RegisteredPair> =
            entries.map(|entry| RegisteredPair { name: name_of(&entry), entry }).collect();
        // Constructors run in an order that differs from build to build.
        pairs.sort_by(|a, b| {
            let key = |pair: &RegisteredPair| {
                (pair.entry.place.file, pair.entry.place.line, pair.entry.place.column)
            };
            key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
        });
        let mut seen: HashMap<&str, &RegisteredPair> = HashMap::with_capacity(pairs.len());
        for pair in &pairs {
            if let Some(first) = seen.insert(&pair.name, pair) {
                return Err(DuplicateName {
                    name: pair.name.clone(),
                    places: [first.entry.place.to_string(), pair.entry.place.to_string()],
                });
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
        let gate = |pair: &&RegisteredPair| pair.entry.options.gate.unwrap_or(defaults::GATE);
        self.pairs.iter().filter(|pair| gate(pair) != Gate::ReportOnly).count()
    }
}

/// `name = "..."`, or the module path without the crate's name and the function.
fn name_of(entry: &PairEntry) -> String {
    if let Some(name) = entry.options.name {
        return name.to_owned();
    }
    let modules = entry.place.module.split("::").skip(1);
    let parts: Vec<&str> =
        modules.chain([entry.function]).map(|part| part.strip_prefix("r#").unwrap_or(part)).collect();
    parts.join("::")
}

/// Two pairs have one name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DuplicateName {
    name: String,
    places: [String; 2],
}

impl fmt::Display for DuplicateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, places: [first, second] } = self;
        write!(
            f,
            "two pairs are named `{name}`: {first} and {second}; \
             give one of them another name with `#[bench_diff(name = \"...\")]`"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Place;

    fn entry(module: &'static str, function: &'static str, line: u32) -> PairEntry {
        PairEntry::new(Place { module, file: "benches/sorting.rs", line, column: 1 }, function, |_| {})
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
        let registry = Registry::new(entries.into_iter()).unwrap();
        assert_eq!(names(&registry), ["unstable", "by_key::dyn::stable", "x::y"]);
    }

    #[test]
    fn pairs_stand_in_the_order_of_the_source() {
        let entries = [entry("s", "c", 30), entry("s", "a", 10), entry("s", "b", 20)];
        assert_eq!(names(&Registry::new(entries.into_iter()).unwrap()), ["a", "b", "c"]);
    }

    #[test]
    fn one_name_twice_shows_both_places() {
        let error = Registry::new([entry("s", "a", 10), entry("s", "a", 20)].into_iter()).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("`a`: benches/sorting.rs:10 and benches/sorting.rs:20"), "{text}");
        assert!(text.contains("name ="), "{text}");
    }

    #[test]
    fn alpha_is_shared_by_all_that_have_a_gate() {
        let entries = [
            entry("s", "a", 1),
            entry("s", "b", 2).min_speedup(2.0).ignore(""),
            entry("s", "c", 3).report_only(),
        ];
        assert_eq!(Registry::new(entries.into_iter()).unwrap().gated(), 2);
    }
}
