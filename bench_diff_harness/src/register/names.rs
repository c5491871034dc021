//! The names of pairs.

use std::collections::HashMap;
use std::hash::Hasher;

use bench_diff_system::digest::Digest;

/// The longest arg in a name, in characters.
const LONGEST_ARG: usize = 64;

/// The number of characters that remain of a longer arg, before a digest of the whole arg.
const REMAINING: usize = 55;

/// Makes a text a single word for the command line. A long text is cut and gets a digest of the whole, so
/// that its name depends on no other text.
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
        format!("{}~{:08x}", beginning(REMAINING), (digest ^ (digest >> 32)) as u32)
    }
}

/// The name that a front end gives, with `_` for control characters, which a terminal would obey.
pub(super) fn line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '_' } else { c }).collect()
}

/// Names so far. Equal ones get `#2`, `#3` and so on.
#[derive(Debug, Default)]
pub(crate) struct Names(HashMap<String, usize>);

impl Names {
    /// A name for this label that no earlier pair has.
    pub(crate) fn of(&mut self, label: &str) -> String {
        let mut name = label.to_owned();
        // The last number of each name, so that equal labels do not try all numbers again.
        let mut number = self.0.get(label).copied().unwrap_or(0);
        while self.0.contains_key(&name) {
            number += 1;
            name = format!("{label}#{number}");
        }
        self.0.insert(name.clone(), 1);
        self.0.insert(label.to_owned(), number.max(1));
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_labels_are_numbered() {
        let unique = |labels: &[&str]| {
            let mut names = Names::default();
            labels.iter().map(|label| names.of(label)).collect::<Vec<_>>()
        };
        assert_eq!(unique(&["a/1", "a/2", "a/1", "a/1"]), ["a/1", "a/2", "a/1#2", "a/1#3"]);
        assert_eq!(unique(&["a/1", "a/1#2", "a/1"]), ["a/1", "a/1#2", "a/1#3"]);
        assert_eq!(unique(&["a/1", "a/1", "a/1#2"]), ["a/1", "a/1#2", "a/1#2#2"]);
    }

    #[test]
    fn an_arg_is_a_word_of_at_most_64_characters() {
        assert_eq!(printable("a b\tc\u{7}"), "a_b_c_");
        assert_eq!(printable(""), "_");
        assert_eq!(printable(&"ü".repeat(64)), "ü".repeat(64));
    }

    #[test]
    fn longer_args_are_distinguished_by_their_whole_text() {
        let [one, other] = ["1", "2"].map(|end| printable(&("ü ".repeat(500) + end)));
        assert_eq!(one, format!("{}ü~dff558ae", "ü_".repeat(27)));
        assert_ne!(one, other);
        assert_eq!([one, other].map(|name| name.chars().count()), [64, 64]);
    }
}
