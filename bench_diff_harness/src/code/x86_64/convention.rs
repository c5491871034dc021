//! How code calls functions and loads addresses.

use object::elf;

use super::operands::{RAX, RCX, RDI, RDX, RSI};
use crate::code::instruction::{Register, Registers};

/// The registers of arguments, in order.
pub(super) const ARGUMENTS: [Register; 6] = [RDI, RSI, RDX, RCX, 8, 9];

/// The registers that a function need not preserve.
pub(super) const SCRATCH: Registers = Registers::of(&[RAX, RCX, RDX, RSI, RDI, 8, 9, 10, 11]);

/// The registers of a return value, such as a text and its length.
pub(super) const RETURNED: [Register; 2] = [RAX, RDX];

/// A distance counts from the end of its four bytes, but an addend from their start.
pub(super) const LENGTH: i64 = -4;

/// The end of the `lea` with this reference, and the register that it loads.
pub(super) fn loaded(code: &[u8], at: u64, kind: u32, addend: i64) -> Option<(usize, Register)> {
    let at = usize::try_from(at).ok()?;
    let [rex, 0x8d, operands] = *code.get(at.checked_sub(3)?..at)? else { return None };
    let is_of_address = rex & 0xfb == 0x48 && operands & 0xc7 == 5;
    let is_start = kind == elf::R_X86_64_PC32 && addend == LENGTH;
    (is_of_address && is_start).then_some((at + 4, operands >> 3 & 7 | (rex & 4) << 1))
}
