//! What a program for Windows says of its debug information, which no two links have in common.

use object::read::pe::PeFile64;
use object::{LittleEndian, pe};

/// A PE file with zeros where its directories speak of debug information; another file as it is.
pub(super) fn without_debug_information(mut file: Vec<u8>) -> Vec<u8> {
    for (start, length) in debug_information(&file).unwrap_or_default() {
        if let Some(bytes) = start.checked_add(length).and_then(|end| file.get_mut(start..end)) {
            bytes.fill(0);
        }
    }
    file
}

/// Where a PE file has it: the directory, and what each of its entries points to.
fn debug_information(file: &[u8]) -> Option<Vec<(usize, usize)>> {
    let program = PeFile64::parse(file).ok()?;
    let directory = program.data_directory(pe::IMAGE_DIRECTORY_ENTRY_DEBUG)?;
    let (start, length) = directory.file_range(&program.section_table()).ok()?;
    let entries = directory.data(file, &program.section_table()).ok()?;
    let entries: &[pe::ImageDebugDirectory] = object::slice_from_all_bytes(entries).ok()?;
    let number = |number: object::U32<LittleEndian>| number.get(LittleEndian) as usize;
    let pointed = entries.iter().map(|entry| (number(entry.pointer_to_raw_data), number(entry.size_of_data)));
    Some(pointed.chain([(start as usize, length as usize)]).collect())
}
