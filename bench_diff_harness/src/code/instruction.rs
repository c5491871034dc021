//! What a decoder reports about an instruction, for any machine: as much as it takes to follow an address.
//!
//! A decoder may only err on the safe side. If it reports a read or write that does not happen, or misses
//! that a register is overwritten, a proof is lost. If it misses a read or write, or reports a register as
//! overwritten that isn't, a proof is wrong.

use std::ops::{BitOr, BitOrAssign};

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Instruction {
    /// In bytes.
    pub(super) length: usize,
    pub(super) kind: Kind,
    /// The registers that it may read, except the one that it copies, stores or loads.
    pub(super) reads: Registers,
    /// The registers that it may write.
    pub(super) writes: Registers,
    /// The registers that it overwrites as a whole.
    pub(super) sets: Registers,
    /// The memory that it accesses, if that is at a constant distance from a register.
    pub(super) access: Option<Access>,
    /// The change of the stack pointer; `None` if that changes by an unknown amount or not at all.
    pub(super) stack_moves_by: Option<i64>,
}

/// The control flow after an instruction, or its effect on an address.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Kind {
    #[default]
    Next,
    /// Copies a whole register; only on a condition if `sets` does not contain the target.
    Copy {
        from: Register,
        to: Register,
    },
    /// Writes a whole register to the memory of its access, and nothing else.
    Store {
        from: Register,
    },
    /// Reads a whole register from the memory of its access.
    Load {
        to: Register,
    },
    /// Jumps by this distance from its end; a conditional jump may also continue with the next instruction.
    Jump {
        by: i64,
        is_conditional: bool,
    },
    /// Jumps to an address in a register or in memory.
    JumpAnywhere,
    Call,
    Return,
    /// Stops the program.
    Trap,
}

/// A piece of memory at a constant distance from what a register holds before the instruction.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Access {
    pub(super) base: Register,
    /// From the register to its start and its end.
    pub(super) start: i64,
    pub(super) end: i64,
    pub(super) usage: Usage,
}

/// How an instruction uses a piece of memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Usage {
    /// It may be read or written, as a whole or in part, or its address may be taken.
    Any,
    /// A part of it may be written, and nothing is read.
    Writes,
    /// All of it is overwritten.
    Sets,
}

/// The number of a general register.
pub(super) type Register = u8;

/// A set of general registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Registers(u32);

impl Registers {
    pub(super) const NONE: Self = Self(0);

    pub(super) const fn of(registers: &[Register]) -> Self {
        let (mut all, mut index) = (0, 0);
        while index < registers.len() {
            all |= 1 << registers[index];
            index += 1;
        }
        Self(all)
    }

    pub(super) fn contains(self, register: Register) -> bool {
        self.0 >> register & 1 == 1
    }

    pub(super) fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Register> {
        (0..32).filter(move |register| self.contains(*register))
    }
}

impl BitOr for Registers {
    type Output = Self;

    fn bitor(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }
}

impl BitOrAssign for Registers {
    fn bitor_assign(&mut self, others: Self) {
        *self = *self | others;
    }
}
