//! The calling convention and the relocations of x86-64.

use object::elf;

use super::decode::first;
use super::operands::{RAX, RBP, RCX, RDI, RDX, RSI, RSP};
use crate::code::instruction::{Register, Registers};
use crate::code::machine::Machine;

pub(crate) static X86_64: Machine = Machine {
    first,
    arguments: &[RDI, RSI, RDX, RCX, 8, 9],
    scratch: Registers::of(&[RAX, RCX, RDX, RSI, RDI, 8, 9, 10, 11]),
    returned: Registers::of(&[RAX, RDX]),
    stack_pointer: RSP,
    frame_pointer: RBP,
    loaded,
    pointer: elf::R_X86_64_64,
    call_addend: LENGTH,
};

/// A distance counts from the end of its four bytes, and an addend from their start.
const LENGTH: i64 = -4;

/// The end of a `lea` with this reference, and the register that it loads.
fn loaded(code: &[u8], at: u64, kind: u32, addend: i64) -> Option<(usize, Register)> {
    let at = usize::try_from(at).ok()?;
    let [rex, 0x8d, operands] = *code.get(at.checked_sub(3)?..at)? else { return None };
    let is_of_address = rex & 0xfb == 0x48 && operands & 0xc7 == 5;
    let is_start = kind == elf::R_X86_64_PC32 && addend == LENGTH;
    (is_of_address && is_start).then_some((at + 4, operands >> 3 & 7 | (rex & 4) << 1))
}
