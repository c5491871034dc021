//! Functions for x86-64 with a panic location, written as bytes.

use std::collections::HashSet;

use iced_x86::{Decoder, DecoderOptions, FlowControl, InstructionInfoFactory, Mnemonic, OpAccess, Register};
use object::elf;

use super::super::location::is_of_panic;
use super::super::program::{Header, Object, Program, Reference, Root, Section, Target, UNWINDING};
use super::super::x86_64::X86_64;

const FLAGS: u64 = elf::SHF_ALLOC as u64;

fn section(flags: u32, bytes: &[u8], symbol: &str, object: usize) -> Section {
    let header = Header { flags: FLAGS | u64::from(flags), align: 8, ..Header::default() };
    Section { header, bytes: bytes.to_owned(), symbol: symbol.to_owned(), object, ..Section::default() }
}

/// A program with a function of these bytes and places. `L` is the address of the location, `P` a function of
/// std that panics, `D` one that frees memory, `F` one that does nothing, `G` one that passes its first
/// argument on to `P`, and `R` the function that resumes unwinding. With `U`, it is unknown where calls land.
/// With a star, calls land at the star; the number behind it is how many bytes are pushed for each call.
fn program(code: &str) -> Program {
    let std = "/lib/rustlib/x86_64/lib/libcore-0.rlib";
    let object = |path: &str, part: Option<u64>| Object { path: path.into(), part };
    let to = |section| Target::Place(Root { section, offset: 0 });
    let reference =
        |at: usize, kind, addend, section| Reference { at: at as u64, kind, addend, to: to(section) };
    let mut location = section(0, b"\0\0\0\0\0\0\0\0\x06\0\0\0\0\0\0\0\x02\0\0\0\x05\0\0\0", "location", 0);
    location.references.push(reference(0, elf::R_X86_64_64, 0, 2));
    let function = |symbol, object, code: &[u8]| section(elf::SHF_EXECINSTR, code, symbol, object);
    let mut passing = function("passing", 0, b"\x48\x89\xfa\xe8\0\0\0\0");
    passing.references.push(reference(4, elf::R_X86_64_PLT32, -4, 3));

    let (mut bytes, mut references, mut landing) = (Vec::new(), Vec::new(), None);
    for word in code.split(' ') {
        let kind = if word == "L" { elf::R_X86_64_PC32 } else { elf::R_X86_64_PLT32 };
        let section = match word {
            "L" => 1,
            "P" => 3,
            "D" => 4,
            "F" => 5,
            "G" => 6,
            "R" => {
                let to = Target::Import(0);
                references.push(Reference { at: bytes.len() as u64, kind, addend: -4, to });
                bytes.extend([0; 4]);
                continue;
            }
            "U" => {
                landing = Some((0, None));
                continue;
            }
            _ if word.starts_with('*') => {
                landing = Some((bytes.len() as u8, word[1..].parse::<u8>().ok()));
                continue;
            }
            _ => {
                bytes.push(u8::from_str_radix(word, 16).unwrap());
                continue;
            }
        };
        references.push(reference(bytes.len(), kind, -4, section));
        bytes.extend([0; 4]);
    }
    let size = bytes.len() as u8;
    let mut landings = section(0, &[], "landings", 0);
    let mut entry = section(0, &[0, 0, 0, 0, size, 0, 0, 0, 4, 0, 0, 0, 0], "entry", 0);
    entry.references = vec![reference(0, elf::R_X86_64_PC32, 0, 0), reference(9, elf::R_X86_64_PC32, 0, 8)];
    if let Some((place, pushed)) = landing {
        // Without a number of pushed bytes the table is empty, so nothing is known of landings.
        landings.bytes = match pushed {
            Some(_) => vec![0xff, 0xff, 1, 4, 0, size, place, 0],
            None => vec![],
        };
        entry.bytes.extend([0x41, 0x2e, pushed.unwrap_or_default()]);
        references.push(reference(bytes.len(), UNWINDING, 0, 7));
    }
    entry.references.push(reference(entry.bytes.len(), UNWINDING, 0, 2));
    let mut code = Section { references, ..function("code", 0, &bytes) };
    code.header.size = size.into();
    Program {
        machine: Some(&X86_64),
        objects: vec![object("main.o", None), object(std, Some(8))],
        symbols: vec![super::super::program::Symbol {
            name: "_Unwind_Resume".to_owned(),
            ..Default::default()
        }],
        sections: vec![
            code,
            location,
            section(0, b"lib.rs\0", "text", 0),
            function("_RNvNtCs0_4core9panicking9panic_fmt", 1, &[]),
            function("_RNvCs0_7___rustc14___rust_dealloc", 0, &[]),
            function("idle", 0, b"\xc3"),
            passing,
            entry,
            landings,
        ],
        ..Program::default()
    }
}

/// Returns whether the first location of a function reaches only panics.
fn is_followed(code: &str) -> bool {
    let program = program(code);
    is_of_panic(&program, &program.sections[0], 0)
}

#[test]
fn a_location_goes_to_panics_alone() {
    assert!(is_followed("48 8d 15 L 48 89 c7 e8 P"), "lea rdx, L; mov rdi, rax; call P");
    assert!(is_followed("48 8d 15 L 75 05 e8 P 48 89 d7 e8 P"), "one way and the other");
    assert!(is_followed("48 8d 15 L 75 05 e8 P 31 d2 e8 F c3"), "it is forgotten");
    assert!(is_followed("48 8d 1d L e8 F 75 01 c3 48 89 df e8 P"), "it is kept in rbx");
    assert!(is_followed("48 8d 0d L e8 D 85 c0 74 01 c3 48 8d 0d L e8 P"), "what frees has three arguments");
    assert!(is_followed("48 8d 0d L ff c0 75 fc e8 P"), "a loop");
    assert!(is_followed("48 8d 3d L e8 G"), "it is passed on");
    assert!(is_followed("48 8d 3d L e8 F c3"), "it is passed, and not looked at");
    assert!(is_followed("48 8d 15 L e8 P U"), "it is gone where the panic lands");
    assert!(is_followed("48 8d 15 L 48 0f 44 d0 e8 P"), "it may be replaced by another");
    assert!(is_followed("48 8d 05 L 48 0f 44 d0 e8 P"), "it may be the one that is chosen");
    assert!(is_followed("48 8d 15 L 0f 1f 44 02 00 e8 P"), "what does nothing reads nothing");
    assert!(is_followed("48 8d 15 L 31 c0 e9 P"), "a jump to the panic");
    assert!(is_followed("48 8d 1d L e8 F c3 *0 48 89 c7 e8 R"), "it is of no use where a call lands");
}

#[test]
fn a_location_that_may_go_elsewhere_is_data() {
    assert!(!is_followed("48 8d 15 L 75 05 e8 P e8 D c3"), "an argument on one of the ways");
    assert!(!is_followed("48 8d 15 L 75 05 e8 P ff d0 c3"), "an argument of what a pointer leads to");
    assert!(!is_followed("48 8d 15 L 48 89 13 e8 P"), "it is stored behind a pointer");
    assert!(!is_followed("48 8d 15 L 8b 42 10 e8 P"), "its line is read");
    assert!(!is_followed("48 8d 05 L c3"), "it is returned");
    assert!(!is_followed("48 8d 1d L e8 F 48 89 df ff d0 c3"), "it is kept, and an argument then");
    assert!(!is_followed("48 8d 1d L e8 F 48 89 df e8 P U"), "it is kept where it is not known what lands");
    assert!(!is_followed("48 8d 1d L e8 P U"), "it is kept, and it is not known where the panic lands");
    assert!(!is_followed("48 8d 1d L e8 P *0 8b 43 10 c3"), "its line is read where the panic lands");
    assert!(!is_followed("48 8d 15 L ff e0"), "a jump that is not followed");
    assert!(!is_followed("48 8d 3d L e9 D"), "a jump to what may look at it");
    assert!(!is_followed("48 8d 3d L e8 R"), "the end of unwinding gets it");
    assert!(!is_followed("48 8d 15 L 90"), "the end of what is known");
    assert!(!is_followed("48 8b 15 L e8 P"), "no address is loaded");
    assert!(!is_followed("48 8d 15 L b6 00 0f b6 c6 e8 P"), "a part of it is left, and read");
}

#[test]
fn a_location_waits_on_the_stack() {
    const STORED: &str = "48 8d 05 L 48 89 44 24 50";
    const PANICS: &str = "48 8b 54 24 50 e8 P";

    let follows = |between: &str| is_followed(&format!("{STORED} {between} {PANICS}").replace("  ", " "));
    assert!(follows(""), "lea rax, L; mov [rsp + 80], rax; mov rdx, [rsp + 80]; call P");
    assert!(follows("e8 F 85 c0 74 01 c3"), "until something goes wrong");
    assert!(follows("48 83 ec 10 48 8b 54 24 60 48 83 c4 10"), "the stack pointer moves meanwhile");
    assert!(follows("53 48 8b 54 24 58 5b"), "something is pushed meanwhile");
    assert!(follows("48 8d 7c 24 58 e8 F"), "the address of what is next to it is passed");
    assert!(follows("0f 10 44 24 40 0f 11 44 24 58"), "what is next to it is copied");
    assert!(follows("75 0d 48 c7 44 24 50 01 00 00 00 8b 44 24 50"), "the slot is used for something else");
    assert!(follows("74 0a 48 8b 44 24 50 48 89 44 24 50"), "it is stored again");
    assert!(is_followed("48 8d 05 L 48 89 45 f0 48 8b 55 f0 e8 P"), "a slot in a frame");
    assert!(is_followed("48 8d 0d L 48 89 4d f0 74 02 5d c3 48 8b 55 f0 e8 P"), "the frame is left");
    assert!(is_followed(&format!("{STORED} e8 F {PANICS} *0 48 89 c7 e8 R")), "calls land elsewhere");
    assert!(
        is_followed(&format!("{STORED} 6a 01 6a 02 e8 F 48 83 c4 10 {PANICS} *16 48 8b 54 24 50 e9 P")),
        "where a call lands, what was pushed is gone"
    );
    assert!(
        is_followed(&format!("{STORED} 48 8b 44 24 50 48 89 c2 eb 02 ff e0 e8 P")),
        "copies and jumps on the way"
    );
}

#[test]
fn a_location_in_a_variable_is_data() {
    const STORED: &str = "48 8d 05 L 48 89 44 24 50";
    const PANICS: &str = "48 8b 54 24 50 e8 P";

    let follows = |between: &str| is_followed(&format!("{STORED} {between} {PANICS}"));
    assert!(!is_followed(&format!("{STORED} e8 F c3")), "nothing but a pointer can get at it");
    assert!(!is_followed(&format!("{STORED} 48 8b 7c 24 50 e8 P")), "it is another argument of the panic");
    assert!(!is_followed(&format!("{STORED} 48 8b 54 24 50 e8 F c3")), "what gets it is no panic");
    assert!(
        !is_followed(&format!("{STORED} 48 8b 54 24 50 75 01 c3 e8 P")),
        "it may be loaded for something else"
    );
    assert!(!follows("48 8b 5c 24 50 8b 43 10"), "its line is read as well");
    assert!(!follows("8b 44 24 50"), "a part of it is read");
    assert!(!follows("0f 10 44 24 48"), "it is copied with what is next to it");
    assert!(!follows("48 8d 7c 24 50"), "its address is taken");
    assert!(!follows("ff 74 24 50"), "it is pushed");
    assert!(!follows("48 39 44 24 50"), "it is compared");
    assert!(!follows("48 83 e4 e0"), "the stack pointer moves by something unknown");
    assert!(!follows("50"), "a copy of it is pushed");
    assert!(!is_followed("48 8d 05 L 48 89 44 cc 50 48 8b 54 cc 50 e8 P"), "a place that is computed");
    assert!(!is_followed("48 8d 05 L 48 89 43 50 48 8b 53 50 e8 P"), "it is stored behind a pointer");
    assert!(
        !is_followed(&format!("{STORED} e8 F {PANICS} *0 48 8b 44 24 50 8b 40 10 c3")),
        "its line is read where calls land"
    );
    assert!(!is_followed(&format!("{STORED} e8 F {PANICS} U")), "it is not known where calls land");
    assert!(
        !is_followed(&format!("{STORED} 6a 01 6a 02 e8 F 48 83 c4 10 {PANICS} *16 8b 44 24 50 e9 P")),
        "its address is read where a call lands"
    );
}

/// Follows a location through code without jumps with another decoder, and returns whether only panics and
/// copies read it. Memory behind pointers is ignored.
fn is_followed_by_another(program: &Program) -> bool {
    let code = &program.sections[0];
    let mut decoder = Decoder::new(64, &code.bytes, DecoderOptions::NONE);
    let mut factory = InstructionInfoFactory::new();
    let mut holders: HashSet<Register> = HashSet::new();
    // The bytes that hold a part of the address, by their distance from the initial stack pointer.
    let mut held: HashSet<i64> = HashSet::new();
    let mut moved = 0;
    while decoder.can_decode() {
        let instruction = decoder.decode();
        // Execution stops at invalid instructions.
        if instruction.is_invalid() {
            return true;
        }
        let end = decoder.position() as u64;
        let start = end - instruction.len() as u64;
        let lead = code.references.iter().find(|lead| (start..end).contains(&lead.at));
        let info = factory.info(&instruction);
        let is_copy = matches!(instruction.mnemonic(), Mnemonic::Mov)
            && (instruction.op0_register().is_gpr64() || instruction.op1_register().is_gpr64());
        let registers = |accesses: [OpAccess; 2]| {
            let used = info.used_registers().iter().filter(move |used| accesses.contains(&used.access()));
            used.map(|used| used.register().full_register()).collect::<HashSet<_>>()
        };
        let reads = &registers([OpAccess::Read, OpAccess::CondRead])
            | &registers([OpAccess::ReadWrite, OpAccess::ReadCondWrite]);
        let writes = &registers([OpAccess::Write, OpAccess::CondWrite])
            | &registers([OpAccess::ReadWrite, OpAccess::ReadCondWrite]);
        let pieces = |access: OpAccess| -> HashSet<i64> {
            let on_stack = info.used_memory().iter().filter(move |used| {
                used.base() == Register::RSP && used.index() == Register::None && used.access() == access
            });
            let bytes = on_stack.flat_map(|used| {
                let start = used.displacement() as i64 + moved;
                start..start + used.memory_size().size() as i64
            });
            bytes.collect()
        };
        let (read, written) = (pieces(OpAccess::Read), pieces(OpAccess::Write));
        if matches!(lead, Some(Reference { to: Target::Place(Root { section: 1, .. }), .. })) {
            holders.insert(instruction.op0_register());
            continue;
        }
        let is_conditional = format!("{:?}", instruction.mnemonic()).starts_with("Cmov");
        if is_conditional && instruction.op0_register().is_gpr64() && instruction.op1_register().is_gpr64() {
            if holders.contains(&instruction.op1_register()) {
                holders.insert(instruction.op0_register());
            }
            continue;
        }
        match instruction.flow_control() {
            FlowControl::Call | FlowControl::UnconditionalBranch => match lead.map(|lead| &lead.to) {
                Some(Target::Place(Root { section: 3, .. })) => return true,
                Some(Target::Place(Root { section: 4, .. })) => {
                    let arguments = [Register::RDI, Register::RSI, Register::RDX];
                    if arguments.iter().any(|argument| holders.contains(argument)) {
                        return false;
                    }
                    holders.retain(|holder| KEPT.contains(holder));
                }
                _ => return false,
            },
            FlowControl::Next => {
                let gets_it = reads.iter().any(|register| holders.contains(register))
                    || read.iter().any(|byte| held.contains(byte));
                if gets_it && !is_copy || holders.contains(&instruction.memory_base()) {
                    return false;
                }
                holders.retain(|holder| !writes.contains(holder));
                held.retain(|byte| !written.contains(byte));
                if gets_it {
                    match instruction.op0_register() {
                        Register::None if written.is_empty() => return false,
                        Register::None => held.extend(written),
                        register => drop(holders.insert(register)),
                    }
                }
            }
            FlowControl::Return => {
                return ![Register::RAX, Register::RDX].iter().any(|returned| holders.contains(returned));
            }
            FlowControl::Interrupt | FlowControl::Exception => return true,
            _ => return false,
        }
        moved += i64::from(instruction.stack_pointer_increment());
        // No copy of the address is left, so the rest of the code doesn't matter.
        if holders.is_empty() && held.is_empty() {
            return true;
        }
    }
    false
}

const KEPT: [Register; 6] =
    [Register::RBX, Register::RBP, Register::R12, Register::R13, Register::R14, Register::R15];

/// Code of random pieces, half of it with a flipped bit.
#[test]
fn whatever_code_does_with_a_location_is_seen() {
    const PIECES: [&str; 24] = [
        "48 89 44 24 50",
        "48 89 44 24 50",
        "48 8b 54 24 50",
        "48 8b 54 24 50",
        "48 89 c2",
        "48 89 c3",
        "48 89 d8",
        "48 8b 44 24 50",
        "48 89 5c 24 50",
        "48 89 54 24 58",
        "48 8b 54 24 58",
        "0f 10 44 24 50",
        "0f 11 44 24 40",
        "48 c7 44 24 50 01 00 00 00",
        "31 c0",
        "48 8d 50 08",
        "53",
        "5b",
        "48 8d 7c 24 10",
        "8b 44 24 54",
        "48 0f 44 d0",
        "e8 D",
        "88 44 24 53",
        "b0 01",
    ];
    let mut state = 1_u64;
    let mut draw = |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % end
    };
    let mut accepted = 0;
    for turn in 0..40_000 {
        let pieces: Vec<&str> = (0..draw(6)).map(|_| PIECES[draw(PIECES.len())]).collect();
        let code = ["48 8d 05 L", &pieces.join(" "), "48 8b 54 24 50 e8 P"];
        let mut program = program(&code.map(str::trim).join(" ").replace("  ", " "));
        let bytes = &mut program.sections[0].bytes;
        if turn % 2 == 0 {
            let at = 7 + draw(bytes.len() - 7);
            bytes[at] ^= 1 << draw(8);
        }
        if is_of_panic(&program, &program.sections[0], 0) {
            accepted += 1;
            let shown: Vec<_> = program.sections[0].bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            assert!(is_followed_by_another(&program), "{}", shown.join(" "));
        }
    }
    assert!(accepted > 2_000, "{accepted}");
}
