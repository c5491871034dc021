//! The traits of all counters. They are private, so other crates cannot define counters.

/// What counters count with.
pub(crate) type Count = u64;

/// The work of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub(crate) bytes: Option<Count>,
    pub(crate) chars: Option<Count>,
    pub(crate) items: Option<Count>,
}

impl Counts {
    /// These, and the others where these say nothing.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.or(other.bytes),
            chars: self.chars.or(other.chars),
            items: self.items.or(other.items),
        }
    }
}

/// Implemented by the counters.
pub trait Work {
    /// The work that the counter stands for.
    fn counts(&self) -> Counts;

    /// The counter of a number.
    fn of(count: Count) -> Self;
}

/// `u8` to `u64` and `usize`.
pub trait CountUInt: Copy {
    /// Converts it.
    fn into_count(self) -> Count;
}

/// The same, and references to them.
pub trait AsCountUInt {
    /// Converts it.
    fn as_count(&self) -> Count;
}

impl<T: AsCountUInt> AsCountUInt for &T {
    fn as_count(&self) -> Count {
        T::as_count(self)
    }
}
