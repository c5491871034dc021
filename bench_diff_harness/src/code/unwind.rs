//! The table of unwinding, taken apart by function.

/// A record of the table: what several functions share, or the entry of one.
#[derive(Debug, PartialEq)]
pub(super) struct Record {
    /// Where it begins and ends in the table.
    pub(super) start: u64,
    pub(super) end: u64,
    /// Of the entry of a function, where the record begins that it shares.
    pub(super) shared: Option<u64>,
}

/// What stands in front of a record: its length, and where the shared one is.
pub(super) const HEAD: u64 = 8;

/// The records of a table; none where it is of a kind that compilers do not write.
pub(super) fn records(table: &[u8]) -> Option<Vec<Record>> {
    let word = |at: u64| {
        let bytes = table.get(usize::try_from(at).ok()?..)?.first_chunk()?;
        Some(u64::from(u32::from_le_bytes(*bytes)))
    };
    let (mut records, mut start) = (Vec::new(), 0);
    while start < table.len() as u64 {
        let length = word(start)?;
        // Zeros end the table, and ones are in front of more than 4 GB.
        if length == 0 && start + 4 == table.len() as u64 {
            break;
        }
        let (end, back) = (start + 4 + length, word(start + 4)?);
        if length < 4 || length == u64::from(u32::MAX) || end > table.len() as u64 {
            return None;
        }
        let shared = (back != 0).then(|| (start + 4).checked_sub(back));
        records.push(Record { start, end, shared: shared.map_or(Some(None), |shared| shared.map(Some))? });
        start = end;
    }
    Some(records)
}
