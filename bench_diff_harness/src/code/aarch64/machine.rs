//! The calling convention and the relocations.

use object::elf;

use super::decode::first;
use super::word::{FRAME, LINK, SP, Word};
use crate::code::instruction::{Register, Registers};
use crate::code::machine::Machine;

pub(crate) static AARCH64: Machine = Machine {
    first,
    arguments: &[0, 1, 2, 3, 4, 5, 6, 7],
    scratch: Registers::of(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, LINK]),
    // Rust returns its own values in two registers at most, but C returns up to 64 bytes of some types.
    returned: Registers::of(&[0, 1, 2, 3, 4, 5, 6, 7]),
    stack_pointer: SP,
    frame_pointer: FRAME,
    loaded,
    pointer: elf::R_AARCH64_ABS64,
    call_addend: 0,
    calls_of_own_convention: &[elf::R_AARCH64_TLSDESC_CALL],
    addend_of_start: |_| 0,
};

/// The end of an instruction that computes a part of an address, and its register. `adrp` loads the page, and
/// `add` completes it. The page is followed like the address, since it reveals where the address is.
fn loaded(code: &[u8], at: u64, kind: u32, addend: i64) -> Option<(usize, Register)> {
    let at = usize::try_from(at).ok()?;
    let word = Word::first(code.get(at..)?)?;
    let is_loaded = match kind {
        elf::R_AARCH64_ADR_PREL_PG_HI21 => word.bits(31, 31) == 1 && word.bits(28, 24) == 0b10000,
        elf::R_AARCH64_ADD_ABS_LO12_NC => word.bits(31, 22) == 0b10_0100_0100,
        _ => false,
    };
    let register = word.bits(4, 0) as Register;
    (is_loaded && addend == 0 && register != SP).then_some((at + 4, register))
}
