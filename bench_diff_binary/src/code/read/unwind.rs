//! The unwind table, split by function.

use std::collections::HashMap;

use crate::code::program::{Header, Program, Reference, Root, Section, Target, UNWINDING};

/// The section with the table.
pub(super) const TABLE: &str = ".eh_frame";

impl Program {
    /// Gives each function a reference to its entry in the unwind table.
    pub(super) fn unwinding(&mut self, table: &[u8], references: &[Reference]) -> Option<()> {
        let mut shared: HashMap<u64, usize> = HashMap::new();
        for record in records(table)? {
            let (start, end) = (record.start + HEAD, record.end);
            let first = references.partition_point(|reference| reference.at < start);
            let behind = references.partition_point(|reference| reference.at < end);
            let mut of_record = references[first..behind].to_vec();
            of_record.iter_mut().for_each(|reference| reference.at -= start);
            let bytes = table.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)?;
            // Zeros pad it up to the next record.
            let bytes = &bytes[..bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1)];
            let size = bytes.len() as u64;
            let section = self.sections.len();
            let to_section = |section| Target::Place(Root { section, offset: 0 });
            match record.shared {
                None => drop(shared.insert(record.start, section)),
                Some(of) => {
                    // A function that the linker dropped still has its entry.
                    let Some(Reference { at: 0, addend, to: Target::Place(function), .. }) =
                        of_record.first()
                    else {
                        continue;
                    };
                    let function_section = &mut self.sections[function.section];
                    let at = function_section.header.size + function.offset.wrapping_add_signed(*addend);
                    let to = to_section(section);
                    function_section.references.push(Reference { at, kind: UNWINDING, addend: 0, to });
                    let to = to_section(*shared.get(&of)?);
                    of_record.push(Reference { at: size, kind: UNWINDING, addend: 0, to });
                }
            }
            self.sections.push(Section {
                object: self.objects.len() - 1,
                symbol: TABLE.to_owned(),
                header: Header { kind: UNWINDING, size, ..Header::default() },
                bytes: bytes.to_owned(),
                references: of_record,
                ..Section::default()
            });
        }
        Some(())
    }
}

/// A record of the table: the part that several functions share, or the entry of one function.
#[derive(Debug, PartialEq)]
struct Record {
    /// The start and the end of the record in the table.
    start: u64,
    end: u64,
    /// For the entry of a function: the start of its shared record.
    shared: Option<u64>,
}

/// The size of a record's head: its length, and the distance to the shared record.
const HEAD: u64 = 8;

/// The records of a table; `None` if compilers do not write this kind.
fn records(table: &[u8]) -> Option<Vec<Record>> {
    let (mut records, mut start) = (Vec::new(), 0);
    while start < table.len() as u64 {
        let length = word(table, start)?;
        // A zero length ends the table. A length of all ones would announce more than 4 GB.
        if length == 0 && start + 4 == table.len() as u64 {
            break;
        }
        let (end, back) = (start + 4 + length, word(table, start + 4)?);
        if length < 4 || length == u64::from(u32::MAX) || end > table.len() as u64 {
            return None;
        }
        let shared = if back == 0 { None } else { Some((start + 4).checked_sub(back)?) };
        records.push(Record { start, end, shared });
        start = end;
    }
    Some(records)
}

/// The 32 bits at this place of a table.
fn word(table: &[u8], at: u64) -> Option<u64> {
    let bytes = table.get(usize::try_from(at).ok()?..)?.first_chunk()?;
    Some(u64::from(u32::from_le_bytes(*bytes)))
}
