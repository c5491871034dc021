//! The side that functions are compared with in place of their baselines.

use crate::system::words::words;

/// The other side of a comparison of revisions, as far as flags and variables say it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Against {
    /// A revision, a folder or a program, as it was given.
    pub(crate) name: Option<String>,
    /// The variables of its build alone.
    pub(crate) variables: Vec<(String, String)>,
    pub(crate) changed: Changed,
    pub(crate) benches: Benches,
    /// The package there, if it cannot be found by its folder or its name.
    pub(crate) package: Option<String>,
}

words! {
    /// The treatment of a benchmark that is not the same on both sides.
    #[derive(Default)]
    pub(crate) enum Changed {
        /// Its work is the same, so it is judged like others.
        Judge = "judge",
        /// It may pass, and does not fail: its work may be another.
        #[default]
        Show = "show",
    }
}

words! {
    /// The benchmarks that the old revision runs.
    #[derive(Default)]
    pub(crate) enum Benches {
        /// Its own, or today's if it has none of this name.
        #[default]
        Auto = "auto",
        /// Today's.
        Now = "now",
    }
}

/// Reads the name of the other side.
pub(super) fn name(text: &str) -> Result<String, String> {
    if text.is_empty() {
        Err("expected a revision, a folder or a program".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

/// Reads the name of a package.
pub(super) fn package(text: &str) -> Result<String, String> {
    if text.is_empty() { Err("expected the name of a package".to_owned()) } else { Ok(text.to_owned()) }
}

/// A variable with its value.
pub(super) fn variable(text: &str) -> Result<(String, String), String> {
    // One that looks like a flag could not be given again.
    let is_name = |name: &str| !name.is_empty() && !name.starts_with('-');
    let (name, value) =
        text.split_once('=').filter(|(name, _)| is_name(name)).ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::config_in as config;

    #[test]
    fn a_side_has_a_name_and_variables() {
        let line = "--against main --against-env A=b=c --against-env D= --against-changed judge \
                    --against-benches now --against-package old";
        let config = config(line, &[("BENCH_DIFF_AGAINST_ENV", "E=f")]).unwrap();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let variables = vec![pair("A", "b=c"), pair("D", "")];
        let against = Against {
            name: Some("main".to_owned()),
            variables,
            changed: Changed::Judge,
            benches: Benches::Now,
            package: Some("old".to_owned()),
        };
        assert_eq!(config.against, against);
        assert_eq!(
            config.repeated(),
            [
                ["--against-env", "A=b=c"],
                ["--against-env", "D="],
                ["--against-changed", "judge"],
                ["--against-benches", "now"],
                ["--against-package", "old"],
            ]
            .concat(),
            "the name is another commit tomorrow"
        );
    }

    #[test]
    fn variables_say_the_same() {
        let rustflags = ("BENCH_DIFF_AGAINST_ENV", "RUSTFLAGS=-C target-cpu=native");
        let Against { name, variables, .. } =
            config("", &[("BENCH_DIFF_AGAINST", "base"), rustflags]).unwrap().against;
        assert_eq!(name.as_deref(), Some("base"));
        assert_eq!(variables, [("RUSTFLAGS".to_owned(), "-C target-cpu=native".to_owned())]);
        let without = config("", &[rustflags]).unwrap();
        assert_eq!(without.repeated(), [""; 0], "of a job whose other steps have another side");
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for (line, expected) in [
            ("--against=", "expected a revision, a folder or a program"),
            ("--against main --against base", "cannot be used multiple times"),
            ("--against main --against-env A", "'A' for '--against-env': expected NAME=VALUE"),
            ("--against main --against-env =a", "expected NAME=VALUE"),
            ("--against main --against-env=-A=b", "expected NAME=VALUE"),
            ("--against main --against-changed no", "expected judge or show"),
            ("--against main --against-benches old", "expected auto or now"),
            ("--against main --against-package=", "expected the name of a package"),
            ("--against-benches now", "--against-benches needs another side: `--against`"),
            ("--against-env A=b", "--against-env needs another side: `--against`"),
            ("--against main --self-test", "--against cannot be used with --self-test: "),
            ("--against main --replay a", "--against cannot be used with --replay: it measures nothing"),
        ] {
            let error = config(line, &[]).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
