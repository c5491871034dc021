//! The old side of a run with `--against`, and why functions or the whole run were not compared with it.

use bench_diff_system::exit::Exit;
use bench_diff_system::words;

/// The old side of a run, as reports describe it.
#[derive(Clone, Debug, Default, PartialEq, Eq, miniserde::Serialize)]
pub struct OtherSide {
    /// The side as the user asked for it.
    pub asked: String,
    /// Its name beside `now`, and in the command that repeats a pair.
    pub name: String,
    /// The commit; `None` for a folder.
    pub id: Option<String>,
    /// The first line of the commit's message.
    pub subject: Option<String>,
    /// The content of its binary, as a digest; `None` if none was built.
    pub program: Option<String>,
    /// The number of functions whose machine code is unchanged.
    pub same_code: usize,
    /// What keeps most of the others from being proven so, if that is more than half of the functions.
    pub hindrance: Option<Hindrance>,
    /// The functions that it does not have, or not in the same number under one name.
    pub not_compared: Vec<String>,
    /// The reason to report slowdowns as inconclusive: its benchmarks may do other work than today's.
    pub other_work: Option<String>,
    /// The dependencies that have another version.
    pub lock: Vec<String>,
    /// The files of the working tree's benches that were copied into it.
    pub laid_over: Vec<String>,
    /// Lines on how it was found and built.
    #[serde(rename = "told")]
    pub lines: Vec<String>,
    /// The reason that nothing is compared with it: as far as it is known when a run starts, and at the end.
    pub uncompared: Option<Uncompared>,
}

/// An obstacle that keeps several pairs from being proven unchanged.
#[derive(Clone, Debug, PartialEq, Eq, miniserde::Serialize)]
pub struct Hindrance {
    /// The kind of the obstacle.
    pub obstacle: Obstacle,
    /// The cause of the first pair.
    pub why: String,
    /// The number of pairs.
    pub functions: usize,
}

words! {
    /// The kind of an obstacle to a proof.
    pub enum Obstacle {
        /// It is not known whether the code does the same.
        Unknown = "unknown",
        /// A call that only one side has.
        Call = "call",
        /// A function has other code or data.
        Function = "function",
    }
}

words! {
    /// The reason that a run compared nothing.
    pub enum Uncompared {
        /// The old side has no package of this name.
        NoPackage = "no_package",
        /// Its package has no bench of this name.
        NoBench = "no_bench",
        /// It has neither, and git shows that the bench came later.
        NewBench = "new_bench",
        /// The working tree's bench was copied into it and does not compile.
        Uncompilable = "uncompilable",
        /// It has this bench for another harness.
        OtherHarness = "other_harness",
        /// Its bench does not list its functions.
        NotListed = "not_listed",
        /// Each function is new, is ignored, or fails on the old side alone.
        NoFunction = "no_function",
    }
}

impl Uncompared {
    /// Returns whether the old side has a binary all the same.
    pub(crate) fn has_program(self) -> bool {
        matches!(self, Self::NotListed | Self::NoFunction)
    }

    /// The exit of a run that compared nothing for this reason. A change may bring a bench along.
    pub fn exit(self, strict: bool) -> Exit {
        if strict && self != Self::NewBench { Exit::Error } else { Exit::Success }
    }
}
