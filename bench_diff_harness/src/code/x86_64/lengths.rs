//! The lengths of texts that contain the path of a tree, where code holds them as numbers.
//!
//! A differing number counts as the length of a text only if it is put next to the pointer, in the next
//! argument register or the next word of memory, before anything uses it.

use std::collections::HashSet;

use object::elf;

use super::convention::{ARGUMENTS, LENGTH, RETURNED, SCRATCH, loaded};
use super::decode::first;
use crate::code::instruction::{Instruction, Kind, Register, Registers};
use crate::code::moved_text::MovedText;

/// `Some` if nothing else differs. Both sides then have the same instructions, since only constants of equal
/// size may differ.
pub(super) fn in_code(code: [&[u8]; 2], texts: &[MovedText]) -> Option<()> {
    let mut instructions = Vec::new();
    let mut at = 0;
    while at < code[0].len() {
        let instruction = tail_call(&code[0][at..]).or_else(|| first(&code[0][at..]))?;
        at += instruction.length;
        instructions.push((at, instruction));
    }
    let target = |(behind, instruction): &(usize, Instruction)| match instruction.kind {
        Kind::Jump { by, .. } => behind.checked_add_signed(by as isize),
        _ => None,
    };
    let targets: HashSet<usize> = instructions.iter().filter_map(target).collect();
    let mut known = Known { texts, values: Vec::new() };
    for (behind, instruction) in &instructions {
        let start = behind - instruction.length;
        if targets.contains(&start) {
            known.settle()?;
            known.values.clear();
        }
        known.step(code.map(|code| &code[start..*behind]), start, instruction)?;
    }
    known.settle()
}

/// If the code begins with a jump to a function whose address the linker knows: that jump.
fn tail_call(code: &[u8]) -> Option<Instruction> {
    let is_tail_call = code.starts_with(&[0xff, 0x25]) && code.len() >= 6;
    is_tail_call.then_some(Instruction { length: 6, kind: Kind::Return, ..Instruction::default() })
}

/// A register, or a word of memory given by a register and a distance from where it points.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Register(Register),
    Memory(Register, i32),
}

impl Place {
    /// Returns whether the length of a text whose address is at `self` belongs at `next`.
    fn is_followed_by(self, next: Self) -> bool {
        match (self, next) {
            (Self::Register(one), Self::Register(other)) => {
                ARGUMENTS.windows(2).chain([&RETURNED[..]]).any(|pair| pair == [one, other])
            }
            (Self::Memory(base, one), Self::Memory(other_base, other)) => {
                base == other_base && one.checked_add(8) == Some(other)
            }
            _ => false,
        }
    }

    fn is_memory(self) -> bool {
        matches!(self, Self::Memory(..))
    }

    /// Returns whether it is one of these registers, or its address depends on one.
    fn depends_on(self, registers: Registers) -> bool {
        let (Self::Register(register) | Self::Memory(register, _)) = self;
        registers.contains(register)
    }
}

#[derive(Clone, Copy)]
enum Value {
    /// The address of a text, by its index.
    Text(usize),
    /// A differing number whose text is still to come.
    Number([u64; 2]),
}

/// The known values after a series of instructions without jumps into it.
struct Known<'t> {
    texts: &'t [MovedText],
    values: Vec<(Place, Value)>,
}

impl Known<'_> {
    /// Applies the effect of an instruction, whose bytes on both sides are given.
    fn step(&mut self, [one, other]: [&[u8]; 2], start: usize, instruction: &Instruction) -> Option<()> {
        let Instruction { kind, reads, writes, sets, .. } = instruction;
        let uses = *reads | writes.without(*sets);
        // After a conditional copy the value is unknown, so the copy counts as a use.
        let (uses, is_copy) = match *kind {
            Kind::Store { from } => (uses | Registers::of(&[from]), false),
            Kind::Copy { from, to } if !sets.contains(to) => (uses | Registers::of(&[from]), false),
            Kind::Copy { .. } => (uses, true),
            _ => (uses, false),
        };
        if one != other {
            let ((same, left), (other_same, right)) = (one.split_last_chunk()?, other.split_last_chunk()?);
            let place = constant_goes_to(one).filter(|_| same == other_same)?;
            let numbers = [left, right].map(|number| u64::from(u32::from_le_bytes(*number)));
            return self.put(place, Some(Value::Number(numbers)));
        }
        let is_number = |(place, value): &(Place, Value)| {
            matches!(place, Place::Register(register) if uses.contains(*register))
                && matches!(value, Value::Number(_))
        };
        if self.values.iter().any(is_number) {
            return None;
        }
        match *kind {
            Kind::Copy { from, to } if is_copy => {
                self.put(Place::Register(to), self.at(Place::Register(from)))
            }
            Kind::Next | Kind::Copy { .. } | Kind::Store { .. } | Kind::Load { .. } => {
                let is_here =
                    |text: &MovedText| text.kind == elf::R_X86_64_PC32 && text.at as usize == start + 3;
                let loaded = loaded(one, 3, elf::R_X86_64_PC32, LENGTH);
                if let (Some(text), Some((_, register))) = (self.texts.iter().position(is_here), loaded) {
                    self.put(Place::Register(register), Some(Value::Text(text)))
                } else if let Some((place, register)) = stored(one) {
                    self.put(place, self.at(Place::Register(register)))
                } else if let Some(register) = moved_to(one) {
                    self.lose(|place| place.depends_on(register))
                } else {
                    self.lose(|place| place.is_memory() || place.depends_on(uses | *sets))
                }
            }
            Kind::Call => {
                self.settle()?;
                self.lose(|place| place.is_memory() || place.depends_on(SCRATCH))
            }
            Kind::Jump { is_conditional: true, .. } => self.settle(),
            Kind::Jump { .. } | Kind::Return | Kind::Trap => {
                self.settle()?;
                self.lose(|_| true)
            }
            Kind::JumpAnywhere => None,
        }
    }

    fn at(&self, place: Place) -> Option<Value> {
        self.values.iter().find(|(known, _)| *known == place).map(|(_, value)| *value)
    }

    fn put(&mut self, place: Place, value: Option<Value>) -> Option<()> {
        match place {
            Place::Register(register) => self.lose(|place| place.depends_on(Registers::of(&[register])))?,
            Place::Memory(..) => self.lose(|known| known == place)?,
        }
        self.values.extend(value.map(|value| (place, value)));
        Some(())
    }

    /// Forgets the values at such places; `None` if that loses a number without a text.
    fn lose(&mut self, is_lost: impl Fn(Place) -> bool) -> Option<()> {
        let is_number =
            |(place, value): &(Place, Value)| is_lost(*place) && matches!(value, Value::Number(_));
        if self.values.iter().any(is_number) {
            self.settle()?;
        }
        self.values.retain(|(place, _)| !is_lost(*place));
        Some(())
    }

    /// Requires that each number is the length of the text next to it.
    fn settle(&mut self) -> Option<()> {
        let has_text = |next: Place, numbers: [u64; 2]| {
            self.values.iter().any(|(place, value)| match value {
                Value::Text(text) => place.is_followed_by(next) && self.texts[*text].has(numbers),
                Value::Number(_) => false,
            })
        };
        let is_settled = self.values.iter().all(|(place, value)| match value {
            Value::Number(numbers) => has_text(*place, *numbers),
            Value::Text(_) => true,
        });
        self.values.retain(|(_, value)| matches!(value, Value::Text(_)));
        is_settled.then_some(())
    }
}

/// The prefix of an instruction that widens operands and registers, and the rest.
fn with_rex(bytes: &[u8]) -> (u8, &[u8]) {
    match bytes {
        [rex @ 0x40..=0x4f, rest @ ..] => (*rex, rest),
        _ => (0x40, bytes),
    }
}

const WIDE: u8 = 8;

/// The place where `mov` puts a constant of 32 bits: a whole register or a word of memory.
fn constant_goes_to(bytes: &[u8]) -> Option<Place> {
    match with_rex(bytes) {
        (rex, [opcode @ 0xb8..=0xbf, ..]) if rex & WIDE == 0 => {
            Some(Place::Register(opcode & 7 | (rex & 1) << 3))
        }
        (rex, [0xc7, operand @ ..]) if rex & WIDE != 0 => memory(rex, operand),
        _ => None,
    }
}

/// The place where `mov` stores a register, and that register.
fn stored(bytes: &[u8]) -> Option<(Place, Register)> {
    match with_rex(bytes) {
        (rex, [0x89, operand @ ..]) if rex & WIDE != 0 => {
            Some((memory(rex, operand)?, operand[0] >> 3 & 7 | (rex & 4) << 1))
        }
        _ => None,
    }
}

/// The word of memory that an operand begins with, if its address is one register and a distance.
fn memory(rex: u8, operand: &[u8]) -> Option<Place> {
    let (modrm, mut rest) = operand.split_first()?;
    let mut base = modrm & 7;
    if base == 4 {
        let (scaled, behind) = rest.split_first()?;
        if scaled >> 3 & 7 | (rex & 2) << 2 != 4 {
            return None;
        }
        (base, rest) = (scaled & 7, behind);
    }
    let distance = match modrm >> 6 {
        0 if base != 5 => 0,
        1 => i32::from(*rest.first()? as i8),
        2 => i32::from_le_bytes(*rest.first_chunk()?),
        _ => return None,
    };
    Some(Place::Memory(base | (rex & 1) << 3, distance))
}

/// The general register that a move or a comparison writes to, or none; `None` for all other instructions.
fn moved_to(bytes: &[u8]) -> Option<Registers> {
    let one = |register| Some(Registers::of(&[register]));
    let start = bytes.iter().position(|byte| ![0x66, 0xf2, 0xf3].contains(byte))?;
    let (rex, rest) = with_rex(&bytes[start..]);
    let [operand, other] = [rex & 1, (rex & 4) >> 2].map(|high| high << 3);
    match rest {
        [opcode @ 0xb8..=0xbf, ..] => one(opcode & 7 | operand),
        [0x8b | 0x8d | 0x63, modrm, ..] | [0x0f, 0xb6 | 0xb7 | 0xbe | 0xbf, modrm, ..] => {
            one(modrm >> 3 & 7 | other)
        }
        [0x89 | 0xc7 | 0x31, modrm @ 0xc0..=0xff, ..] => one(modrm & 7 | operand),
        [0x88 | 0x89 | 0xc6 | 0xc7, ..0xc0, ..] | [0x38..=0x3d | 0x84 | 0x85, ..] => Some(Registers::NONE),
        [0x0f, 0x10 | 0x11 | 0x1f | 0x28 | 0x29 | 0x57 | 0x6f | 0x7f | 0xef, ..]
        | [0xc5, _, 0x10 | 0x11 | 0x28 | 0x29 | 0x57 | 0x6f | 0x7f | 0xef, ..] => Some(Registers::NONE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks code in which `L` is the address of a text, `N` a number that is the length of the text on each
    /// side, `A` the same for `fmt::Arguments`, and `W` another number that differs.
    fn is_accepted(code: &str) -> bool {
        let (mut sides, mut texts) = ([Vec::new(), Vec::new()], Vec::new());
        for word in code.split(' ') {
            let numbers: Option<[u32; 2]> = match word {
                "L" => {
                    let at = sides[0].len() as u64;
                    texts.push(MovedText { at, kind: elf::R_X86_64_PC32, lengths: [38, 110] });
                    Some([0, 0])
                }
                "N" => Some([38, 110]),
                "A" => Some([77, 221]),
                "W" => Some([38, 111]),
                _ => None,
            };
            for (side, bytes) in sides.iter_mut().enumerate() {
                match numbers {
                    Some(numbers) => bytes.extend(numbers[side].to_le_bytes()),
                    None => bytes.push(u8::from_str_radix(word, 16).unwrap()),
                }
            }
        }
        in_code(sides.each_ref().map(|side| &**side), &texts).is_some()
    }

    const CALL: &str = "e8 00 00 00 00";

    #[test]
    fn the_length_of_a_text_stands_beside_its_address() {
        for code in [
            "48 8d 35 L ba N CALL",
            "ba N 48 8d 35 L CALL",
            "48 8d 3d L be A CALL",
            "4c 8d 05 L 41 b9 N CALL",
            "48 8d 05 L ba N c3",
            "48 8d 05 L ba N eb 00",
            "48 8d 3d L be N ff 25 00 00 00 00",
            "48 8d 1d L CALL 48 89 de ba N CALL",
            "48 8d 35 L 48 89 74 24 20 48 c7 44 24 28 N 48 8d 7c 24 08 ba N CALL",
            "48 8d 05 L 48 89 03 48 c7 43 08 N c3",
            "48 8d 35 L 85 c0 74 05 ba N CALL",
            "48 8d 35 L ba N CALL 48 8d 35 L ba N CALL",
            "48 8d 35 L ba 05 00 00 00 CALL",
        ] {
            assert!(is_accepted(&code.replace("CALL", CALL)), "{code}");
        }
    }

    #[test]
    fn another_number_that_differs_makes_other_code() {
        for (code, what) in [
            ("48 8d 35 L ba W CALL", "another number"),
            ("bf N CALL 48 8d 35 L ba N CALL", "before any text"),
            ("48 8d 35 L ba N b9 N CALL", "one register too far"),
            ("48 8d 35 L bf N CALL", "the register before"),
            ("48 8d 35 L 48 89 c6 ba N CALL", "the address is overwritten"),
            ("48 8d 35 L 48 8b 36 ba N CALL", "the address is followed"),
            ("48 8d 35 L 48 01 ce ba N CALL", "the address is moved"),
            ("48 8d 35 L ba N 48 01 d0 CALL", "it is used"),
            ("48 8d 35 L ba N ba 01 00 00 00 CALL ba N CALL", "once more, without the address"),
            ("48 8d 35 L CALL ba N CALL", "after a call"),
            ("48 8d 35 L eb 00 ba N CALL", "after a jump"),
            ("74 07 48 8d 35 L ba N CALL", "a jump leads between them"),
            ("48 8d 35 L 3d N CALL", "it is compared"),
            ("48 8d 35 L 83 c2 26 CALL", "nothing differs"),
            ("48 8d 35 L 48 89 74 24 20 48 c7 44 24 30 N CALL", "another word"),
            ("48 8d 35 L 48 89 74 24 20 50 48 c7 44 24 28 N CALL", "the stack has moved"),
            ("48 8d 05 L 48 89 03 48 89 cb 48 c7 43 08 N c3", "another object"),
            ("48 8d 35 L c7 44 24 28 N CALL", "half a word"),
        ] {
            let is_equal = what == "nothing differs";
            assert_eq!(is_accepted(&code.replace("CALL", CALL)), is_equal, "{what}");
        }
    }
}
