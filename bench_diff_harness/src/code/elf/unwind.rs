//! The unwind table, split by function.

/// A record of the table: the part that several functions share, or the entry of one function.
#[derive(Debug, PartialEq)]
pub(super) struct Record {
    /// The start and the end of the record in the table.
    pub(super) start: u64,
    pub(super) end: u64,
    /// For the entry of a function: the start of its shared record.
    pub(super) shared: Option<u64>,
}

/// The size of a record's head: its length, and the distance to the shared record.
pub(super) const HEAD: u64 = 8;

/// The records of a table; `None` if compilers do not write this kind.
pub(super) fn records(table: &[u8]) -> Option<Vec<Record>> {
    let word = |at: u64| {
        let bytes = table.get(usize::try_from(at).ok()?..)?.first_chunk()?;
        Some(u64::from(u32::from_le_bytes(*bytes)))
    };
    let (mut records, mut start) = (Vec::new(), 0);
    while start < table.len() as u64 {
        let length = word(start)?;
        // A zero length ends the table. A length of all ones would announce more than 4 GB.
        if length == 0 && start + 4 == table.len() as u64 {
            break;
        }
        let (end, back) = (start + 4 + length, word(start + 4)?);
        if length < 4 || length == u64::from(u32::MAX) || end > table.len() as u64 {
            return None;
        }
        let shared = if back == 0 { None } else { Some((start + 4).checked_sub(back)?) };
        records.push(Record { start, end, shared });
        start = end;
    }
    Some(records)
}
