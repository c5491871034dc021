//! A decoder of x86-64 instructions, as far as needed to follow an address through them.

#[derive(Debug, PartialEq)]
pub(super) struct Instruction {
    pub(super) length: usize,
    pub(super) kind: Kind,
    /// The general registers whose values it may use, and those that it only sets, one bit each.
    pub(super) uses: u16,
    pub(super) sets: u16,
}

/// The control flow after an instruction, or its effect on an address.
#[derive(Debug, PartialEq)]
pub(super) enum Kind {
    Next,
    /// Copies the first register to the second.
    Copy {
        from: u16,
        to: u16,
    },
    /// Jumps by this distance from its end; if conditional, it may also continue with the next.
    Jump {
        by: i32,
        is_conditional: bool,
    },
    Call,
    Return,
    /// Stops the program.
    Trap,
}

/// The bit of a register, in the order rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, then r8 and so on.
const fn bit(register: u8) -> u16 {
    1 << register
}

const RAX: u16 = bit(0);
const RCX: u16 = bit(1);
const RDX: u16 = bit(2);

/// The registers of function arguments, in order.
pub(super) const ARGUMENTS: [u16; 6] = [bit(7), bit(6), RDX, RCX, bit(8), bit(9)];
/// The registers that a function need not preserve.
pub(super) const SCRATCH: u16 = bit(7) | bit(6) | RDX | RCX | bit(8) | bit(9) | RAX | bit(10) | bit(11);
/// The registers of return values.
pub(super) const RETURNED: u16 = RAX | RDX;

/// The bytes after the opcode.
enum Form {
    /// Only a constant of this many bytes.
    Plain(usize),
    /// An operand, and a constant of this many bytes.
    Operand(usize),
    Relative(usize),
}

/// The opcode maps: of one byte, and of two bytes with the prefix `0f`.
const ONE: u8 = 0;
const TWO: u8 = 1;

/// Decodes the first instruction; `None` if it is of a kind that compilers do not use for ordinary functions.
pub(super) fn first(code: &[u8]) -> Option<Instruction> {
    let mut at =
        code.iter().position(|byte| !matches!(byte, 0x66 | 0xf2 | 0xf3 | 0x2e | 0x3e | 0x64 | 0x65))?;
    let is_short = code[..at].contains(&0x66);
    // The bits that select the upper eight registers: for the operand, its index, and the other register.
    let (mut rex, mut map) = (0, ONE);
    match code[at..] {
        [byte @ 0x40..=0x4f, ..] => (rex, at) = (byte & 15, at + 1),
        [0xc5, byte, ..] => (rex, map, at) = (!byte >> 5 & 4, TWO, at + 2),
        [0xc4, one, other, ..] => (rex, map, at) = (!one >> 5 & 7 | other >> 4 & 8, one & 31, at + 3),
        [0x62, one, ..] => (rex, map, at) = (!one >> 5 & 7, one & 7, at + 4),
        _ => {}
    }
    let is_wide = rex & 8 != 0;
    let is_of_vectors = map != ONE;
    if code.get(at) == Some(&0x0f) && !is_of_vectors {
        (map, at) = match code.get(at + 1)? {
            0x38 => (2, at + 2),
            0x3a => (3, at + 2),
            _ => (TWO, at + 1),
        };
    }
    let opcode = *code.get(at)?;
    at += 1;
    let word = if is_short { 2 } else { 4 };
    let low = opcode & 7 | (rex & 1) << 3;
    let form = match map {
        ONE => form_of_one(opcode, code.get(at).copied(), if is_wide { 8 } else { word }, word)?,
        TWO => form_of_two(opcode)?,
        2 => Form::Operand(0),
        3 => Form::Operand(1),
        _ => return None,
    };
    let (mut uses, mut sets, mut kind) = (implied(map, opcode, low), 0, Kind::Next);
    match form {
        Form::Plain(constant) => {
            at += constant;
            match (map, opcode) {
                (ONE, 0xb8..=0xbf) => sets |= bit(low),
                (ONE, 0xc3) => kind = Kind::Return,
                (TWO, 0x0b) => kind = Kind::Trap,
                _ => {}
            }
        }
        Form::Relative(size) => {
            let bytes = code.get(at..at + size)?;
            let by = match *bytes {
                [byte] => i32::from(byte as i8),
                _ => i32::from_le_bytes(bytes.try_into().ok()?),
            };
            at += size;
            kind = match (map, opcode) {
                (ONE, 0xe8) => Kind::Call,
                _ => Kind::Jump { by, is_conditional: !matches!((map, opcode), (ONE, 0xe9 | 0xeb)) },
            };
        }
        Form::Operand(constant) => {
            let modrm = *code.get(at)?;
            let (mode, other, mut base) = (modrm >> 6, modrm >> 3 & 7 | (rex & 4) << 1, modrm & 7);
            at += 1;
            let mut memory = 0;
            if mode == 3 {
                base |= (rex & 1) << 3;
            } else {
                if base == 4 {
                    let scaled = *code.get(at)?;
                    (base, at) = (scaled & 7, at + 1);
                    memory |= bit(scaled >> 3 & 7 | (rex & 2) << 2);
                }
                let is_absolute = mode == 0 && base == 5;
                if !is_absolute {
                    memory |= bit(base | (rex & 1) << 3);
                }
                at += match mode {
                    1 => 1,
                    2 => 4,
                    _ if is_absolute => 4,
                    _ => 0,
                };
            }
            at += constant;
            let (operand, other_bit) = (if mode == 3 { bit(base) } else { 0 }, bit(other));
            uses |= memory;
            match (map, opcode) {
                _ if is_of_vectors || map == TWO && is_vector(opcode) => {
                    // Some move values to and from general registers.
                    uses |= if map == TWO && is_vector(opcode) { 0 } else { operand | other_bit };
                }
                (ONE, 0x89 | 0x8b) if mode == 3 && is_wide => {
                    let (from, to) = if opcode == 0x89 { (other_bit, operand) } else { (operand, other_bit) };
                    kind = Kind::Copy { from, to };
                }
                (ONE, 0x31 | 0x33 | 0x29 | 0x2b) if operand == other_bit => sets |= operand,
                (ONE, 0x8b | 0x8d | 0x63) | (TWO, 0xb6 | 0xb7 | 0xbe | 0xbf) if !is_short => {
                    uses |= operand;
                    sets |= other_bit;
                }
                (ONE, 0xc7) if !is_short => sets |= operand,
                // The bits of the other register select the instruction here.
                (ONE, 0x80..=0x83 | 0xc0 | 0xc1 | 0xc6 | 0xc7 | 0xd0..=0xd3 | 0xfe)
                | (TWO, 0x90..=0x9f | 0xba | 0x1f) => {
                    uses |= operand;
                }
                (ONE, 0xf6 | 0xf7) => uses |= operand | if modrm >> 3 & 7 > 3 { RAX | RDX } else { 0 },
                (ONE, 0xff) => match modrm >> 3 & 7 {
                    0 | 1 => uses |= operand,
                    2 => (uses, kind) = (uses | operand, Kind::Call),
                    // The targets of a jump table are not followed.
                    _ => return None,
                },
                _ => uses |= operand | other_bit,
            }
        }
    }
    sets &= !uses;
    (at <= code.len()).then_some(Instruction { length: at, kind, uses, sets })
}

fn form_of_one(opcode: u8, next: Option<u8>, wide: usize, word: usize) -> Option<Form> {
    Some(match opcode {
        0x00..=0x3f if opcode & 7 < 4 => Form::Operand(0),
        0x00..=0x3f if opcode & 7 == 4 => Form::Plain(1),
        0x00..=0x3f if opcode & 7 == 5 => Form::Plain(word),
        0x50..=0x5f | 0x90..=0x99 | 0xa4 | 0xa5 | 0xaa | 0xab | 0xc3 => Form::Plain(0),
        0x63 | 0x84..=0x8b | 0x8d | 0xd0..=0xd3 | 0xfe | 0xff => Form::Operand(0),
        0x68 => Form::Plain(4),
        0x6a | 0xa8 | 0xb0..=0xb7 => Form::Plain(1),
        0xa9 => Form::Plain(word),
        0xb8..=0xbf => Form::Plain(wide),
        0x69 | 0x81 | 0xc7 => Form::Operand(word),
        0x6b | 0x80 | 0x83 | 0xc0 | 0xc1 | 0xc6 => Form::Operand(1),
        0x70..=0x7f | 0xeb => Form::Relative(1),
        0xe8 | 0xe9 => Form::Relative(4),
        // Only the `test` instructions among these have a constant.
        0xf6 | 0xf7 if next? >> 3 & 7 > 1 => Form::Operand(0),
        0xf6 => Form::Operand(1),
        0xf7 => Form::Operand(word),
        _ => return None,
    })
}

fn form_of_two(opcode: u8) -> Option<Form> {
    Some(match opcode {
        0x0b | 0x77 | 0xc8..=0xcf => Form::Plain(0),
        0x70..=0x73 | 0xa4 | 0xac | 0xba | 0xc2 | 0xc4..=0xc6 => Form::Operand(1),
        0x80..=0x8f => Form::Relative(4),
        0x10..=0x1f | 0x28..=0x2f | 0x40..=0x6f | 0x74..=0x7f | 0x90..=0x9f => Form::Operand(0),
        0xa3 | 0xa5 | 0xab | 0xad | 0xaf..=0xb1 | 0xb3 | 0xb6 | 0xb7 | 0xbb..=0xc1 | 0xd0..=0xff => {
            Form::Operand(0)
        }
        _ => return None,
    })
}

/// Returns whether an instruction uses vector registers, apart from the address of a memory operand.
fn is_vector(opcode: u8) -> bool {
    matches!(opcode, 0x10..=0x17 | 0x28 | 0x29 | 0x2e | 0x2f | 0x51..=0x6d | 0x6f..=0x76 | 0x7c | 0x7d | 0x7f | 0xc2 | 0xc6)
        || matches!(opcode, 0xd0..=0xff if opcode != 0xd7)
}

/// The registers that an instruction uses implicitly.
fn implied(map: u8, opcode: u8, low: u8) -> u16 {
    match (map, opcode) {
        (ONE, 0x50..=0x5f) | (TWO, 0xc8..=0xcf) => bit(low),
        (ONE, 0x91..=0x97) => RAX | bit(low),
        (ONE, 0x98 | 0x99) => RAX | RDX,
        (ONE, 0xa4 | 0xa5 | 0xaa | 0xab) => RAX | RCX | bit(6) | bit(7),
        (
            ONE,
            0x04 | 0x05 | 0x0c | 0x0d | 0x14 | 0x15 | 0x1c | 0x1d | 0x24 | 0x25 | 0x2c | 0x2d | 0x34 | 0x35
            | 0x3c | 0x3d | 0xa8 | 0xa9,
        ) => RAX,
        (ONE, 0xb0..=0xb7) => bit(low & 3) | bit(low),
        (ONE, 0xd2 | 0xd3) | (TWO, 0xa5 | 0xad) => RCX,
        (TWO, 0xb0 | 0xb1 | 0xc7) => RAX | RDX | RCX | bit(3),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_the_manual() {
        for instruction in [
            "4889c7",
            "488d742408",
            "bf05000000",
            "31c0",
            "488d0d00000000",
            "c5f877",
            "48c744240800000000",
            "c744241001000000",
            "0f11442410",
            "f30f7f0424",
            "50",
            "4150",
            "6a01",
            "48b80102030405060708",
            "66c704240100",
            "eb05",
            "7405",
            "e900000000",
            "ffd0",
            "ff1500000000",
            "c3",
            "e800000000",
            "0f8400000000",
            "0f0b",
            "660f6f0500000000",
            "0f1f4000",
            "f6c101",
            "f7d8",
            "48f7e1",
            "c4c1781106",
            "c4e37d39c101",
            "62f1fe486f0424",
            "480fafc1",
            "4d69c0e8030000",
            "660f38001d00000000",
            "0fb64c0801",
            "4983fc10",
            "f0",
            "420fb6440801",
            "66660f1f840000000000",
        ] {
            let code = bytes(instruction);
            let length = first(&[&*code, &[0x90; 15]].concat()).map(|instruction| instruction.length);
            assert_eq!(length, (instruction != "f0").then_some(code.len()), "{instruction}");
        }
    }

    #[test]
    fn what_is_used_and_set_is_known() {
        let of = |instruction| {
            let Instruction { uses, sets, .. } = first(&bytes(instruction)).unwrap();
            [uses, sets]
        };
        assert_eq!(of("488b5008"), [RAX, RDX], "mov rdx, [rax + 8]");
        assert_eq!(of("488b5208"), [RDX, 0], "mov rdx, [rdx + 8]");
        assert_eq!(of("31d2"), [0, RDX], "xor edx, edx");
        assert_eq!(of("48895008"), [RAX | RDX, 0], "mov [rax + 8], rdx");
        assert_eq!(of("4a8d1400"), [RAX | bit(8), RDX], "lea rdx, [rax + r8]");
        assert_eq!(of("ba01000000"), [0, RDX], "mov edx, 1");
        assert_eq!(of("0f10500b"), [RAX, 0], "movups xmm2, [rax + 11]");
        assert_eq!(of("4801d1"), [RCX | RDX, 0], "add rcx, rdx");
        assert_eq!(
            first(&bytes("4889d3")).unwrap().kind,
            Kind::Copy { from: RDX, to: bit(3) },
            "mov rbx, rdx"
        );
        assert_eq!(first(&bytes("75fe")).unwrap().kind, Kind::Jump { by: -2, is_conditional: true });
        assert_eq!(first(&bytes("ff2500000000")), None, "jmp [rip]");
    }

    fn bytes(hex: &str) -> Vec<u8> {
        let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
        hex.as_bytes().chunks(2).map(byte).collect()
    }
}
