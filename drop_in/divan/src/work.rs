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
    /// The counts with these numbers.
    pub(crate) fn of([bytes, chars, items]: [Option<Count>; 3]) -> Self {
        Self { bytes, chars, items }
    }

    /// The numbers for [`Self::of`].
    pub(crate) fn numbers(self) -> [Option<Count>; 3] {
        [self.bytes, self.chars, self.items]
    }

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
pub trait Work {
    /// The work that the counter counts.
    fn counts(&self) -> Counts;

    /// The counter for a number.
    fn of(count: Count) -> Self;
}

/// `u8` to `u64` and `usize`.
pub trait CountUInt: Copy {
    /// Converts the number.
    fn into_count(self) -> Count;
}

/// The same types, and references to them.
pub trait AsCountUInt {
    /// Converts the number.
    fn as_count(&self) -> Count;
}

impl<T: AsCountUInt> AsCountUInt for &T {
    fn as_count(&self) -> Count {
        T::as_count(self)
    }
}
