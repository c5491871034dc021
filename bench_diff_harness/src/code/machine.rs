//! The facts about a machine that are needed to follow an address through its code.

use super::instruction::{Instruction, Register, Registers};

/// Returns the end of the instruction that loads an address, and the register that it loads, given the code
/// and the offset, kind and addend of the reference.
type Loaded = fn(&[u8], u64, u32, i64) -> Option<(usize, Register)>;

#[derive(Debug)]
pub(super) struct Machine {
    /// Decodes the first instruction of some code, if compilers use its kind in ordinary functions.
    pub(super) first: fn(&[u8]) -> Option<Instruction>,
    /// The registers that pass arguments, in order.
    pub(super) arguments: &'static [Register],
    /// The registers that a function need not preserve.
    pub(super) scratch: Registers,
    pub(super) returned: Registers,
    pub(super) stack_pointer: Register,
    /// The register that may point to the frame of a function.
    pub(super) frame_pointer: Register,
    pub(super) loaded: Loaded,
    /// The kind of reference that addresses in data have.
    pub(super) pointer: u32,
    /// The addend of a reference with which a call leads to the start of a function.
    pub(super) call_addend: i64,
    /// The kinds of reference of calls that preserve more registers than other calls.
    pub(super) calls_of_own_convention: &'static [u32],
    /// The addend with which a reference of this kind leads to the start of its target.
    pub(super) addend_of_start: fn(u32) -> i64,
}
