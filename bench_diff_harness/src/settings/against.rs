//! The revision that functions are compared with, instead of their baselines.

use bench_diff_revision::Benches;

use super::grammar::Written;

/// What flags and variables say about the other revision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Against {
    /// A revision or a folder, as it was given.
    pub(crate) name: Option<String>,
    pub(crate) benches: Benches,
    /// Its name of the package, if bench_diff cannot find it by folder or name.
    pub(crate) package: Option<String>,
}

/// Reads the name of the other revision.
pub(super) fn name(text: &str) -> Written<String> {
    not_empty(text, "expected a revision or a folder")
}

/// Reads the name of a package.
pub(super) fn package(text: &str) -> Written<String> {
    not_empty(text, "expected the name of a package")
}

fn not_empty(text: &str, expected: &'static str) -> Written<String> {
    if text.is_empty() { Err(expected) } else { Ok(text.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::config_in as config;

    #[test]
    fn a_revision_is_named_with_its_benches_and_package() {
        let line = "--against main --against-benches now --against-package old";
        let config = config(line, &[]).unwrap();
        let against =
            Against { name: Some("main".to_owned()), benches: Benches::Now, package: Some("old".to_owned()) };
        assert_eq!(config.against, against);
        assert_eq!(
            config.repeated(),
            [["--against-benches", "now"], ["--against-package", "old"],].concat(),
            "not the name, which may be another commit by then"
        );
    }

    #[test]
    fn variables_set_the_same() {
        let package = ("BENCH_DIFF_AGAINST_PACKAGE", "old");
        let Against { name, package: of_old, .. } =
            config("", &[("BENCH_DIFF_AGAINST", "base"), package]).unwrap().against;
        assert_eq!([name.as_deref(), of_old.as_deref()], [Some("base"), Some("old")]);
        let without = config("", &[package]).unwrap();
        assert_eq!(without.repeated(), [""; 0], "for the other steps of the job");
    }

    #[test]
    fn wrong_values_are_refused() {
        for (line, expected) in [
            ("--against=", "expected a revision or a folder"),
            ("--against main --against base", "cannot be used multiple times"),
            ("--against main --against-benches old", "expected auto or now or own"),
            ("--against main --against-package=", "expected the name of a package"),
            ("--against-benches now", "--against-benches needs `--against`"),
        ] {
            let error = config(line, &[]).unwrap_err().0;
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
