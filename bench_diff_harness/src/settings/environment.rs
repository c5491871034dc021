//! The environment variables that a run listens to.

use std::ffi::OsString;

/// Variables with this prefix are settings.
pub(super) const PREFIX: &str = "BENCH_DIFF_";

/// The variables of the environment. An empty variable counts as unset.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment(Vec<(String, String)>);

impl Environment {
    /// Takes the variables of a process.
    pub(crate) fn new(variables: impl Iterator<Item = (OsString, OsString)>) -> Self {
        let text = |text: OsString| text.to_string_lossy().into_owned();
        let set = variables.filter(|(_, value)| !value.is_empty());
        Self(set.map(|(name, value)| (text(name), text(value))).collect())
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

    #[test]
    fn an_empty_variable_is_unset() {
        let environment = |value: &str| Environment::new([("NAME".into(), value.into())].into_iter());
        assert_eq!(environment("").get("NAME"), None);
        assert_eq!(environment("a").get("NAME"), Some("a"));
    }
}
