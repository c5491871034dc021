//! The environment variables that a run listens to.

use std::ffi::OsString;

use super::grammar;

/// Variables with this prefix are settings.
pub(super) const PREFIX: &str = "BENCH_DIFF_";

/// The variables of the environment. An empty variable counts as unset.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment(Vec<(String, String)>);

impl Environment {
    /// Takes the variables of a process.
    pub(crate) fn new(variables: impl Iterator<Item = (OsString, OsString)>) -> Result<Self, String> {
        let mut environment = Vec::new();
        for (name, value) in variables.filter(|(_, value)| !value.is_empty()) {
            // Names and values that are no text belong to others.
            let Ok(name) = name.into_string() else { continue };
            match value.into_string() {
                Ok(value) => environment.push((name, value)),
                Err(value) if name.starts_with(PREFIX) => {
                    return Err(grammar::wrong_value(
                        &name,
                        &value.to_string_lossy(),
                        "expected text in UTF-8",
                    ));
                }
                Err(_) => {}
            }
        }
        Ok(Self(environment))
    }

    /// The names of the variables that look like settings.
    pub(super) fn settings(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|(name, _)| name).filter(|name| name.starts_with(PREFIX))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(variable, _)| variable == name).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(name: &str, value: &str) -> Result<Environment, String> {
        Environment::new([(name.into(), value.into())].into_iter())
    }

    #[test]
    fn an_empty_variable_is_unset() {
        assert_eq!(environment("BENCH_DIFF_ALPHA", "").unwrap().get("BENCH_DIFF_ALPHA"), None);
        assert!(environment("BENCH_DIFF_NONSENSE", "").is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_setting_is_text() {
        use std::os::unix::ffi::OsStringExt;
        let odd = || OsString::from_vec(vec![0xff]);
        let error = Environment::new([("BENCH_DIFF_ALPHA".into(), odd())].into_iter()).unwrap_err();
        assert!(error.contains("UTF-8"), "{error}");
        assert!(Environment::new([("OTHER".into(), odd()), (odd(), "x".into())].into_iter()).is_ok());
    }
}
