//! The entries that the attribute registers: one constant per function, collected with `inventory`.

use std::fmt;
use std::time::Duration;

use bench_diff_core::{ClockPolicy, JudgeKind};

use super::cases::{Cases, Context};
use crate::settings::{Layouts, PairSettings, for_each_setting};

/// A registered function with its baseline, created by the expansion of `#[bench_diff]`: one pair, or one for
/// each of its args, types and consts.
#[derive(Clone, Copy, Debug)]
pub struct PairEntry {
    pub(crate) location: Location,
    pub(crate) function: &'static str,
    /// The path of the baseline, as written in the attribute.
    pub(crate) baseline: Option<&'static str>,
    pub(crate) name: Option<&'static str>,
    pub(crate) settings: PairSettings,
    pub(crate) ignore: Option<&'static str>,
    /// True if the attribute may register no pair.
    pub(crate) may_be_empty: bool,
    /// True if its pairs may have the names of other pairs.
    pub(crate) may_share_names: bool,
    /// The numbers of threads of all its pairs, and the function that passes them on.
    pub(crate) threads: Option<(&'static [usize], SetThreads)>,
    /// The numbers for [`Cases::context`].
    pub(crate) context: Context,
    pub(crate) cases: fn(&mut Cases<'_>),
}

inventory::collect!(PairEntry);

/// Sets numbers of threads. Only binaries that ask for threads contain such a function: functions that reach
/// its variables could not be proven unchanged.
type SetThreads = fn(&mut Cases<'_>, &[usize]);

/// The location of an attribute in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The module path, beginning with the name of the crate.
    pub module: &'static str,
    /// The source file, relative to the root of the workspace.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl PairEntry {
    /// An entry without options. `function` names its benchmarks, after the modules of `location`; `cases`
    /// adds them.
    #[must_use]
    pub const fn new(location: Location, function: &'static str, cases: fn(&mut Cases<'_>)) -> Self {
        Self {
            location,
            function,
            baseline: None,
            name: None,
            settings: PairSettings::NONE,
            ignore: None,
            may_be_empty: false,
            may_share_names: false,
            threads: None,
            context: [None; 4],
            cases,
        }
    }

    /// Its source location.
    #[must_use]
    pub const fn location(&self) -> Location {
        self.location
    }

    /// Adds its benchmarks to these cases, as if the entry that is running had registered them.
    pub fn register(&self, cases: &mut Cases<'_>) {
        (self.cases)(cases);
    }

    /// Accepts that the attribute registers no pair, which is an error otherwise.
    #[must_use]
    pub const fn may_be_empty(mut self) -> Self {
        self.may_be_empty = true;
        self
    }

    /// Accepts that its pairs have the names of other pairs; they get `#2`, `#3` and so on.
    #[must_use]
    pub const fn may_share_names(mut self) -> Self {
        self.may_share_names = true;
        self
    }

    /// Sets the numbers of threads of all its pairs, overriding those of the function.
    #[must_use]
    pub fn threads(mut self, threads: &'static [usize]) -> Self {
        self.threads = Some((threads, |cases, threads| cases.fix_threads(threads)));
        self
    }

    /// Sets the numbers of threads of all its pairs, unless the function sets them.
    #[must_use]
    pub fn default_threads(mut self, threads: &'static [usize]) -> Self {
        self.threads = Some((threads, |cases, threads| cases.threads(threads)));
        self
    }

    /// Sets numbers that only the front end reads, in the function that adds the cases. If the function read
    /// them from a variable, its benchmarks could not be proven unchanged.
    #[must_use]
    pub const fn context(mut self, context: [Option<u64>; 4]) -> Self {
        self.context = context;
        self
    }

    /// `baseline = path`, without blanks.
    #[must_use]
    pub const fn baseline(mut self, path: &'static str) -> Self {
        self.baseline = Some(path);
        self
    }

    /// `name = "..."`.
    #[must_use]
    pub const fn name(mut self, name: &'static str) -> Self {
        self.name = Some(name);
        self
    }

    /// `ignore`, or `#[ignore = "reason"]`; the reason may be empty.
    #[must_use]
    pub const fn ignore(mut self, reason: &'static str) -> Self {
        self.ignore = Some(reason);
        self
    }
}

/// The name of a pair: `name = "..."`, or the module path without the crate, and the function.
pub(crate) fn name_of(entry: &PairEntry) -> String {
    entry.name.map_or_else(|| path_of(modules_of(entry), entry.function), str::to_owned)
}

/// The name of the baseline function. In a pair, it gets the same types, consts and arg as the name of the
/// pair.
pub(crate) fn baseline_of(entry: &PairEntry) -> Option<String> {
    let (mut modules, mut path) = (modules_of(entry), entry.baseline?);
    while let Some((first, rest)) = path.split_once("::") {
        match first {
            "" | "self" => {}
            "super" => drop(modules.pop()),
            "crate" => modules.clear(),
            _ => break,
        }
        path = rest;
    }
    Some(path_of(modules, path))
}

/// The modules that an entry is in, without the crate.
fn modules_of(entry: &PairEntry) -> Vec<&str> {
    entry.location.module.split("::").skip(1).collect()
}

fn path_of<'a>(modules: Vec<&'a str>, path: &'a str) -> String {
    let parts = modules.into_iter().chain(path.split("::"));
    parts.map(|part| part.strip_prefix("r#").unwrap_or(part)).collect::<Vec<_>>().join("::")
}

macro_rules! declare_setters {
    ($($(#[$doc:meta])* $name:ident: $kind:ty = $grammar:ident,)*) => {
        impl PairEntry {
            $(
                $(#[$doc])*
                #[must_use]
                pub const fn $name(mut self, value: $kind) -> Self {
                    self.settings.$name = Some(value);
                    self
                }
            )*
        }
    };
}

for_each_setting!(declare_setters);
