//! The names of pairs.

use std::collections::HashMap;
use std::hash::Hasher;

use crate::system::digest::Digest;

/// The longest arg in a name, in characters.
const LONGEST_ARG: usize = 64;

/// The number of them that a longer one keeps, before a digest of all of it.
const KEPT: usize = 55;

/// Makes a text a single word of a command line. A long text is cut and gets a digest of all of it, so that
/// its name depends on no other text.
pub(super) fn printable(text: &str) -> String {
    let plain = |c: char| if c.is_whitespace() || c.is_control() { '_' } else { c };
    let beginning = |length| text.chars().map(plain).take(length).collect::<String>();
    if text.is_empty() {
        "_".to_owned()
    } else if text.chars().nth(LONGEST_ARG).is_none() {
        beginning(LONGEST_ARG)
    } else {
        let mut digest = Digest::default();
        digest.write(text.as_bytes());
        let digest = digest.finish();
        format!("{}~{:08x}", beginning(KEPT), (digest ^ (digest >> 32)) as u32)
    }
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
        assert_eq!(printable(&"ü".repeat(64)), "ü".repeat(64));
    }

    #[test]
    fn a_longer_arg_is_told_from_others_by_all_of_its_text() {
        let [one, other] = ["1", "2"].map(|end| printable(&("ü ".repeat(500) + end)));
        assert_eq!(one, format!("{}ü~dff558ae", "ü_".repeat(27)));
        assert_ne!(one, other);
        assert_eq!([one, other].map(|name| name.chars().count()), [64, 64]);
    }
}
