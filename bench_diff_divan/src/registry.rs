//! The benchmarks that attributes have registered.

use std::env;

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
    /// The digest of its work.
    pub digest: u64,
    /// The innermost group that contains it.
    pub group: Option<&'static Group>,
    /// Returns whether the attribute ignores it, if the attribute says so.
    pub is_ignored: fn() -> Option<bool>,
    /// Adds the cases to measure.
    pub cases: fn(&mut Cases<'_>),
}

inventory::collect!(Benchmark);

/// A module whose benchmarks share options.
pub struct Group {
    /// The path of its parent module, including the crate.
    pub parent: &'static str,
    /// The name that replaces the name of the module.
    pub name: Option<&'static str>,
    /// Returns whether the attribute ignores its benchmarks, if the attribute says so.
    pub is_ignored: fn() -> Option<bool>,
    /// The settings that affect measuring, including those of outer groups.
    pub settings: fn() -> Settings,
    /// The group that contains it.
    pub outer: Option<&'static Self>,
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
    // Constructors run in an order that differs between builds.
    benchmarks.sort_unstable_by_key(|benchmark| {
        let Location { file, line, column, module } = benchmark.location;
        (file, line, column, module, benchmark.name)
    });
    let target = target(&benchmarks)?;
    let mut entries = Vec::with_capacity(benchmarks.len());
    entries.extend(benchmarks.into_iter().filter_map(|benchmark| benchmark.entry(settings)));
    Some((target, entries))
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
            crate_name: name_of_program().unwrap_or(first.crate_name),
            rustc_call: &[],
            ..first
        });
    };
    // The attribute may be in another file of the crate than the one that rustc gets.
    let is_file = |argument: &&&str| argument.ends_with(".rs") && !argument.starts_with('-');
    let file = target.rustc_call.iter().find(is_file).copied().unwrap_or(target.file);
    Some(Target { file, ..target })
}

/// The name of the running program, taken from the file name that cargo has given it.
fn name_of_program() -> Option<&'static str> {
    let program = env::current_exe().ok()?;
    let (name, _digest) = program.file_stem()?.to_str()?.rsplit_once('-')?;
    Some(name.replace('-', "_").leak())
}

impl Benchmark {
    /// Its entry, if it has to run or to be shown as ignored.
    fn entry(&self, settings: &OfBench) -> Option<PairEntry> {
        let run_ignored = settings.run_ignored;
        let ignored_by_group = || self.groups().find_map(|group| (group.is_ignored)());
        let is_ignored = (self.is_ignored)().or_else(ignored_by_group).unwrap_or(false);
        if run_ignored == RunIgnored::Only && !is_ignored || self.is_skipped(&settings.skipped) {
            return None;
        }
        let mut entry =
            PairEntry::new(self.location, self.name, self.cases).digest(self.digest).may_share_names();
        if let Some(threads) = settings.threads {
            entry = entry.threads(threads);
        }
        if self.groups().any(|group| group.name.is_some()) {
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
        let (krate, _) = self.location.module.split_once("::").unwrap_or((self.location.module, ""));
        let path = format!("{krate}::{}", self.full_name());
        skipped.iter().any(|skip| skip.skips(&path))
    }

    /// Its groups, innermost first.
    fn groups(&self) -> impl Iterator<Item = &Group> {
        std::iter::successors(self.group, |group| group.outer)
    }

    /// The path of the function without the crate, with the names of its groups.
    fn full_name(&self) -> String {
        let plain = |name: &'static str| name.strip_prefix("r#").unwrap_or(name);
        let mut parts: Vec<&str> = self.location.module.split("::").map(plain).collect();
        for group in self.groups() {
            if let Some(name) = group.name {
                let place = group.parent.split("::").count();
                parts[place] = name;
            }
        }
        parts.push(self.name);
        parts[1..].join("::")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTER: Group = Group {
        parent: "sorting",
        name: Some("by name"),
        is_ignored: || Some(true),
        settings: Settings::new,
        outer: None,
    };
    const INNER: Group = Group {
        parent: "sorting::r#mod::deep",
        name: Some("in"),
        is_ignored: || None,
        outer: Some(&OUTER),
        ..OUTER
    };

    fn benchmark(is_ignored: fn() -> Option<bool>) -> Benchmark {
        Benchmark {
            target: bench_diff_harness::__private::target!(),
            location: Location {
                module: "sorting::r#mod::deep::inner::r#fn",
                file: "sorting.rs",
                line: 1,
                column: 1,
            },
            name: "stable",
            digest: 7,
            group: Some(&INNER),
            is_ignored,
            cases: |_| {},
        }
    }

    #[test]
    fn names_of_groups_replace_the_names_of_their_modules() {
        assert_eq!(benchmark(|| None).full_name(), "by name::deep::in::fn::stable");
    }

    #[test]
    fn the_innermost_attribute_decides_whether_a_benchmark_is_ignored() {
        let ignored = |benchmark: Benchmark| {
            let entry = |run_ignored| benchmark.entry(&OfBench { run_ignored, ..OfBench::default() });
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
            benchmark(|| None).entry(&OfBench { skipped, ..OfBench::default() }).is_some()
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
