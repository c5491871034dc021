//! The registers that instructions use without naming them.

use Role::{Changes, Reads, Sets};

use super::opcodes::Role;
use super::operands::{RAX, RBX, RCX, RDI, RDX, RSI, RSP};
use super::prefixes::{Map, Prefixes};
use crate::code::instruction::Register;

/// How an instruction uses registers that it does not name.
type Uses = &'static [(Role, &'static [Register])];

/// A range of opcodes in a map, a range of their extensions, and the registers they use.
type Row = (Map, [u8; 2], [u8; 2], Uses);

const ANY: [u8; 2] = [0, 7];

const ROWS: &[Row] = &[
    (Map::One, [0x50, 0x5f], ANY, &[(Changes, &[RSP])]),
    (Map::One, [0x68, 0x68], ANY, &[(Changes, &[RSP])]),
    (Map::One, [0x6a, 0x6a], ANY, &[(Changes, &[RSP])]),
    (Map::One, [0x91, 0x97], ANY, &[(Changes, &[RAX])]),
    (Map::One, [0x98, 0x98], ANY, &[(Changes, &[RAX])]),
    (Map::One, [0x99, 0x99], ANY, &[(Reads, &[RAX]), (Sets, &[RDX])]),
    (Map::One, [0xa4, 0xa5], ANY, &[(Changes, &[RSI, RDI, RCX])]),
    (Map::One, [0xa8, 0xa9], ANY, &[(Reads, &[RAX])]),
    (Map::One, [0xaa, 0xab], ANY, &[(Reads, &[RAX]), (Changes, &[RDI, RCX])]),
    (Map::One, [0xd2, 0xd3], ANY, &[(Reads, &[RCX])]),
    (Map::One, [0xf6, 0xf6], [4, 7], &[(Changes, &[RAX])]),
    (Map::One, [0xf7, 0xf7], [4, 5], &[(Changes, &[RAX]), (Sets, &[RDX])]),
    (Map::One, [0xf7, 0xf7], [6, 7], &[(Changes, &[RAX, RDX])]),
    (Map::One, [0xff, 0xff], [6, 6], &[(Changes, &[RSP])]),
    (Map::Two, [0x31, 0x31], ANY, &[(Sets, &[RAX, RDX])]),
    (Map::Two, [0xa2, 0xa2], ANY, &[(Changes, &[RAX, RCX]), (Sets, &[RBX, RDX])]),
    (Map::Two, [0xa5, 0xa5], ANY, &[(Reads, &[RCX])]),
    (Map::Two, [0xad, 0xad], ANY, &[(Reads, &[RCX])]),
    (Map::Two, [0xb0, 0xb1], ANY, &[(Changes, &[RAX])]),
    (Map::Two, [0xc7, 0xc7], [1, 1], &[(Changes, &[RAX, RDX]), (Reads, &[RBX, RCX])]),
    (Map::Two, [0xf7, 0xf7], ANY, &[(Reads, &[RDI])]),
    (Map::Three3A, [0x60, 0x63], ANY, &[(Reads, &[RAX, RDX]), (Changes, &[RCX])]),
];

pub(super) fn implied(prefixes: &Prefixes, opcode: u8, extension: u8) -> Uses {
    match (prefixes.map, opcode) {
        // Arithmetic on the accumulator and a constant.
        (Map::One, 0x00..=0x3f) if opcode & 6 == 4 => &[(Changes, &[RAX])],
        (Map::Three38, 0xf6) if prefixes.is_of_vectors() => &[(Reads, &[RDX])],
        _ => {
            let is_in = |[first, last]: [u8; 2], value: u8| (first..=last).contains(&value);
            let matches = |(map, opcodes, extensions, _): &&Row| {
                *map == prefixes.map && is_in(*opcodes, opcode) && is_in(*extensions, extension)
            };
            ROWS.iter().find(matches).map_or(&[], |(.., uses)| uses)
        }
    }
}
