//! The functions that code calls, as far as their names say how they use arguments.

use super::instruction::Registers;
use super::machine::Machine;
use super::program::{Program, Reference, Root, Section, Target};

/// The code that a call leads to, and where it begins.
pub(super) fn callee<'p>(
    program: &'p Program,
    machine: &Machine,
    call: &Reference,
) -> Option<(&'p Section, usize)> {
    let Target::Place(Root { section, offset }) = call.to else { return None };
    let section = &program.sections[section];
    (call.addend == machine.call_addend && section.is_code())
        .then_some((section, usize::try_from(offset).ok()?))
}

/// The name of the called function.
fn name(program: &Program, call: &Reference) -> Option<String> {
    match call.to {
        Target::Place(root) => Some(program.sections[root.section].name()),
        Target::Import(import) => Some(program.symbols[import].name.clone()),
        _ => None,
    }
}

/// Returns whether what is called treats registers and the stack as functions do. Pieces of code that several
/// functions share, as for the smallest size, go on in the frame of their caller.
pub(super) fn is_by_convention(program: &Program, machine: &Machine, call: &Reference) -> bool {
    let is_outlined = || name(program, call).is_some_and(|name| name.starts_with("OUTLINED_FUNCTION_"));
    !machine.calls_of_own_convention.contains(&call.kind) && !is_outlined()
}

/// Returns whether this call continues unwinding, and so never returns.
pub(super) fn goes_on_unwinding(program: &Program, call: &Reference) -> bool {
    matches!(call.to, Target::Import(import) if program.symbols[import].name == UNWIND)
}

pub(super) const UNWIND: &str = "_Unwind_Resume";

/// The registers in which a call passes arguments, or may pass some.
pub(super) fn arguments(program: &Program, machine: &Machine, call: Option<&Reference>) -> Registers {
    let name = call.and_then(|call| name(program, call)).unwrap_or_default();
    let known = TAKING.iter().find(|(names, _)| names.contains(&&*name));
    Registers::of(known.map_or(machine.arguments, |(_, count)| &machine.arguments[..*count]))
}

/// The number of arguments of functions that every program calls; other argument registers hold leftovers.
const TAKING: [(&[&str], usize); 4] = [
    (&["__rustc::__rust_no_alloc_shim_is_unstable_v2"], 0),
    (&[UNWIND], 1),
    (&["__rustc::__rust_alloc", "__rustc::__rust_alloc_zeroed"], 2),
    (&["__rustc::__rust_dealloc", "memcpy", "memmove", "memset", "memcmp", "bcmp"], 3),
];

/// A function that never returns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Diverging {
    name: String,
    /// Which argument is the panic location that the compiler passes, if no other argument could be the
    /// address of a location.
    pub(super) location: Option<usize>,
    /// True if the name is complete, and not the start of many names.
    has_whole_name: bool,
}

/// The function that never returns, if this call is to one.
pub(super) fn diverging(program: &Program, machine: &Machine, call: &Reference) -> Option<Diverging> {
    let Target::Place(Root { section, offset: 0 }) = call.to else { return None };
    // With LTO, the objects of the program contain std.
    let is_of_std = program.is_of_toolchain(section) || !program.has_std();
    if call.addend != machine.call_addend || !is_of_std {
        return None;
    }
    let name = program.sections[section].name();
    let (listed, location) = listed(&name)?;
    Some(Diverging { has_whole_name: !listed.ends_with('*'), location: *location, name })
}

/// The function of std that never returns and has this name.
fn listed(name: &str) -> Option<&'static (&'static str, Option<usize>)> {
    DIVERGING.iter().find(|(listed, _)| match listed.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == *listed,
    })
}

/// Returns whether this is the name of a function of std that panics.
pub(super) fn is_panic(name: &str) -> bool {
    let is_all_of_panics =
        ["core::panicking::", "std::panicking::"].iter().any(|path| name.starts_with(path));
    is_all_of_panics || listed(name).is_some()
}

/// Returns whether both calls are to the same function of std, which never returns and isn't generic.
pub(super) fn is_same_panic(programs: [&Program; 2], calls: [&Reference; 2]) -> bool {
    let [left, right] = [0, 1].map(|side| diverging(programs[side], programs[side].machine?, calls[side]));
    left == right && left.is_some_and(|function| function.has_whole_name)
}

/// The functions of std that get a panic location or never return, and which argument the location is; a star
/// stands for the rest of a name.
const DIVERGING: [(&str, Option<usize>); 42] = [
    ("<alloc::vec::Vec<_, _>>::insert_mut::assert_failed", Some(2)),
    ("<alloc::vec::Vec<_, _>>::remove::assert_failed", Some(2)),
    ("<alloc::vec::Vec<_, _>>::split_off::assert_failed", Some(2)),
    ("<alloc::vec::Vec<_, _>>::swap_remove::assert_failed", Some(2)),
    ("alloc::alloc::handle_alloc_error", None),
    ("alloc::raw_vec::capacity_overflow", None),
    ("alloc::raw_vec::handle_error", None),
    ("core::cell::panic_already_borrowed", Some(0)),
    ("core::cell::panic_already_mutably_borrowed", Some(0)),
    ("core::num::from_ascii_radix_panic", None),
    ("core::num::int_log10::panic_for_nonpositive_argument", None),
    ("core::num::int_sqrt::panic_for_negative_argument", None),
    ("core::num::overflow_panic::*", Some(0)),
    ("core::option::expect_failed", Some(2)),
    ("core::option::unwrap_failed", Some(0)),
    ("core::panicking::assert_failed::*", None),
    ("core::panicking::assert_failed_inner", None),
    ("core::panicking::panic", Some(2)),
    ("core::panicking::panic_bounds_check", Some(2)),
    ("core::panicking::panic_cannot_unwind", None),
    ("core::panicking::panic_const::*", Some(0)),
    ("core::panicking::panic_display::*", None),
    ("core::panicking::panic_explicit", Some(0)),
    ("core::panicking::panic_fmt", Some(2)),
    ("core::panicking::panic_in_cleanup", None),
    ("core::panicking::panic_invalid_enum_construction", None),
    ("core::panicking::panic_misaligned_pointer_dereference", None),
    ("core::panicking::panic_nounwind", None),
    ("core::panicking::panic_nounwind_fmt", None),
    ("core::panicking::panic_null_pointer_dereference", None),
    ("core::panicking::unreachable_display::*", None),
    ("core::result::unwrap_failed", Some(4)),
    ("core::slice::copy_from_slice_impl::len_mismatch_fail", Some(2)),
    ("core::slice::index::slice_end_index_len_fail", Some(2)),
    ("core::slice::index::slice_end_index_overflow_fail", Some(0)),
    ("core::slice::index::slice_index_fail", Some(3)),
    ("core::slice::index::slice_index_order_fail", Some(2)),
    ("core::slice::index::slice_start_index_len_fail", Some(2)),
    ("core::slice::index::slice_start_index_overflow_fail", Some(0)),
    ("core::str::slice_error_fail", Some(4)),
    ("std::panicking::begin_panic::*", None),
    ("std::thread::local::panic_access_error", None),
];
