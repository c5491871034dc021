//! Functions for aarch64 with a panic location, written word by word.

use object::elf;

use super::super::aarch64::AARCH64;
use super::super::location::is_of_panic;
use super::super::program::{Header, Object, Program, Reference, Root, Section, Target};

const LOCATION: usize = 1;
const PANIC: usize = 3;
const FREE: usize = 4;
const OUTLINED: usize = 5;
const VARIABLE: usize = 6;

/// An instruction, and the section that its reference leads to.
type Word = (u32, Option<(u32, usize)>);

const fn plain(word: u32) -> Word {
    (word, None)
}

/// `adrp` of the page of the location.
const fn page(to: u32) -> Word {
    (0x9000_0000 | to, Some((elf::R_AARCH64_ADR_PREL_PG_HI21, LOCATION)))
}

/// `add` of the offset of the location in its page.
const fn rest(to: u32, from: u32) -> Word {
    (0x9100_0000 | from << 5 | to, Some((elf::R_AARCH64_ADD_ABS_LO12_NC, LOCATION)))
}

const fn call(section: usize) -> Word {
    (0x9400_0000, Some((elf::R_AARCH64_CALL26, section)))
}

const fn jump(section: usize) -> Word {
    (0x1400_0000, Some((elf::R_AARCH64_JUMP26, section)))
}

const NE_OVER_ONE: Word = plain(0x5400_0041);
const RETURN: Word = plain(0xd65f_03c0);
const MOVE_0_19: Word = plain(0xaa13_03e0);
const MOVE_19_2: Word = plain(0xaa02_03f3);
const MOVE_2_19: Word = plain(0xaa13_03e2);
const MOVE_0_2: Word = plain(0xaa02_03e0);
const STORE: Word = plain(0xf900_2be2);
const RELOAD: Word = plain(0xf940_2be2);

fn section(flags: u32, bytes: &[u8], symbol: &str, object: usize) -> Section {
    let header = Header {
        flags: u64::from(elf::SHF_ALLOC | flags),
        align: 8,
        size: bytes.len() as u64,
        ..Header::default()
    };
    Section { header, bytes: bytes.to_owned(), symbol: symbol.to_owned(), object, ..Section::default() }
}

fn program(words: &[Word]) -> Program {
    let object = |path: &str, part: Option<u64>| Object { path: path.into(), part };
    let reference = |at: usize, kind, section| {
        let to = Target::Place(Root { section, offset: 0 });
        Reference { at: at as u64, kind, addend: 0, to }
    };
    let bytes: Vec<u8> = words.iter().flat_map(|(word, _)| word.to_le_bytes()).collect();
    let mut code = section(elf::SHF_EXECINSTR, &bytes, "code", 0);
    for (index, (_, lead)) in words.iter().enumerate() {
        code.references.extend(lead.map(|(kind, section)| reference(4 * index, kind, section)));
    }
    let mut location = section(0, b"\0\0\0\0\0\0\0\0\x06\0\0\0\0\0\0\0\x02\0\0\0\x05\0\0\0", "location", 0);
    location.references.push(reference(0, elf::R_AARCH64_ABS64, 2));
    let function =
        |symbol, object| section(elf::SHF_EXECINSTR, &0xd65f_03c0_u32.to_le_bytes(), symbol, object);
    let std = "/lib/rustlib/aarch64/lib/libcore-0.rlib";
    Program {
        machine: Some(&AARCH64),
        objects: vec![object("main.o", None), object(std, Some(8))],
        sections: vec![
            code,
            location,
            section(0, b"lib.rs\0", "text", 0),
            function("_RNvNtCs0_4core9panicking9panic_fmt", 1),
            function("_RNvCs0_7___rustc14___rust_dealloc", 0),
            function("OUTLINED_FUNCTION_0", 0),
            section(elf::SHF_WRITE, &[0; 8], "variable", 0),
        ],
        ..Program::default()
    }
}

/// Returns whether all references to the location lead only to panics.
fn is_followed(words: &[Word]) -> bool {
    let program = program(words);
    let code = &program.sections[0];
    let leads =
        |index: &usize| code.references[*index].to == Target::Place(Root { section: LOCATION, offset: 0 });
    (0..code.references.len()).filter(leads).all(|index| is_of_panic(&program, code, index))
}

#[test]
fn a_location_that_reaches_only_panics_is_followed() {
    let whole = [page(2), rest(2, 2)];
    let follows = |words: &[Word]| is_followed(&[&whole, words].concat());
    assert!(follows(&[call(PANIC)]));
    assert!(follows(&[MOVE_0_19, call(PANIC)]));
    assert!(follows(&[NE_OVER_ONE, call(PANIC), MOVE_19_2, MOVE_2_19, call(PANIC)]), "both ways");
    assert!(follows(&[NE_OVER_ONE, call(PANIC), plain(0xd280_0002), call(FREE), RETURN]), "it is forgotten");
    assert!(follows(&[jump(PANIC)]), "a jump to the panic");
    assert!(follows(&[STORE, plain(0xd280_0002), RELOAD, call(PANIC)]), "it waits on the stack");
    assert!(
        follows(&[STORE, plain(0xd100_43ff), plain(0xf940_33e2), call(PANIC)]),
        "the stack moves meanwhile"
    );
    assert!(follows(&[STORE, plain(0x9101_63e0), plain(0x3dc0_13e0), RELOAD, call(PANIC)]), "next to it");
    assert!(follows(&[plain(0xf81f_03a2), plain(0xf85f_03a2), call(PANIC)]), "a slot of the frame");
    assert!(is_followed(&[page(20), call(FREE), rest(2, 20), call(PANIC)]), "its page is kept");
    assert!(is_followed(&[page(8), NE_OVER_ONE, RETURN, rest(2, 8), call(PANIC)]));
}

#[test]
fn a_location_that_may_reach_other_code_is_data() {
    let whole = [page(2), rest(2, 2)];
    let follows = |words: &[Word]| is_followed(&[&whole, words].concat());
    assert!(!follows(&[NE_OVER_ONE, call(PANIC), call(FREE), RETURN]), "an argument on one of the ways");
    assert!(!follows(&[plain(0xd63f_0100), RETURN]), "an argument of what a pointer leads to");
    assert!(!follows(&[plain(0xd61f_0040)]), "a jump to it");
    assert!(!follows(&[plain(0xb940_1040), call(PANIC)]), "its line is read");
    assert!(!follows(&[plain(0xf900_0002), call(PANIC)]), "it is stored behind a pointer");
    assert!(!follows(&[MOVE_0_2, RETURN]), "it is returned");
    assert!(!follows(&[plain(0xb340_1c02), call(PANIC)]), "a part of it is replaced");
    assert!(
        !follows(&[STORE, plain(0xb940_57e0), RELOAD, call(PANIC)]),
        "a part of it is read from the stack"
    );
    assert!(!follows(&[STORE, plain(0x9101_43e0), RELOAD, call(PANIC)]), "the address of its slot is taken");
    assert!(
        !follows(&[STORE, plain(0x927a_e41f), RELOAD, call(PANIC)]),
        "the stack moves by something unknown"
    );
    assert!(!follows(&[STORE, RETURN]), "nothing but a pointer can get at it");
    assert!(!follows(&[plain(0xd503_201f)]), "the end of what is known");
    assert!(!follows(&[plain(0x0420_0000), call(PANIC)]), "vectors of variable length");
    assert!(
        !follows(&[MOVE_19_2, plain(0xaa00_03e2), call(FREE), plain(0xb940_1260), RETURN]),
        "it is kept, and read"
    );
    assert!(!is_followed(&[page(8), plain(0xb940_1103), call(PANIC)]), "its page is read");
    assert!(!is_followed(&[page(0), RETURN]), "its page is returned");
    assert!(!is_followed(&[(0xb940_1103, Some((elf::R_AARCH64_LDST32_ABS_LO12_NC, LOCATION))), call(PANIC)]));
}

/// A shared (outlined) function uses the registers of its callers, and the call that looks up a thread-local
/// variable preserves nearly all registers.
#[test]
fn calls_with_their_own_convention_may_get_the_location() {
    let whole = [page(9), rest(9, 9)];
    let follows = |words: &[Word]| is_followed(&[&whole, words].concat());
    let of_thread = (0xd63f_0000, Some((elf::R_AARCH64_TLSDESC_CALL, VARIABLE)));
    assert!(follows(&[call(FREE), RETURN]));
    assert!(!follows(&[call(OUTLINED), RETURN]));
    assert!(!follows(&[jump(OUTLINED)]));
    assert!(!follows(&[of_thread, RETURN]));
}
