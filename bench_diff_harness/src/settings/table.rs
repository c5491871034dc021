//! Every setting: the one place where they are listed.

use super::setting::Effect::{Comparing, Judging, Measuring, Reports, Selecting};
use super::setting::{Setting, setting};

/// Every setting, in the order of the help.
pub(crate) static SETTINGS: [Setting; 43] = [
    setting(
        Comparing,
        "against",
        "REV",
        "Compare each function with itself in this branch, commit or folder; `base` finds the commit that your \
         change is based on",
    ),
    setting(
        Comparing,
        "against-benches",
        "WHICH",
        "What the old revision runs: the benchmarks of the working tree (now), its own (own), or its own only \
         if the others do not build there (auto)",
    ),
    setting(
        Comparing,
        "against-package",
        "NAME",
        "The name of the package in the old revision, if it was moved and renamed",
    ),
    setting(Judging, "max-slowdown", "SHARE", "How much slower a function may be"),
    setting(
        Judging,
        "max-allocations",
        "SHARE",
        "Also limit how much more a function may allocate, if the bench counts allocations",
    ),
    setting(Judging, "report-only", "", "Show every function, and fail none"),
    setting(Judging, "ignore-below", "TIME", "Ignore differences of less than this time per call"),
    setting(Judging, "alpha", "RATE", "How often a run of this bench binary may fail by mistake"),
    setting(Judging, "strict", "", "Fail if a function is inconclusive; end with 3 if nothing is compared"),
    setting(
        Judging,
        "judge",
        "NAME",
        "When to stop: once the answer is certain (sequential), or after a fixed number of samples (welch)",
    ),
    setting(
        Judging,
        "layouts",
        "LAYOUTS",
        "How to place functions in memory: shuffled if possible (auto), shuffled or an error (all), as linked \
         (linked); none measures in one process",
    ),
    setting(
        Judging,
        "max-rounds",
        "ROUNDS",
        "sequential: report a function as inconclusive after this many rounds",
    ),
    setting(
        Measuring,
        "max-time",
        "TIME",
        "sequential: report a function as inconclusive after about this time",
    ),
    setting(
        Measuring,
        "budget",
        "TIME",
        "End the run of this bench binary after about this time; what is still open is inconclusive",
    ),
    setting(Measuring, "seed", "HEX", "Repeat the random order of an earlier run"),
    setting(Measuring, "no-proof", "", "Also measure functions whose machine code did not change"),
    setting(Measuring, "layouts-on-macos", "", "Also link random layouts on macOS; untested there"),
    setting(
        Measuring,
        "timeout",
        "TIME",
        "Stop a function, as an error, once all its rounds took this long; the others run",
    ),
    setting(Measuring, "fail-fast", "", "Stop after the first function that makes the run fail"),
    setting(Selecting, "exact", "", "Match filters against whole names"),
    setting(Selecting, "skip", "FILTER", "Leave out benchmarks whose name contains this; may be repeated")
        .many(),
    setting(Selecting, "ignored", "", "Run only ignored benchmarks"),
    setting(Selecting, "include-ignored", "", "Also run ignored benchmarks"),
    // Cargo passes this one by itself.
    setting(Selecting, "bench", "", ""),
    setting(Selecting, "test", "", "Call each function once and measure nothing"),
    setting(Selecting, "list", "", "List the benchmarks"),
    setting(Selecting, "quiet", "", "Print less, as --format terse does").letter('q'),
    setting(Selecting, "color", "WHEN", "Color the output: auto, always or never [default: auto]"),
    setting(Selecting, "help", "", "Print this help, with the value in force of each flag and its source")
        .letter('h'),
    setting(Selecting, "", "FLAG", "").letter('Z').many(),
    setting(Selecting, "nocapture", "", ""),
    setting(Selecting, "no-capture", "", ""),
    setting(Selecting, "show-output", "", ""),
    setting(Selecting, "test-threads", "VALUE", "").many(),
    setting(
        Reports,
        "format",
        "FORMAT",
        "What to print: a table (pretty), a line per function (terse), or JSON records (json)",
    ),
    setting(Reports, "verbose", "", "Also print the statistics behind each verdict, and all notes")
        .letter('v'),
    setting(
        Reports,
        "json",
        "PATH",
        "Write the record of each function as it is decided, one JSON object per line",
    ),
    setting(Reports, "junit", "PATH", "Write a JUnit report, for GitLab, Jenkins and others"),
    setting(Reports, "markdown", "PATH", "Write a markdown table"),
    setting(Reports, "csv", "PATH", "Write the raw times"),
    setting(Reports, "bencher", "PATH", "Write metrics for bencher.dev"),
    setting(Reports, "html", "PATH", "Write a page with plots, in one file"),
    setting(
        Reports,
        "github",
        "WHEN",
        "Annotate the source on GitHub and write the step summary: auto, always or never",
    ),
];

/// The setting with this name.
pub(super) fn named(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name && !name.is_empty())
}

/// The setting with this letter.
pub(super) fn lettered(letter: char) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.letter == Some(letter))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::settings::cli::OF_CARGO;

    #[test]
    fn every_flag_has_its_own_name() {
        let names: Vec<&str> = SETTINGS.iter().map(|flag| flag.name).collect();
        let different: BTreeSet<&str> = names.iter().copied().chain(OF_CARGO).collect();
        assert_eq!(different.len(), names.len() + OF_CARGO.len());
        assert!(SETTINGS.iter().all(|flag| flag.letter == Some('Z') || named(flag.name).is_some()));
        assert!(named("").is_none());
        let letters: Vec<char> = SETTINGS.iter().filter_map(|flag| flag.letter).collect();
        assert_eq!(letters, ['q', 'h', 'Z', 'v']);
    }
}
