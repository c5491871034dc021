//! The names of benchmarks.

use std::fmt::Display;

/// The name of a benchmark in its group: a function, a parameter, or both.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct BenchmarkId {
    pub(crate) function: Option<String>,
    pub(crate) parameter: Option<String>,
}

impl BenchmarkId {
    /// A function and a parameter.
    pub fn new<S: Into<String>, P: Display>(function_name: S, parameter: P) -> Self {
        Self { function: Some(function_name.into()), parameter: Some(parameter.to_string()) }
    }

    /// A parameter alone.
    pub fn from_parameter<P: Display>(parameter: P) -> Self {
        Self { function: None, parameter: Some(parameter.to_string()) }
    }

    /// The name of the group alone.
    pub(crate) fn of_group() -> Self {
        Self { function: None, parameter: None }
    }

    /// The full name. Criterion cuts a long one where it shows it, but also filters by all of it.
    pub(crate) fn in_group(self, group: &str) -> String {
        let parts = [Some(group.to_owned()), self.function, self.parameter];
        parts.into_iter().flatten().collect::<Vec<_>>().join("/")
    }
}

/// The name of a benchmark: a [`BenchmarkId`] or a text.
pub trait IntoBenchmarkId {
    /// The name as a [`BenchmarkId`].
    ///
    /// # Panics
    ///
    /// If it is an empty text.
    fn into_benchmark_id(self) -> BenchmarkId;
}

impl IntoBenchmarkId for BenchmarkId {
    fn into_benchmark_id(self) -> BenchmarkId {
        self
    }
}

impl<S: Into<String>> IntoBenchmarkId for S {
    fn into_benchmark_id(self) -> BenchmarkId {
        let function = self.into();
        assert!(!function.is_empty(), "Function name must not be empty.");
        BenchmarkId { function: Some(function), parameter: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_same_as_in_criterion() {
        let name = |id: BenchmarkId| id.in_group("My Group");
        assert_eq!(name(BenchmarkId::new("sum of", 1024)), "My Group/sum of/1024");
        assert_eq!(name(BenchmarkId::from_parameter("20 * 30")), "My Group/20 * 30");
        assert_eq!(name("a function".into_benchmark_id()), "My Group/a function");
        assert_eq!(name(String::from("text").into_benchmark_id()), "My Group/text");
        assert_eq!(name(BenchmarkId::new("f", 1).into_benchmark_id()), "My Group/f/1");
        assert_eq!(name(BenchmarkId::of_group()), "My Group");
        assert_eq!(
            name(BenchmarkId::from_parameter("x".repeat(110))),
            format!("My Group/{}", "x".repeat(110))
        );
    }

    #[test]
    #[should_panic(expected = "Function name must not be empty.")]
    fn an_empty_name_is_refused() {
        "".into_benchmark_id();
    }
}
