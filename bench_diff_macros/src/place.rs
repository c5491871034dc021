//! Where an attribute stands. The tokens of an associated function without `self` are those of a free one,
//! so the source is read.

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;

use proc_macro::Span;

thread_local! {
    /// The file that was read last, up to its last attribute: those of one file follow each other.
    static LAST: RefCell<Reader> = RefCell::default();
}

/// Whether the attribute that is being expanded stands on an item of an `impl` or a `trait`, as far as its
/// source can be read.
pub(crate) fn is_in_impl() -> bool {
    if !proc_macro::is_available() {
        return false;
    }
    let start = Span::call_site().start();
    let Some(path) = start.local_file() else { return false };
    LAST.with_borrow_mut(|last| {
        if last.path != path {
            let Ok(source) = fs::read_to_string(&path) else { return false };
            *last = Reader { path, source, ..Reader::default() };
        }
        last.scope_at(start.line(), start.column()).is_impl()
    })
}

/// A source file, and how far it was read.
#[derive(Default)]
struct Reader {
    path: PathBuf,
    source: String,
    read: usize,
    scope: Scope,
}

impl Reader {
    /// What is open before this line and this column, both from 1.
    fn scope_at(&mut self, line: usize, column: usize) -> &Scope {
        let end = before(&self.source, line, column).len();
        if end < self.read {
            (self.read, self.scope) = (0, Scope::default());
        }
        self.scope.enter(&self.source[self.read..end]);
        self.read = end;
        &self.scope
    }
}

/// The part of a source before this line and this column, both from 1.
fn before(source: &str, line: usize, column: usize) -> &str {
    let start: usize = source.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = &source[start..];
    let length = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
    &source[..start + length]
}

/// What is open at some point of a source.
#[derive(Default)]
struct Scope {
    /// The open braces: whether each is that of an `impl` or a `trait`, and how deep in parentheses it is.
    braces: Vec<(bool, usize)>,
    /// Whether the item that begins here is an `impl` or a `trait`, as its first word says that is no
    /// modifier; none before that.
    item_is_impl: Option<bool>,
    /// The open parentheses and brackets within the last brace.
    depth: usize,
}

impl Scope {
    /// Reads on. The source begins and ends between two tokens.
    fn enter(&mut self, source: &str) {
        let mut rest = source;
        while let Some(first) = rest.chars().next() {
            let length = token(rest);
            match first {
                '{' => {
                    self.braces.push((self.item_is_impl.take().unwrap_or(false), self.depth));
                    self.depth = 0;
                }
                '}' => {
                    self.depth = self.braces.pop().map_or(0, |(_, depth)| depth);
                    self.item_is_impl = None;
                }
                ';' if self.depth == 0 => self.item_is_impl = None,
                '(' | '[' => self.depth += 1,
                ')' | ']' => self.depth = self.depth.saturating_sub(1),
                _ if self.depth == 0 && self.item_is_impl.is_none() && is_in_word(first) => {
                    let word = &rest[..length];
                    self.item_is_impl =
                        (!MODIFIERS.contains(&word)).then(|| ["impl", "trait"].contains(&word));
                }
                _ => {}
            }
            rest = &rest[length..];
        }
    }

    /// Whether the last open brace is that of an `impl` or a `trait`.
    fn is_impl(&self) -> bool {
        self.braces.last().is_some_and(|(is_impl, _)| *is_impl)
    }
}

/// The words that may stand before `impl` or `trait`.
const MODIFIERS: [&str; 5] = ["pub", "unsafe", "default", "auto", "const"];

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

    fn innermost_is_impl(source: &str) -> bool {
        let mut scope = Scope::default();
        scope.enter(source);
        scope.is_impl()
    }

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
    fn a_file_is_read_on_from_one_attribute_to_the_next() {
        let source = "#[a]\nimpl S {\n#[a]\nfn b() {}\n#[a]\nfn c() {}\n}\n#[a]\n";
        let mut reader = Reader { source: source.to_owned(), ..Reader::default() };
        let expected = [(1, false), (3, true), (5, true), (8, false)];
        for (line, is_impl) in expected.into_iter().chain(expected.into_iter().rev()) {
            assert_eq!(reader.scope_at(line, 1).is_impl(), is_impl, "{line}");
        }
    }

    #[test]
    fn a_place_has_a_line_and_a_column_from_1() {
        let source = "impl \u{f6} {\r\n  \u{e4}#[a]\n}\n";
        assert_eq!(before(source, 2, 4), "impl \u{f6} {\r\n  \u{e4}");
        assert_eq!([before(source, 1, 1), before(source, 9, 9)], ["", source]);
    }
}
