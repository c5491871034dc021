//! Decodes instructions by the groups of the architecture's manual (Arm ARM, C4.1). Other groups are not
//! decoded, such as vectors of variable length.

use super::memory;
use super::vectors;
use super::word::{LINK, RA, RD, RM, RN, SP, Word, access, computes, set};
use crate::code::instruction::{Instruction, Kind, Registers, Usage};

/// Decodes the first instruction; `None` if compilers do not use its kind in ordinary functions.
pub(super) fn first(code: &[u8]) -> Option<Instruction> {
    let word = Word::first(code)?;
    match word.bits(28, 25) {
        // `udf`, which is reserved as an undefined instruction.
        0b0000 if word.bits(31, 16) == 0 => Some(of_kind(Kind::Trap)),
        0b1000 | 0b1001 => with_constant(word),
        0b1010 | 0b1011 => branch(word),
        0b0100 | 0b0110 | 0b1100 | 0b1110 => memory::decoded(word),
        0b0101 | 0b1101 => of_registers(word),
        0b0111 | 0b1111 => vectors::decoded(word),
        _ => None,
    }
}

fn of_kind(kind: Kind) -> Instruction {
    Instruction { length: 4, kind, ..Instruction::default() }
}

fn with_constant(word: Word) -> Option<Instruction> {
    let (to, from) = (word.registers([RD]), word.registers([RN]));
    match word.bits(25, 23) {
        // adr, adrp
        0b000 | 0b001 => Some(computes(Registers::NONE, to)),
        0b010 => Some(add_constant(word)),
        // and, orr, eor, ands
        0b100 => {
            let sets = if word.bits(30, 29) == 3 { to } else { Registers::of(&[word.or_stack(RD)]) };
            Some(computes(from, sets))
        }
        // movn, movz, movk
        0b101 => match word.bits(30, 29) {
            0 | 2 => Some(computes(Registers::NONE, to)),
            3 => Some(computes(to, to)),
            _ => None,
        },
        // sbfm, bfm, ubfm
        0b110 => match word.bits(30, 29) {
            0 | 2 => Some(computes(from, to)),
            1 => Some(computes(from | to, to)),
            _ => None,
        },
        // extr
        0b111 if word.bits(30, 29) == 0 => Some(computes(word.registers([RN, RM]), to)),
        _ => None,
    }
}

/// `add`, `sub` and their variants that set flags. A result relative to a register is treated as an address
/// that may be used.
fn add_constant(word: Word) -> Instruction {
    let [is_wide, is_sub, has_flags] = [31, 30, 29].map(|bit| word.has(bit));
    let (from, constant) = (word.or_stack(RN), i64::from(word.bits(21, 10)) << (12 * word.bits(22, 22)));
    let by = if is_sub { -constant } else { constant };
    let sets = if has_flags { word.registers([RD]) } else { Registers::of(&[word.or_stack(RD)]) };
    let plain = computes(Registers::of(&[from]), sets);
    if !is_wide {
        return plain;
    }
    let to = word.or_stack(RD);
    if !has_flags && from == SP && to == SP {
        return Instruction { stack_moves_by: Some(by), ..plain };
    }
    let with_access = Instruction { access: access(from, by, 1, Usage::Any), ..plain };
    if has_flags || by != 0 {
        return with_access;
    }
    // `mov` from or to the stack pointer. If it has a reference, it is an `add`, and the linker inserts the
    // rest of an address.
    Instruction { kind: Kind::Copy { from, to }, reads: Registers::NONE, ..with_access }
}

fn branch(word: Word) -> Option<Instruction> {
    // The distance of a jump counts from the end of the jump.
    let jump = |words: i64, is_conditional| of_kind(Kind::Jump { by: 4 * words - 4, is_conditional });
    let far = word.signed(25, 0);
    let reading = |instruction| Instruction { reads: word.registers([RD]), ..instruction };
    let link = Registers::of(&[LINK]);
    let calls = |reads| Instruction { reads, writes: link, sets: link.without(reads), ..of_kind(Kind::Call) };
    Some(match word.bits(31, 24) {
        // b, bl
        0b0001_0100..=0b0001_0111 => jump(far, false),
        0b1001_0100..=0b1001_0111 => calls(Registers::NONE),
        // cbz, cbnz; tbz, tbnz; b.cond
        0b0011_0100 | 0b0011_0101 | 0b1011_0100 | 0b1011_0101 => reading(jump(word.signed(23, 5), true)),
        0b0011_0110 | 0b0011_0111 | 0b1011_0110 | 0b1011_0111 => reading(jump(word.signed(18, 5), true)),
        0b0101_0100 => jump(word.signed(23, 5), true),
        // brk
        0b1101_0100 if word.bits(23, 21) == 1 && word.bits(4, 0) == 0 => of_kind(Kind::Trap),
        0b1101_0101 => return system(word),
        // br, blr, ret
        0b1101_0110 => {
            let reads = word.registers([RN]);
            match word.0 & !(0b11111 << RN) {
                0xd61f_0000 => Instruction { reads, ..of_kind(Kind::JumpAnywhere) },
                0xd63f_0000 => calls(reads),
                0xd65f_0000 => Instruction { reads, ..of_kind(Kind::Return) },
                _ => return None,
            }
        }
        _ => return None,
    })
}

fn system(word: Word) -> Option<Instruction> {
    const NOP: u32 = 0xd503_201f;
    const LANDINGS: [u32; 4] = [0xd503_241f, 0xd503_245f, 0xd503_249f, 0xd503_24df];

    let register = word.registers([RD]);
    match word.bits(31, 20) {
        0xd50 if word.0 == NOP || LANDINGS.contains(&word.0) => Some(of_kind(Kind::Next)),
        // Barriers.
        0xd50 if word.bits(19, 12) == 0x33 && word.bits(4, 0) == 31 => Some(of_kind(Kind::Next)),
        // mrs, msr
        0xd53 => Some(computes(Registers::NONE, register)),
        0xd51 => Some(computes(register, Registers::NONE)),
        _ => None,
    }
}

fn of_registers(word: Word) -> Option<Instruction> {
    let to = word.registers([RD]);
    let both = || computes(word.registers([RN, RM]), to);
    if !word.has(28) {
        return match (word.has(24), word.has(21)) {
            (false, _) => Some(copy(word).unwrap_or_else(both)),
            (true, false) => Some(both()),
            // In this group, the first operand and the result may be the stack pointer.
            (true, true) => {
                let reads = Registers::of(&[word.or_stack(RN)]) | word.registers([RM]);
                let sets = if word.has(29) { to } else { Registers::of(&[word.or_stack(RD)]) };
                Some(computes(reads, sets))
            }
        };
    }
    match (word.bits(24, 21), word.bits(15, 10), word.has(30)) {
        // adc, sbc
        (0b0000, 0, _) => Some(both()),
        // ccmn, ccmp
        (0b0010, number, _) if number & 1 == 0 && !word.has(4) && word.has(29) => {
            let other = if number & 2 == 0 { word.registers([RM]) } else { Registers::NONE };
            Some(computes(word.registers([RN]) | other, Registers::NONE))
        }
        // csel, csinc, csinv, csneg
        (0b0100, number, _) if number & 2 == 0 && !word.has(29) => Some(both()),
        // Division, shifts by a register, checksums.
        (0b0110, 0b00_0010 | 0b00_0011 | 0b00_1000..=0b00_1011 | 0b01_0000..=0b01_0111, false)
            if !word.has(29) =>
        {
            Some(both())
        }
        // rbit, rev, clz, cls
        (0b0110, 0..=5, true) if !word.has(29) && word.bits(20, 16) == 0 => {
            Some(computes(word.registers([RN]), to))
        }
        // madd and the like
        (0b1000..=0b1111, ..) if word.bits(30, 29) == 0 => Some(computes(word.registers([RN, RM, RA]), to)),
        _ => None,
    }
}

/// `mov` between whole registers is encoded as `orr` with the zero register.
fn copy(word: Word) -> Option<Instruction> {
    let is_move = word.bits(31, 21) == 0b101_0101_0000 && word.bits(15, 5) == 0b11111;
    let (from, to) = (word.general(RM)?, word.general(RD)?);
    let moved = computes(set(Some(from)), set(Some(to)));
    is_move.then_some(Instruction { kind: Kind::Copy { from, to }, reads: Registers::NONE, ..moved })
}
