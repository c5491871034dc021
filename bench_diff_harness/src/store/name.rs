//! The names of the files of the store.

use std::path::Path;

use bench_diff_core::Seed;

use crate::settings::{Config, Surroundings};

/// The name of the file of an ordinary run.
const RUN: &str = "run";
/// The beginning of the names of files that processes of nextest write.
const OF_NEXTEST: &str = "nextest-";
pub(super) const EXTENSION: &str = "jsonl";

/// The name of a file of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// The beginning, which all files of a run have.
    start: String,
    /// The part by which the files of its processes differ; empty if there is only one process.
    rest: String,
}

impl Name {
    /// The name of the file of this run, which is known before anything else.
    pub(super) fn of(config: &Config) -> Self {
        let Surroundings { nextest, nextest_run, .. } = &config.surroundings;
        match &config.selection.filters[..] {
            _ if !nextest => Self::alone(),
            [] => Self::among(nextest_run.as_deref(), RUN),
            filters => Self::among(nextest_run.as_deref(), &filters.join(" ")),
        }
    }

    /// Returns whether a file of this name may be of a process of nextest.
    pub(super) fn is_of_nextest(file: &str) -> bool {
        file.starts_with(OF_NEXTEST)
    }

    /// The name of the only file of a folder.
    pub(super) fn alone() -> Self {
        Self { start: RUN.to_owned(), rest: String::new() }
    }

    /// The name for a process that measures this pair in a run of nextest.
    pub(super) fn among(run: Option<&str>, pair: &str) -> Self {
        let start = format!("{OF_NEXTEST}{}-", plain(run.unwrap_or(RUN)));
        Self { start, rest: format!("{}-{:016x}", plain(pair), Seed(0).for_pair(pair).0) }
    }

    pub(super) fn is_alone(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn file(&self) -> String {
        format!("{}{}.{EXTENSION}", self.start, self.rest)
    }

    /// Returns whether a file of this name may belong to a former run.
    pub(super) fn may_replace(&self, file: &str) -> bool {
        let has_extension = Path::new(file).extension().is_some_and(|extension| extension == EXTENSION);
        has_extension && !file.starts_with(&self.start)
    }
}

/// The longest part of a file name that comes from outside.
const LONGEST: usize = 60;

/// Replaces the characters that some system does not allow in a file name, and shortens the text.
fn plain(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "_-.".contains(c) { c } else { '_' };
    text.chars().map(plain).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_look_alike_have_files_of_their_own() {
        let [a, b] = ["a/1", "a:1"].map(|pair| Name::among(None, pair).file());
        assert_ne!(a, b);
        assert!(Name::among(None, &"é".repeat(300)).file().len() < 120);
    }

    #[test]
    fn a_file_says_what_it_is_of() {
        assert_eq!(Name::alone().file(), "run.jsonl");
        let name = Name::among(Some("2"), "b::c/1");
        assert_eq!(name.file(), format!("nextest-2-b__c_1-{:016x}.jsonl", Seed(0).for_pair("b::c/1").0));
    }

    #[test]
    fn files_of_former_runs_are_replaced() {
        let replaced = |name: &Name| {
            let files = ["run.jsonl", "nextest-2-a.jsonl", "nextest-3-a.jsonl", "notes.txt"];
            files.into_iter().filter(|file| name.may_replace(file)).collect::<Vec<_>>()
        };
        assert_eq!(replaced(&Name::alone()), ["nextest-2-a.jsonl", "nextest-3-a.jsonl"]);
        assert_eq!(replaced(&Name::among(Some("2"), "b")), ["run.jsonl", "nextest-3-a.jsonl"]);
    }
}
