//! Wraps text at the width of a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The lines of a text, each with this indent and that of the text. Words stay whole, even if wider than the
/// terminal. Without a width, nothing is wrapped.
pub fn wrapped(text: &str, indent: &str, width: Option<usize>) -> Vec<String> {
    let width = width.unwrap_or(usize::MAX);
    let mut lines = Vec::new();
    let words = text.trim_start_matches(' ');
    let indent = format!("{indent}{}", &text[..text.len() - words.len()]);
    let mut line = indent.clone();
    let mut used = line.width();
    // Several blanks in a row align something, and stay.
    for (index, word) in words.split(' ').enumerate() {
        let blank = if index == 0 { "" } else { " " };
        used += blank.len() + word.width();
        if used > width && line != indent {
            lines.push(line.trim_end().to_owned());
            line = format!("{indent}{word}");
            used = line.width();
        } else {
            line += blank;
            line += word;
        }
    }
    lines.push(line);
    lines
}

/// The first characters, as many as fit in this many columns.
pub fn fitting(characters: impl Iterator<Item = char>, columns: usize) -> impl Iterator<Item = char> {
    characters
        .scan(0, |used, character| {
            *used += character.width().unwrap_or(0);
            Some((*used, character))
        })
        .take_while(move |(used, _)| *used <= columns)
        .map(|(_, character)| character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_put_on_a_line_while_they_fit() {
        assert_eq!(wrapped("one two three", "  ", Some(9)), ["  one two", "  three"]);
        assert_eq!(wrapped("one two three", "  ", Some(8)), ["  one", "  two", "  three"]);
        assert_eq!(
            wrapped("\u{fc}\u{fc} \u{fc}", "", Some(4)),
            ["\u{fc}\u{fc} \u{fc}"],
            "columns, not bytes"
        );
    }

    #[test]
    fn a_word_stays_whole() {
        assert_eq!(
            wrapped("a benches/sorting.rs:12 b", "  ", Some(8)),
            ["  a", "  benches/sorting.rs:12", "  b"]
        );
    }

    #[test]
    fn text_that_fits_stays_as_it_is() {
        let text = "  measured: at most";
        assert_eq!(wrapped(text, "    ", Some(23)), ["      measured: at most"]);
        assert_eq!(wrapped(text, "    ", None), ["      measured: at most"]);
        assert_eq!(wrapped(text, "    ", Some(20)), ["      measured: at", "      most"]);
        assert_eq!(wrapped("", "    ", Some(10)), ["    "]);
    }
}
