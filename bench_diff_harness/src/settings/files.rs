//! The reports that go to files.

use super::given::Given;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileFormat {
    Json,
    Junit,
    Markdown,
    Csv,
    Bencher,
    Html,
}

/// A path as it was given, which may hold placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilePath {
    /// The flag or the variable.
    pub(crate) origin: String,
    pub(crate) text: String,
}

/// The placeholders of a path.
const PLACEHOLDERS: [&str; 2] = ["{package}", "{bench}"];

impl FilePath {
    /// The path that a setting is given.
    pub(crate) fn new(given: &Given) -> Result<Self, String> {
        Ok(Self { origin: given.origin(), text: checked(given.text())? })
    }

    /// The path for this bench target.
    pub(crate) fn filled(&self, package: &str, bench: &str) -> String {
        let [of_package, of_bench] = PLACEHOLDERS;
        self.text.replace(of_package, package).replace(of_bench, bench)
    }
}

/// A path whose braces are those of placeholders.
fn checked(text: &str) -> Result<String, String> {
    let [of_package, of_bench] = PLACEHOLDERS;
    let rest = text.replace(of_package, "").replace(of_bench, "");
    if rest.contains(['{', '}']) {
        return Err(format!("the placeholders of a path are {of_package} and {of_bench}"));
    }
    if text.is_empty() { Err("expected a path".to_owned()) } else { Ok(text.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::config_in;

    fn files(line: &str, environment: &[(&str, &str)]) -> Result<Vec<(FileFormat, FilePath)>, String> {
        config_in(line, environment).map(|config| config.reports)
    }

    #[test]
    fn a_path_remembers_what_gave_it() {
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
            let error = files(&format!("--json {path}"), &[]).unwrap_err();
            let expected = format!(
                "invalid value '{path}' for '--json': the placeholders of a path are {{package}} and {{bench}}"
            );
            assert_eq!(error, expected);
        }
        assert!(files("--json=", &[]).is_err());
    }
}
