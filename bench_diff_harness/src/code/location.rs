//! Panic locations: the line of a panic makes no difference to code that never panics.

use super::flow::only_panics_get;
use super::program::{Program, Reference, Root, Section, Target};

/// Returns whether this reference of the code leads to a panic location that reaches only functions of std
/// that never return.
pub(super) fn is_of_panic(program: &Program, code: &Section, index: usize) -> bool {
    let reference = &code.references[index];
    let Target::Place(Root { section, offset: 0 }) = reference.to else { return false };
    code.is_code()
        && is_location(program, &program.sections[section])
        && only_panics_get(program, code, reference)
}

/// Returns whether this is a location as the compiler passes it to `#[track_caller]`: the name of a source
/// file with its length, a line and a column.
pub(super) fn is_location(program: &Program, section: &Section) -> bool {
    let [Reference { at: 0, kind, addend, to: Target::Place(root) }] = section.references[..] else {
        return false;
    };
    if program.machine.is_none_or(|machine| machine.pointer != kind) {
        return false;
    }
    let (words, []) = section.bytes.as_chunks::<4>() else { return false };
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let [0, 0, length, 0, line, column] = words[..] else { return false };
    let text = &program.sections[root.section];
    let start = root.offset.wrapping_add_signed(addend) as usize;
    let file = text.bytes.get(start..).and_then(|rest| rest.split_at_checked(length as usize));
    line > 0
        && column > 0
        && section.header.align == 8
        && !section.is_writable()
        && !section.is_code()
        && !text.is_writable()
        && text.references.is_empty()
        && file.is_some_and(|(file, rest)| {
            file.ends_with(b".rs") && !file.contains(&0) && rest.first() == Some(&0)
        })
}
