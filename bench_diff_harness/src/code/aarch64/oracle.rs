//! Compares the decoder with an established one, on words of all groups and on the code of std.

use std::fs;

use yaxpeax_arch::{Decoder as _, U8Reader};
use yaxpeax_arm::armv8::a64::{InstDecoder, Instruction as Other, Operand, SIMDSizeCode, SizeCode};

use super::decode::first;
use super::word::{LINK, SP};
use crate::code::instruction::{Access, Instruction, Kind, Register, Registers, Usage};
use crate::code::samples::{files, folder, functions};
use crate::code::tally::{Tally, Uses};
use crate::fixture::skipped;

/// The facts about an instruction according to the other decoder.
#[derive(Debug, Default)]
struct Facts {
    uses: Uses,
    /// The base, the distance, and the change of the base.
    memory: Option<(Register, i64, Option<i64>)>,
}

impl Facts {
    /// Adds registers that are a result or an operand. A result may also be read.
    fn add(&mut self, (is_result, is_read_as_well): (bool, bool), registers: Registers) {
        if is_result {
            self.uses.writes |= registers;
        }
        if !is_result || is_read_as_well {
            self.uses.reads |= registers;
        } else {
            self.uses.sets |= registers;
        }
    }

    fn moved(&mut self, base: u16, distance: i32, by: Option<i64>) {
        self.memory = Some((base as Register, distance.into(), by));
        self.uses.reads |= named(base);
        if by.is_some() {
            self.uses.writes |= named(base);
        }
    }
}

fn named(register: u16) -> Registers {
    Registers::of(&[register as Register])
}

fn general(register: u16) -> Registers {
    if register == 31 { Registers::NONE } else { named(register) }
}

/// Returns the name of an operation, without its operands.
fn operation(of: &Other) -> String {
    let name = format!("{:?}", of.opcode);
    name.split('(').next().unwrap_or_default().to_owned()
}

fn is_store(name: &str) -> bool {
    (name.starts_with("ST") || name.starts_with("STL")) && !is_exclusive_store(name)
}

/// Returns whether the first operand of a store receives its success.
fn is_exclusive_store(name: &str) -> bool {
    name.starts_with("STX") || name.starts_with("STLX")
}

fn is_read_and_written(name: &str) -> bool {
    ["MOVK", "BFM", "CAS", "CASB", "CASH", "CASP"].contains(&name)
}

/// The number of registers at the beginning that are read, and the number of results after them.
fn results(name: &str) -> (usize, usize) {
    let is_of_memory = |start: &str| name.starts_with(start);
    let is_atomic = ["LDADD", "LDCLR", "LDEOR", "LDSET", "LDSMAX", "LDSMIN", "LDUMAX", "LDUMIN", "SWP"];
    match name {
        _ if is_store(name) => (0, 0),
        "CBZ" | "CBNZ" | "TBZ" | "TBNZ" | "BR" | "BLR" | "RET" | "CCMN" | "CCMP" | "MSR" | "PRFM"
        | "PRFUM" | "SYS" | "RMIF" | "SETF8" | "SETF16" | "FCCMP" | "FCMP" => (0, 0),
        _ if is_atomic.into_iter().any(is_of_memory) => (1, 1),
        "LDP" | "LDNP" | "LDPSW" | "LDXP" | "LDAXP" => (0, 2),
        _ => (0, 1),
    }
}

fn facts(of: &Other) -> Facts {
    let (name, mut facts) = (operation(of), Facts::default());
    let (before, results) = results(&name);
    for (place, operand) in of.operands.iter().enumerate() {
        let is_result = place >= before && place < before + results;
        let role = (is_result, is_read_and_written(&name));
        match *operand {
            Operand::Register(_, register) => facts.add(role, general(register)),
            Operand::RegisterPair(_, register) => {
                facts.add(role, general(register) | general(register + 1));
            }
            Operand::RegisterOrSP(_, register) => facts.add(role, named(register)),
            Operand::RegShift(_, _, _, register) => facts.uses.reads |= general(register),
            Operand::RegRegOffset(base, index, ..) => facts.uses.reads |= named(base) | general(index),
            Operand::RegPreIndex(base, distance, is_moved) => {
                facts.moved(base, distance, is_moved.then_some(distance.into()));
            }
            Operand::RegPostIndex(base, distance) => facts.moved(base, 0, Some(distance.into())),
            Operand::RegPostIndexReg(base, by) => {
                facts.moved(base, 0, Some(i64::MIN));
                facts.uses.reads |= general(by);
            }
            _ => {}
        }
    }
    if name.starts_with("BL") && !name.starts_with("BLRA") {
        facts.uses.writes |= Registers::of(&[LINK]);
        facts.uses.sets |= Registers::of(&[LINK]);
    }
    facts.uses.sets = facts.uses.sets.without(facts.uses.reads);
    facts
}

/// The size of the memory of a plain load or store.
fn size(of: &Other) -> Option<i64> {
    let name = operation(of);
    let plain = [
        "LDR", "LDUR", "STR", "STUR", "LDP", "STP", "LDNP", "STNP", "LDPSW", "LDTR", "STTR", "LDAPUR",
        "STLUR",
    ];
    let by_name = |name: &str| -> Option<i64> {
        let start = plain.iter().find(|start| name.starts_with(**start))?;
        match &name[start.len()..] {
            "B" | "SB" => Some(1),
            "H" | "SH" => Some(2),
            "SW" if *start != "LDP" => Some(4),
            _ => None,
        }
    };
    if let Some(size) = by_name(&name) {
        return Some(size);
    }
    let of_register = match of.operands[0] {
        _ if name == "LDPSW" => 4,
        Operand::Register(SizeCode::X, _) => 8,
        Operand::Register(SizeCode::W, _) => 4,
        Operand::SIMDRegister(size, _) => match size {
            SIMDSizeCode::B => 1,
            SIMDSizeCode::H => 2,
            SIMDSizeCode::S => 4,
            SIMDSizeCode::D => 8,
            SIMDSizeCode::Q => 16,
        },
        _ => return None,
    };
    let count = if ["LDP", "STP", "LDNP", "STNP", "LDPSW"].contains(&&*name) { 2 } else { 1 };
    plain.contains(&&*name).then_some(count * of_register)
}

fn compare(tally: &mut Tally, word: [u8; 4]) {
    let Ok(of) = InstDecoder::default().decode(&mut U8Reader::new(&word)) else { return };
    let name = operation(&of);
    let Some(own) = first(&word) else { return tally.add_undecoded(&name) };
    // The other decoder drops a bit of the register of `msr`.
    let facts = if name == "MSR" { Facts::default() } else { facts(&of) };
    let mistakes = mistakes(&own, &of, &facts, &name);
    let shown = || format!("{:08x} `{of}`", u32::from_le_bytes(word));
    tally.add(&own, &facts.uses, mistakes, || name.clone(), shown);
}

/// The mistakes about other things than registers.
fn mistakes(own: &Instruction, of: &Other, facts: &Facts, name: &str) -> Vec<String> {
    let kind = (!is_as(own, of, name)).then(|| "its kind".to_owned());
    let (stack, access) = (wrong_stack(own, of, facts), wrong_access(own, of, facts, name));
    [kind, stack, access].into_iter().flatten().collect()
}

/// Returns whether both decoders agree on the control flow.
fn is_as(own: &Instruction, of: &Other, name: &str) -> bool {
    let target = of.operands.iter().find_map(|operand| match operand {
        Operand::PCOffset(by) => Some(*by - 4),
        _ => None,
    });
    let is_jump = |is_conditional| target.is_some_and(|by| own.kind == Kind::Jump { by, is_conditional });
    match name {
        "B" => is_jump(false),
        "Bcc" | "BCcc" | "CBZ" | "CBNZ" | "TBZ" | "TBNZ" => is_jump(true),
        "BL" | "BLR" => own.kind == Kind::Call,
        "BR" => own.kind == Kind::JumpAnywhere,
        "RET" => own.kind == Kind::Return,
        "BRK" | "UDF" => own.kind == Kind::Trap,
        _ => match own.kind {
            Kind::Next => true,
            Kind::Copy { from, to } => is_copy(of, name, from, to),
            Kind::Load { to } => {
                ["LDR", "LDUR"].contains(&name) && of.operands[0] == Operand::Register(SizeCode::X, to.into())
            }
            Kind::Store { from } => {
                ["STR", "STUR"].contains(&name)
                    && of.operands[0] == Operand::Register(SizeCode::X, from.into())
            }
            _ => false,
        },
    }
}

fn is_copy(of: &Other, name: &str, from: Register, to: Register) -> bool {
    let number = |operand: Operand| match operand {
        Operand::Register(SizeCode::X, register) if register != 31 => Some(register as Register),
        Operand::RegisterOrSP(SizeCode::X, register) => Some(register as Register),
        Operand::RegShift(_, 0, SizeCode::X, register) => Some(register as Register),
        _ => None,
    };
    let [target, first, second, _] = of.operands;
    let is_zero =
        |operand| matches!(operand, Operand::Immediate(0) | Operand::ImmShift(0, _) | Operand::Imm64(0));
    let source = match name {
        "ORR" if matches!(first, Operand::Register(SizeCode::X, 31)) => second,
        "ADD" | "SUB" if is_zero(second) => first,
        _ => return false,
    };
    (number(target), number(source)) == (Some(to), Some(from))
}

/// Compares the change of the stack pointer, unless ours is unknown.
fn wrong_stack(own: &Instruction, of: &Other, facts: &Facts) -> Option<String> {
    let moves = own.stack_moves_by?;
    if let Some((SP, _, by)) = facts.memory {
        return (by != Some(moves)).then(|| format!("the stack pointer moves by {by:?}"));
    }
    let by = match of.operands[2] {
        Operand::Immediate(by) => Some(i64::from(by)),
        Operand::ImmShift(by, shift) => Some(i64::from(by) << shift),
        _ => None,
    };
    let by = if operation(of) == "SUB" { by.map(|by| -by) } else { by };
    (by != Some(moves) || !facts.uses.writes.contains(SP))
        .then(|| format!("the stack pointer moves by {by:?}"))
}

/// Compares the memory access of an instruction.
fn wrong_access(own: &Instruction, of: &Other, facts: &Facts, name: &str) -> Option<String> {
    let Some((base, distance, _)) = facts.memory else {
        let is_address = ["ADD", "SUB", "ADDS", "SUBS"].contains(&name);
        let is_wrong = own.access.is_some() && !is_address;
        return is_wrong.then(|| "it has no memory".to_owned());
    };
    if ["PRFM", "PRFUM"].contains(&name) {
        return None;
    }
    let Some(Access { base: own_base, start, end, usage }) = own.access else {
        return Some("its memory is missing".to_owned());
    };
    let least = size(of).unwrap_or(1);
    let is_within = own_base == base && start <= distance && end >= distance + least;
    let is_used_so = match usage {
        Usage::Any => true,
        Usage::Writes => is_store(name),
        Usage::Sets => is_store(name) && size(of) == Some(end - start) && start == distance,
    };
    let is_whole = match own.kind {
        Kind::Load { .. } | Kind::Store { .. } => {
            size(of) == Some(8) && (start, end) == (distance, distance + 8)
        }
        _ => true,
    };
    (!is_within || !is_used_so || !is_whole).then(|| format!("its memory is {distance} {least}"))
}

/// Tries each operation, given by the upper half and the other bits of its encoding, with pseudo-random
/// registers.
#[test]
fn each_word_is_known_or_left_out() {
    let mut tally = Tally::new(Registers::NONE);
    let mut drawn = 1_u64;
    for operation in (0..1_u32 << 22).step_by(3) {
        drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let registers = (drawn >> 32) as u32 & 0x3ff;
        // Often uses the number of the zero register and the stack pointer.
        let often = [0, 0, 0x1f, 0x3e0][(drawn >> 60) as usize & 3];
        compare(&mut tally, (operation << 10 | registers | often).to_le_bytes());
    }
    tally.assert_sound(400_000);
    tally.assert_decoded(80);
}

#[test]
fn the_code_of_std_is_known() {
    let libraries = folder("sysroot").join("lib/rustlib/aarch64-unknown-linux-gnu/lib");
    if !libraries.is_dir() {
        skipped("this takes `rustup target add aarch64-unknown-linux-gnu`");
        return;
    }
    let mut tally = Tally::new(Registers::NONE);
    for file in ["libcore-", "libstd-", "liballoc-"]
        .into_iter()
        .flat_map(|start| files(libraries.clone(), start, ".rlib"))
    {
        for function in functions(&fs::read(file).unwrap()) {
            function.as_chunks().0.iter().for_each(|word| compare(&mut tally, *word));
        }
    }
    tally.assert_sound(100_000);
    tally.assert_decoded(99);
}
