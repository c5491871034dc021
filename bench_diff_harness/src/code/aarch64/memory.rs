//! Loads and stores.

use super::word::{RA, RD, RM, RN, SP, Word, access, changes, computes, set};
use crate::code::instruction::{Instruction, Kind, Registers, Usage};

pub(super) fn decoded(word: Word) -> Option<Instruction> {
    match word.bits(29, 27) {
        0b001 if !word.has(26) && word.bits(25, 24) == 0 => Some(exclusive(word)),
        0b001 if word.has(26) && word.bits(25, 24) <= 1 => structures(word),
        0b011 if word.bits(25, 24) == 0 => literal(word),
        0b101 if !word.has(25) => pair(word),
        0b111 if !word.has(25) => single(word),
        _ => None,
    }
}

/// How an address follows from a register and a constant: without a change of the register, or with one
/// before or after the access.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Offset,
    Before,
    After,
}

/// Adds an access of this many bytes to a load or a store: the base register, and its change.
fn at(word: Word, mode: Mode, distance: i64, size: i64, usage: Usage, moved: Instruction) -> Instruction {
    let base = word.or_stack(RN);
    let start = if mode == Mode::After { 0 } else { distance };
    let with_access = Instruction {
        reads: moved.reads | Registers::of(&[base]),
        sets: moved.sets.without(Registers::of(&[base])),
        access: access(base, start, size, usage),
        ..moved
    };
    if mode == Mode::Offset {
        return with_access;
    }
    Instruction {
        writes: with_access.writes | Registers::of(&[base]),
        stack_moves_by: (base == SP).then_some(distance),
        ..with_access
    }
}

/// `ldp`, `stp` and their kin.
fn pair(word: Word) -> Option<Instruction> {
    let [is_vector, is_load] = [26, 22].map(|bit| word.has(bit));
    let size = match (is_vector, word.bits(31, 30)) {
        (false, 0) => 4,
        // ldpsw
        (false, 1) if is_load => 4,
        (false, 2) => 8,
        (true, size @ 0..=2) => 4 << size,
        _ => return None,
    };
    let mode = match word.bits(24, 23) {
        // The first is without the cache (`ldnp`, `stnp`).
        0 | 2 => Mode::Offset,
        1 => Mode::After,
        _ => Mode::Before,
    };
    let registers = if is_vector { Registers::NONE } else { word.registers([RD, RA]) };
    let moved = moved(is_load, registers);
    let usage = if is_load { Usage::Any } else { Usage::Sets };
    Some(at(word, mode, word.signed(21, 15) * size, 2 * size, usage, moved))
}

/// A load into these registers, or a store of them.
fn moved(is_load: bool, registers: Registers) -> Instruction {
    if is_load { computes(Registers::NONE, registers) } else { computes(registers, Registers::NONE) }
}

/// `ldr`, `str` and their kin.
fn single(word: Word) -> Option<Instruction> {
    let [is_vector, has_wide_constant, has_register] = [26, 24, 21].map(|bit| word.has(bit));
    if !has_wide_constant && has_register && word.bits(11, 10) == 0 {
        return if is_vector { None } else { atomic(word) };
    }
    let (logarithm, kind) = (word.bits(31, 30), word.bits(23, 22));
    // A prefetch has a number instead of a register.
    let is_prefetch = !is_vector && logarithm == 3 && kind == 2;
    let is_load = kind != 0 && !(is_vector && kind == 2);
    let size = match (is_vector, kind) {
        (true, 2 | 3) if logarithm != 0 => return None,
        (true, 2 | 3) => 16,
        (false, 3) if logarithm > 1 => return None,
        _ => 1 << logarithm,
    };
    let register = word.general(RD).filter(|_| !is_vector && !is_prefetch);
    let moved = moved(is_load, set(register));
    let usage = if is_load { Usage::Any } else { Usage::Sets };
    if has_wide_constant {
        let by_constant = at(word, Mode::Offset, i64::from(word.bits(21, 10)) * size, size, usage, moved);
        return Some(whole(word, is_load, size, by_constant));
    }
    let distance = word.signed(20, 12);
    match (has_register, word.bits(11, 10)) {
        (false, 0) => {
            let by_constant = at(word, Mode::Offset, distance, size, usage, moved);
            Some(whole(word, is_load, size, by_constant))
        }
        (false, 1) if !is_prefetch => Some(at(word, Mode::After, distance, size, usage, moved)),
        (false, 3) if !is_prefetch => Some(at(word, Mode::Before, distance, size, usage, moved)),
        (true, 2) => {
            let by_register = at(word, Mode::Offset, 0, size, usage, moved);
            let reads = by_register.reads | word.registers([RM]);
            let sets = by_register.sets.without(reads);
            Some(Instruction { reads, sets, access: None, ..by_register })
        }
        _ => None,
    }
}

/// Returns the kind that moves an address, if this loads or stores a whole register.
fn whole(word: Word, is_load: bool, size: i64, by_constant: Instruction) -> Instruction {
    let register = word.general(RD).filter(|_| size == 8 && !word.has(26) && word.bits(23, 22) <= 1);
    let Some(register) = register else { return by_constant };
    if is_load {
        return Instruction { kind: Kind::Load { to: register }, ..by_constant };
    }
    let reads = Registers::of(&[word.or_stack(RN)]);
    Instruction { kind: Kind::Store { from: register }, reads, ..by_constant }
}

/// Atomic operations, which read memory, compute, and write it back.
fn atomic(word: Word) -> Option<Instruction> {
    // With this bit, only `swp` and `ldapr` have two registers.
    if word.has(15) && ![0b000, 0b100].contains(&word.bits(14, 12)) {
        return None;
    }
    let base = Registers::of(&[word.or_stack(RN)]);
    let reads = base | word.registers([RM, RD]);
    let writes = word.registers([RD]);
    let size = 1 << word.bits(31, 30);
    Some(Instruction {
        access: access(word.or_stack(RN), 0, size, Usage::Any),
        writes,
        ..computes(reads, Registers::NONE)
    })
}

/// Ordered loads and stores, and exclusive ones, which fail if another core has stored in between.
fn exclusive(word: Word) -> Instruction {
    let base = Registers::of(&[word.or_stack(RN)]);
    let [is_ordered, is_load, is_pair] = [23, 22, 21].map(|bit| word.has(bit));
    let plain = match (is_ordered && !is_pair, is_load) {
        // ldar, stlr
        (true, _) => moved(is_load, word.registers([RD])),
        // Compare and swap may use pairs of registers, of which the encoding names only the first.
        _ => {
            let named = word.registers([RD, RA, RM]);
            let next = named.iter().fold(Registers::NONE, |all, it| all | Registers::of(&[it ^ 1]));
            changes(named | next.without(Registers::of(&[SP])))
        }
    };
    Instruction {
        reads: plain.reads | base,
        sets: plain.sets.without(base),
        access: access(word.or_stack(RN), 0, 16, Usage::Any),
        ..plain
    }
}

/// `ldr` of a constant near the code.
fn literal(word: Word) -> Option<Instruction> {
    match (word.has(26), word.bits(31, 30)) {
        (true, 0..=2) => Some(computes(Registers::NONE, Registers::NONE)),
        (false, 0..=2) => Some(computes(Registers::NONE, word.registers([RD]))),
        _ => None,
    }
}

/// `ld1`, `st4` and their kin: up to four vectors, or an element of each.
fn structures(word: Word) -> Option<Instruction> {
    if word.has(31) {
        return None;
    }
    let is_moved = word.has(23);
    let base = word.or_stack(RN);
    let usage = if word.has(22) { Usage::Any } else { Usage::Writes };
    let by = if is_moved { word.registers([RM]) } else { Registers::NONE };
    let moved = if is_moved { Registers::of(&[base]) } else { Registers::NONE };
    let reads = Registers::of(&[base]) | by;
    let access = access(base, 0, 64, usage);
    Some(Instruction { access, ..computes(reads, moved) })
}
