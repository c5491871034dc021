//! Flags of other benchmark harnesses, and our flags for the same purpose.

/// The flags and letters of Criterion, and the flags of divan, tango and the original library, each with its
/// replacement.
const FOREIGN: [(&[&str], &str); 16] = [
    (
        &["exec-count", "sample-count", "sample-size", "samples"],
        "a function is measured until its verdict is certain; with `judge = \"welch\"` the attribute has `slots`",
    ),
    (&["measurement-time", "time", "max-duration"], "use '--max-time'"),
    (&["warm-up-time"], "the attribute has `warmup`"),
    (&["noise-threshold", "fail-threshold", "threshold"], "use '--max-slowdown'"),
    (&["significance-level", "confidence-level"], "use '--alpha'"),
    (&["timer"], "the attribute has `clock`"),
    (
        &["save-baseline", "s", "baseline", "b", "baseline-lenient", "load-baseline"],
        "nothing has to be saved: '--against REV' builds \
        another revision and measures both in turns",
    ),
    (&["output-format", "message-format"], "use '--format'"),
    (&["color-when", "c", "colour"], "use '--color'"),
    (
        &["bytes-count", "items-count", "chars-count"],
        "give the work of one call in the attribute: `bytes = number` or `items = number`",
    ),
    (&["cycles-count", "bytes-format"], "bench_diff counts no cycles, and shows rates in decimal units"),
    (&["discard-baseline"], "bench_diff compares with no earlier run, so there is nothing to discard"),
    (&["profile-time", "quick"], "use '--layouts none' for a quick look or a profiler"),
    (&["nresamples"], "bench_diff does not resample; '--max-rounds' limits the rounds of a function"),
    (&["plotting-backend", "noplot", "n"], "only '--html' draws plots"),
    (&["version"], "`cargo tree -i bench_diff_harness` shows it"),
];

/// The replacement for the flag with this name or letter, if another harness has it.
pub(super) fn instead_of(name: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(names, _)| names.contains(&name)).map(|(_, instead)| *instead)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::table::{lettered, named};

    #[test]
    fn every_flag_of_criterion_is_one_of_ours_or_has_an_answer() {
        let flags = "baseline baseline-lenient bench color colour confidence-level discard-baseline exact \
            format help ignored include-ignored list load-baseline measurement-time nocapture \
            noise-threshold noplot nresamples output-format plotting-backend profile-time quick \
            quiet sample-size save-baseline show-output significance-level test verbose version \
            warm-up-time";
        for flag in flags.split(' ') {
            assert!(named(flag).is_some() || instead_of(flag).is_some(), "{flag}");
        }
        for letter in ['b', 'c', 'h', 'n', 's', 'v'] {
            assert!(lettered(letter).is_some() || instead_of(&letter.to_string()).is_some(), "{letter}");
        }
    }

    #[test]
    fn no_flag_of_ours_is_foreign_and_all_advice_names_ours() {
        for (names, instead) in FOREIGN {
            assert!(names.iter().all(|name| named(name).is_none()), "{names:?}");
            let advised = instead.split('\'').filter_map(|word| word.strip_prefix("--"));
            for flag in advised.filter_map(|flag| flag.split(' ').next()) {
                assert!(named(flag).is_some(), "{flag}");
            }
        }
    }
}
