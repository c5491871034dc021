//! The files of reports.

use bench_diff_system::exit::Misuse;

use super::setting::Given;

const PACKAGE: &str = "{package}";
const BENCH: &str = "{bench}";

impl Given {
    /// Requires a value that is a path, possibly with placeholders.
    ///
    /// # Errors
    ///
    /// If it is empty, or has braces that belong to no placeholder.
    pub(super) fn require_path(&self) -> Result<(), Misuse> {
        if self.text().is_empty() {
            return Err(self.wrong("expected a path"));
        }
        if self.filled("", "").contains(['{', '}']) {
            return Err(self.wrong(&format!("the placeholders of a path are {PACKAGE} and {BENCH}")));
        }
        Ok(())
    }

    /// The path with the placeholders replaced.
    pub(crate) fn filled(&self, package: &str, bench: &str) -> String {
        self.text().replace(PACKAGE, package).replace(BENCH, bench)
    }
}

#[cfg(test)]
mod tests {
    use bench_diff_report::FileFormat;

    use super::*;
    use crate::fixture::config_in;

    fn files(line: &str, environment: &[(&str, &str)]) -> Result<Vec<(FileFormat, Given)>, Misuse> {
        config_in(line, environment).map(|config| config.reports)
    }

    #[test]
    fn a_path_remembers_its_source() {
        let files = files("--json a.json", &[("BENCH_DIFF_CSV", "b.csv")]).unwrap();
        let sources = files.iter().map(|(format, path)| (*format, path.source()));
        let json = (FileFormat::Json, "--json a.json".to_owned());
        let csv = (FileFormat::Csv, "BENCH_DIFF_CSV=b.csv".to_owned());
        assert_eq!(sources.collect::<Vec<_>>(), [json, csv]);
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
