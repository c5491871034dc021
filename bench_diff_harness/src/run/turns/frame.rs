//! A message on a channel: its kind, a few numbers, and a text.

/// The size of a field: the kind, the length of the text, or a number.
const FIELD: usize = size_of::<u64>();

/// The fields of every message; a kind has at most seven numbers.
pub(super) const HEAD: usize = 9 * FIELD;

/// A message.
///
/// Other messages between processes are JSON. A turn is not, because its process must not allocate between
/// two turns: the speed of a function depends on the state of the heap. A message without a text is never on
/// the heap.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frame {
    /// The kind, the length of the text, and the numbers.
    pub(super) head: [u8; HEAD],
    /// The position in `head` of the next number to write or to read.
    next: usize,
    pub(super) text: String,
}

impl Frame {
    /// A message that was received, with the text still to come.
    pub(super) fn received(head: [u8; HEAD]) -> Self {
        Self { head, next: 2 * FIELD, text: String::new() }
    }

    /// A message of this kind, which is a word of at most eight letters.
    pub(super) fn new(kind: &str) -> Self {
        let mut head = [0; HEAD];
        head[..kind.len()].copy_from_slice(kind.as_bytes());
        Self::received(head)
    }

    pub(super) fn with_text(mut self, text: String) -> Self {
        self.head[FIELD..][..FIELD].copy_from_slice(&(text.len() as u64).to_le_bytes());
        Self { text, ..self }
    }

    /// Adds these numbers.
    pub(super) fn with(mut self, numbers: &[u64]) -> Self {
        for number in numbers {
            self.head[self.next..][..FIELD].copy_from_slice(&number.to_le_bytes());
            self.next += FIELD;
        }
        self
    }

    /// Adds a number that may be missing.
    pub(super) fn with_option(self, number: Option<u64>) -> Self {
        self.with(&[number.is_some().into(), number.unwrap_or_default()])
    }

    pub(super) fn kind(&self) -> &str {
        str::from_utf8(&self.head[..FIELD]).unwrap_or_default().trim_end_matches('\0')
    }

    /// The length of the text, in bytes.
    pub(super) fn length_of_text(&self) -> u64 {
        number_at(&self.head, FIELD)
    }

    /// Reads the next number, in the order in which they were added.
    pub(super) fn number(&mut self) -> u64 {
        let number = number_at(&self.head, self.next);
        self.next += FIELD;
        number
    }

    pub(super) fn flag(&mut self) -> bool {
        self.number() != 0
    }

    pub(super) fn option(&mut self) -> Option<u64> {
        let (is_some, number) = (self.flag(), self.number());
        is_some.then_some(number)
    }
}

fn number_at(head: &[u8; HEAD], position: usize) -> u64 {
    head[position..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
