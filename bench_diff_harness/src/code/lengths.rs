//! The lengths of texts that contain the path of a tree, as numbers in code or data.
//!
//! A reference to a text is a pointer with a length. Differing numbers count as the lengths of a text only if
//! they are next to its pointer.

use super::machine::Machine;
use super::moved_text::MovedText;
use super::program::Section;

/// Returns whether two sections of equal size and references differ only in the lengths of these texts.
pub(super) fn differ_alone(machine: &Machine, sections: [&Section; 2], texts: &[MovedText]) -> bool {
    let bytes = sections.map(|section| &*section.bytes);
    if sections[0].is_code() {
        (machine.differ_in_lengths)(bytes, texts)
    } else {
        in_data(machine.pointer, bytes, texts)
    }
}

fn in_data(pointer: u32, data: [&[u8]; 2], texts: &[MovedText]) -> bool {
    let mut rest = data.map(<[u8]>::to_vec);
    for text in texts.iter().filter(|text| text.kind == pointer) {
        let length = text.at as usize + 8..text.at as usize + 16;
        let number = |side: usize| {
            let bytes: &[u8] = data[side].get(length.clone())?;
            Some(u64::from_le_bytes(bytes.try_into().ok()?))
        };
        if number(0).zip(number(1)).is_some_and(|(left, right)| text.has([left, right])) {
            rest.iter_mut().for_each(|bytes| bytes[length.clone()].fill(0));
        }
    }
    rest[0] == rest[1]
}

#[cfg(test)]
mod tests {
    use object::elf;

    use super::*;

    #[test]
    fn lengths_in_data_follow_their_pointers() {
        let data = |length: u64, last: u64| [0, length, 7, last].map(u64::to_le_bytes).concat();
        let text = |at, kind| MovedText { at, kind, lengths: [38, 110] };
        let pointer = [text(0, elf::R_X86_64_64)];
        assert!(in_data(elf::R_X86_64_64, [&data(38, 5), &data(110, 5)], &pointer));
        assert!(
            !in_data(elf::R_X86_64_64, [&data(38, 5), &data(110, 6)], &pointer),
            "another number as well"
        );
        assert!(
            !in_data(elf::R_X86_64_64, [&data(38, 38), &data(110, 110)], &pointer),
            "one that does not follow a pointer"
        );
        assert!(!in_data(elf::R_X86_64_64, [&data(38, 5), &data(109, 5)], &pointer), "not the length");
        assert!(
            !in_data(elf::R_X86_64_64, [&data(38, 5), &data(110, 5)], &[text(0, elf::R_X86_64_PC32)]),
            "no pointer"
        );
        assert!(
            !in_data(elf::R_X86_64_64, [&data(5, 38), &data(5, 110)], &[text(24, elf::R_X86_64_64)]),
            "at the end"
        );
    }
}
