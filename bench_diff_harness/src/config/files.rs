//! The reports that go to files.

use std::path::PathBuf;

use super::UsageError;
use super::given::Given;
use crate::environment::Environment;

/// Where reports go, besides the terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Files {
    pub(crate) json: Option<FilePath>,
    pub(crate) junit: Option<FilePath>,
    pub(crate) markdown: Option<FilePath>,
    pub(crate) csv: Option<FilePath>,
    pub(crate) bencher: Option<FilePath>,
    /// The root of the package, as cargo says while it runs the benchmark.
    pub(crate) package_root: Option<PathBuf>,
    /// Whether cargo started this process.
    pub(crate) by_cargo: bool,
}

/// A path as it was given, which may hold placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilePath {
    /// The flag or the variable.
    pub(crate) origin: String,
    pub(crate) text: String,
}

/// What a path may hold.
const PLACEHOLDERS: [&str; 2] = ["{package}", "{bench}"];

impl Files {
    pub(super) fn new(given: &Given, environment: &Environment) -> Result<Self, UsageError> {
        let path = |name: &str| FilePath::given(name, given);
        Ok(Self {
            json: path("json")?,
            junit: path("junit")?,
            markdown: path("markdown")?,
            csv: path("csv")?,
            bencher: path("bencher")?,
            package_root: environment.get("CARGO_MANIFEST_DIR").map(PathBuf::from),
            by_cargo: environment.get("CARGO").is_some(),
        })
    }
}

impl FilePath {
    /// The path that this setting is given.
    pub(super) fn given(name: &str, given: &Given) -> Result<Option<Self>, UsageError> {
        let path = given.value_and_origin(name, checked)?;
        Ok(path.map(|(text, origin)| Self { origin, text }))
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
    use crate::cli;
    use crate::config::Config;

    fn files(line: &str, environment: &[(&str, &str)]) -> Result<Files, UsageError> {
        let typed = cli::parse(line.split_whitespace().map(Into::into)).unwrap();
        let variables = environment.iter().map(|&(name, value)| (name.into(), value.into()));
        Config::new(typed, &Environment::new(variables).unwrap()).map(|config| config.files)
    }

    #[test]
    fn a_path_remembers_what_gave_it() {
        let files = files("--json a.json", &[("BENCH_DIFF_CSV", "b.csv"), ("CARGO", "cargo")]).unwrap();
        let path = |origin: &str, text: &str| FilePath { origin: origin.to_owned(), text: text.to_owned() };
        assert_eq!(files.json, Some(path("--json", "a.json")));
        assert_eq!(files.csv, Some(path("BENCH_DIFF_CSV", "b.csv")));
        assert!(files.by_cargo);
    }

    #[test]
    fn placeholders_are_filled_in_and_others_are_refused() {
        let path = files("--csv {package}/{bench}-{bench}.csv", &[]).unwrap().csv.unwrap();
        assert_eq!(path.filled("sorts", "stable"), "sorts/stable-stable.csv");
        for path in ["{pair}.json", "a{.json", "{Bench}", "{{bench}}"] {
            let error = files(&format!("--json {path}"), &[]).unwrap_err().to_string();
            let expected = format!(
                "invalid value '{path}' for '--json': the placeholders of a path are {{package}} and {{bench}}"
            );
            assert_eq!(error, expected);
        }
        assert!(files("--json=", &[]).is_err());
    }
}
