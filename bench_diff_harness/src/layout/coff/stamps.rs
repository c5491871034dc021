//! The parts of a program for Windows that change with each link: dates, and the id of its debug information.

use std::ops::Range;

/// The addresses of these parts. `at` returns the content of the program from an address on.
pub(in crate::layout) fn stamps<'f>(file: &'f [u8], at: impl Fn(u64) -> Option<&'f [u8]>) -> Vec<Range<u64>> {
    of_program(file, at).unwrap_or_default()
}

/// `None` if the file is no program for Windows, or damaged.
fn of_program<'f>(file: &'f [u8], at: impl Fn(u64) -> Option<&'f [u8]>) -> Option<Vec<Range<u64>>> {
    let header = number(file.strip_prefix(b"MZ")?, POINTER - 2)? as usize;
    let header = file.get(header..)?.strip_prefix(b"PE\0\0")?.get(OPTIONAL_HEADER..)?;
    let (base, directories) = match header.get(..2)? {
        [0x0b, 2] => (number(header, 24)? | number(header, 28)? << 32, 112),
        _ => (number(header, 28)?, 96),
    };
    let entry = directories + DEBUG * 8;
    let (start, size) = (base + number(header, entry)?, number(header, entry + 4)?);
    let mut ranges = Vec::new();
    for start in (start..start + size).step_by(DEBUG_ENTRY) {
        let entry = at(start)?;
        let date = start + 4;
        ranges.push(date..date + 4);
        let content = base + number(entry, 20)?;
        match number(entry, 12)? {
            CODE_VIEW => ranges.push(content + 4..content + 24),
            CHECKSUM => ranges.push(content..content + number(entry, 16)?),
            _ => {}
        }
    }
    Some(ranges)
}

/// The place of the number that says where the header is.
const POINTER: usize = 0x3c;
/// The size of the header that objects have as well.
const OPTIONAL_HEADER: usize = 20;
/// The index of the list of debug information among the tables in the header, and the size of its entries.
const DEBUG: usize = 6;
const DEBUG_ENTRY: usize = 28;
/// The kinds of entries for a file with debug information and for a checksum in place of dates. The first
/// begins with 4 letters, an id of 16 bytes and a counter.
const CODE_VIEW: u64 = 2;
const CHECKSUM: u64 = 16;

fn number(bytes: &[u8], start: usize) -> Option<u64> {
    let number = bytes.get(start..start + 4)?.try_into().ok()?;
    Some(u32::from_le_bytes(number).into())
}
