//! Panic locations: the line of a panic makes no difference to code that never gets there.

use std::collections::HashMap;
use std::ops::Range;

use object::elf;

use super::instruction::{ARGUMENTS, Instruction, Kind, RETURNED, SCRATCH, first};
use super::program::{Program, Reference, Root, Section, Target, UNWINDING};

/// Returns whether this reference of code is to a panic location that only reaches functions of std that
/// never return.
pub(super) fn is_of_panic(program: &Program, code: &Section, index: usize) -> bool {
    let reference = &code.references[index];
    let Target::Place(Root { section, offset: 0 }) = reference.to else { return false };
    // The distance counts from the end of the place, so the addend is minus its length.
    let leads_to_start = reference.kind == elf::R_X86_64_PC32 && reference.addend == -4;
    let at = reference.at as usize;
    leads_to_start
        && code.is_code()
        && is_location(program, &program.sections[section])
        && loaded(&code.bytes, at)
            .is_some_and(|holder| only_panics_get(program, code, (at + 4, holder), MOST_CALLS).is_some())
}

/// The register that the instruction with this place loads with an address; `None` if it is another one.
pub(super) fn loaded(code: &[u8], at: usize) -> Option<u16> {
    let [rex, 0x8d, modrm] = *code.get(at.checked_sub(3)?..at)? else { return None };
    let is_load = rex & 0xfb == 0x48 && modrm & 0xc7 == 5;
    is_load.then_some(1 << (modrm >> 3 & 7 | (rex & 4) << 1))
}

/// The most functions of a program that pass a location on to each other.
const MOST_CALLS: u32 = 3;

/// Follows an address from this place, where these registers hold it, along all paths of the code and into
/// the functions that get it: it may be copied and discarded, but only functions that never return may use
/// it. `None` if it gets anywhere else, or may do so.
fn only_panics_get(program: &Program, code: &Section, start: (usize, u16), calls: u32) -> Option<()> {
    let mut open = vec![start];
    // The registers that may hold it, by instruction.
    let mut seen: HashMap<usize, u16> = HashMap::new();
    while let Some((at, holders)) = open.pop() {
        let known = seen.entry(at).or_default();
        if holders & !*known == 0 {
            continue;
        }
        *known |= holders;
        let holders = *known;
        let Instruction { length, kind, uses, sets } = first(code.bytes.get(at..)?)?;
        let (behind, leads) = (at + length, references_in(code, at..at + length));
        if uses & holders != 0 {
            return None;
        }
        match kind {
            Kind::Next => open.push((behind, holders & !sets)),
            Kind::Copy { from, to } if from & holders != 0 => open.push((behind, holders | to)),
            Kind::Copy { to, .. } => open.push((behind, holders & !to)),
            Kind::Jump { by, is_conditional } if leads.is_empty() => {
                open.push((behind.checked_add_signed(by as isize)?, holders));
                open.extend(is_conditional.then_some((behind, holders)));
            }
            // What unwinds out of a call finds these registers as they were, where it lands.
            Kind::Call if holders & !SCRATCH != 0 && has_landing_pads(program, code) => return None,
            Kind::Call if matches!(leads, [call] if diverging(program, call).is_some()) => {}
            Kind::Call => {
                let passed = holders & arguments(program, leads);
                if passed != 0 {
                    let (callee, entry) = callee(program, leads)?;
                    only_panics_get(program, callee, (entry, passed), calls.checked_sub(1)?)?;
                }
                open.push((behind, holders & !SCRATCH));
            }
            Kind::Return if holders & RETURNED == 0 => {}
            Kind::Trap => {}
            _ => return None,
        }
    }
    Some(())
}

/// Returns whether calls in this code may end elsewhere than behind them. The entry of a function in the
/// table of unwinding refers to that function, to what it shares with others, and to a table of such places.
fn has_landing_pads(program: &Program, code: &Section) -> bool {
    let mut entries = code.references.iter().filter(|reference| reference.kind == UNWINDING);
    entries.any(|entry| match entry.to {
        Target::Place(root) => program.sections[root.section].references.len() > 2,
        _ => true,
    })
}

/// The code that a call leads to, and where it begins.
fn callee<'p>(program: &'p Program, leads: &[Reference]) -> Option<(&'p Section, usize)> {
    let [Reference { addend: -4, to: Target::Place(root), .. }] = leads else { return None };
    let section = &program.sections[root.section];
    section.is_code().then_some((section, root.offset as usize))
}

/// The registers in which the function called by this reference gets arguments, or may get some.
fn arguments(program: &Program, leads: &[Reference]) -> u16 {
    let name = match leads {
        [Reference { to: Target::Place(root), .. }] => program.sections[root.section].name(),
        [Reference { to: Target::Import(import), .. }] => program.symbols[*import].name.clone(),
        _ => return ARGUMENTS.iter().sum(),
    };
    let count =
        TAKING.iter().find(|(names, _)| names.contains(&&*name)).map_or(ARGUMENTS.len(), |(_, count)| *count);
    ARGUMENTS[..count].iter().sum()
}

/// Functions that every program calls, by the number of arguments: other registers hold leftovers.
const TAKING: [(&[&str], usize); 4] = [
    (&["__rustc::__rust_no_alloc_shim_is_unstable_v2"], 0),
    (&["_Unwind_Resume"], 1),
    (&["__rustc::__rust_alloc", "__rustc::__rust_alloc_zeroed"], 2),
    (&["__rustc::__rust_dealloc", "memcpy", "memmove", "memset", "memcmp", "bcmp"], 3),
];

fn references_in(code: &Section, places: Range<usize>) -> &[Reference] {
    let [first, behind] = [places.start, places.end]
        .map(|end| code.references.partition_point(|reference| reference.at < end as u64));
    &code.references[first..behind]
}

/// Returns whether this is what the compiler passes for `#[track_caller]`: the name of a source file with its
/// length, a line and a column.
fn is_location(program: &Program, section: &Section) -> bool {
    let [Reference { at: 0, kind: elf::R_X86_64_64, addend, to: Target::Place(root) }] =
        section.references[..]
    else {
        return false;
    };
    let (words, []) = section.bytes.as_chunks::<4>() else { return false };
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let [0, 0, length, 0, line, column] = words[..] else { return false };
    let text = &program.sections[root.section];
    let start = root.offset.wrapping_add_signed(addend) as usize;
    let file = text.bytes.get(start..).and_then(|rest| rest.split_at_checked(length as usize));
    line > 0
        && column > 0
        && section.header.align == 8
        && !section.is_writable()
        && !section.is_code()
        && !text.is_writable()
        && text.references.is_empty()
        && file.is_some_and(|(file, rest)| {
            file.ends_with(b".rs") && !file.contains(&0) && rest.first() == Some(&0)
        })
}

/// Returns whether both calls are of one function of std that never returns, which is not generic.
pub(super) fn is_one_panic(programs: [&Program; 2], calls: [&Reference; 2]) -> bool {
    let [left, right] = [0, 1].map(|side| diverging(programs[side], calls[side]));
    left == right && left.is_some_and(|name| DIVERGING.contains(&&*name))
}

/// The function of std that never returns, if a call is of one.
fn diverging(program: &Program, call: &Reference) -> Option<String> {
    let Target::Place(Root { section, offset: 0 }) = call.to else { return None };
    // With LTO, the objects of the program contain std.
    let is_of_std = program.is_of_toolchain(section) || !program.has_std();
    if call.addend != -4 || !is_of_std {
        return None;
    }
    let name = program.sections[section].name();
    let is_listed = |listed: &str| match listed.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == listed,
    };
    DIVERGING.iter().any(|listed| is_listed(listed)).then_some(name)
}

/// The functions of std that get a panic location or never return; a star stands for the rest of a name.
const DIVERGING: [&str; 42] = [
    "<alloc::vec::Vec<_, _>>::insert_mut::assert_failed",
    "<alloc::vec::Vec<_, _>>::remove::assert_failed",
    "<alloc::vec::Vec<_, _>>::split_off::assert_failed",
    "<alloc::vec::Vec<_, _>>::swap_remove::assert_failed",
    "alloc::alloc::handle_alloc_error",
    "alloc::raw_vec::capacity_overflow",
    "alloc::raw_vec::handle_error",
    "core::cell::panic_already_borrowed",
    "core::cell::panic_already_mutably_borrowed",
    "core::num::from_ascii_radix_panic",
    "core::num::int_log10::panic_for_nonpositive_argument",
    "core::num::int_sqrt::panic_for_negative_argument",
    "core::num::overflow_panic::*",
    "core::option::expect_failed",
    "core::option::unwrap_failed",
    "core::panicking::assert_failed::*",
    "core::panicking::assert_failed_inner",
    "core::panicking::panic",
    "core::panicking::panic_bounds_check",
    "core::panicking::panic_cannot_unwind",
    "core::panicking::panic_const::*",
    "core::panicking::panic_display::*",
    "core::panicking::panic_explicit",
    "core::panicking::panic_fmt",
    "core::panicking::panic_in_cleanup",
    "core::panicking::panic_invalid_enum_construction",
    "core::panicking::panic_misaligned_pointer_dereference",
    "core::panicking::panic_nounwind",
    "core::panicking::panic_nounwind_fmt",
    "core::panicking::panic_null_pointer_dereference",
    "core::panicking::unreachable_display::*",
    "core::result::unwrap_failed",
    "core::slice::copy_from_slice_impl::len_mismatch_fail",
    "core::slice::index::slice_end_index_len_fail",
    "core::slice::index::slice_end_index_overflow_fail",
    "core::slice::index::slice_index_fail",
    "core::slice::index::slice_index_order_fail",
    "core::slice::index::slice_start_index_len_fail",
    "core::slice::index::slice_start_index_overflow_fail",
    "core::str::slice_error_fail",
    "std::panicking::begin_panic::*",
    "std::thread::local::panic_access_error",
];

#[cfg(test)]
mod tests {
    use super::super::program::{Header, Object};
    use super::*;

    const FLAGS: u64 = elf::SHF_ALLOC as u64;

    fn section(flags: u32, bytes: &[u8], symbol: &str, object: usize) -> Section {
        let header = Header { flags: FLAGS | u64::from(flags), align: 8, ..Header::default() };
        Section { header, bytes: bytes.to_owned(), symbol: symbol.to_owned(), object, ..Section::default() }
    }

    /// Tests a function with a location. Its places are `L` for the address of the location, `P` for a
    /// function of std that panics, `D` for one that frees, `F` for one that does nothing, and `G` for one
    /// that passes its first argument on to `P`. With `U`, calls may land elsewhere than behind them.
    fn is_of_panic(code: &str) -> bool {
        let std = "/lib/rustlib/x86_64/lib/libcore-0.rlib";
        let object =
            |path: &str, part: Option<&str>| Object { path: path.into(), part: part.map(str::to_owned) };
        let to = |section| Target::Place(Root { section, offset: 0 });
        let reference =
            |at: usize, kind, addend, section| Reference { at: at as u64, kind, addend, to: to(section) };
        let mut location =
            section(0, b"\0\0\0\0\0\0\0\0\x06\0\0\0\0\0\0\0\x02\0\0\0\x05\0\0\0", "location", 0);
        location.references.push(reference(0, elf::R_X86_64_64, 0, 1));
        let function = |symbol, object, code: &[u8]| section(elf::SHF_EXECINSTR, code, symbol, object);
        let mut passing = function("passing", 0, b"\x48\x89\xfa\xe8\0\0\0\0");
        passing.references.push(reference(4, elf::R_X86_64_PLT32, -4, 2));
        let mut entry = section(0, &[], "entry", 0);
        entry.references = [0, 8, 16].map(|at| reference(at, elf::R_X86_64_PC32, 0, 1)).into();
        let program = Program {
            objects: vec![object("main.o", None), object(std, Some("core.o"))],
            sections: vec![
                location,
                section(0, b"lib.rs\0", "text", 0),
                function("_RNvNtCs0_4core9panicking9panic_fmt", 1, &[]),
                function("_RNvCs0_7___rustc14___rust_dealloc", 0, &[]),
                function("idle", 0, b"\xc3"),
                passing,
                entry,
            ],
            ..Program::default()
        };
        let (mut bytes, mut references) = (Vec::new(), Vec::new());
        for word in code.split(' ') {
            match ["L", "", "P", "D", "F", "G", "U"].iter().position(|place| *place == word) {
                Some(6) => references.push(reference(bytes.len(), UNWINDING, 0, 6)),
                Some(section) => {
                    let kind = if section == 0 { elf::R_X86_64_PC32 } else { elf::R_X86_64_PLT32 };
                    references.push(reference(bytes.len(), kind, -4, section));
                    bytes.extend([0; 4]);
                }
                None => bytes.push(u8::from_str_radix(word, 16).unwrap()),
            }
        }
        let code = Section { references, ..function("code", 0, &bytes) };
        super::is_of_panic(&program, &code, 0)
    }

    #[test]
    fn a_location_goes_to_panics_alone() {
        assert!(is_of_panic("48 8d 15 L 48 89 c7 e8 P"), "lea rdx, L; mov rdi, rax; call P");
        assert!(is_of_panic("48 8d 15 L 75 05 e8 P 48 89 d7 e8 P"), "one way and the other");
        assert!(is_of_panic("48 8d 15 L 75 05 e8 P 31 d2 e8 F c3"), "it is forgotten");
        assert!(is_of_panic("48 8d 1d L e8 F 75 01 c3 48 89 df e8 P"), "it is kept in rbx");
        assert!(
            is_of_panic("48 8d 0d L e8 D 85 c0 74 01 c3 48 8d 0d L e8 P"),
            "what frees has three arguments"
        );
        assert!(is_of_panic("48 8d 0d L ff c0 75 fc e8 P"), "a loop");
        assert!(is_of_panic("48 8d 3d L e8 G"), "it is passed on");
        assert!(is_of_panic("48 8d 3d L e8 F c3"), "it is passed, and not looked at");
        assert!(is_of_panic("48 8d 15 L e8 P U"), "it is gone where the panic lands");
    }

    #[test]
    fn a_location_that_may_go_elsewhere_is_data() {
        assert!(!is_of_panic("48 8d 15 L 75 05 e8 P e8 D c3"), "an argument on one of the ways");
        assert!(!is_of_panic("48 8d 15 L 75 05 e8 P ff d0 c3"), "an argument of what a pointer leads to");
        assert!(!is_of_panic("48 8d 15 L 48 89 14 24 e8 P"), "it is stored");
        assert!(!is_of_panic("48 8d 15 L 8b 42 10 e8 P"), "its line is read");
        assert!(!is_of_panic("48 8d 05 L c3"), "it is returned");
        assert!(!is_of_panic("48 8d 1d L e8 F 48 89 df ff d0 c3"), "it is kept, and an argument then");
        assert!(!is_of_panic("48 8d 1d L e8 F 48 89 df e8 P U"), "it is kept where a panic of another lands");
        assert!(!is_of_panic("48 8d 1d L e8 P U"), "it is kept where the panic lands");
        assert!(!is_of_panic("48 8d 15 L ff e0"), "a jump that is not followed");
        assert!(!is_of_panic("48 8d 15 L e9 P"), "a jump out of the function");
        assert!(!is_of_panic("48 8d 15 L 90"), "the end of what is known");
        assert!(!is_of_panic("48 8b 15 L e8 P"), "no address is loaded");
    }
}
