//! The names of pairs.

use std::collections::HashMap;

use super::cases::Case;
use super::entry::PairEntry;

/// The longest arg in a name, in characters.
const LONGEST_ARG: usize = 64;

/// The name of a pair: `name = "..."`, or the module path without the crate's name and the function.
pub(crate) fn name_of(entry: &PairEntry) -> String {
    if let Some(name) = entry.name {
        return name.to_owned();
    }
    in_module(entry, entry.function)
}

/// The name of the baseline function. For a pair, it gets the same types, consts and arg as the name of the
/// pair.
pub(crate) fn baseline_of(entry: &PairEntry) -> Option<String> {
    Some(in_module(entry, entry.baseline?))
}

fn in_module(entry: &PairEntry, path: &str) -> String {
    let path = match entry.location.module.split_once("::") {
        Some((_crate, modules)) => format!("{modules}::{path}"),
        None => path.to_owned(),
    };
    path.split("::").map(|part| part.strip_prefix("r#").unwrap_or(part)).collect::<Vec<_>>().join("::")
}

/// The name of a pair of a function: with its types and consts, its arg, and the number of threads.
pub(crate) fn label(function: &str, case: &Case) -> String {
    let mut label = function.to_owned();
    if !case.instance.is_empty() {
        let parts: Vec<String> = case.instance.iter().map(|part| printable(part)).collect();
        label += &format!("<{}>", parts.join(","));
    }
    if let Some(arg) = &case.arg {
        label += &format!("/{}", printable(arg));
    }
    if let Some(threads) = case.threads {
        label += &format!("/threads={threads}");
    }
    label
}

/// Makes a text a single word of a command line.
fn printable(text: &str) -> String {
    let plain = |c: char| if c.is_whitespace() || c.is_control() { '_' } else { c };
    let text: String = text.chars().map(plain).take(LONGEST_ARG).collect();
    if text.is_empty() { "_".to_owned() } else { text }
}

/// The labels of one function, made unique.
pub(crate) struct Labels<'a> {
    /// The number of names given for each label.
    counts: HashMap<&'a str, usize>,
}

impl<'a> Labels<'a> {
    pub(crate) fn new(labels: &'a [String]) -> Self {
        Self { counts: labels.iter().map(|label| (label.as_str(), 0)).collect() }
    }

    /// Returns the label, with `#2`, `#3` and so on if it was given before.
    pub(crate) fn unique(&mut self, label: &'a str) -> String {
        loop {
            let named = self.counts.entry(label).or_default();
            *named += 1;
            if *named == 1 {
                return label.to_owned();
            }
            let numbered = format!("{label}#{named}");
            // An arg may already look like this.
            if !self.counts.contains_key(numbered.as_str()) {
                return numbered;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unique<const N: usize>(labels: [&str; N]) -> [String; N] {
        let labels = labels.map(str::to_owned);
        let mut names = Labels::new(&labels);
        std::array::from_fn(|index| names.unique(&labels[index]))
    }

    #[test]
    fn equal_labels_are_numbered() {
        assert_eq!(unique(["a/1", "a/2", "a/1", "a/1"]), ["a/1", "a/2", "a/1#2", "a/1#3"]);
        assert_eq!(unique(["a/1", "a/1#2", "a/1"]), ["a/1", "a/1#2", "a/1#3"]);
    }

    #[test]
    fn an_arg_is_a_word_of_at_most_64_characters() {
        assert_eq!(printable("a b\tc\u{7}"), "a_b_c_");
        assert_eq!(printable(""), "_");
        assert_eq!(printable(&"ü".repeat(65)), "ü".repeat(64));
    }
}
