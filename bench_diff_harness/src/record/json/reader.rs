//! A reader of JSON. The one of miniserde reads the last digits of some numbers wrongly, and its errors give
//! no reason.

use std::borrow::Cow;

use miniserde::de::Visitor;
use miniserde::{Result, json};

/// The deepest nesting of objects and lists: far more than a record has, and little enough for any stack.
const DEEPEST: usize = 64;

/// The number of characters shown of an unfit value.
const SHOWN: usize = 40;

/// Parses a text and passes its content to a visitor.
pub(super) fn read_into(text: &str, visitor: &mut dyn Visitor) -> std::result::Result<(), String> {
    let mut reader = Reader { text, at: 0, depth: 0, problem: None };
    let read = reader.value(visitor, None).and_then(|()| match reader.next_byte() {
        None => Ok(()),
        Some(_) => reader.expected("nothing more"),
    });
    read.map_err(|_| reader.problem.unwrap_or_default())
}

struct Reader<'a> {
    text: &'a str,
    /// The index of the next byte.
    at: usize,
    depth: usize,
    /// The first problem; every error of the functions below has one.
    problem: Option<String>,
}

/// Reads a field or an element.
type Read<'r> = &'r mut dyn FnMut(&mut Reader<'_>) -> Result<()>;

impl<'a> Reader<'a> {
    /// Reads a value; `name` is its field if it is in an object.
    fn value(&mut self, visitor: &mut dyn Visitor, name: Option<&str>) -> Result<()> {
        let first = self.next_byte();
        let start = self.at;
        let fits = match first {
            Some(b'{') => return self.object(visitor, name),
            Some(b'[') => return self.list(visitor, name),
            Some(b'"') => visitor.string(&self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number(visitor),
            _ => match self.while_in(|byte| byte.is_ascii_alphabetic()) {
                "null" => visitor.null(),
                "true" => visitor.boolean(true),
                "false" => visitor.boolean(false),
                _ => {
                    self.at = start;
                    return self.expected("a value");
                }
            },
        };
        fits.or_else(|_| self.unfit(name, &self.text[start..self.at]))
    }

    fn object(&mut self, visitor: &mut dyn Visitor, name: Option<&str>) -> Result<()> {
        let mut fields = visitor.map().or_else(|_| self.unfit(name, "an object"))?;
        self.each(b'}', &mut |reader| {
            if reader.next_byte() != Some(b'"') {
                return reader.expected("the name of a field");
            }
            let field = reader.string()?;
            if !reader.takes(b':') {
                return reader.expected("`:`");
            }
            let visitor = fields.key(&field).or_else(|_| reader.unfit(name, &field))?;
            reader.value(visitor, Some(&field))
        })?;
        fields.finish().or_else(|_| self.fail(format!("{} lacks a field", subject(name))))
    }

    fn list(&mut self, visitor: &mut dyn Visitor, name: Option<&str>) -> Result<()> {
        let mut elements = visitor.seq().or_else(|_| self.unfit(name, "a list"))?;
        self.each(b']', &mut |reader| {
            let visitor = elements.element().or_else(|_| reader.unfit(name, "another element"))?;
            reader.value(visitor, name)
        })?;
        elements.finish().or_else(|_| self.unfit(name, "a list of this length"))
    }

    /// Reads each field of an object or element of a list, from its first byte to its `end`.
    fn each(&mut self, end: u8, read: Read<'_>) -> Result<()> {
        if self.depth == DEEPEST {
            return self.fail(format!("more than {DEEPEST} objects and lists within each other"));
        }
        self.at += 1;
        self.depth += 1;
        let mut goes_on = !self.takes(end);
        while goes_on {
            read(self)?;
            goes_on = self.takes(b',');
            if !goes_on && !self.takes(end) {
                return self.expected(&format!("`,` or `{}`", char::from(end)));
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Reads a number: as an integer if it is whole and fits into 64 bits, else as the nearest `f64`.
    fn number(&mut self, visitor: &mut dyn Visitor) -> Result<()> {
        let token = self.while_in(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
        if is_number(token) {
            if let Ok(whole) = token.parse() {
                return visitor.nonnegative(whole);
            }
            if let Some(negative) = token.parse().ok().filter(|whole| *whole < 0) {
                return visitor.negative(negative);
            }
            if let Some(number) = token.parse().ok().filter(|number| f64::is_finite(*number)) {
                return visitor.float(number);
            }
        }
        self.fail(format!("`{}` is not a number", shortened(token)))
    }

    fn string(&mut self) -> Result<Cow<'a, str>> {
        let start = self.at;
        let mut is_escaped = false;
        let length = self.text[start + 1..].bytes().position(|byte| {
            let ends = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            ends
        });
        let Some(length) = length else {
            self.at = self.text.len();
            return self.expected("`\"`");
        };
        self.at = start + length + 2;
        let token = &self.text[start..self.at];
        let inner = &token[1..=length];
        if !inner.bytes().any(|byte| byte == b'\\' || byte.is_ascii_control()) {
            return Ok(Cow::Borrowed(inner));
        }
        let text = json::from_str(token).map(Cow::Owned);
        text.or_else(|_| self.fail(format!("{} is not a string", shortened(token))))
    }

    fn while_in(&mut self, belongs: fn(u8) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(|byte| !belongs(byte)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Takes this byte if it is the next one after blanks.
    fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.next_byte() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Skips blanks and returns the next byte; `None` at the end.
    fn next_byte(&mut self) -> Option<u8> {
        self.while_in(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        self.text.as_bytes().get(self.at).copied()
    }

    /// Fails with this problem, unless there was another one before.
    fn fail<T>(&mut self, problem: String) -> Result<T> {
        self.problem.get_or_insert(problem);
        Err(miniserde::Error)
    }

    fn expected<T>(&mut self, what: &str) -> Result<T> {
        if self.at == self.text.len() {
            return self.fail(format!("it ends where {what} is expected"));
        }
        let column = self.text[..self.at].chars().count() + 1;
        self.fail(format!("expected {what} at column {column}"))
    }

    fn unfit<T>(&mut self, name: Option<&str>, value: &str) -> Result<T> {
        self.fail(format!("{} cannot be {}", subject(name), shortened(value)))
    }
}

/// Returns whether a token that Rust takes for a number is one of JSON as well: with digits around its point,
/// and without a leading zero.
fn is_number(token: &str) -> bool {
    let digits = token.strip_prefix('-').unwrap_or(token).as_bytes();
    let is_digit = |at: usize| digits.get(at).is_some_and(u8::is_ascii_digit);
    let leading_zero = digits.first() == Some(&b'0') && is_digit(1);
    let point = digits.iter().position(|byte| *byte == b'.');
    is_digit(0) && !leading_zero && point.is_none_or(|point| is_digit(point + 1))
}

fn subject(name: Option<&str>) -> String {
    name.map_or_else(|| "it".to_owned(), |name| format!("`{name}`"))
}

fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
