//! An instruction as a word, and the registers in it.

use crate::code::instruction::{Access, Instruction, Register, Registers, Usage};

pub(super) const FRAME: Register = 29;
/// The register with the return address.
pub(super) const LINK: Register = 30;
/// The stack pointer. The same number also encodes the zero register, which is in no set.
pub(super) const SP: Register = 31;

/// The positions of registers in most instructions, given by their lowest bits.
pub(super) const RD: u32 = 0;
pub(super) const RN: u32 = 5;
pub(super) const RA: u32 = 10;
pub(super) const RM: u32 = 16;

#[derive(Clone, Copy, Debug)]
pub(super) struct Word(pub(super) u32);

impl Word {
    pub(super) fn first(code: &[u8]) -> Option<Self> {
        Some(Self(u32::from_le_bytes(*code.first_chunk()?)))
    }

    /// The unsigned number in these bits.
    pub(super) fn bits(self, high: u32, low: u32) -> u32 {
        self.0 << (31 - high) >> (31 - high + low)
    }

    /// The signed number in these bits.
    pub(super) fn signed(self, high: u32, low: u32) -> i64 {
        i64::from((self.0 << (31 - high)) as i32 >> (31 - high + low))
    }

    pub(super) fn has(self, bit: u32) -> bool {
        self.bits(bit, bit) == 1
    }

    /// The general register at this position; `None` if it is the zero register.
    pub(super) fn general(self, low: u32) -> Option<Register> {
        Some(self.or_stack(low)).filter(|register| *register != SP)
    }

    /// The general register or stack pointer at this position.
    pub(super) fn or_stack(self, low: u32) -> Register {
        self.bits(low + 4, low) as Register
    }

    /// The general registers at these positions.
    pub(super) fn registers<const N: usize>(self, places: [u32; N]) -> Registers {
        places.into_iter().fold(Registers::NONE, |all, low| all | set(self.general(low)))
    }
}

pub(super) fn set(register: Option<Register>) -> Registers {
    Registers::of(register.as_slice())
}

/// An instruction that reads these registers and overwrites those. The stack pointer counts only as written;
/// its change is recorded separately.
pub(super) fn computes(reads: Registers, sets: Registers) -> Instruction {
    let stack = Registers::of(&[SP]);
    Instruction {
        length: 4,
        reads,
        writes: sets,
        sets: sets.without(reads | stack),
        ..Instruction::default()
    }
}

/// An instruction that reads and writes these registers, or some of them.
pub(super) fn changes(registers: Registers) -> Instruction {
    Instruction { length: 4, reads: registers, writes: registers, ..Instruction::default() }
}

/// An access to this many bytes at this distance from a register.
pub(super) fn access(base: Register, start: i64, size: i64, usage: Usage) -> Option<Access> {
    Some(Access { base, start, end: start + size, usage })
}
