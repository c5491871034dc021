//! The calls in a function, described by what readers know about the called functions.

use std::fmt::{self, Display};

use super::paths::{crate_of, is_of_harness, last_part};
use super::program::{Program, Root, Target};
use bench_diff_system::order::sort_by;

/// A function that is called, the most telling kind first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Callee {
    /// A function outside std, by its name without the path: the path may differ between crates.
    Function(String),
    /// The function of a benchmark, called by the code that times it.
    Timed,
    /// The code that enlarges a vector.
    Growth,
    /// A function that allocates or frees memory.
    Allocator,
    /// Any other function of std.
    Std(String),
    /// A function of C that copies, sets or compares memory.
    Memory(String),
    /// A function that panics.
    Panic,
}

impl Callee {
    /// The function with this path; `None` if readers don't need to know of it.
    fn of(path: &str, is_of_toolchain: bool) -> Option<Self> {
        if is_of_harness(path) || path == "_Unwind_Resume" {
            return None;
        }
        let name = || last_part(path);
        Some(match crate_of(path) {
            _ if MEMORY.contains(&path) => Self::Memory(name()),
            "alloc" | "core" | "std" if is_panic(path) => Self::Panic,
            "alloc" if path.trim_start_matches('<').starts_with("alloc::raw_vec::") => Self::Growth,
            "alloc" if path.starts_with("alloc::alloc::") => Self::Allocator,
            "__rustc" => Self::Allocator,
            _ if ALLOCATING.contains(&path) => Self::Allocator,
            "alloc" | "core" | "std" | "std_detect" => Self::Std(name()),
            _ if is_of_toolchain => Self::Std(name()),
            _ => Self::Function(name()),
        })
    }

    /// Returns whether a compiler may inline it into one caller and not into another.
    pub(super) fn can_be_inlined(&self) -> bool {
        matches!(self, Self::Function(_) | Self::Timed | Self::Growth | Self::Std(_))
    }
}

impl Display for Callee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function(name) => write!(f, "`{name}`"),
            Self::Timed => f.write_str("the timed function"),
            Self::Growth => f.write_str("std's growth of a vector"),
            Self::Allocator => f.write_str("the allocator"),
            Self::Std(name) => write!(f, "std's `{name}`"),
            Self::Memory(name) => f.write_str(name),
            Self::Panic => f.write_str("a function that panics"),
        }
    }
}

const MEMORY: [&str; 5] = ["memcpy", "memmove", "memset", "memcmp", "bcmp"];
const ALLOCATING: [&str; 4] = ["malloc", "calloc", "realloc", "free"];

/// Returns whether the name of this function of std says that it panics.
fn is_panic(path: &str) -> bool {
    const ENDS: [&str; 6] =
        ["_panic", "_fail", "_failed", "capacity_overflow", "handle_alloc_error", "handle_error"];

    let name = last_part(path);
    let is_all_of_panics = ["core::panicking::", "std::panicking::", "core::num::overflow_panic::"];
    is_all_of_panics.iter().any(|start| path.starts_with(start))
        || name.starts_with("panic_")
        || ENDS.iter().any(|end| name.ends_with(end))
}

/// A call in a function.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Call {
    pub(super) callee: Callee,
    pub(super) name: String,
    pub(super) path: String,
    /// The code that is called; `None` if it is in a shared library.
    pub(super) section: Option<usize>,
}

/// The calls in a function, the most telling ones first.
pub(super) fn calls(program: &Program, function: usize) -> Vec<Call> {
    let mut calls = Vec::new();
    for reference in &program.sections[function].references {
        let (path, section) = match reference.to {
            Target::Place(Root { section, .. }) if program.sections[section].is_code() => {
                (program.sections[section].name(), Some(section))
            }
            Target::Import(import) => (program.symbols[import].name.clone(), None),
            _ => continue,
        };
        let is_of_toolchain = section.is_some_and(|section| program.is_of_toolchain(section));
        if let Some(callee) = Callee::of(&path, is_of_toolchain) {
            calls.push(Call { callee, name: last_part(&path), path, section });
        }
    }
    sort_by(&mut calls, Call::cmp);
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_called_by_what_they_are() {
        for (path, shown) in [
            ("mine::parser::lex", "`lex`"),
            ("<mine::Value as core::fmt::Display>::fmt", "`fmt`"),
            ("my_bench_diff_core::lex", "`lex`"),
            ("cos", "`cos`"),
            ("__rustc::__rust_alloc", "the allocator"),
            ("__rustc::__rust_no_alloc_shim_is_unstable_v2", "the allocator"),
            ("alloc::alloc::exchange_malloc", "the allocator"),
            ("free", "the allocator"),
            ("<alloc::raw_vec::RawVec<u8>>::grow_one", "std's growth of a vector"),
            ("alloc::raw_vec::RawVec<T,A>::grow_one", "std's growth of a vector"),
            ("alloc::raw_vec::handle_error", "a function that panics"),
            ("core::panicking::panic_bounds_check", "a function that panics"),
            ("core::panicking::assert_failed", "a function that panics"),
            ("core::slice::index::slice_end_index_len_fail", "a function that panics"),
            ("core::option::unwrap_failed", "a function that panics"),
            ("core::num::overflow_panic::add", "a function that panics"),
            ("<alloc::vec::Vec<_, _>>::remove::assert_failed", "a function that panics"),
            ("core::ptr::drop_in_place::<mine::Parse_failed>", "std's `drop_in_place`"),
            ("mine::panic_or_lex", "`panic_or_lex`"),
            ("memcpy", "memcpy"),
            ("core::slice::sort::stable::drift::sort::<mine::Value>", "std's `sort`"),
            ("<alloc::string::String as core::fmt::Write>::write_str", "std's `write_str`"),
        ] {
            let callee = Callee::of(path, false).map(|callee| callee.to_string());
            assert_eq!(callee.as_deref(), Some(shown), "{path}");
        }
        for path in [
            "<bench_diff_core::clock::slot::Call as bench_diff_core::clock::Slot>::call",
            "bench_diff_harness::call::probe::Probe::compare",
            "bench_diff_divan::private::add_args::<[u8; 2]>",
            "core::ptr::drop_in_place::<bench_diff_harness::call::probe::Probe>",
            "_Unwind_Resume",
        ] {
            assert_eq!(Callee::of(path, false), None, "{path}");
        }
    }
}
