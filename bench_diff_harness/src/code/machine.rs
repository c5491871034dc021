//! A kind of machine, as far as following an address through its code depends on it.

use super::instruction::{Instruction, Register, Registers};

/// The end of the instruction that loads an address, and its register, by the place of the reference in the
/// code, its kind and its addend.
type Loaded = fn(&[u8], u64, u32, i64) -> Option<(usize, Register)>;

#[derive(Debug)]
pub(super) struct Machine {
    /// Decodes the first instruction of code, if that is of a kind that compilers use in ordinary functions.
    pub(super) first: fn(&[u8]) -> Option<Instruction>,
    /// The registers of arguments, in order.
    pub(super) arguments: &'static [Register],
    /// The registers that a function need not preserve.
    pub(super) scratch: Registers,
    pub(super) returned: Registers,
    pub(super) stack_pointer: Register,
    /// The register that may hold the start of the frame of a function.
    pub(super) frame_pointer: Register,
    pub(super) loaded: Loaded,
    /// The kind of reference by which data hold an address.
    pub(super) pointer: u32,
    /// What a call adds to the address of what it calls.
    pub(super) call_addend: i64,
}
