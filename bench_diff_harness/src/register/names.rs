//! The names of pairs.

use std::collections::HashMap;

/// The longest arg in a name, in characters.
const LONGEST_ARG: usize = 64;

/// Makes a text a single word of a command line.
pub(super) fn printable(text: &str) -> String {
    let plain = |c: char| if c.is_whitespace() || c.is_control() { '_' } else { c };
    let text: String = text.chars().map(plain).take(LONGEST_ARG).collect();
    if text.is_empty() { "_".to_owned() } else { text }
}

/// The labels of one function, of which equal ones get `#2`, `#3` and so on.
pub(super) fn unique(labels: &[String]) -> Vec<String> {
    // The number of names given for each label.
    let mut counts: HashMap<&str, usize> = labels.iter().map(|label| (label.as_str(), 0)).collect();
    let mut names = Vec::with_capacity(labels.len());
    while let Some(label) = labels.get(names.len()) {
        let named = counts.entry(label).or_default();
        *named += 1;
        let name = if *named == 1 { label.clone() } else { format!("{label}#{named}") };
        // An arg may already look like this.
        if *named == 1 || !counts.contains_key(name.as_str()) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_labels_are_numbered() {
        let unique = |labels: &[&str]| unique(&labels.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(unique(&["a/1", "a/2", "a/1", "a/1"]), ["a/1", "a/2", "a/1#2", "a/1#3"]);
        assert_eq!(unique(&["a/1", "a/1#2", "a/1"]), ["a/1", "a/1#2", "a/1#3"]);
    }

    #[test]
    fn an_arg_is_a_word_of_at_most_64_characters() {
        assert_eq!(printable("a b\tc\u{7}"), "a_b_c_");
        assert_eq!(printable(""), "_");
        assert_eq!(printable(&"ü".repeat(65)), "ü".repeat(64));
    }
}
