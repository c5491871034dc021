//! The prefixes before an opcode.

use crate::code::instruction::Register;

/// The prefixes of an instruction, decoded.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Prefixes {
    pub(super) map: Map,
    pub(super) mandatory: Mandatory,
    encoding: Encoding,
    /// The lowest bits of the prefix that widens operands and selects the upper eight registers.
    rex: u8,
    /// The third operand, for instructions that have one.
    pub(super) third: Register,
    /// True if operands have two bytes, unless another prefix widens them.
    has_short: bool,
    /// True if addresses count from the start of a segment.
    pub(super) has_segment: bool,
}

/// The maps of opcodes: without a prefix, and behind `0f`, `0f 38` and `0f 3a`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Map {
    One,
    Two,
    Three38,
    Three3A,
}

/// The prefix that is part of an instruction's opcode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mandatory {
    Nothing,
    Short,
    F3,
    F2,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Encoding {
    Plain,
    Rex,
    Vex { is_long: bool },
    Evex,
}

/// The size of the largest vector.
const LARGEST: u8 = 64;

impl Prefixes {
    /// Reads the prefixes of an instruction, and returns the size of the prefixes and the map in bytes;
    /// `None` if ordinary functions don't have such an instruction.
    pub(super) fn read(code: &[u8]) -> Option<(Self, usize)> {
        let is_legacy =
            |byte: &u8| matches!(byte, 0x66 | 0xf0 | 0xf2 | 0xf3 | 0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65);
        let length = code.iter().position(|byte| !is_legacy(byte))?;
        let (legacy, rest) = code.split_at(length);
        let has_short = legacy.contains(&0x66);
        let mut prefixes = Self {
            map: Map::One,
            mandatory: match legacy.iter().rfind(|byte| matches!(byte, 0xf2 | 0xf3)) {
                Some(0xf2) => Mandatory::F2,
                Some(_) => Mandatory::F3,
                None if has_short => Mandatory::Short,
                None => Mandatory::Nothing,
            },
            encoding: Encoding::Plain,
            rex: 0,
            third: 0,
            has_short,
            has_segment: legacy.contains(&0x64) || legacy.contains(&0x65),
        };
        let vex = |last: u8| Encoding::Vex { is_long: last & 4 != 0 };
        let length = match *rest {
            [0xc5, last, ..] => {
                prefixes.set_vectors(vex(last), !last >> 5 & 4, 1, last)?;
                2
            }
            [0xc4, first, last, ..] => {
                prefixes.set_vectors(vex(last), !first >> 5 & 7 | last >> 4 & 8, first & 31, last)?;
                3
            }
            // EVEX fixes this bit.
            [0x62, first, last, _, ..] if last & 4 != 0 => {
                prefixes.set_vectors(Encoding::Evex, !first >> 5 & 7 | last >> 4 & 8, first & 7, last)?;
                4
            }
            [0x62, ..] => return None,
            [rex @ 0x40..=0x4f, ref rest @ ..] => {
                (prefixes.encoding, prefixes.rex) = (Encoding::Rex, rex & 15);
                1 + prefixes.set_map(rest)
            }
            ref rest => prefixes.set_map(rest),
        };
        Some((prefixes, legacy.len() + length))
    }

    /// Reads the map, and returns how many bytes select it.
    fn set_map(&mut self, bytes: &[u8]) -> usize {
        let length;
        (self.map, length) = match bytes {
            [0x0f, 0x38, ..] => (Map::Three38, 2),
            [0x0f, 0x3a, ..] => (Map::Three3A, 2),
            [0x0f, ..] => (Map::Two, 1),
            _ => (Map::One, 0),
        };
        length
    }

    /// Reads a vector prefix; `last` is its last byte, apart from the byte with the mask.
    fn set_vectors(&mut self, encoding: Encoding, rex: u8, map: u8, last: u8) -> Option<()> {
        self.map = match map {
            1 => Map::Two,
            2 => Map::Three38,
            3 => Map::Three3A,
            _ => return None,
        };
        self.mandatory = match last & 3 {
            0 => Mandatory::Nothing,
            1 => Mandatory::Short,
            2 => Mandatory::F3,
            _ => Mandatory::F2,
        };
        (self.encoding, self.rex, self.third) = (encoding, rex, !last >> 3 & 15);
        Some(())
    }

    pub(super) fn is_of_vectors(&self) -> bool {
        matches!(self.encoding, Encoding::Vex { .. } | Encoding::Evex)
    }

    /// The most bytes that one step of a one-byte distance may stand for.
    pub(super) fn largest_step(&self) -> u8 {
        if self.encoding == Encoding::Evex { LARGEST } else { 1 }
    }

    /// Returns whether the numbers 4 to 7 of one-byte registers mean AH, CH, DH and BH.
    pub(super) fn has_high_bytes(&self) -> bool {
        self.encoding == Encoding::Plain
    }

    /// The size of an operand that depends on these prefixes.
    pub(super) fn word(&self) -> u8 {
        match () {
            () if self.rex & 8 != 0 => 8,
            () if self.has_short => 2,
            () => 4,
        }
    }

    /// The largest size of a vector, in bytes.
    pub(super) fn vector(&self) -> u8 {
        match self.encoding {
            Encoding::Plain | Encoding::Rex | Encoding::Vex { is_long: false } => 16,
            Encoding::Vex { is_long: true } => 32,
            Encoding::Evex => LARGEST,
        }
    }

    /// The bits that select the upper eight registers: for the other operand, for the index of an address,
    /// and for the operand or the base of its address.
    pub(super) fn upper(&self) -> [Register; 3] {
        [(self.rex & 4) << 1, (self.rex & 2) << 2, (self.rex & 1) << 3]
    }
}
