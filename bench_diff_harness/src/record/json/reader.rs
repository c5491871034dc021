//! A reader of JSON. The one of miniserde reads the last digits of some numbers wrongly, and its errors have
//! no place.

use std::borrow::Cow;

use miniserde::de::Visitor;
use miniserde::{Error, Result, json};

/// The deepest nesting of objects and lists: far more than a record has, and little enough for any stack.
const DEEPEST: usize = 64;

/// Parses a text and passes its content to a visitor.
pub(super) fn read_into(text: &str, visitor: &mut dyn Visitor) -> std::result::Result<(), String> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let read = reader.value(visitor);
    if read.is_ok() && reader.next_byte().is_none() {
        return Ok(());
    }
    let column = text[..reader.at].chars().count() + 1;
    Err(format!("unexpected JSON at column {column}"))
}

struct Reader<'a> {
    text: &'a str,
    /// The index of the next byte. After an error, that of the problem.
    at: usize,
    depth: usize,
}

/// Reads a field or an element.
type Read<'r> = &'r mut dyn FnMut(&mut Reader<'_>) -> Result<()>;

impl<'a> Reader<'a> {
    fn value(&mut self, visitor: &mut dyn Visitor) -> Result<()> {
        let first = self.next_byte();
        let start = self.at;
        let fits = match first {
            Some(b'{') => return self.object(visitor),
            Some(b'[') => return self.list(visitor),
            Some(b'"') => visitor.string(&self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number(visitor),
            _ => match self.while_in(|byte| byte.is_ascii_alphabetic()) {
                "null" => visitor.null(),
                "true" => visitor.boolean(true),
                "false" => visitor.boolean(false),
                _ => Err(Error),
            },
        };
        if fits.is_err() {
            self.at = start;
        }
        fits
    }

    fn object(&mut self, visitor: &mut dyn Visitor) -> Result<()> {
        let mut fields = visitor.map()?;
        self.each(b'}', &mut |reader| {
            if reader.next_byte() != Some(b'"') {
                return Err(Error);
            }
            let field = reader.string()?;
            if !reader.takes(b':') {
                return Err(Error);
            }
            reader.value(fields.key(&field)?)
        })?;
        fields.finish()
    }

    fn list(&mut self, visitor: &mut dyn Visitor) -> Result<()> {
        let mut elements = visitor.seq()?;
        self.each(b']', &mut |reader| reader.value(elements.element()?))?;
        elements.finish()
    }

    /// Reads each field of an object or element of a list, from its first byte to its `end`.
    fn each(&mut self, end: u8, read: Read<'_>) -> Result<()> {
        if self.depth == DEEPEST {
            return Err(Error);
        }
        self.at += 1;
        self.depth += 1;
        let mut goes_on = !self.takes(end);
        while goes_on {
            read(self)?;
            goes_on = self.takes(b',');
            if !goes_on && !self.takes(end) {
                return Err(Error);
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
        Err(Error)
    }

    fn string(&mut self) -> Result<Cow<'a, str>> {
        let start = self.at;
        let mut is_escaped = false;
        let length = self.text[start + 1..].bytes().position(|byte| {
            let ends = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            ends
        });
        let length = length.ok_or(Error)?;
        let token = &self.text[start..start + length + 2];
        let inner = &token[1..=length];
        let is_plain = !inner.bytes().any(|byte| byte == b'\\' || byte.is_ascii_control());
        let text = if is_plain { Cow::Borrowed(inner) } else { Cow::Owned(json::from_str(token)?) };
        self.at += token.len();
        Ok(text)
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
