//! Where an attribute stands. The tokens of an associated function without `self` are those of a free one,
//! so the source is read.

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;

use proc_macro::Span;

thread_local! {
    /// The file that was read last: attributes of one file follow each other.
    static LAST: RefCell<(PathBuf, String)> = RefCell::default();
}

/// Whether the attribute that is being expanded stands on an item of an `impl` or a `trait`, as far as its
/// source can be read.
pub(crate) fn is_in_impl() -> bool {
    if !proc_macro::is_available() {
        return false;
    }
    let start = Span::call_site().start();
    let Some(path) = start.local_file() else { return false };
    LAST.with_borrow_mut(|(last, source)| {
        if *last != path {
            let Ok(read) = fs::read_to_string(&path) else { return false };
            (*last, *source) = (path, read);
        }
        innermost_is_impl(before(source, start.line(), start.column()))
    })
}

/// The part of a source before this line and this column, both from 1.
fn before(source: &str, line: usize, column: usize) -> &str {
    let start: usize = source.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = &source[start..];
    let length = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
    &source[..start + length]
}

/// Whether the last brace that is open at the end of this source is that of an `impl` or a `trait`.
fn innermost_is_impl(source: &str) -> bool {
    let mut open = Vec::new();
    // The words of an item before its braces, outside of parentheses and brackets.
    let (mut words, mut depth): (Vec<&str>, usize) = (Vec::new(), 0);
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = token(rest);
        match first {
            '{' => {
                open.push((is_impl(&words), depth));
                (words, depth) = (Vec::new(), 0);
            }
            '}' => {
                depth = open.pop().map_or(0, |(_, depth)| depth);
                words.clear();
            }
            ';' if depth == 0 => words.clear(),
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && is_in_word(first) => words.push(&rest[..length]),
            _ => {}
        }
        rest = &rest[length..];
    }
    open.last().is_some_and(|(is_impl, _)| *is_impl)
}

fn is_impl(words: &[&str]) -> bool {
    let modifiers = ["pub", "unsafe", "default", "auto", "const"];
    words.iter().find(|word| !modifiers.contains(word)).is_some_and(|word| ["impl", "trait"].contains(word))
}

/// The length of the comment, literal, word or character at the start of a source that is not empty.
fn token(source: &str) -> usize {
    let mut chars = source.chars();
    let first = chars.next().unwrap_or_default();
    let until = |end: &str| source.find(end).map_or(source.len(), |at| at + end.len());
    if source.starts_with("//") {
        until("\n")
    } else if source.starts_with("/*") {
        block_comment(source)
    } else if let Some(length) = raw_string(source) {
        length
    } else if first == '"' {
        quoted(source, '"')
    } else if first == '\'' {
        match (chars.next(), chars.next()) {
            (Some('\\'), _) | (_, Some('\'')) => quoted(source, '\''),
            _ => 1,
        }
    } else if is_in_word(first) {
        source.find(|c| !is_in_word(c)).unwrap_or(source.len())
    } else {
        first.len_utf8()
    }
}

fn is_in_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// A comment may hold comments.
fn block_comment(source: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
        match rest {
            _ if rest.starts_with("/*") => (depth, at) = (depth + 1, at + 2),
            _ if rest.starts_with("*/") => (depth, at) = (depth - 1, at + 2),
            _ => at += rest.chars().next().map_or(1, char::len_utf8),
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn raw_string(source: &str) -> Option<usize> {
    let start = ["r", "br", "cr"].into_iter().find_map(|prefix| source.strip_prefix(prefix))?;
    let hashes = start.len() - start.trim_start_matches('#').len();
    let content = start[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = content.find(&end).map_or(content.len(), |at| at + end.len());
    Some(source.len() - content.len() + length)
}

/// The length of what stands between two of these quotes, with them.
fn quoted(source: &str, quote: char) -> usize {
    let mut is_escaped = false;
    let end = source.char_indices().skip(1).find(|(_, c)| {
        let is_end = *c == quote && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        is_end
    });
    end.map_or(source.len(), |(at, _)| at + quote.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_an_impl_are_told_from_free_ones() {
        for inside in [
            "impl S { ",
            "impl<'a, T: Into<[u8; 3]>> Trait for S<'a, T> where T: Copy { fn a() { if x { y } } ",
            "struct S; pub(crate) trait T: Sized { type A; ",
            "unsafe impl Send for S { ",
            "mod m { use x::{a, b}; #[cfg(test)] impl S { ",
            "fn f() { impl S { ",
            "impl S { const A: &str = \"}\"; const B: char = '}'; const C: char = '\\''; /* } /* } */ } */ // }\n",
            "impl S { const A: &str = r#\"} \"} \"#; const B: &[u8] = b\"\\\"}\"; ",
            "impl S { fn r#impl() {} ",
        ] {
            assert!(innermost_is_impl(inside), "{inside}");
        }
        for outside in [
            "",
            "impl S { fn a() {} } ",
            "impl S { fn a() { ",
            "fn f() -> impl Iterator<Item = u8> { ",
            "fn f(a: impl Fn()) { ",
            "mod m { ",
            "// impl S {\n",
            "/* impl S { */ mod m { ",
            "const A: &str = \"impl S {\"; ",
            "static A: [u8; 3] = [0; 3]; fn f<'a>(a: &'a str) { let c = '{'; ",
            "} } ",
            "impl \"",
            "'",
            "/*",
        ] {
            assert!(!innermost_is_impl(outside), "{outside}");
        }
    }

    #[test]
    fn a_place_has_a_line_and_a_column_from_1() {
        let source = "impl \u{f6} {\r\n  \u{e4}#[a]\n}\n";
        assert_eq!(before(source, 2, 4), "impl \u{f6} {\r\n  \u{e4}");
        assert_eq!([before(source, 1, 1), before(source, 9, 9)], ["", source]);
    }
}
