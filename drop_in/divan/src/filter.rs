//! The benchmarks that a bench skips, whatever the arguments of the process are.

/// A benchmark to skip, given by the path of its function including the crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Skip {
    /// The benchmark with this path.
    Exact(String),
    /// All benchmarks whose path contains this text, or begins or ends with it.
    Part { text: String, is_start: bool, is_end: bool },
}

impl Skip {
    /// Parses a regular expression that is only a text, optionally with `^` before and `$` after it.
    ///
    /// # Errors
    ///
    /// If the text contains other special characters.
    pub(crate) fn pattern(pattern: &str) -> Result<Self, String> {
        let (is_start, text) = pattern.strip_prefix('^').map_or((false, pattern), |rest| (true, rest));
        let (is_end, text) = text.strip_suffix('$').map_or((false, text), |rest| (true, rest));
        if text.contains(|c| r"\.+*?()|[]{}^$".contains(c)) {
            return Err(format!(
                "`skip_regex({pattern:?})`: bench_diff reads a text, `^` and `$`, and no other regular expression; \
                 `skip_exact` takes the path of one benchmark, and `cargo bench -- --skip TEXT` a part of a name"
            ));
        }
        Ok(Self::Part { text: text.to_owned(), is_start, is_end })
    }

    /// Returns whether the benchmark with this path is skipped.
    pub(crate) fn skips(&self, path: &str) -> bool {
        match self {
            Self::Exact(other) => path == other,
            Self::Part { text, is_start: true, is_end: true } => path == text,
            Self::Part { text, is_start: true, .. } => path.starts_with(text),
            Self::Part { text, is_end: true, .. } => path.ends_with(text),
            Self::Part { text, .. } => path.contains(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_a_part_of_a_path() {
        let skips = |pattern: &str| {
            let skip = Skip::pattern(pattern).unwrap();
            ["bench::sort::stable", "bench::stable::sort", "sort"].map(|path| skip.skips(path))
        };
        assert_eq!(skips("sort"), [true, true, true]);
        assert_eq!(skips("^bench::sort"), [true, false, false]);
        assert_eq!(skips("sort$"), [false, true, true]);
        assert_eq!(skips("^sort$"), [false, false, true]);
        for pattern in ["a|b", "a.*b", "[ab]", r"\d"] {
            assert!(Skip::pattern(pattern).unwrap_err().contains("`skip_exact`"), "{pattern}");
        }
        assert!(Skip::Exact("sort".to_owned()).skips("sort"));
    }
}
