//! Every setting: the one place where they are listed.

use super::setting::Effect::{Ending, Judging, Measuring, Reading, Reports, Running, Storing, Usual};
use super::setting::Useless::{Effects, Flags};
use super::setting::{Setting, setting};

/// Every setting, in the order of the help.
pub(crate) static SETTINGS: [Setting; 62] = [
    setting(Usual, "exact", "", "Match a filter against the whole name"),
    setting(Usual, "skip", "FILTER", "Leave out pairs whose name contains this; may be repeated").many(),
    setting(Running, "ignored", "", "Run only ignored pairs"),
    setting(Running, "include-ignored", "", "Run ignored pairs as well"),
    // Cargo says so by itself.
    setting(Usual, "bench", "", ""),
    setting(Running, "test", "", "Run each function once and measure nothing"),
    setting(Running, "list", "", "List the pairs"),
    setting(Usual, "quiet", "", "The same as --format terse").letter('q'),
    setting(Usual, "color", "WHEN", "auto, always or never [default: auto]"),
    setting(Usual, "help", "", "Print this help, with the value of each setting and its source").letter('h'),
    setting(Usual, "", "FLAG", "").letter('Z').many(),
    setting(Usual, "nocapture", "", ""),
    setting(Usual, "no-capture", "", ""),
    setting(Usual, "show-output", "", ""),
    setting(Usual, "report-time", "", ""),
    setting(Usual, "ensure-time", "", ""),
    setting(Usual, "exclude-should-panic", "", ""),
    setting(Usual, "force-run-in-process", "", ""),
    setting(Usual, "test-threads", "VALUE", "").many(),
    setting(Usual, "logfile", "VALUE", "").many(),
    setting(Usual, "shuffle", "", ""),
    setting(Usual, "shuffle-seed", "VALUE", ""),
    setting(Judging, "judge", "NAME", "The test that decides: sequential or welch"),
    setting(Judging, "max-slowdown", "SHARE", "The margin of pairs with the gate max_slowdown"),
    setting(Judging, "min-speedup", "TIMES", "The factor of pairs with the gate min_speedup"),
    setting(Judging, "max-difference", "SHARE", "The margin of pairs with the gate max_difference"),
    setting(Judging, "max-allocations", "SHARE", "A second gate: the share by which allocations may grow"),
    setting(Judging, "report-only", "", "Measure and show every pair without a verdict"),
    setting(Judging, "max-tail", "TIMES", "The factor of pairs with the gate max_tail"),
    setting(Judging, "ignore-below", "TIME", "Count a smaller difference per call as none"),
    setting(Judging, "alpha", "RATE", "The rate of false failures of one run of this binary"),
    setting(Judging, "beta", "RATE", "The rate of false passes of one pair"),
    setting(Measuring, "max-time", "TIME", "sequential: the time after which a pair is inconclusive"),
    setting(Judging, "layouts", "LAYOUTS", "The programs that rounds run in: auto, all, linked or none"),
    setting(Judging, "max-rounds", "ROUNDS", "sequential: the rounds after which a pair is inconclusive"),
    setting(Measuring, "slots", "SLOTS", "welch: slots of each function; an odd number is rounded up"),
    setting(Measuring, "clock", "CLOCK", "The clock that times slots: auto, wall or cpu"),
    setting(Measuring, "warmup", "TIME", "Warm up for at least this long in every round"),
    setting(Measuring, "seed", "HEX", "The seed of the order of slots and of layouts"),
    setting(
        Measuring,
        "against",
        "REV",
        "Compare each function with itself in another revision, folder or program; \
         base is the commit that the change started from",
    ),
    setting(
        Measuring,
        "against-env",
        "NAME=VALUE",
        "Build the other side with this variable; may be repeated",
    )
    .many(),
    setting(
        Measuring,
        "against-changed",
        "WHAT",
        "A benchmark that has changed itself: show (never fails) or judge",
    ),
    setting(
        Measuring,
        "against-benches",
        "WHICH",
        "The benchmarks that the old revision runs: its own, or today's if it has none of this name (auto), or \
         today's (now)",
    ),
    setting(
        Measuring,
        "against-package",
        "NAME",
        "The package in the old revision, if it has moved and was renamed as well",
    ),
    setting(
        Measuring,
        "self-test",
        "",
        "Test the gates on this machine: each baseline against itself, plain and slowed",
    )
    .useless(&[
        Flags(&["list", "test"], "it measures nothing"),
        // A self-test has no results of candidates.
        Flags(&["strict"], "an inconclusive gate is blind in any case"),
        Flags(&["fail-fast"], "half of its measurements have to fail"),
        Flags(&["report-only"], "without a gate there is nothing to test"),
        Flags(&["ignore-below", "max-allocations"], "it tests what is said of the ratio and the tail"),
        Flags(&["against"], "it compares baselines with themselves"),
        Flags(
            &["json", "junit", "markdown", "csv", "bencher", "html", "github"],
            "it is printed only, with `--format json` as records",
        ),
        Effects(&[Storing], "it stores nothing"),
    ]),
    setting(Measuring, "isolate", "", "Run each pair in a process of its own in every round"),
    setting(Measuring, "no-proof", "", "Measure functions of the same machine code as well"),
    setting(
        Measuring,
        "timeout",
        "TIME",
        "End the process of a pair that takes longer than this; the run goes on",
    ),
    setting(
        Ending,
        "strict",
        "",
        "Treat an inconclusive pair as a failure, and a run that compares nothing as an error",
    ),
    setting(Measuring, "fail-fast", "", "Stop after the first pair that makes the run fail"),
    setting(Reports, "format", "FORMAT", "The form of the output: pretty, terse or json"),
    setting(Reports, "verbose", "", "Show what each pair proves, the data behind it, and every note")
        .letter('v'),
    setting(Reports, "json", "PATH", "Write the records to a file, one JSON object a line"),
    setting(Reports, "junit", "PATH", "Write a JUnit report"),
    setting(Reports, "markdown", "PATH", "Write a table in markdown"),
    setting(Reports, "csv", "PATH", "Write the raw slots"),
    setting(Reports, "bencher", "PATH", "Write the metrics of Bencher, bencher.dev"),
    setting(Reports, "html", "PATH", "Write a page with plots, in one file"),
    setting(
        Reports,
        "github",
        "WHEN",
        "Annotate the source and write the step summary: auto, always or never",
    ),
    setting(Storing, "dir", "PATH", "The folder of the stored runs of all packages"),
    setting(Reading, "replay", "PATH", "Judge a stored run again and measure nothing").useless(&[
        Flags(&["merge"], "the one judges stored slots, the other joins records"),
        Effects(&[Running, Measuring, Storing], MEASURES_NOTHING),
    ]),
    setting(Reading, "merge", "DIR", "Join the records below a folder into one report and one exit code")
        .useless(&[
            Effects(&[Running, Measuring, Storing], MEASURES_NOTHING),
            Effects(&[Judging], "every record keeps the gate that it was judged by"),
        ]),
];

/// Why a replay or a merge ignores flags.
const MEASURES_NOTHING: &str = "it measures nothing and stores nothing";

/// The setting of this name.
pub(super) fn named(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name && !name.is_empty())
}

/// The setting of this letter.
pub(super) fn lettered(letter: char) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.letter == Some(letter))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::settings::cli::OF_CARGO;

    #[test]
    fn every_flag_is_found_by_a_name_of_its_own() {
        let names: Vec<&str> = SETTINGS.iter().map(|flag| flag.name).collect();
        let different: BTreeSet<&str> = names.iter().copied().chain(OF_CARGO).collect();
        assert_eq!(different.len(), names.len() + OF_CARGO.len());
        assert!(SETTINGS.iter().all(|flag| flag.letter == Some('Z') || named(flag.name).is_some()));
        assert!(named("").is_none());
        let letters: Vec<char> = SETTINGS.iter().filter_map(|flag| flag.letter).collect();
        assert_eq!(letters, ['q', 'h', 'Z', 'v']);
    }
}
