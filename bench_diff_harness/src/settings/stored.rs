//! The folder of stored runs, and the tasks on stored runs.

use std::path::PathBuf;

use super::environment::Environment;
use super::files::FilePath;

/// The folder of stored runs, and the tasks on stored runs: paths as they were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) dir: Option<FilePath>,
    pub(crate) replay: Option<FilePath>,
    pub(crate) merge: Option<FilePath>,
    /// The target directory of cargo, if set.
    pub(crate) target_dir: Option<PathBuf>,
    /// The id of the nextest run that this process is a part of, if any.
    pub(crate) nextest_run: Option<String>,
}

impl Stored {
    pub(super) fn around(environment: &Environment) -> Self {
        Self {
            target_dir: environment.get("CARGO_TARGET_DIR").map(PathBuf::from),
            nextest_run: environment.get("NEXTEST_RUN_ID").map(str::to_owned),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::cli;
    use crate::settings::config::Config;

    fn stored(line: &str, environment: &[(&str, &str)]) -> Result<Stored, String> {
        let typed = cli::parse(line.split_whitespace().map(Into::into)).unwrap();
        let environment = environment.iter().map(|&(name, value)| (name.into(), value.into()));
        let config = Config::new(typed, &Environment::new(environment).unwrap());
        config.map(|config| config.stored)
    }

    #[test]
    fn what_would_be_ignored_is_refused() {
        for (line, expected) in [
            ("--replay a --merge b", "--replay and --merge exclude each other"),
            ("--replay a --seed 1", "--seed cannot be used with --replay: it measures nothing"),
            ("--replay a --isolate", "--isolate cannot be used with --replay"),
            ("--replay a --dir b", "--dir cannot be used with --replay"),
            ("--replay a --list", "--list cannot be used with --replay"),
            ("--merge a --test", "--test cannot be used with --merge"),
            ("--merge a --include-ignored", "--include-ignored cannot be used with --merge"),
            ("--merge a --max-time 1s", "--max-time cannot be used with --merge"),
            ("--merge a --alpha 2%", "--alpha cannot be used with --merge: every record keeps the gate"),
        ] {
            let error = stored(line, &[]).unwrap_err();
            assert!(error.starts_with(expected), "{line}: {error}");
        }
        let error = stored("--test", &[("BENCH_DIFF_REPLAY", "a")]).unwrap_err();
        assert!(error.starts_with("--test cannot be used with BENCH_DIFF_REPLAY"), "{error}");
    }

    #[test]
    fn what_judges_and_tells_is_taken() {
        let line = "--replay a --judge welch --max-slowdown 3% --alpha 2% --beta 2% --strict --format json --skip b c";
        assert_eq!(stored(line, &[]).unwrap().replay.unwrap().text, "a");
        assert_eq!(stored("--merge a --strict -q --exact b", &[]).unwrap().merge.unwrap().text, "a");
    }

    #[test]
    fn a_path_is_one_as_that_of_a_report() {
        for flag in ["--dir", "--replay", "--merge"] {
            assert_eq!(
                stored(&format!("{flag}="), &[]).unwrap_err(),
                format!("invalid value '' for '{flag}': expected a path")
            );
            let error = stored(&format!("{flag} runs/{{name}}"), &[]).unwrap_err();
            assert!(error.contains("the placeholders of a path are {package} and {bench}"), "{error}");
            stored(&format!("{flag} {{package}}/{{bench}}"), &[]).unwrap();
        }
    }

    #[test]
    fn the_environment_may_say_how_others_measure() {
        let environment =
            [("BENCH_DIFF_MAX_TIME", "1s"), ("BENCH_DIFF_ALPHA", "2%"), ("BENCH_DIFF_DIR", "runs")];
        assert!(stored("--replay a", &environment).is_ok());
        assert!(stored("--merge a", &environment).is_ok());
    }
}
