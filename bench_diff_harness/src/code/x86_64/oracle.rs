//! Compares the decoder with iced-x86, over the code of large programs.
//!
//! Mistakes that make a proof wrong must not occur: a missed read or write of a register, a register reported
//! as overwritten that isn't, a wrong length, jump or piece of memory. Mistakes that only lose proofs may
//! occur, but seldom.

use std::collections::BTreeMap;
use std::fs;

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, InstructionInfo, InstructionInfoFactory, Mnemonic, OpAccess, OpKind,
};
use object::{Object as _, ObjectSection as _, SectionKind};

use super::decode::first;
use super::operands::RSP;
use crate::code::instruction::{Access, Instruction, Kind, Registers, Usage};
use crate::code::samples::{files, folder, functions};

/// How much was compared, and how much was lost.
#[derive(Debug, Default)]
struct Tally {
    instructions: u64,
    undecoded: u64,
    reads_in_vain: u64,
    unseen_sets: u64,
    facts: u64,
    /// Dangerous mistakes by instruction, with an example of each.
    wrong: BTreeMap<String, String>,
    lost: BTreeMap<String, u64>,
}

/// How an instruction uses registers, according to iced-x86.
#[derive(Debug, Default)]
struct Facts {
    reads: Registers,
    writes: Registers,
    sets: Registers,
}

fn facts(info: &InstructionInfo) -> Facts {
    let mut facts = Facts::default();
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
            facts.reads |= bit;
        }
        if matches!(
            access,
            OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite
        ) {
            facts.writes |= bit;
        }
        if access == OpAccess::Write && register.size() >= 4 {
            facts.sets |= bit;
        }
    }
    facts.sets = facts.sets.without(facts.reads);
    facts
}

impl Tally {
    fn compare(&mut self, code: &[u8], of: &iced_x86::Instruction, info: &InstructionInfo) {
        self.instructions += 1;
        let Some(own) = first(code) else {
            self.undecoded += 1;
            *self.lost.entry(format!("{:?} is not decoded", of.mnemonic())).or_default() += 1;
            return;
        };
        let mut complain = |what: String| {
            let shown = code[..of.len()].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            self.wrong.entry(format!("{:?}: {what}", of.code())).or_insert(format!("{shown} {own:?}"));
        };
        if own.length != of.len() {
            complain(format!("its length is {}", of.len()));
        }
        if !has_same_flow(&own.kind, of) {
            complain(format!("it is {:?}", of.flow_control()));
        }
        let mut facts = facts(info);
        let stack = Registers::of(&[RSP]);
        if facts.writes.contains(RSP) && !is_stack_right(&own, of) {
            complain("the stack pointer".to_owned());
        }
        for of_other in [&mut facts.reads, &mut facts.writes, &mut facts.sets] {
            *of_other = of_other.without(stack);
        }
        let known = own.reads
            | match own.kind {
                Kind::Copy { from, .. } | Kind::Store { from } => Registers::of(&[from]),
                _ => Registers::NONE,
            };
        let wrong = [
            ("reads", facts.reads.without(known)),
            ("writes", facts.writes.without(own.writes)),
            ("sets", own.sets.without(facts.sets).without(stack)),
        ];
        for (what, registers) in wrong {
            if registers != Registers::NONE {
                complain(format!("{what} {:?}", registers.iter().collect::<Vec<_>>()));
            }
        }
        if let Some(what) = wrong_access(&own, of, info) {
            complain(what);
        }
        let in_vain = known.without(facts.reads).without(stack).iter().count() as u64;
        let unseen = facts.sets.without(own.sets).iter().count() as u64;
        self.reads_in_vain += in_vain;
        self.unseen_sets += unseen;
        self.facts += (facts.reads.iter().count() + facts.sets.iter().count()) as u64;
        if in_vain + unseen > 0 {
            *self.lost.entry(format!("{:?}: {in_vain} reads, {unseen} sets", of.code())).or_default() += 1;
        }
    }

    fn compare_all(&mut self, code: &[u8], most: u64) {
        let mut decoder = Decoder::new(64, code, DecoderOptions::NONE);
        let mut factory = InstructionInfoFactory::new();
        while decoder.can_decode() && self.instructions < most {
            let at = decoder.position();
            let instruction = decoder.decode();
            if !instruction.is_invalid() {
                self.compare(&code[at..], &instruction, factory.info(&instruction));
            }
        }
    }

    /// Requires at least this many instructions, and no dangerous mistake about any of them.
    fn assert_sound(&self, at_least: u64) {
        let Self { instructions, undecoded, reads_in_vain, unseen_sets, facts, wrong, lost } = self;
        let mut lost: Vec<_> = lost.iter().collect();
        lost.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
        println!(
            "{instructions} instructions, {undecoded} not decoded; {facts} facts, {reads_in_vain} reads in vain, {unseen_sets} unseen sets"
        );
        lost.iter().take(40).for_each(|(what, times)| println!("{times:>9} {what}"));
        assert!(wrong.is_empty(), "{} kinds are wrong: {wrong:#?}", wrong.len());
        assert!(*instructions >= at_least, "only {instructions} instructions");
    }

    /// Requires in addition that little is lost.
    fn assert_right(&self, at_least: u64) {
        self.assert_sound(at_least);
        let Self { instructions, undecoded, reads_in_vain, unseen_sets, facts, .. } = self;
        assert!(undecoded * 100 < *instructions, "{undecoded} are not decoded");
        assert!((reads_in_vain + unseen_sets) * 100 < *facts, "{reads_in_vain} reads, {unseen_sets} sets");
    }
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
    let mut tally = Tally::default();
    let own = functions(&fs::read(std::env::current_exe().unwrap()).unwrap());
    for function in own.iter().step_by(own.len() / 8_000 + 1) {
        tally.compare_all(function, 300_000);
    }
    for file in files(folder("target-libdir"), "libcore-", ".rlib") {
        functions(&fs::read(file).unwrap()).iter().for_each(|code| tally.compare_all(code, 500_000));
    }
    tally.assert_right(200_000);
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

    let mut tally = Tally::default();
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
                tally.compare(&code, &instruction, factory.info(&instruction));
            }
        }
    }
    tally.assert_sound(500_000);
}

/// Takes half a minute.
#[test]
#[ignore = "for x86-64 Linux: like the test above, with 30 times as much code"]
fn the_code_of_the_compiler_is_known() {
    let mut tally = Tally::default();
    for file in files(folder("sysroot").join("lib"), "librustc_driver-", ".so") {
        let file = fs::read(file).unwrap();
        let object = object::File::parse(&*file).unwrap();
        let text = object.sections().filter(|section| section.kind() == SectionKind::Text);
        text.for_each(|section| tally.compare_all(section.data().unwrap(), 12_000_000));
    }
    tally.assert_right(10_000_000);
}
