//! The opcodes that compilers use in ordinary functions: what follows them, and how they use their operands.
//! The maps are those of Intel's manual (volume 2, appendix A).

use Constant::{Distance, Full, Nothing, One, Short};
use Role::{Changes, Ignored, No, Reads, Sets, SetsVector, Vector};
use Width::{Byte, Eight, Number, Small, Whole, Word};

use super::prefixes::{Mandatory, Map, Prefixes};

/// How an instruction uses an operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Role {
    /// Not used: its bits select the instruction, or only its address counts.
    No,
    /// Not used, and not even its address counts.
    Ignored,
    Reads,
    /// Overwrites it in its width. A wider register keeps the rest.
    Sets,
    /// Reads and writes it.
    Changes,
    /// A vector register, or memory that is read.
    Vector,
    /// A vector register, or memory that is written in part or as a whole.
    SetsVector,
}

/// The size of an operand in memory. A general register has four or eight bytes, except with `Byte` and
/// `Word`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Width {
    /// One byte, like the other operand.
    Byte,
    /// Two, four or eight bytes, depending on the prefixes, like the other operand.
    Word,
    /// At most this many bytes.
    Small(u8),
    Eight,
    /// One number of a vector if a prefix says so; otherwise at most a vector.
    Number,
    /// At most a vector.
    Whole,
}

/// The constant at the end of an instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Constant {
    Nothing,
    One,
    /// Two or four bytes, depending on the prefixes.
    Short,
    /// Two, four or eight bytes, depending on the prefixes.
    Full,
    /// The distance of a jump or call, of this many bytes.
    Distance(u8),
}

/// The bytes and operands behind an opcode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
    /// No operands except a register in the lowest bits of the opcode.
    Plain { low: Role, width: Width },
    /// An operand in a register or in memory, another one in a register, and with some prefixes a third one
    /// in a register.
    Operands { operand: Role, other: Role, third: Role, width: Width },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Opcode {
    pub(super) form: Form,
    pub(super) constant: Constant,
}

/// A range of similar opcodes, for a range of the extension in their operands. The first row of a table that
/// matches counts, so exceptions come before their range.
struct Row {
    opcodes: [u8; 2],
    extensions: [u8; 2],
    opcode: Opcode,
}

const ANY: [u8; 2] = [0, 7];

const fn plain(opcodes: [u8; 2], low: Role, width: Width, constant: Constant) -> Row {
    Row { opcodes, extensions: ANY, opcode: Opcode { form: Form::Plain { low, width }, constant } }
}

const fn bare(opcodes: [u8; 2], constant: Constant) -> Row {
    plain(opcodes, No, Word, constant)
}

const fn row(opcodes: [u8; 2], operand: Role, other: Role, width: Width, constant: Constant) -> Row {
    let form = Form::Operands { operand, other, third: Vector, width };
    Row { opcodes, extensions: ANY, opcode: Opcode { form, constant } }
}

/// An opcode that stands for several instructions, selected by the bits of the other operand.
const fn group(opcode: u8, extensions: [u8; 2], operand: Role, width: Width, constant: Constant) -> Row {
    Row { extensions, ..row([opcode; 2], operand, No, width, constant) }
}

const fn three(opcode: u8, operand: Role, other: Role, third: Role) -> Row {
    let form = Form::Operands { operand, other, third, width: Word };
    Row { opcodes: [opcode; 2], extensions: ANY, opcode: Opcode { form, constant: Nothing } }
}

/// Each kind of arithmetic has eight opcodes, of which compilers use these six.
const ARITHMETIC: &[Row] = &[
    row([0, 0], Changes, Reads, Byte, Nothing),
    row([1, 1], Changes, Reads, Word, Nothing),
    row([2, 2], Reads, Changes, Byte, Nothing),
    row([3, 3], Reads, Changes, Word, Nothing),
    bare([4, 4], One),
    bare([5, 5], Short),
];

/// The same for comparisons, which change nothing.
const COMPARISON: &[Row] = &[
    row([0, 0], Reads, Reads, Byte, Nothing),
    row([1, 1], Reads, Reads, Word, Nothing),
    row([2, 2], Reads, Reads, Byte, Nothing),
    row([3, 3], Reads, Reads, Word, Nothing),
    bare([4, 4], One),
    bare([5, 5], Short),
];

/// Opcodes of one byte, after those of arithmetic.
const ONE: &[Row] = &[
    plain([0x50, 0x57], Reads, Eight, Nothing),
    plain([0x58, 0x5f], Sets, Eight, Nothing),
    row([0x63, 0x63], Reads, Sets, Small(4), Nothing),
    bare([0x68, 0x68], Short),
    row([0x69, 0x69], Reads, Sets, Word, Short),
    bare([0x6a, 0x6a], One),
    row([0x6b, 0x6b], Reads, Sets, Word, One),
    bare([0x70, 0x7f], Distance(1)),
    group(0x80, [0, 6], Changes, Byte, One),
    group(0x80, [7, 7], Reads, Byte, One),
    group(0x81, [0, 6], Changes, Word, Short),
    group(0x81, [7, 7], Reads, Word, Short),
    group(0x83, [0, 6], Changes, Word, One),
    group(0x83, [7, 7], Reads, Word, One),
    row([0x84, 0x84], Reads, Reads, Byte, Nothing),
    row([0x85, 0x85], Reads, Reads, Word, Nothing),
    row([0x86, 0x86], Changes, Changes, Byte, Nothing),
    row([0x87, 0x87], Changes, Changes, Word, Nothing),
    row([0x88, 0x88], Sets, Reads, Byte, Nothing),
    row([0x89, 0x89], Sets, Reads, Word, Nothing),
    row([0x8a, 0x8a], Reads, Sets, Byte, Nothing),
    row([0x8b, 0x8b], Reads, Sets, Word, Nothing),
    row([0x8d, 0x8d], No, Sets, Word, Nothing),
    bare([0x90, 0x90], Nothing),
    plain([0x91, 0x97], Changes, Word, Nothing),
    bare([0x98, 0x99], Nothing),
    bare([0xa4, 0xa5], Nothing),
    bare([0xa8, 0xa8], One),
    bare([0xa9, 0xa9], Short),
    bare([0xaa, 0xab], Nothing),
    plain([0xb0, 0xb7], Sets, Byte, One),
    plain([0xb8, 0xbf], Sets, Word, Full),
    group(0xc0, [0, 7], Changes, Byte, One),
    group(0xc1, [0, 7], Changes, Word, One),
    bare([0xc3, 0xc3], Nothing),
    group(0xc6, [0, 0], Sets, Byte, One),
    group(0xc7, [0, 0], Sets, Word, Short),
    bare([0xcc, 0xcc], Nothing),
    group(0xd0, [0, 7], Changes, Byte, Nothing),
    group(0xd1, [0, 7], Changes, Word, Nothing),
    group(0xd2, [0, 7], Changes, Byte, Nothing),
    group(0xd3, [0, 7], Changes, Word, Nothing),
    bare([0xe8, 0xe9], Distance(4)),
    bare([0xeb, 0xeb], Distance(1)),
    group(0xf6, [0, 1], Reads, Byte, One),
    group(0xf6, [2, 3], Changes, Byte, Nothing),
    group(0xf6, [4, 7], Reads, Byte, Nothing),
    group(0xf7, [0, 1], Reads, Word, Short),
    group(0xf7, [2, 3], Changes, Word, Nothing),
    group(0xf7, [4, 7], Reads, Word, Nothing),
    group(0xfe, [0, 1], Changes, Byte, Nothing),
    group(0xff, [0, 1], Changes, Word, Nothing),
    group(0xff, [2, 2], Reads, Eight, Nothing),
    group(0xff, [4, 4], Reads, Eight, Nothing),
    group(0xff, [6, 6], Reads, Eight, Nothing),
];

/// Opcodes behind `0f`.
const TWO: &[Row] = &[
    bare([0x0b, 0x0b], Nothing),
    row([0x0d, 0x0d], No, No, Whole, Nothing),
    row([0x10, 0x10], Vector, Vector, Number, Nothing),
    row([0x11, 0x11], SetsVector, Vector, Number, Nothing),
    row([0x13, 0x13], SetsVector, Vector, Eight, Nothing),
    row([0x12, 0x16], Vector, Vector, Whole, Nothing),
    row([0x17, 0x17], SetsVector, Vector, Eight, Nothing),
    row([0x18, 0x18], No, No, Whole, Nothing),
    group(0x1e, [7, 7], Ignored, Whole, Nothing),
    row([0x1f, 0x1f], Ignored, No, Whole, Nothing),
    row([0x29, 0x29], SetsVector, Vector, Whole, Nothing),
    row([0x2a, 0x2a], Reads, Vector, Eight, Nothing),
    row([0x2b, 0x2b], SetsVector, Vector, Whole, Nothing),
    row([0x2c, 0x2d], Vector, Sets, Number, Nothing),
    row([0x28, 0x2f], Vector, Vector, Whole, Nothing),
    bare([0x31, 0x31], Nothing),
    row([0x40, 0x4f], Reads, Changes, Word, Nothing),
    row([0x50, 0x50], Vector, Sets, Whole, Nothing),
    row([0x5b, 0x5b], Vector, Vector, Whole, Nothing),
    row([0x51, 0x5f], Vector, Vector, Number, Nothing),
    row([0x6e, 0x6e], Reads, Vector, Eight, Nothing),
    row([0x60, 0x6f], Vector, Vector, Whole, Nothing),
    row([0x70, 0x73], Vector, Vector, Whole, One),
    row([0x74, 0x76], Vector, Vector, Whole, Nothing),
    bare([0x77, 0x77], Nothing),
    row([0x7c, 0x7d], Vector, Vector, Whole, Nothing),
    row([0x7e, 0x7e], Sets, Vector, Eight, Nothing),
    row([0x7f, 0x7f], SetsVector, Vector, Whole, Nothing),
    bare([0x80, 0x8f], Distance(4)),
    row([0x90, 0x9f], Sets, No, Byte, Nothing),
    bare([0xa2, 0xa2], Nothing),
    row([0xa3, 0xa3], Reads, Reads, Word, Nothing),
    row([0xa4, 0xa4], Changes, Reads, Word, One),
    row([0xa5, 0xa5], Changes, Reads, Word, Nothing),
    row([0xab, 0xab], Changes, Reads, Word, Nothing),
    row([0xac, 0xac], Changes, Reads, Word, One),
    row([0xad, 0xad], Changes, Reads, Word, Nothing),
    row([0xaf, 0xaf], Reads, Changes, Word, Nothing),
    row([0xb0, 0xb0], Changes, Reads, Byte, Nothing),
    row([0xb1, 0xb1], Changes, Reads, Word, Nothing),
    row([0xb3, 0xb3], Changes, Reads, Word, Nothing),
    row([0xb6, 0xb6], Reads, Sets, Small(1), Nothing),
    row([0xb7, 0xb7], Reads, Sets, Small(2), Nothing),
    row([0xb8, 0xb8], Reads, Sets, Word, Nothing),
    group(0xba, [4, 4], Reads, Word, One),
    group(0xba, [5, 7], Changes, Word, One),
    row([0xbb, 0xbb], Changes, Reads, Word, Nothing),
    row([0xbc, 0xbd], Reads, Changes, Word, Nothing),
    row([0xbe, 0xbe], Reads, Sets, Small(1), Nothing),
    row([0xbf, 0xbf], Reads, Sets, Small(2), Nothing),
    row([0xc0, 0xc0], Changes, Changes, Byte, Nothing),
    row([0xc1, 0xc1], Changes, Changes, Word, Nothing),
    row([0xc2, 0xc2], Vector, Vector, Number, One),
    row([0xc3, 0xc3], Sets, Reads, Word, Nothing),
    row([0xc4, 0xc4], Reads, Vector, Small(2), One),
    row([0xc5, 0xc5], Vector, Sets, Whole, One),
    row([0xc6, 0xc6], Vector, Vector, Whole, One),
    group(0xc7, [1, 1], Changes, Whole, Nothing),
    group(0xc7, [6, 7], Changes, Eight, Nothing),
    plain([0xc8, 0xcf], Changes, Word, Nothing),
    row([0xd6, 0xd6], SetsVector, Vector, Eight, Nothing),
    row([0xd7, 0xd7], Vector, Sets, Whole, Nothing),
    row([0xe7, 0xe7], SetsVector, Vector, Whole, Nothing),
    row([0xd0, 0xfe], Vector, Vector, Whole, Nothing),
];

/// Opcodes behind `0f 38`.
const THREE_38: &[Row] = &[
    row([0x7a, 0x7c], Reads, Vector, Whole, Nothing),
    row([0x00, 0x7f], Vector, Vector, Whole, Nothing),
    row([0x83, 0xdf], Vector, Vector, Whole, Nothing),
    row([0xf1, 0xf1], Changes, Changes, Word, Nothing),
    row([0xf6, 0xf6], Reads, Changes, Eight, Nothing),
];

/// Opcodes behind `0f 3a`.
const THREE_3A: &[Row] = &[
    row([0x14, 0x17], Sets, Vector, Eight, One),
    row([0x20, 0x20], Reads, Vector, Eight, One),
    row([0x22, 0x22], Reads, Vector, Eight, One),
    row([0x00, 0xef], Vector, Vector, Whole, One),
];

/// Opcodes behind `0f` that mean something else behind a vector prefix.
const TWO_OF_VECTORS: &[Row] = &[
    row([0x41, 0x4f], Vector, Vector, Whole, Nothing),
    row([0x78, 0x79], Vector, Changes, Whole, Nothing),
    row([0x7b, 0x7b], Reads, Vector, Whole, Nothing),
    row([0x90, 0x91], Vector, Vector, Whole, Nothing),
    row([0x92, 0x92], Reads, Vector, Word, Nothing),
    row([0x93, 0x93], Vector, Sets, Whole, Nothing),
    row([0x98, 0x99], Vector, Vector, Whole, Nothing),
];

/// Opcodes behind `0f 38` that mean something else behind a vector prefix.
const THREE_38_OF_VECTORS: &[Row] = &[
    three(0xf2, Reads, Sets, Reads),
    three(0xf3, Reads, No, Sets),
    three(0xf5, Reads, Sets, Reads),
    three(0xf6, Reads, Sets, Sets),
    three(0xf7, Reads, Sets, Reads),
];

/// Opcodes behind `0f 3a` that mean something else behind a vector prefix.
const THREE_3A_OF_VECTORS: &[Row] = &[row([0xf0, 0xf0], Reads, Sets, Word, One)];

/// The form of an opcode, which may depend on the byte after it.
pub(super) fn opcode(prefixes: &Prefixes, opcode: u8, next: Option<u8>) -> Option<Opcode> {
    match (prefixes.map, opcode, prefixes.mandatory) {
        // Without the right prefix, these use other registers or are other instructions.
        (Map::Two, 0x2a | 0x2c | 0x2d, Mandatory::Nothing | Mandatory::Short) => return None,
        (Map::Two, 0xb8, mandatory) if mandatory != Mandatory::F3 => return None,
        (Map::Three38, 0xd8..=0xdf, Mandatory::F3) => return None,
        // With REX.B this is `xchg`, not `nop`.
        (Map::One, 0x90, _) if prefixes.upper() != [0; 3] => return None,
        (Map::Two, 0x7e, Mandatory::F3) => return Some(row([0; 2], Vector, Vector, Eight, Nothing).opcode),
        _ => {}
    }
    let (of_vectors, rows): (&[Row], &[Row]) = match prefixes.map {
        Map::One if opcode < 0x40 => (&[], if opcode >= 0x38 { COMPARISON } else { ARITHMETIC }),
        Map::One => (&[], ONE),
        Map::Two => (TWO_OF_VECTORS, TWO),
        Map::Three38 => (THREE_38_OF_VECTORS, THREE_38),
        Map::Three3A => (THREE_3A_OF_VECTORS, THREE_3A),
    };
    let of_vectors = if prefixes.is_of_vectors() { of_vectors } else { &[] };
    let opcode = if prefixes.map == Map::One && opcode < 0x40 { opcode & 7 } else { opcode };
    let extension = next.map_or(0, |next| next >> 3 & 7);
    let is_in = |[first, last]: [u8; 2], value: u8| (first..=last).contains(&value);
    let matches = |row: &&Row| is_in(row.opcodes, opcode) && is_in(row.extensions, extension);
    of_vectors.iter().chain(rows).find(matches).map(|row| row.opcode)
}
