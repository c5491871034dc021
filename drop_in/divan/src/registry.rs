//! The benchmarks that attributes have registered.

use std::cmp::Reverse;

use bench_diff_harness::front_end::{Cases, Location, PairEntry, Target};

use crate::filter::Skip;
use crate::options::Settings;

/// A benchmark function, as its attribute registers it.
pub struct Benchmark {
    /// The target of its crate.
    pub target: Target,
    /// The location of its attribute.
    pub location: Location,
    /// The name of the function, or the name in the attribute.
    pub name: &'static str,
    /// Returns whether the attribute ignores it, if the attribute says so.
    pub is_ignored: fn() -> Option<bool>,
    /// Adds the cases to measure.
    pub cases: fn(&mut Cases<'_>),
}

inventory::collect!(Benchmark);

/// A module whose benchmarks share options, as its attribute registers it.
///
/// A group knows its benchmarks only by the paths of their modules: those that another macro or another file
/// puts into the module are not among the tokens of the attribute.
pub struct Group {
    /// The location of its attribute.
    pub location: Location,
    /// The name of the module.
    pub module: &'static str,
    /// The name that replaces the name of the module.
    pub name: Option<&'static str>,
    /// Returns whether the attribute ignores its benchmarks, if the attribute says so.
    pub is_ignored: fn() -> Option<bool>,
    /// The settings that affect measuring.
    pub settings: fn() -> Settings,
}

inventory::collect!(Group);

impl Group {
    /// The number of parts of the path of its parent module.
    fn depth(&self) -> usize {
        parts(self.location.module).count()
    }

    /// Returns whether its module is the one with this path or contains it.
    fn contains(&self, module: &str) -> bool {
        let mut of_module = parts(module);
        parts(self.location.module).chain([plain(self.module)]).all(|part| of_module.next() == Some(part))
    }
}

/// The parts of the path of a module.
fn parts(module: &str) -> impl Iterator<Item = &str> {
    module.split("::").map(plain)
}

fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// The settings of a whole bench.
#[derive(Clone, Debug, Default)]
pub(crate) struct OfBench {
    pub(crate) run_ignored: RunIgnored,
    pub(crate) skipped: Vec<Skip>,
    /// The numbers of threads of all benchmarks, which replace those of their attributes.
    pub(crate) threads: Option<&'static [usize]>,
}

/// The benchmarks that run although they are ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RunIgnored {
    /// Only those that the arguments of the process ask for.
    #[default]
    AsAsked,
    All,
    Only,
}

/// The running target and the entries of its benchmarks; `None` without benchmarks.
pub(crate) fn registered(settings: &OfBench) -> Option<(Target, Vec<PairEntry>)> {
    let mut benchmarks: Vec<&Benchmark> = inventory::iter::<Benchmark>().collect();
    benchmarks.sort_unstable_by_key(|benchmark| (in_source(benchmark.location), benchmark.name));
    let mut groups: Vec<&Group> = inventory::iter::<Group>().collect();
    groups.sort_unstable_by_key(|group| (in_source(group.location), group.module));
    let target = target(&benchmarks)?;
    let mut entries = Vec::with_capacity(benchmarks.len());
    let with_groups = benchmarks.into_iter().map(|benchmark| InGroups::of(benchmark, &groups));
    entries.extend(with_groups.filter_map(|benchmark| benchmark.entry(settings)));
    Some((target, entries))
}

/// The order of the source. Constructors run in an order that differs between builds.
fn in_source(Location { file, line, column, module }: Location) -> (&'static str, u32, u32, &'static str) {
    (file, line, column, module)
}

/// The running target. Some or all of the benchmarks may be in libraries that it uses.
fn target(benchmarks: &[&Benchmark]) -> Option<Target> {
    let mut targets = benchmarks.iter().map(|benchmark| benchmark.target);
    let first = targets.next()?;
    // Cargo passes no crate type for a bench.
    let is_library =
        |call: &[&str]| call.windows(2).any(|pair| pair[0] == "--crate-type" && pair[1] != "bin");
    let is_program = |target: &Target| !target.rustc_call.is_empty() && !is_library(target.rustc_call);
    let Some(target) = [first].into_iter().chain(targets).find(is_program) else {
        return Some(Target {
            crate_name: Target::name_of_program().unwrap_or(first.crate_name),
            rustc_call: &[],
            ..first
        });
    };
    Some(target.at_root_file())
}

/// A benchmark and its groups.
struct InGroups<'a> {
    benchmark: &'a Benchmark,
    /// Its groups, innermost first.
    groups: Vec<&'a Group>,
}

impl<'a> InGroups<'a> {
    /// The benchmark in those of the groups that contain it.
    fn of(benchmark: &'a Benchmark, groups: &[&'a Group]) -> Self {
        let contains = |group: &&&Group| group.contains(benchmark.location.module);
        let mut groups: Vec<&Group> = groups.iter().filter(contains).copied().collect();
        groups.sort_by_key(|group| Reverse(group.depth()));
        // Modules in two functions may have one path.
        groups.dedup_by_key(|group| group.depth());
        Self { benchmark, groups }
    }

    /// Its entry, if it has to run or to be shown as ignored.
    fn entry(&self, settings: &OfBench) -> Option<PairEntry> {
        let Self { benchmark, groups } = self;
        let run_ignored = settings.run_ignored;
        let ignored_by_group = || groups.iter().find_map(|group| (group.is_ignored)());
        let is_ignored = (benchmark.is_ignored)().or_else(ignored_by_group).unwrap_or(false);
        if run_ignored == RunIgnored::Only && !is_ignored || self.is_skipped(&settings.skipped) {
            return None;
        }
        let entry = PairEntry::new(benchmark.location, benchmark.name, benchmark.cases);
        let of_groups = groups.iter().map(|group| (group.settings)()).reduce(Settings::or);
        let mut entry = entry.may_share_names().may_be_empty();
        if let Some(of_groups) = of_groups {
            entry = of_groups.apply(entry);
        }
        if let Some(threads) = settings.threads {
            entry = entry.threads(threads);
        }
        if groups.iter().any(|group| group.name.is_some()) {
            // This happens once for each such benchmark, and the name is needed until the process ends.
            entry = entry.name(self.full_name().leak());
        }
        if is_ignored && run_ignored == RunIgnored::AsAsked {
            entry = entry.ignore("");
        }
        Some(entry)
    }

    fn is_skipped(&self, skipped: &[Skip]) -> bool {
        if skipped.is_empty() {
            return false;
        }
        let module = self.benchmark.location.module;
        let (krate, _) = module.split_once("::").unwrap_or((module, ""));
        let path = format!("{krate}::{}", self.full_name());
        skipped.iter().any(|skip| skip.skips(&path))
    }

    /// The path of the function without the crate, with the names of its groups.
    fn full_name(&self) -> String {
        let mut parts: Vec<&str> = parts(self.benchmark.location.module).collect();
        for group in &self.groups {
            if let Some(name) = group.name {
                parts[group.depth()] = name;
            }
        }
        parts.push(self.benchmark.name);
        parts[1..].join("::")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTER: Group = Group {
        location: Location { module: "sorting", file: "sorting.rs", line: 1, column: 1 },
        module: "r#mod",
        name: Some("by name"),
        is_ignored: || Some(true),
        settings: Settings::new,
    };
    const INNER: Group = Group {
        location: Location { module: "sorting::r#mod::deep", ..OUTER.location },
        module: "inner",
        name: Some("in"),
        is_ignored: || None,
        ..OUTER
    };
    const OTHER: Group = Group { module: "mode", name: Some("other"), ..OUTER };

    fn benchmark(is_ignored: fn() -> Option<bool>) -> Benchmark {
        Benchmark {
            target: bench_diff_harness::__private::target!(),
            location: Location { module: "sorting::r#mod::deep::inner::r#fn", ..OUTER.location },
            name: "stable",
            is_ignored,
            cases: |_| {},
        }
    }

    fn in_groups(benchmark: &Benchmark) -> InGroups<'_> {
        InGroups::of(benchmark, &[&OUTER, &OTHER, &INNER])
    }

    #[test]
    fn names_of_groups_replace_the_names_of_their_modules() {
        assert_eq!(in_groups(&benchmark(|| None)).full_name(), "by name::deep::in::fn::stable");
    }

    #[test]
    fn a_group_contains_the_benchmarks_below_its_module() {
        let named = |module| {
            let location = Location { module, ..OUTER.location };
            in_groups(&Benchmark { location, ..benchmark(|| None) }).full_name()
        };
        assert_eq!(named("sorting::r#mod"), "by name::stable");
        assert_eq!(named("sorting::mod"), "by name::stable");
        assert_eq!(named("sorting::modes"), "modes::stable");
        assert_eq!(named("sorting"), "stable");
        assert_eq!(named("other::r#mod"), "mod::stable");
    }

    #[test]
    fn the_innermost_attribute_decides_whether_a_benchmark_is_ignored() {
        let ignored = |benchmark: Benchmark| {
            let entry =
                |run_ignored| in_groups(&benchmark).entry(&OfBench { run_ignored, ..OfBench::default() });
            let only = entry(RunIgnored::Only).is_some();
            let shown = |run| format!("{:?}", entry(run).unwrap()).contains("ignore: Some");
            [only, shown(RunIgnored::AsAsked), shown(RunIgnored::All)]
        };
        assert_eq!(ignored(benchmark(|| None)), [true, true, false]);
        assert_eq!(ignored(benchmark(|| Some(false))), [false, false, false]);
    }

    #[test]
    fn skipped_paths_include_the_crate() {
        let runs = |path: &str| {
            let skipped = vec![Skip::Exact(path.to_owned())];
            in_groups(&benchmark(|| None)).entry(&OfBench { skipped, ..OfBench::default() }).is_some()
        };
        assert!(!runs("sorting::by name::deep::in::fn::stable"));
        assert!(runs("by name::deep::in::fn::stable"));
    }

    #[test]
    fn the_target_is_the_program_with_the_file_that_rustc_got() {
        let [mut library, mut program] = [benchmark(|| None), benchmark(|| None)];
        library.target.rustc_call = &["/rustc id", "/work", "--crate-type", "lib", "src/lib.rs"];
        program.target.rustc_call = &["/rustc id", "/work", "--crate-name", "x", "benches/x/main.rs"];
        let found = target(&[&library, &program]).unwrap();
        assert_eq!((found.file, found.rustc_call), ("benches/x/main.rs", program.target.rustc_call));
        let found = target(&[&library]).unwrap();
        assert_eq!((found.crate_name, found.rustc_call.len()), ("bench_diff_divan", 0));
        assert!(target(&[]).is_none());
    }
}
