//! The traits of all counters. They are private, so other crates cannot define counters.

/// The type of a number of units.
pub(crate) type Count = u64;

/// The work of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub(crate) bytes: Option<Count>,
    pub(crate) chars: Option<Count>,
    pub(crate) items: Option<Count>,
}

impl Counts {
    /// These counts, completed by the other ones.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.or(other.bytes),
            chars: self.chars.or(other.chars),
            items: self.items.or(other.items),
        }
    }
}

/// Implemented by the counters.
pub trait Work: From<Count> {
    /// The work that the counter counts.
    fn counts(&self) -> Counts;
}

/// `u8` to `u64` and `usize`, and references to them.
pub trait AsCountUInt {
    /// Converts the number.
    fn as_count(&self) -> Count;
}

impl<T: AsCountUInt> AsCountUInt for &T {
    fn as_count(&self) -> Count {
        T::as_count(self)
    }
}
