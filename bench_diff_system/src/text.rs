//! Makes text from outside safe to show. Only this file decides what may reach a terminal, a log or a
//! document.
//!
//! A name, a panic message or a record of another machine may contain anything. Escape sequences move the
//! cursor of a terminal, bidirectional controls change the order in which a text is shown, a line break
//! starts a forged line, and a GitHub runner executes commands in the log. All of these are shown as
//! escapes, so nothing is hidden.

use std::borrow::Cow;
use std::fmt::Write;

/// A runner executes the command after this anywhere in a line (`ActionCommand.TryParse` of actions/runner).
const COMMAND_ANYWHERE: &str = "##[";
/// A runner executes the command after this at the start of a line, ignoring blanks
/// (`ActionCommand.TryParseV2`).
const COMMAND_AT_START: &str = "::";

/// The limit on the text of a single error, in bytes.
const LONGEST: usize = 32 * 1024;

/// A number with its noun: `1 pair`, `2 pairs`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// At most `most` of these names, and the number of the others.
pub fn few(names: &[impl AsRef<str>], most: usize) -> String {
    let shown = names.iter().take(most).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// A share as a percentage without needless digits: `2 %`, `0.5 %`.
pub fn share(share: f64) -> String {
    let rounded = format!("{:.3}", share * 100.0);
    format!("{} %", rounded.trim_end_matches('0').trim_end_matches('.'))
}

/// The beginning of a text, with the number of bytes left out.
pub fn beginning(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST {
        return text.into();
    }
    let (beginning, left_out) =
        (0..=LONGEST).rev().find_map(|end| text.split_at_checked(end)).unwrap_or_default();
    format!("{beginning}... ({} bytes more)", left_out.len()).into()
}

/// Escapes a text for use within one line.
pub fn one_line(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c.is_control() || is_deceptive(c))
}

/// Escapes a text, but keeps its line breaks and tabs.
pub fn lines(text: &str) -> Cow<'_, str> {
    let text = if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { Cow::Borrowed(text) };
    let is_shown_as_escape = |c: char| !matches!(c, '\n' | '\t') && (c.is_control() || is_deceptive(c));
    match escaped(&text, is_shown_as_escape) {
        Cow::Borrowed(_) => text,
        Cow::Owned(escaped) => escaped.into(),
    }
}

/// Escapes the strings of a JSON text, so that they control neither a terminal nor a runner.
pub fn json(text: String) -> String {
    let is_shown_as_escape = |c: char| c.is_control() || is_deceptive(c);
    if !text.contains(is_shown_as_escape) && !text.contains(COMMAND_ANYWHERE) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if is_shown_as_escape(c) || text[at..].starts_with(COMMAND_ANYWHERE) {
            let _ = write!(escaped, "\\u{:04x}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Returns whether a character changes how others are shown, is invisible, or ends a line for some readers.
/// Joiners are allowed, since emojis need them.
fn is_deceptive(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

fn escaped(text: &str, is_shown_as_escape: impl Fn(char) -> bool) -> Cow<'_, str> {
    let mut shown: Option<String> = None;
    let mut after_blank = true;
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        // A text may be wrapped, so any word may end up at the start of a line.
        let starts_command =
            rest.starts_with(COMMAND_ANYWHERE) || after_blank && rest.starts_with(COMMAND_AT_START);
        after_blank = c.is_whitespace();
        if is_shown_as_escape(c) || starts_command {
            let shown = shown.get_or_insert_with(|| text[..at].to_owned());
            match c {
                '\n' | '\r' | '\t' => shown.extend(c.escape_default()),
                _ => shown.extend(c.escape_unicode()),
            }
        } else if let Some(shown) = &mut shown {
            shown.push(c);
        }
    }
    shown.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Returns whether a name matches a pattern, in which `*` stands for any text.
pub fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|left| {
            let ends = left.char_indices().map(|(at, _)| at).chain([left.len()]);
            ends.into_iter().any(|at| matches(rest, &left[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_stays_as_it_is() {
        for text in ["", "sort::unstable/10", "a\u{fc}\u{4e2d}", "#[bench] ## [x]", "std::io::Error: gone"] {
            assert!(matches!(one_line(text), Cow::Borrowed(same) if same == text), "{text}");
        }
        assert!(matches!(lines("left: 1\n\tright: 2\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn controls_are_shown_as_escapes() {
        assert_eq!(one_line("a\nb\tc\rd"), "a\\nb\\tc\\rd");
        assert_eq!(one_line("\u{1b}[31mred\u{7}\u{9b}\u{0}"), "\\u{1b}[31mred\\u{7}\\u{9b}\\u{0}");
        assert_eq!(lines("a\r\nb\rc\u{1b}"), "a\nb\\rc\\u{1b}");
        assert_eq!(one_line("\u{202e}txt.exe\u{2069}"), "\\u{202e}txt.exe\\u{2069}");
        assert_eq!(lines("a\u{2028}b\u{ffff}"), "a\\u{2028}b\\u{ffff}");
        assert_eq!(one_line("a\u{200b}b\u{ad}c"), "a\\u{200b}b\\u{ad}c");
    }

    #[test]
    fn json_keeps_its_meaning() {
        let hostile = "##[add-mask]\u{9b}31m\u{202e}\u{7f}\u{1b}";
        let text = crate::json::to_string(hostile);
        assert_eq!(text, r##""\u0023#[add-mask]\u009b31m\u202e\u007f\u001b""##);
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), hostile);
        assert_eq!(crate::json::to_string("a\u{fc}# [\n"), "\"a\u{fc}# [\\n\"");
    }

    #[test]
    fn no_runner_finds_a_command() {
        assert_eq!(one_line("::add-mask::x"), "\\u{3a}:add-mask::x");
        assert_eq!(lines("note\n  ::stop-commands::x"), "note\n  \\u{3a}:stop-commands::x");
        assert_eq!(one_line("a word ::error::x"), "a word \\u{3a}:error::x");
        assert_eq!(lines("x##[add-mask]y"), "x\\u{23}#[add-mask]y");
        assert_eq!(lines("####[group]"), "##\\u{23}#[group]");
    }

    #[test]
    fn patterns_match_names() {
        for (pattern, name, fits) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("*", "", true),
            ("a*c", "abbc", true),
            ("a*c", "abcb", false),
            ("*ü*", "xüy", true),
            ("a*b*b", "ab", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }
}
