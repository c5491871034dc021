//! The environment variables of a run.

use std::ffi::OsString;

use super::grammar;
use bench_diff_system::exit::Misuse;

/// Variables with this prefix are settings.
pub(super) const PREFIX: &str = "BENCH_DIFF_";

/// The environment variables. An empty one counts as unset.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment(Vec<(String, OsString)>);

impl Environment {
    /// Takes the variables of a process.
    pub(crate) fn new(variables: impl Iterator<Item = (OsString, OsString)>) -> Self {
        let set = variables.filter(|(_, value)| !value.is_empty());
        // No variable of interest has a name that is not UTF-8.
        Self(set.filter_map(|(name, value)| Some((name.into_string().ok()?, value))).collect())
    }

    /// The names of the variables that look like settings.
    pub(super) fn settings(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|(name, _)| name).filter(|name| name.starts_with(PREFIX))
    }

    /// The value of a variable that is not a setting; `None` if it is not UTF-8.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.value(name)?.to_str()
    }

    /// The value of a setting.
    ///
    /// # Errors
    ///
    /// If it is not UTF-8.
    pub(super) fn setting(&self, name: &str) -> Result<Option<&str>, Misuse> {
        let Some(value) = self.value(name) else { return Ok(None) };
        value.to_str().map(Some).ok_or_else(|| {
            Misuse(grammar::wrong_value(name, &value.to_string_lossy(), "expected text in UTF-8"))
        })
    }

    fn value(&self, name: &str) -> Option<&OsString> {
        self.0.iter().find(|(variable, _)| variable == name).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_variable_is_unset() {
        let environment = |value: &str| Environment::new([("NAME".into(), value.into())].into_iter());
        assert_eq!(environment("").get("NAME"), None);
        assert_eq!(environment("a").get("NAME"), Some("a"));
    }

    #[cfg(unix)]
    #[test]
    fn a_setting_is_utf8() {
        use std::os::unix::ffi::OsStringExt;
        let odd = || OsString::from_vec(vec![0xff]);
        let variables = [("BENCH_DIFF_ALPHA".into(), odd()), ("OTHER".into(), odd()), (odd(), "x".into())];
        let environment = Environment::new(variables.into_iter());
        let error = environment.setting("BENCH_DIFF_ALPHA").unwrap_err().0;
        assert!(error.contains("UTF-8"), "{error}");
        assert_eq!((environment.get("OTHER"), environment.setting("BENCH_DIFF_STRICT")), (None, Ok(None)));
    }
}
