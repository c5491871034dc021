//! The known name that is most like a misspelled one.

use super::order::in_order;

/// The most similar name, if at most a third of its letters are wrong or two of them have changed places, or
/// else one that begins with `typed`.
pub fn similar<'a>(typed: &str, names: &[&'a str]) -> Option<&'a str> {
    let names = || names.iter().copied();
    let letters = |name: &str| in_order(name.chars());
    let is_near = |(distance, name): &(usize, &str)| {
        *distance <= name.len() / 3 || (*distance == 2 && letters(name) == letters(typed))
    };
    let nearest = names().map(|name| (edits(typed, name), name)).min_by_key(|(distance, _)| *distance);
    let nearest = nearest.filter(is_near).map(|(_, name)| name);
    nearest.or_else(|| names().find(|name| typed.len() > 1 && name.starts_with(typed)))
}

/// The number of letters to insert, remove or replace: the Levenshtein distance.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (above, a) in from.chars().enumerate() {
        let mut diagonal = above;
        row[0] = above + 1;
        for (left, b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[left + 1];
            row[left + 1] = replaced.min(diagonal + 1).min(row[left] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 10] = [
        "max-slowdown",
        "fail-fast",
        "warmup",
        "strict",
        "json",
        "no-capture",
        "report-only",
        "include-ignored",
        "list",
        "alpha",
    ];

    #[test]
    fn edits_are_counted() {
        for (from, to, count) in [
            ("", "", 0),
            ("", "list", 4),
            ("list", "", 4),
            ("list", "list", 0),
            ("kitten", "sitting", 3),
            ("slowdwon", "slowdown", 2),
            ("saturday", "sunday", 3),
            ("\u{e4}lpha", "alpha", 1),
        ] {
            assert_eq!(edits(from, to), count, "{from}, {to}");
        }
    }

    #[test]
    fn the_nearest_name_is_found() {
        for (typed, flag) in [
            ("max-slowdwon", "max-slowdown"),
            ("maxslowdown", "max-slowdown"),
            ("fail_fast", "fail-fast"),
            ("warm-up", "warmup"),
            ("Strict", "strict"),
            ("jsn", "json"),
            ("lits", "list"),
            ("no-captre", "no-capture"),
            ("reportonly", "report-only"),
            ("inc", "include-ignored"),
            ("max", "max-slowdown"),
        ] {
            assert_eq!(similar(typed, &NAMES), Some(flag), "{typed}");
        }
    }

    #[test]
    fn nothing_is_similar_to_a_name_far_from_all() {
        for typed in ["", "-", "m", "zzz", "release", "save-baseline"] {
            assert_eq!(similar(typed, &NAMES), None, "{typed}");
        }
    }
}
