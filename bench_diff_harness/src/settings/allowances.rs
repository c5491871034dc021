//! The slowdowns that a change allows, in lines such as `Allow-Slowdown: parse/huge 12%`.

use bench_diff_report::record::AllowedRecord;
use bench_diff_system::text::matches;

use super::grammar;

const KEY: &str = "Allow-Slowdown:";

/// The slowdowns that a change allows.
#[derive(Debug, Default)]
pub(crate) struct Allowances {
    /// Each with the pattern for the names of functions.
    allowed: Vec<(String, AllowedRecord)>,
    /// Complaints about lines that cannot be read.
    pub(crate) unreadable: Vec<String>,
}

impl Allowances {
    /// Reads the lines in these texts, each of which follows a name for its place.
    pub(crate) fn read(texts: &[(String, String)]) -> Self {
        let mut this = Self::default();
        let lines = texts.iter().flat_map(|(by, text)| text.lines().map(move |line| (by, line.trim())));
        for (by, line) in lines {
            let Some((key, rest)) = line.split_at_checked(KEY.len()) else { continue };
            if !key.eq_ignore_ascii_case(KEY) {
                continue;
            }
            match pattern_and_share(rest) {
                Some((pattern, slowdown)) => {
                    this.allowed.push((pattern.to_owned(), AllowedRecord { slowdown, by: by.clone() }));
                }
                None => this.unreadable.push(format!(
                    "`{line}` in {by} allows nothing: expected a name and a percentage, as in `{KEY} parse/huge 12%`"
                )),
            }
        }
        this
    }

    /// The largest slowdown that is allowed for the function with this name.
    pub(crate) fn of(&self, name: &str) -> Option<&AllowedRecord> {
        let matching = self.allowed.iter().filter(|(pattern, _)| matches(pattern, name));
        matching.map(|(_, allowed)| allowed).max_by(|a, b| a.slowdown.total_cmp(&b.slowdown))
    }

    /// Notes on the patterns that match none of these names.
    pub(crate) fn unused(&self, names: &[&str]) -> impl Iterator<Item = String> {
        let is_unused = |pattern: &str| !names.iter().any(|name| matches(pattern, name));
        let unused = self.allowed.iter().filter(move |(pattern, _)| is_unused(pattern));
        unused.map(|(pattern, AllowedRecord { by, .. })| {
            format!("`{KEY} {pattern}` in {by} matches no function of this bench")
        })
    }
}

/// The pattern, and the percentage that is the last word.
fn pattern_and_share(text: &str) -> Option<(&str, f64)> {
    let (pattern, share) = text.trim().rsplit_once(char::is_whitespace)?;
    Some((pattern.trim(), grammar::share(share).ok().filter(|_| share.ends_with('%'))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(texts: &[(&str, &str)]) -> Allowances {
        Allowances::read(
            &texts.iter().map(|&(by, text)| (by.to_owned(), text.to_owned())).collect::<Vec<_>>(),
        )
    }

    /// What the lines of a commit allow for this function, and who allows it.
    fn of(allowances: &Allowances, name: &str) -> Option<(f64, String)> {
        allowances.of(name).map(|AllowedRecord { slowdown, by }| (*slowdown, by.clone()))
    }

    #[test]
    fn the_largest_of_several_lines_wins() {
        let allowances = read(&[
            ("the description", "Why.\r\n\r\nAllow-Slowdown: parse/* 5%\r\nAllow-Slowdown: lex 0.5%"),
            (
                "3f2c9e1",
                "subject\n\n  allow-slowdown:  parse/huge file   12%  \nAllow-Slowdown: parse/tiny 300%",
            ),
            ("5e062a9", "subject\n\nAllow-Slowdown: parse/huge file 7%"),
        ]);
        assert_eq!(of(&allowances, "parse/huge file"), Some((0.12, "3f2c9e1".to_owned())));
        assert_eq!(of(&allowances, "parse/small"), Some((0.05, "the description".to_owned())));
        assert_eq!(of(&allowances, "parse/tiny"), Some((3.0, "3f2c9e1".to_owned())));
        assert_eq!(of(&allowances, "lex"), Some((0.005, "the description".to_owned())));
        assert_eq!(of(&allowances, "lexer"), None);
        assert_eq!(allowances.unreadable, [""; 0]);
    }

    #[test]
    fn a_line_that_cannot_be_read_is_told_and_allows_nothing() {
        let lines = [
            "Allow-Slowdown:",
            "Allow-Slowdown: parse",
            "Allow-Slowdown: 12%",
            "Allow-Slowdown: parse 12",
            "Allow-Slowdown: parse 0.12",
            "Allow-Slowdown: parse 12 %",
            "Allow-Slowdown: parse -12%",
            "Allow-Slowdown: parse 0%",
            "Allow-Slowdown: parse NaN%",
            "Allow-Slowdown: parse inf%",
            "Allow-Slowdown: parse 12% since it checks more",
        ];
        let allowances = read(&[("3f2c9e1", &lines.join("\n"))]);
        assert_eq!(allowances.allowed, []);
        let told = |line: &&str| {
            format!(
                "`{line}` in 3f2c9e1 allows nothing: expected a name and a percentage, as in `Allow-Slowdown: parse/huge 12%`"
            )
        };
        assert_eq!(allowances.unreadable, lines.iter().map(told).collect::<Vec<_>>());
    }

    #[test]
    fn a_text_that_only_mentions_it_allows_nothing() {
        let others = "As `Allow-Slowdown: parse 12%` says\n> Allow-Slowdown: parse 12%\nAllow-Slowdowns: parse 12%\n\
                      Allow-Slowdow\u{fc}: parse 12%";
        let allowances = read(&[("3f2c9e1", others)]);
        assert_eq!((allowances.allowed, allowances.unreadable), (vec![], vec![]));
    }

    #[test]
    fn a_pattern_that_matches_nothing_is_named() {
        let allowances = read(&[("3f2c9e1", "Allow-Slowdown: lex/* 5%\nAllow-Slowdown: parse 5%")]);
        let unused: Vec<String> = allowances.unused(&["parse", "print"]).collect();
        assert_eq!(unused, ["`Allow-Slowdown: lex/*` in 3f2c9e1 matches no function of this bench"]);
    }
}
