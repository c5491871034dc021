//! Assembles an instruction from its parts.

use super::effects::Effects;
use super::opcodes::{Form, Opcode, opcode};
use super::operands::{Address, Operand, Operands, RSP, Reader};
use super::prefixes::{Map, Prefixes};
use crate::code::instruction::{Access, Instruction, Kind, Registers, Usage};

/// Decodes the first instruction; `None` if compilers do not use its kind in ordinary functions.
pub(super) fn first(code: &[u8]) -> Option<Instruction> {
    let (prefixes, at) = Prefixes::read(code)?;
    let mut reader = Reader { code, at };
    let number = reader.byte()?;
    let Opcode { form, constant } = opcode(&prefixes, number, reader.peek())?;
    let operands = match form {
        Form::Plain { .. } => None,
        Form::Operands { .. } => Some(Operands::read(&mut reader, &prefixes)?),
    };
    let constant = reader.constant(constant, &prefixes)?;
    let effects = Effects::of(&prefixes, number, form, operands.as_ref());
    let parts = Parts { prefixes: &prefixes, number, constant, operands: operands.as_ref() };
    let instruction = parts.with_kind(effects)?;
    Some(Instruction { length: reader.at, ..instruction })
}

/// The parts of an encoded instruction.
struct Parts<'p> {
    prefixes: &'p Prefixes,
    number: u8,
    constant: i64,
    operands: Option<&'p Operands>,
}

impl Parts<'_> {
    /// Adds the kind of the instruction and the change of the stack pointer to its effects.
    fn with_kind(&self, effects: Instruction) -> Option<Instruction> {
        let extension = self.operands.map_or(0, |operands| operands.extension);
        let with = |kind| Some(Instruction { kind, ..effects.clone() });
        let moving_by = |distance| Some(Instruction { stack_moves_by: Some(distance), ..effects.clone() });
        let on_stack = |start, end, usage| Some(Access { base: RSP, start, end, usage });
        match (self.prefixes.map, self.number, extension) {
            // Compilers never push or pop half a word.
            (Map::One, 0x50..=0x5f | 0x68 | 0x6a, _) | (Map::One, 0xff, 6) if self.prefixes.word() == 2 => {
                None
            }
            (Map::One, 0x50..=0x57 | 0x68 | 0x6a, _) => {
                Some(Instruction { access: on_stack(-8, 0, Usage::Sets), ..moving_by(-8)? })
            }
            (Map::One, 0x58..=0x5f, _) => {
                Some(Instruction { access: on_stack(0, 8, Usage::Any), ..moving_by(8)? })
            }
            (Map::One, 0xff, 6) => moving_by(-8),
            (Map::One, 0x81 | 0x83, 0) if self.is_on_stack_pointer() => moving_by(self.constant),
            (Map::One, 0x81 | 0x83, 5) if self.is_on_stack_pointer() => moving_by(-self.constant),
            (Map::One, 0x8d, _) => match self.operands {
                Some(Operands {
                    operand: Operand::Memory(Address { base: Some(RSP), index: None, distance }),
                    other: RSP,
                    ..
                }) if self.is_wide() => moving_by(distance[0]),
                _ => Some(effects),
            },
            (Map::One, 0x89 | 0x8b, _) | (Map::Two, 0x40..=0x4f, _)
                if self.is_wide() && !self.prefixes.is_of_vectors() =>
            {
                Some(self.copying(effects))
            }
            (Map::One, 0xc3, _) => with(Kind::Return),
            (Map::One, 0xcc, _) | (Map::Two, 0x0b, _) => with(Kind::Trap),
            (Map::One, 0xe8, _) | (Map::One, 0xff, 2) => with(Kind::Call),
            (Map::One, 0xff, 4) => with(Kind::JumpAnywhere),
            (Map::One, 0xe9 | 0xeb, _) => with(Kind::Jump { by: self.constant, is_conditional: false }),
            (Map::One, 0x70..=0x7f, _) | (Map::Two, 0x80..=0x8f, _) => {
                with(Kind::Jump { by: self.constant, is_conditional: true })
            }
            _ => Some(effects),
        }
    }

    fn is_wide(&self) -> bool {
        self.prefixes.word() == 8
    }

    fn is_on_stack_pointer(&self) -> bool {
        let operand = self.operands.map(|operands| &operands.operand);
        self.is_wide() && matches!(operand, Some(Operand::Register(RSP)))
    }

    /// Adds the kind of an instruction that moves a whole register. The source register is not among those
    /// that it reads then.
    fn copying(&self, effects: Instruction) -> Instruction {
        let Some(Operands { operand, other, .. }) = self.operands else { return effects };
        let is_reversed = self.prefixes.map == Map::One && self.number == 0x89;
        let kind = match (operand, is_reversed, &effects.access) {
            (Operand::Register(to), true, _) => Kind::Copy { from: *other, to: *to },
            (Operand::Register(from), false, _) => Kind::Copy { from: *from, to: *other },
            (Operand::Memory(_), true, Some(_)) => Kind::Store { from: *other },
            (Operand::Memory(_), false, Some(_)) if self.prefixes.map == Map::One => {
                Kind::Load { to: *other }
            }
            _ => return effects,
        };
        let reads = match operand {
            Operand::Register(_) => Registers::NONE,
            Operand::Memory(Address { base, .. }) => Registers::of(base.as_slice()),
        };
        Instruction { kind, reads, ..effects }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::x86_64::operands::{RAX, RBX, RCX, RDX, RSI};

    fn decoded(hex: &str) -> Instruction {
        let bytes: Vec<u8> = hex.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
        let instruction = first(&bytes).unwrap();
        assert_eq!(instruction.length, bytes.len(), "{hex}");
        instruction
    }

    #[test]
    fn registers_are_read_and_overwritten() {
        let check = |hex: &str, reads: &[_], sets: &[_]| {
            let decoded = decoded(hex);
            assert_eq!((decoded.reads, decoded.sets), (Registers::of(reads), Registers::of(sets)), "{hex}");
        };
        check("8b 50 08", &[RAX], &[RDX]);
        check("31 d2", &[], &[RDX]);
        check("66 31 c0", &[], &[]);
        check("66 b8 01 00", &[], &[]);
        check("b8 01 00 00 00", &[], &[RAX]);
        check("0f b6 d4", &[RAX], &[RDX]);
        check("40 0f b6 d4", &[RSP], &[RDX]);
        check("88 e1", &[RAX], &[]);
        check("4a 8d 14 00", &[RAX, 8], &[RDX]);
        check("0f 10 50 0b", &[RAX], &[]);
        check("48 01 d1", &[RCX, RDX], &[]);
        check("c4 e2 e9 f7 c1", &[RCX, RDX], &[RAX]);
        check("c4 e2 60 f2 c1", &[RBX, RCX], &[RAX]);
        check("c4 e2 e0 f5 c1", &[RBX, RCX], &[RAX]);
        check("c4 e2 e3 f6 c1", &[RCX, RDX], &[RAX, RBX]);
        check("c4 e3 fb f0 c1 03", &[RCX], &[RAX]);
        check("48 99", &[RAX], &[RDX]);
        check("66 0f 1f 44 00 00", &[], &[]);
        assert_eq!(first(&[0xf4]), None, "compilers never write `hlt`");
    }

    #[test]
    fn addresses_are_copied_and_kept() {
        let stack = |start, end, usage| Some(Access { base: RSP, start, end, usage });
        assert_eq!(decoded("48 89 d3").kind, Kind::Copy { from: RDX, to: RBX });
        assert_eq!(decoded("48 0f 44 d3").kind, Kind::Copy { from: RBX, to: RDX });
        assert_eq!(decoded("48 0f 44 d3").sets, Registers::NONE);
        let store = decoded("48 89 44 24 50");
        assert_eq!((store.kind, store.access), (Kind::Store { from: RAX }, stack(0x50, 0x58, Usage::Sets)));
        let load = decoded("48 8b 54 24 50");
        assert_eq!((load.kind, load.access), (Kind::Load { to: RDX }, stack(0x50, 0x58, Usage::Any)));
        assert_eq!(decoded("89 44 24 50").kind, Kind::Next, "half a register");
        assert_eq!(decoded("64 48 8b 04 24").kind, Kind::Next, "from another segment");
        assert_eq!(decoded("56").access, stack(-8, 0, Usage::Sets));
        assert_eq!(decoded("56").reads, Registers::of(&[RSI, RSP]));
        let moves =
            ["56", "5e", "6a 01", "48 83 ec 28", "48 81 c4 00 01 00 00", "48 8d 64 24 f8", "48 83 e4 e0"]
                .map(|hex| decoded(hex).stack_moves_by);
        assert_eq!(moves, [Some(-8), Some(8), Some(-8), Some(-0x28), Some(0x100), Some(-8), None]);
    }
}
