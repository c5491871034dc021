//! The files of reports.

use bench_diff_system::exit::Misuse;

use super::setting::Given;

/// A path as it was given, possibly with placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilePath {
    /// The flag or the environment variable.
    pub(crate) origin: String,
    pub(crate) text: String,
}

const PACKAGE: &str = "{package}";
const BENCH: &str = "{bench}";

impl FilePath {
    /// Takes the path of a setting.
    ///
    /// # Errors
    ///
    /// If it is empty, or has braces that belong to no placeholder.
    pub(crate) fn new(given: &Given) -> Result<Self, Misuse> {
        let path = Self { origin: given.origin.clone(), text: given.text().to_owned() };
        if path.text.is_empty() {
            return Err(given.wrong("expected a path"));
        }
        if path.filled("", "").contains(['{', '}']) {
            return Err(given.wrong(&format!("the placeholders of a path are {PACKAGE} and {BENCH}")));
        }
        Ok(path)
    }

    /// The path with the placeholders replaced.
    pub(crate) fn filled(&self, package: &str, bench: &str) -> String {
        self.text.replace(PACKAGE, package).replace(BENCH, bench)
    }
}

#[cfg(test)]
mod tests {
    use bench_diff_report::FileFormat;

    use super::*;
    use crate::fixture::config_in;

    fn files(line: &str, environment: &[(&str, &str)]) -> Result<Vec<(FileFormat, FilePath)>, Misuse> {
        config_in(line, environment).map(|config| config.reports)
    }

    #[test]
    fn a_path_remembers_its_source() {
        let files = files("--json a.json", &[("BENCH_DIFF_CSV", "b.csv")]).unwrap();
        let path = |origin: &str, text: &str| FilePath { origin: origin.to_owned(), text: text.to_owned() };
        let json = (FileFormat::Json, path("--json", "a.json"));
        let csv = (FileFormat::Csv, path("BENCH_DIFF_CSV", "b.csv"));
        assert_eq!(files, [json, csv]);
    }

    #[test]
    fn placeholders_are_filled_in_and_others_are_refused() {
        let files_of_one = files("--csv {package}/{bench}-{bench}.csv", &[]).unwrap();
        let [(FileFormat::Csv, path)] = &files_of_one[..] else { panic!("{files_of_one:?}") };
        assert_eq!(path.filled("sorts", "stable"), "sorts/stable-stable.csv");
        for path in ["{pair}.json", "a{.json", "{Bench}", "{{bench}}"] {
            let error = files(&format!("--json {path}"), &[]).unwrap_err().0;
            let expected = format!(
                "invalid value '{path}' for '--json': the placeholders of a path are {{package}} and {{bench}}"
            );
            assert_eq!(error, expected);
        }
        assert!(files("--json=", &[]).is_err());
    }
}
