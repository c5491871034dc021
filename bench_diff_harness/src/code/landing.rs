//! Where execution continues when a call unwinds, by the unwind table.

use super::program::{Program, Reference, Section, Target, UNWINDING};

/// The place where execution continues when a call unwinds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Landing {
    pub(super) at: usize,
    /// The bytes that were pushed for the call, and are gone at the landing.
    pub(super) pushed: i64,
}

/// Where a call lands, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Lands {
    /// Unwinding out of the call leaves the function as well.
    Nowhere,
    In(Landing),
    Unknown,
}

/// The landing of the call that ends at this place of the code.
pub(super) fn landing(program: &Program, code: &Section, call_end: usize) -> Lands {
    let entries = code.references.iter().filter(|reference| reference.kind == UNWINDING);
    for reference in entries {
        match landing_by(program, code, reference, call_end) {
            Some(None) => {}
            Some(Some(lands)) => return lands,
            None => return Lands::Unknown,
        }
    }
    Lands::Nowhere
}

/// Offsets in an entry of the table, behind its head: the size of the function, the size of the augmentation
/// data, the address of the table of landings if that is the only data, and the instructions.
const SIZE: usize = 4;
const REST: usize = 8;
const LANDINGS: usize = 9;

/// The landing by one entry: `Some(None)` if the entry is not about this call, `None` if it isn't understood.
fn landing_by(
    program: &Program,
    code: &Section,
    reference: &Reference,
    call_end: usize,
) -> Option<Option<Lands>> {
    let start = usize::try_from(reference.at.checked_sub(code.header.size)?).ok()?;
    let entry = section(program, reference)?;
    let size = u32::from_le_bytes(*entry.bytes.get(SIZE..)?.first_chunk()?) as usize;
    // The return address is past the end of a function that ends with the call.
    let Some(call) = call_end.checked_sub(start + 1).filter(|call| *call < size) else { return Some(None) };
    let [_, rest @ ..] = &entry.references[..] else { return None };
    let landings = match rest {
        [shared] if shared.kind == UNWINDING => return Some(Some(Lands::Nowhere)),
        [landings, shared] if shared.kind == UNWINDING => landings,
        _ => return None,
    };
    // The address of the table takes as many bytes as the machine likes.
    let rest @ (4 | 8) = *entry.bytes.get(REST)? else { return None };
    if landings.at != LANDINGS as u64 {
        return None;
    }
    let instructions = LANDINGS + usize::from(rest);
    let Target::Place(root) = landings.to else { return None };
    let table = &program.sections[root.section].bytes;
    let from = usize::try_from(root.offset.checked_add_signed(landings.addend)?).ok()?;
    Some(Some(match pad(table.get(from..)?, call as u64)? {
        0 => Lands::Nowhere,
        pad => {
            let pushed = pushed(entry.bytes.get(instructions..).unwrap_or_default(), call as u64)?;
            Lands::In(Landing { at: start + usize::try_from(pad).ok()?, pushed })
        }
    }))
}

fn section<'p>(program: &'p Program, reference: &Reference) -> Option<&'p Section> {
    match reference.to {
        Target::Place(root) => Some(&program.sections[root.section]),
        _ => None,
    }
}

/// The distance from the start of a function to where a call lands, by the table of landings; zero if it
/// lands nowhere.
fn pad(table: &[u8], call: u64) -> Option<u64> {
    const NOTHING: u8 = 0xff;
    const ULEB: u8 = 1;

    let mut bytes = Bytes(table);
    if bytes.next()? != NOTHING {
        return None;
    }
    if bytes.next()? != NOTHING {
        bytes.number()?;
    }
    if bytes.next()? != ULEB {
        return None;
    }
    let length = usize::try_from(bytes.number()?).ok()?;
    let mut calls = Bytes(bytes.0.get(..length)?);
    while !calls.0.is_empty() {
        let [start, length, pad, _action] =
            [calls.number()?, calls.number()?, calls.number()?, calls.number()?];
        if (start..start + length).contains(&call) {
            return Some(pad);
        }
    }
    Some(0)
}

/// The bytes that are pushed at this place of a function, by the instructions of its entry, whose trailing
/// zeros are cut off.
fn pushed(instructions: &[u8], call: u64) -> Option<i64> {
    let mut bytes = Bytes(instructions);
    let (mut at, mut pushed) = (0, 0);
    while let Some(instruction) = bytes.next() {
        at += match instruction {
            0x40..=0x7f => u64::from(instruction & 0x3f),
            0x02 => bytes.fixed(1)?,
            0x03 => bytes.fixed(2)?,
            0x04 => bytes.fixed(4)?,
            _ => 0,
        };
        if at > call {
            break;
        }
        let numbers = match instruction {
            0x00 | 0x02..=0x04 | 0x0a | 0x0b | 0x40..=0x7f | 0xc0..=0xff => 0,
            0x06..=0x08 | 0x0d | 0x0e | 0x2e | 0x80..=0xbf => 1,
            0x05 | 0x09 | 0x0c => 2,
            _ => return None,
        };
        let last = (0..numbers).map(|_| bytes.number().unwrap_or_default()).last();
        if instruction == 0x2e {
            pushed = last.unwrap_or_default();
        }
    }
    i64::try_from(pushed).ok()
}

/// Bytes that are read one after another.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn fixed(&mut self, length: usize) -> Option<u64> {
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// A number of seven bits a byte (LEB128).
    fn number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.next()?;
            number |= u64::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte < 0x80 {
                return Some(number);
            }
        }
    }
}
