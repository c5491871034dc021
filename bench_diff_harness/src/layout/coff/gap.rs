//! The object with the gaps in front of functions and data.

use bench_diff_core::CACHE_LINE;

use super::sections::{CODE, HEADER, MOVED, NAME, SECTION_HEADER, UNINITIALIZED};
use crate::layout::shifts::Shifts;

/// An object for this machine with a gap for each kind of section, with the name that `name` returns. A gap
/// begins on a cache line, and ends as far behind the start of a line as what follows is shifted.
pub(super) fn object(machine: [u8; 2], shifts: Shifts, name: impl Fn(usize) -> [u8; NAME]) -> Vec<u8> {
    let content = HEADER + MOVED.len() * SECTION_HEADER;
    let mut bytes = machine.to_vec();
    bytes.extend((MOVED.len() as u16).to_le_bytes());
    // It has no date, no symbols and no flags.
    bytes.resize(HEADER, 0);
    for (kind, moved) in MOVED.iter().enumerate() {
        let shift = if kind == CODE { shifts.code } else { shifts.data };
        let is_in_file = moved.flags & UNINITIALIZED == 0;
        let place = if is_in_file { content as u32 } else { 0 };
        bytes.extend(name(kind));
        // No address, the size and the place of the content, no relocations and no lines.
        let fields = [0, 0, CACHE_LINE as u32 + shift as u32, place, 0, 0, 0, moved.flags | ALIGNED_TO_LINE];
        bytes.extend(fields.into_iter().flat_map(u32::to_le_bytes));
    }
    // All gaps have the same zeros.
    bytes.resize(content + 2 * CACHE_LINE, 0);
    bytes
}

/// The flag for an alignment to 64 bytes.
const ALIGNED_TO_LINE: u32 = 0x0070_0000;
