//! A text that contains the path of a tree, and its lengths.

/// A text that contains the path of its tree. The same reference of two sections leads to it.
pub(super) struct MovedText {
    /// The offset of the reference in its section.
    pub(super) at: u64,
    pub(super) kind: u32,
    pub(super) lengths: [u64; 2],
}

impl MovedText {
    /// Returns whether these numbers are its lengths, or the numbers that `fmt::Arguments` stores for a text
    /// without arguments.
    pub(super) fn has(&self, numbers: [u64; 2]) -> bool {
        self.lengths == numbers || self.lengths.map(|length| 2 * length + 1) == numbers
    }
}
