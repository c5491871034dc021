//! Floating point and vector instructions, as far as they use general registers.

use super::word::{RD, RN, Word, computes};
use crate::code::instruction::{Instruction, Registers};

pub(super) fn decoded(word: Word) -> Option<Instruction> {
    let none = computes(Registers::NONE, Registers::NONE);
    let (reads, sets) = (word.registers([RN]), word.registers([RD]));
    let [reading, setting] = [computes(reads, Registers::NONE), computes(Registers::NONE, sets)].map(Some);
    let group = word.bits(31, 24);
    match group {
        // Conversions from and to integers.
        0x1e | 0x9e if !word.has(21) => match (word.bits(20, 19), word.bits(18, 16)) {
            (0, 2 | 3) => reading,
            (3, 0 | 1) => setting,
            _ => None,
        },
        0x1e | 0x9e if word.bits(15, 10) == 0 => {
            let (rounding, kind) = (word.bits(20, 19), word.bits(23, 22));
            match (rounding, word.bits(18, 16)) {
                (_, 0 | 1) | (0, 4 | 5) => setting,
                (0, 2 | 3) => reading,
                // fmov
                (0, 6) => setting,
                (0, 7) => reading,
                (1, 6) if kind == 2 => setting,
                (1, 7) if kind == 2 => reading,
                // fjcvtzs
                (3, 6) if kind == 1 => setting,
                _ => None,
            }
        }
        // Elements of vectors.
        0x0e | 0x4e if word.bits(22, 21) == 0 && !word.has(15) && word.has(10) => {
            match word.bits(14, 11) {
                _ if word.has(23) => None,
                // dup, ins
                1 | 3 => reading,
                // smov, umov
                5 | 7 => setting,
                0 => Some(none),
                _ => None,
            }
        }
        0x0e | 0x0f | 0x1e | 0x1f | 0x2e | 0x2f | 0x4e | 0x4f | 0x5e | 0x5f | 0x6e | 0x6f | 0x7e | 0x7f
        | 0xce => Some(none),
        _ => None,
    }
}
