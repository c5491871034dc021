//! The environment variables that a run listens to.

use std::ffi::OsString;

use crate::settings::table::{PREFIX, SETTINGS, Setting};
use crate::settings::usage_error::UsageError;

/// What is set in the environment. An empty variable counts as unset.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment(Vec<(String, String)>);

impl Environment {
    /// Takes the variables of a process. One that looks like a setting has to be one, as a flag has to.
    pub(crate) fn new(variables: impl Iterator<Item = (OsString, OsString)>) -> Result<Self, UsageError> {
        let mut environment = Vec::new();
        for (name, value) in variables.filter(|(_, value)| !value.is_empty()) {
            // Names and values that are no text belong to others.
            let Ok(name) = name.into_string() else { continue };
            match value.into_string() {
                Ok(value) => environment.push((name, value)),
                Err(value) if name.starts_with(PREFIX) => {
                    return Err(UsageError::new(name, value.to_string_lossy(), "expected text in UTF-8"));
                }
                Err(_) => {}
            }
        }
        let twins: Vec<String> = SETTINGS.iter().map(Setting::twin).collect();
        // The first by name, since those of a process have no order.
        match environment.iter().filter(|(name, _)| name.starts_with(PREFIX) && !twins.contains(name)).min() {
            Some((name, value)) => {
                let expected = format!("there is no such setting; the settings are {}", twins.join(", "));
                Err(UsageError::new(name, value, expected))
            }
            None => Ok(Self(environment)),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(variable, _)| variable == name).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(name: &str, value: &str) -> Result<Environment, UsageError> {
        Environment::new([(name.into(), value.into())].into_iter())
    }

    #[test]
    fn what_looks_like_a_setting_has_to_be_one() {
        assert_eq!(environment("BENCH_DIFF_ALPHA", "1%").unwrap().get("BENCH_DIFF_ALPHA"), Some("1%"));
        let error = environment("BENCH_DIFF_MAX_SLOWDWON", "9%").unwrap_err().to_string();
        assert!(error.contains("'BENCH_DIFF_MAX_SLOWDWON': there is no such setting"), "{error}");
        assert!(error.contains("BENCH_DIFF_MAX_SLOWDOWN"), "{error}");
    }

    #[test]
    fn of_several_unknown_ones_the_first_by_name_is_told() {
        let all = ["BENCH_DIFF_Y", "BENCH_DIFF_X", "BENCH_DIFF_Z"].map(|name| (name.into(), "1".into()));
        let error = Environment::new(all.into_iter()).unwrap_err().to_string();
        assert!(error.contains("'BENCH_DIFF_X'"), "{error}");
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
        assert!(error.to_string().contains("UTF-8"), "{error}");
        assert!(Environment::new([("OTHER".into(), odd()), (odd(), "x".into())].into_iter()).is_ok());
    }
}
