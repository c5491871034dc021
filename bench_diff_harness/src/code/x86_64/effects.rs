//! The effects of an instruction on registers and memory.

use super::implied::implied;
use super::opcodes::{Form, Role, Width};
use super::operands::{Address, Operand, Operands, size};
use super::prefixes::{Map, Prefixes};
use crate::code::instruction::{Access, Instruction, Register, Registers, Usage};

pub(super) struct Effects<'p> {
    prefixes: &'p Prefixes,
    all: Instruction,
}

impl<'p> Effects<'p> {
    pub(super) fn of(
        prefixes: &'p Prefixes,
        number: u8,
        form: Form,
        operands: Option<&Operands>,
    ) -> Instruction {
        let mut effects = Self { prefixes, all: Instruction::default() };
        let extension = operands.map_or(0, |operands| operands.extension);
        for (role, registers) in implied(prefixes, number, extension) {
            registers.iter().for_each(|register| effects.add(*role, *register, Width::Word));
        }
        match (form, operands) {
            (Form::Operands { operand, other, third, width }, Some(operands)) => {
                // `xor` and `sub` of a register with itself clear it.
                let is_cleared = matches!(number, 0x29 | 0x2b | 0x31 | 0x33)
                    && prefixes.map == Map::One
                    && matches!(operands.operand, Operand::Register(register) if register == operands.other);
                if is_cleared {
                    effects.add(Role::Sets, operands.other, width);
                } else {
                    effects.add_operands(operands, [operand, other, third], width);
                }
            }
            (Form::Plain { low, width }, _) => {
                let [.., upper] = prefixes.upper();
                effects.add(low, number & 7 | upper, width);
            }
            _ => {}
        }
        effects.all.sets = effects.all.sets.without(effects.all.reads);
        effects.all
    }

    fn add_operands(&mut self, operands: &Operands, roles: [Role; 3], width: Width) {
        let [operand, other, third] = roles;
        match &operands.operand {
            Operand::Register(register) => self.add(operand, *register, width),
            Operand::Memory(address) => self.add_memory(operand, address, width),
        }
        let other_width = if let Width::Small(_) = width { Width::Word } else { width };
        self.add(other, operands.other, other_width);
        self.add(third, self.prefixes.third, Width::Eight);
    }

    fn add(&mut self, role: Role, register: Register, width: Width) {
        let is_byte = matches!(width, Width::Byte | Width::Small(1));
        // AH, CH, DH and BH: the second bytes of the first four registers.
        let is_high_byte = is_byte && self.prefixes.has_high_bytes() && (4..8).contains(&register);
        let register = Registers::of(&[if is_high_byte { register - 4 } else { register }]);
        let is_part = is_byte || width == Width::Word && self.prefixes.word() == 2;
        if role == Role::Reads || role == Role::Changes {
            self.all.reads |= register;
        }
        if role == Role::Changes || role == Role::Sets {
            self.all.writes |= register;
        }
        if role == Role::Sets && !is_part {
            self.all.sets |= register;
        }
    }

    fn add_memory(&mut self, role: Role, address: &Address, width: Width) {
        if role == Role::Ignored {
            return;
        }
        let Address { base, index, distance: [least, most] } = *address;
        self.all.reads |= Registers::of(base.as_slice()) | Registers::of(index.as_slice());
        let usage = match role {
            Role::Sets if matches!(width, Width::Byte | Width::Word) => Usage::Sets,
            Role::Sets | Role::SetsVector => Usage::Writes,
            _ => Usage::Any,
        };
        if let (Some(base), None, false) = (base, index, self.prefixes.has_segment) {
            // For an address that is only computed, one byte stands for the memory.
            let end = most + if role == Role::No { 1 } else { size(width, self.prefixes) };
            self.all.access = Some(Access { base, start: least, end, usage });
        }
    }
}
