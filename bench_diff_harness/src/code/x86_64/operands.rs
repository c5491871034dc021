//! The operands of an instruction: registers and memory.

use super::opcodes::{Constant, Width};
use super::prefixes::{Mandatory, Prefixes};
use crate::code::instruction::Register;

pub(super) const RAX: Register = 0;
pub(super) const RCX: Register = 1;
pub(super) const RDX: Register = 2;
pub(super) const RBX: Register = 3;
pub(super) const RSP: Register = 4;
pub(super) const RBP: Register = 5;
pub(super) const RSI: Register = 6;
pub(super) const RDI: Register = 7;

/// The bytes of an instruction, and how far they are read.
pub(super) struct Reader<'c> {
    pub(super) code: &'c [u8],
    pub(super) at: usize,
}

impl Reader<'_> {
    pub(super) fn peek(&self) -> Option<u8> {
        self.code.get(self.at).copied()
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// The signed number in the next bytes.
    fn number(&mut self, bytes: u8) -> Option<i64> {
        let mut number = [0; 8];
        let from = self.code.get(self.at..self.at + usize::from(bytes))?;
        number[..from.len()].copy_from_slice(from);
        self.at += from.len();
        let unused = 64 - 8 * u32::from(bytes);
        Some(i64::from_le_bytes(number).checked_shl(unused).unwrap_or_default() >> unused.min(63))
    }

    pub(super) fn constant(&mut self, constant: Constant, prefixes: &Prefixes) -> Option<i64> {
        let word = prefixes.word();
        self.number(match constant {
            Constant::Nothing => 0,
            Constant::One => 1,
            Constant::Short => word.min(4),
            Constant::Full => word,
            Constant::Distance(bytes) => bytes,
        })
    }
}

/// Two operands.
pub(super) struct Operands {
    pub(super) operand: Operand,
    pub(super) other: Register,
    /// The bits of the other operand, if they select the instruction.
    pub(super) extension: u8,
}

pub(super) enum Operand {
    Register(Register),
    Memory(Address),
}

pub(super) struct Address {
    pub(super) base: Option<Register>,
    pub(super) index: Option<Register>,
    /// The least and the greatest distance that the address adds to base and index.
    pub(super) distance: [i64; 2],
}

impl Operands {
    pub(super) fn read(reader: &mut Reader<'_>, prefixes: &Prefixes) -> Option<Self> {
        let first = reader.byte()?;
        let (mode, extension, low) = (first >> 6, first >> 3 & 7, first & 7);
        let [upper_other, upper_index, upper_base] = prefixes.upper();
        let operand = if mode == 3 {
            Operand::Register(low | upper_base)
        } else {
            let (mut base, mut index) = (low, None);
            if low == RSP {
                let scaled = reader.byte()?;
                base = scaled & 7;
                // The number of the stack pointer means "no index".
                index = Some(scaled >> 3 & 7 | upper_index).filter(|index| *index != RSP);
            }
            let is_absolute = mode == 0 && base == RBP;
            let distance = match mode {
                1 => reader.number(1)?,
                0 if !is_absolute => 0,
                _ => reader.number(4)?,
            };
            let far = if mode == 1 { distance * i64::from(prefixes.largest_step()) } else { distance };
            Operand::Memory(Address {
                base: (!is_absolute).then_some(base | upper_base),
                index,
                distance: [distance.min(far), distance.max(far)],
            })
        };
        Some(Self { operand, other: extension | upper_other, extension })
    }
}

/// The largest possible size of an operand in memory, in bytes.
pub(super) fn size(width: Width, prefixes: &Prefixes) -> i64 {
    let bytes = match width {
        Width::Byte => 1,
        Width::Word => prefixes.word(),
        Width::Small(bytes) => bytes,
        Width::Eight => 8,
        Width::Number if prefixes.mandatory == Mandatory::F3 => 4,
        Width::Number if prefixes.mandatory == Mandatory::F2 => 8,
        Width::Number | Width::Whole => prefixes.vector(),
    };
    bytes.into()
}
