//! The lengths of texts that contain the path of a tree, as numbers in code or data.
//!
//! A differing constant of 32 or 64 bits counts as such a length by its value alone, wherever it is. Code for
//! ARM splits its constants, so there a length in code is a difference.

/// Returns whether two sections differ only in the lengths of these texts. Each text has a length on the left
/// and one on the right side.
pub(super) fn differ_alone([left, right]: [&[u8]; 2], lengths: &[[usize; 2]]) -> bool {
    let numbers: Vec<_> = lengths.iter().flat_map(|lengths| [*lengths, of_arguments(*lengths)]).collect();
    let is_length = |start: usize| {
        numbers.iter().any(|numbers| {
            let [number, other] = numbers.map(|number| (number as u32).to_le_bytes());
            left[start..].starts_with(&number) && right[start..].starts_with(&other)
        })
    };
    let is_alike = |at: usize| left[at] == right[at] || (at.saturating_sub(3)..=at).any(is_length);
    left.len() == right.len() && (0..left.len()).all(is_alike)
}

/// The numbers that `fmt::Arguments` stores for a text without arguments.
fn of_arguments(lengths: [usize; 2]) -> [usize; 2] {
    lengths.map(|length| 2 * length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares sections made of these numbers, of which the first is a byte. They refer to a text of 38
    /// bytes on the left side and of 294 on the right.
    fn are_alike(left: [u32; 3], right: [u32; 3]) -> bool {
        let sections = [left, right].map(|[first, second, third]| {
            [&[first as u8][..], &second.to_le_bytes(), &u64::from(third).to_le_bytes()].concat()
        });
        differ_alone(sections.each_ref().map(|section| &**section), &[[38, 294]])
    }

    #[test]
    fn the_lengths_of_a_text_are_no_difference() {
        assert!(are_alike([1, 38, 5], [1, 294, 5]));
        assert!(are_alike([1, 77, 38], [1, 589, 294]), "of `fmt::Arguments`, and a longer number");
    }

    #[test]
    fn another_number_that_differs_is_a_difference() {
        assert!(!are_alike([1, 38, 5], [1, 295, 5]), "not the length");
        assert!(!are_alike([1, 294, 5], [1, 38, 5]), "the length of the other side");
        assert!(!are_alike([1, 38, 5], [1, 294, 6]), "another number as well");
        assert!(!are_alike([1, 77, 5], [1, 294, 5]), "one number of each kind");
        assert!(!are_alike([38, 1, 5], [39, 1, 5]), "a byte");
        assert!(!differ_alone([&[], &[38, 0, 0, 0]], &[[0, 38]]), "of another size");
        assert!(!differ_alone([&[38, 0, 0, 0], &[38, 1, 0, 0]], &[]), "no text");
    }
}
