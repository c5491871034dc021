//! What following an address through code depends on, for x86-64.

use object::elf;

use super::convention::{ARGUMENTS, LENGTH, RETURNED, SCRATCH, loaded};
use super::decode::first;
use super::operands::{RBP, RSP};
use crate::code::instruction::Registers;
use crate::code::machine::Machine;

pub(crate) static X86_64: Machine = Machine {
    first,
    arguments: &ARGUMENTS,
    scratch: SCRATCH,
    returned: Registers::of(&RETURNED),
    stack_pointer: RSP,
    frame_pointer: RBP,
    loaded,
    pointer: elf::R_X86_64_64,
    call_addend: LENGTH,
    calls_of_own_convention: &[elf::R_X86_64_TLSDESC_CALL],
    addend_of_start: |kind| if kind == elf::R_X86_64_PC32 { LENGTH } else { 0 },
};
