//! The harnesses, and how each is asked.

use std::error::Error;
use std::path::Path;

use crate::program::{FUNCTIONS, Programs, Revision};
use crate::read::{self, Answer};

/// The verdicts of a harness on all functions.
type Answers = Result<Vec<Answer>, Box<dyn Error>>;

pub(crate) struct Rival {
    pub(crate) name: &'static str,
    /// The text right of `=` in the manifest; nothing for the harness of this workspace, which has a path.
    requirement: &'static str,
    package: &'static str,
    /// Its benchmark, to which the prelude belongs.
    pub(crate) source: &'static str,
    pub(crate) ask: fn(&mut Programs, Revision) -> Answers,
    /// The way to its verdict.
    pub(crate) way: &'static str,
    /// Its best use.
    pub(crate) purpose: &'static str,
}

pub(crate) const RIVALS: [Rival; 4] = [
    Rival {
        name: "bench_diff --against",
        requirement: "",
        package: "bench_diff_harness",
        source: include_str!("sources/bench_diff.rs"),
        ask: bench_diff,
        way: "two programs, in turns and in random layouts, and no proof of equal code",
        purpose: "Two commits as a test with error rates, without keeping the older code in the newer one.",
    },
    Rival {
        name: "criterion",
        requirement: "\"0.8\"",
        package: "criterion",
        source: include_str!("sources/criterion.rs"),
        ask: criterion,
        way: "two programs, one after the other, the first one saved",
        purpose: "How long a function takes, with plots and history; its change is between two moments and two programs.",
    },
    Rival {
        name: "tango",
        requirement: "\"0.9\"",
        package: "tango-bench",
        source: include_str!("sources/tango.rs"),
        ask: tango,
        way: "two programs, in step",
        purpose: "Two commits in little time, without keeping the older code in the newer one.",
    },
    Rival {
        name: "zenbench self-compare",
        requirement: "\"=0.1.11\"",
        package: "zenbench",
        source: include_str!("sources/zenbench.rs"),
        ask: zenbench_of_revisions,
        way: "two programs, one after the other, whose results it compares and calls descriptive",
        purpose: "A first look at two commits; it names its confirming mode for decisions.",
    },
];

impl Rival {
    pub(crate) fn named(name: &str) -> Result<&'static Self, String> {
        RIVALS.iter().find(|rival| rival.name == name).ok_or_else(|| {
            format!("no harness is called {name}; there are {}", RIVALS.map(|rival| rival.name).join(", "))
        })
    }

    /// The line of a manifest.
    pub(crate) fn dependency(&self) -> String {
        let Self { requirement, package, .. } = self;
        if requirement.is_empty() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(package);
            format!("{package} = {{ path = {path:?} }}")
        } else {
            format!("{package} = {requirement}")
        }
    }
}

fn bench_diff(programs: &mut Programs, revision: Revision) -> Answers {
    let (older, newer) = (programs.older_tree()?, programs.built(revision)?);
    let arguments = ["--bench", "--against", &older.display().to_string(), "--no-proof", "--format", "json"];
    programs.once(&newer, &[&arguments[..], &["--exact", "sum"]].concat())?;
    all(read::records(&programs.run(&newer, &arguments)?))
}

fn criterion(programs: &mut Programs, revision: Revision) -> Answers {
    let (older, newer) = (programs.older()?, programs.built(revision)?);
    let effort: &[&str] = match programs.is_short {
        true => &["--warm-up-time=0.1", "--measurement-time=0.2", "--sample-size=10", "--nresamples=1000"],
        false => &[],
    };
    programs.run(&older, &[&["--bench", "--save-baseline", "older"], effort].concat())?;
    all(read::criterion(&programs.run(&newer, &[&["--bench", "--baseline", "older"], effort].concat())?))
}

fn tango(programs: &mut Programs, revision: Revision) -> Answers {
    let (older, newer) = (programs.older()?, programs.built(revision)?);
    let older = older.display().to_string();
    let effort: &[&str] = if programs.is_short { &["--time", "0.05"] } else { &[] };
    all(read::tango(&programs.run(&newer, &[&["compare", &older], effort].concat())?))
}

/// What `zenbench self-compare` does, but for the checkout and the builds, which are not timed.
fn zenbench_of_revisions(programs: &mut Programs, revision: Revision) -> Answers {
    let (older, newer) = (programs.older()?, programs.built(revision)?);
    let command = programs.installed("zenbench", "0.1.11")?;
    let effort: &[&str] = if programs.is_short { &["--no-busy-gate", "--rounds=5"] } else { &[] };
    let arguments = [&["--bench"], effort].concat();
    programs.run(&older, &arguments)?;
    programs.run(&newer, &arguments)?;
    let [older, newer] = [older, newer].map(|program| program.with_extension("json").display().to_string());
    all(read::zenbench_comparison(&programs.messages(&command, &["compare", &older, &newer])?))
}

/// An answer for each function, or what was printed is not understood.
fn all(answers: Vec<Answer>) -> Answers {
    let missing = FUNCTIONS.iter().find(|name| answers.iter().all(|answer| answer.function != **name));
    match missing {
        None if answers.len() == FUNCTIONS.len() => Ok(answers),
        _ => Err(format!("{} answers for {} functions: {answers:?}", answers.len(), FUNCTIONS.len()).into()),
    }
}
