//! Panic locations, as the compiler makes them of `core::panic::Location`.
//!
//! A function only hands the address of a location on to code that may panic, so its line is no work.
//! Whatever else reads a line, such as `line!()` or a caller's line that is inlined, has the number in its
//! own code.

use object::elf;

use super::program::{Program, Reference};

/// The beginnings of the names of constants to which the source gives no name. With thin LTO, other objects
/// know some by a symbol.
const ANONYMOUS: [&str; 3] = [".data.rel.ro..Lanon.", ".rodata..Lanon.", "anon."];

/// The name of the source file in the panic location to which this reference leads, with its final NUL;
/// `None` if the target is anything else. A panic location is an anonymous constant of the name's address,
/// its length without the NUL, a line and a column.
pub(super) fn file_of_location<'p>(program: &'p Program, reference: &Reference) -> Option<&'p [u8]> {
    let section = program.starting_at(reference)?;
    let is_anonymous = ANONYMOUS.iter().any(|start| section.symbol.starts_with(start));
    let is_plain = section.header.flags & !u64::from(elf::SHF_WRITE) == u64::from(elf::SHF_ALLOC);
    if !is_anonymous || !is_plain || section.is_writable() || section.header.align != 8 {
        return None;
    }
    let [name] = &section.references[..] else { return None };
    let is_address = matches!(
        (program.machine, name.kind),
        (elf::EM_X86_64, elf::R_X86_64_64) | (elf::EM_AARCH64, elf::R_AARCH64_ABS64)
    );
    if name.at != 0 || !is_address {
        return None;
    }
    let (words, []) = section.bytes.as_chunks::<4>() else { return None };
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let [0, 0, length, 0, 1..=u32::MAX, 1..=u32::MAX] = words[..] else { return None };
    let (of_name, file) = program.text(name)?;
    let [text @ .., 0] = file else { return None };
    (of_name.is_merged() && text.len() == length as usize && text.ends_with(b".rs")).then_some(file)
}
