//! Compares the decoder with iced-x86, over the code of large programs.

use std::fs;

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, InstructionInfo, InstructionInfoFactory, Mnemonic, OpAccess, OpKind,
};
use object::{Object as _, ObjectSection as _, SectionKind};

use super::decode::first;
use super::operands::RSP;
use crate::code::instruction::{Access, Instruction, Kind, Registers, Usage};
use crate::code::samples::{files, folder, functions};
use crate::code::tally::{Tally, Uses};

fn uses(info: &InstructionInfo) -> Uses {
    let mut uses = Uses::default();
    for used in info.used_registers() {
        let register = used.register();
        if !register.is_gpr() {
            continue;
        }
        let bit = Registers::of(&[register.full_register().number() as u8]);
        let access = used.access();
        if matches!(
            access,
            OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite
        ) {
            uses.reads |= bit;
        }
        if matches!(
            access,
            OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite
        ) {
            uses.writes |= bit;
        }
        if access == OpAccess::Write && register.size() >= 4 {
            uses.sets |= bit;
        }
    }
    uses.sets = uses.sets.without(uses.reads);
    uses
}

/// A tally that leaves out the stack pointer, whose changes `is_stack_right` compares.
fn tally() -> Tally {
    Tally::new(Registers::of(&[RSP]))
}

fn compare(tally: &mut Tally, code: &[u8], of: &iced_x86::Instruction, info: &InstructionInfo) {
    let name = || format!("{:?}", of.code());
    let Some(own) = first(code) else { return tally.add_undecoded(&name()) };
    let uses = uses(info);
    let shown = || code[..of.len()].iter().map(|byte| format!("{byte:02x}")).collect();
    tally.add(&own, &uses, mistakes(&own, of, info, &uses), name, shown);
}

fn compare_all(tally: &mut Tally, code: &[u8], most: u64) {
    let mut decoder = Decoder::new(64, code, DecoderOptions::NONE);
    let mut factory = InstructionInfoFactory::new();
    while decoder.can_decode() && tally.instructions < most {
        let at = decoder.position();
        let instruction = decoder.decode();
        if !instruction.is_invalid() {
            compare(tally, &code[at..], &instruction, factory.info(&instruction));
        }
    }
}

/// Requires no mistake that makes a proof wrong about at least this many instructions, and that little is
/// lost.
fn assert_right(tally: &Tally, at_least: u64) {
    tally.assert_sound(at_least);
    tally.assert_decoded(99);
    tally.assert_little_is_lost();
}

/// The mistakes about other things than registers.
fn mistakes(
    own: &Instruction,
    of: &iced_x86::Instruction,
    info: &InstructionInfo,
    uses: &Uses,
) -> Vec<String> {
    let length = (own.length != of.len()).then(|| format!("its length is {}", of.len()));
    let flow = (!has_same_flow(&own.kind, of)).then(|| format!("it is {:?}", of.flow_control()));
    let is_stack_wrong = uses.writes.contains(RSP) && !is_stack_right(own, of);
    let stack = is_stack_wrong.then(|| "the stack pointer".to_owned());
    [length, flow, stack, wrong_access(own, of, info)].into_iter().flatten().collect()
}

/// Returns whether this is the control flow of the instruction.
fn has_same_flow(kind: &Kind, of: &iced_x86::Instruction) -> bool {
    let by = of.near_branch_target().wrapping_sub(of.next_ip()) as i64;
    match of.flow_control() {
        FlowControl::Next => {
            let is_move =
                || of.mnemonic() == Mnemonic::Mov || format!("{:?}", of.mnemonic()).starts_with("Cmov");
            match kind {
                Kind::Next => true,
                Kind::Copy { from, to } => {
                    is_move()
                        && [of.op0_register(), of.op1_register()]
                            .map(|register| (register.is_gpr64(), register.number()))
                            == [(true, usize::from(*to)), (true, usize::from(*from))]
                }
                Kind::Load { to } => is_move() && of.op0_register().number() == usize::from(*to),
                Kind::Store { from } => is_move() && of.op1_register().number() == usize::from(*from),
                _ => false,
            }
        }
        FlowControl::UnconditionalBranch => *kind == Kind::Jump { by, is_conditional: false },
        FlowControl::ConditionalBranch => *kind == Kind::Jump { by, is_conditional: true },
        FlowControl::IndirectBranch => *kind == Kind::JumpAnywhere,
        FlowControl::Call | FlowControl::IndirectCall => *kind == Kind::Call,
        FlowControl::Return => *kind == Kind::Return,
        FlowControl::Interrupt | FlowControl::Exception => *kind == Kind::Trap,
        FlowControl::XbeginXabortXend => false,
    }
}

/// Returns whether the change of the stack pointer is right, or reported as unknown.
fn is_stack_right(own: &Instruction, of: &iced_x86::Instruction) -> bool {
    let constant = || of.try_immediate(1).unwrap_or_default() as i64;
    let by = match of.mnemonic() {
        Mnemonic::Call | Mnemonic::Ret => return own.stack_moves_by.is_none(),
        Mnemonic::Push | Mnemonic::Pop => i64::from(of.stack_pointer_increment()),
        Mnemonic::Add => constant(),
        Mnemonic::Sub => -constant(),
        Mnemonic::Lea => of.memory_displacement64() as i64,
        _ => return own.writes.contains(RSP) && own.stack_moves_by.is_none(),
    };
    own.writes.contains(RSP) && own.stack_moves_by.is_none_or(|moves| moves == by)
}

/// Compares the piece of memory that an instruction accesses.
fn wrong_access(own: &Instruction, of: &iced_x86::Instruction, info: &InstructionInfo) -> Option<String> {
    let operand = (0..of.op_count()).find(|operand| of.op_kind(*operand) == OpKind::Memory)?;
    let (base, index) = (of.memory_base(), of.memory_index());
    let is_nop = info.op_access(operand) == OpAccess::None;
    // The other segments start at address zero.
    let has_segment = matches!(of.segment_prefix(), iced_x86::Register::FS | iced_x86::Register::GS);
    let is_plain = base.is_gpr64() && index == iced_x86::Register::None && !has_segment && !is_nop;
    let Some(Access { base: own_base, start, end, usage }) = own.access else {
        return is_plain.then(|| "its memory is missing".to_owned());
    };
    if !is_plain {
        let is_used = usage == Usage::Sets || matches!(own.kind, Kind::Load { .. } | Kind::Store { .. });
        return is_used.then(|| "its memory is elsewhere".to_owned());
    }
    let (at, size) = (of.memory_displacement64() as i64, of.memory_size().size() as i64);
    let is_within = usize::from(own_base) == base.number() && start <= at && end >= at + size.max(1);
    let access = info.op_access(operand);
    let is_used_so = match usage {
        Usage::Any => true,
        Usage::Writes => matches!(access, OpAccess::Write | OpAccess::CondWrite),
        Usage::Sets => access == OpAccess::Write && (start, end) == (at, at + size),
    };
    let is_whole = match own.kind {
        Kind::Load { .. } | Kind::Store { .. } => (start, end) == (at, at + 8),
        _ => true,
    };
    (!is_within || !is_used_so || !is_whole).then(|| format!("its memory is {access:?} {at} {size}"))
}

#[test]
#[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "needs the code of x86-64 Linux")]
fn the_code_of_this_program_and_of_core_is_known() {
    let mut tally = tally();
    let own = functions(&fs::read(std::env::current_exe().unwrap()).unwrap());
    for function in own.iter().step_by(own.len() / 8_000 + 1) {
        compare_all(&mut tally, function, 300_000);
    }
    for file in files(folder("target-libdir"), "libcore-", ".rlib") {
        functions(&fs::read(file).unwrap()).iter().for_each(|code| compare_all(&mut tally, code, 500_000));
    }
    assert_right(&tally, 200_000);
}

/// The bytes that may precede an opcode, and whether they are a vector prefix.
fn beginnings() -> impl Iterator<Item = (Vec<u8>, bool)> {
    const PLAIN: [&[u8]; 21] = [
        &[],
        &[0x66],
        &[0xf2],
        &[0xf3],
        &[0x66, 0xf2],
        &[0x66, 0xf3],
        &[0xf0],
        &[0x64],
        &[0x40],
        &[0x41],
        &[0x44],
        &[0x45],
        &[0x48],
        &[0x4d],
        &[0x66, 0x44],
        &[0x66, 0x48],
        &[0xf2, 0x45],
        &[0xf2, 0x48],
        &[0xf3, 0x48],
        &[0xf3, 0x4d],
        &[0x66, 0xf2, 0x48],
    ];
    const MAPS: [&[u8]; 4] = [&[], &[0x0f], &[0x0f, 0x38], &[0x0f, 0x3a]];
    // The last byte of the prefix: third register, length and mandatory prefix.
    const LAST: [u8; 10] = [0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0x68, 0x69, 0x6a, 0x6b];

    let plain = PLAIN.into_iter().flat_map(|prefixes| MAPS.map(|map| ([prefixes, map].concat(), false)));
    let short = [0xf8, 0xf9, 0xfa, 0xfb, 0xfd, 0x78, 0x69].map(|last| (vec![0xc5, last], true));
    let maps = || (1..=3).flat_map(|map| [0xe0, 0x40].map(|upper| map | upper));
    let long = maps().flat_map(|map| LAST.map(|last| (vec![0xc4, map, last], true)));
    let longest = maps().flat_map(|map| {
        let of_map =
            move |last| [0x08, 0x28, 0x4f, 0x18].map(|mask| (vec![0x62, map | 0x10, last | 4, mask], true));
        LAST.into_iter().flat_map(of_map)
    });
    plain.chain(short).chain(long).chain(longest)
}

/// Tries each opcode with operands of many kinds.
#[test]
fn each_encoding_is_known_or_left_out() {
    const OPERANDS: [&[u8]; 7] =
        [&[0xc1], &[0xc4], &[0x44, 0x24, 0x08], &[0x03], &[0xc7], &[0x84, 0xcc, 0x40, 0, 0, 0], &[0x05]];

    let mut tally = tally();
    let mut factory = InstructionInfoFactory::new();
    for (beginning, is_of_vectors) in beginnings() {
        let (operands, extensions): (&[&[u8]], &[u8]) =
            if is_of_vectors { (&OPERANDS[..4], &[0, 3, 5]) } else { (&OPERANDS, &[0, 1, 2, 3, 4, 5, 6, 7]) };
        let after = |opcode: u8| {
            operands.iter().flat_map(move |it| extensions.iter().map(move |bits| (opcode, it, bits)))
        };
        for (opcode, operands, extension) in (0..=255).flat_map(after) {
            let mut code = [&*beginning, &[opcode], operands, &[0x11; 12]].concat();
            code[beginning.len() + 1] |= extension << 3;
            let mut decoder = Decoder::new(64, &code, DecoderOptions::NONE);
            let instruction = decoder.decode();
            if !instruction.is_invalid() {
                compare(&mut tally, &code, &instruction, factory.info(&instruction));
            }
        }
    }
    tally.assert_sound(500_000);
}

/// Takes half a minute.
#[test]
#[ignore = "for x86-64 Linux: like the test above, with 30 times as much code"]
fn the_code_of_the_compiler_is_known() {
    let mut tally = tally();
    for file in files(folder("sysroot").join("lib"), "librustc_driver-", ".so") {
        let file = fs::read(file).unwrap();
        let object = object::File::parse(&*file).unwrap();
        let text = object.sections().filter(|section| section.kind() == SectionKind::Text);
        text.for_each(|section| compare_all(&mut tally, section.data().unwrap(), 12_000_000));
    }
    assert_right(&tally, 10_000_000);
}
