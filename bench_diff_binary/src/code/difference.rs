//! The first difference that a walk finds, for readers who look for the reason. Often it is a call that one
//! side has and the other lacks, described by what readers know about the called function.

use std::fmt::{self, Display};

use bench_diff_system::order::{in_order, sort_by};

use super::paths::{crate_of, is_of_harness, last_part};
use super::program::{Program, Root, Section, Target};

/// The first functions whose code differs, of all that two functions call.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The paths in the source on the left side and on the right.
    pub(super) functions: [String; 2],
    /// The sizes of their code.
    pub(super) bytes: [u64; 2],
    /// In what they differ.
    pub(super) why: Why,
}

/// The difference of two functions in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// The first function in which the candidate differs, by its path in the source.
    pub function: String,
    /// The sizes of this function and of the one on the other side, in bytes.
    pub bytes: [u64; 2],
    /// What differs in it.
    pub why: String,
    /// The call that only one side has, if that is the difference.
    pub call: Option<String>,
}

/// The kind of difference.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Why {
    /// The instructions.
    Code,
    /// Constants or statics.
    Data,
    /// One of the functions, by its index, has a call that the other lacks. The other function inlined the
    /// called function, if that can be inlined, or does without it.
    Calls {
        /// The index of the function with the call.
        side: usize,
        /// What it calls.
        callee: Callee,
        /// The path of the called function.
        path: String,
        /// The other functions that call it, if they are few.
        callers: Vec<String>,
    },
}

impl Difference {
    /// The difference of two functions: in their code, or in the data that they refer to.
    pub(super) fn of(programs: [&Program; 2], functions: [usize; 2], is_in_code: bool) -> Self {
        let why =
            if is_in_code { call_of_one_side(programs, functions).unwrap_or(Why::Code) } else { Why::Data };
        let sections = [0, 1].map(|side| &programs[side].sections[functions[side]]);
        Self {
            functions: sections.map(Section::name),
            bytes: sections.map(|section| section.header.size),
            why,
        }
    }

    /// The difference in words. `names` are those of the compared functions, and `old` is the name of the old
    /// revision if they are one function of two revisions.
    pub fn described(&self, names: [&str; 2], old: Option<&str>) -> Described {
        let Self { mut functions, bytes, mut why } = self.clone();
        for (function, name) in functions.iter_mut().zip(names) {
            // The function is inlined into the harness.
            if is_of_harness(function) {
                name.clone_into(function);
                why.in_timing_of(name);
            }
        }
        let [function, _] = functions;
        Described { function, bytes, why: why.words(names, old), call: why.call(names, old) }
    }
}

impl Why {
    /// Names the timed function as such: if the code that times a pair no longer calls the pair's function,
    /// readers should not see a call of some other function.
    fn in_timing_of(&mut self, pair: &str) {
        let Self::Calls { callee, path, .. } = self else { return };
        let function = pair.split(['/', '<']).next();
        let called = path.split_once("::").and_then(|(_crate, path)| path.split("::<").next());
        if called.is_some() && called == function {
            *callee = Callee::Timed;
        }
    }

    /// The difference in words.
    pub(super) fn words(&self, names: [&str; 2], old: Option<&str>) -> String {
        match self {
            Self::Code => "changed machine code".to_owned(),
            Self::Data => "its constants or statics changed".to_owned(),
            Self::Calls { side, callee, callers, .. } => {
                call_in_words(*side, callee, names, old) + &callers_in_words(callers)
            }
        }
    }

    /// The call that only one side has, in words.
    fn call(&self, names: [&str; 2], old: Option<&str>) -> Option<String> {
        let Self::Calls { side, callee, .. } = self else { return None };
        Some(call_in_words(*side, callee, names, old))
    }
}

fn call_in_words(side: usize, callee: &Callee, names: [&str; 2], old: Option<&str>) -> String {
    let [caller, other] = [names[side], names[1 - side]];
    match (old, side, callee.can_be_inlined()) {
        (Some(old), 0, true) => format!("now calls {callee}, which {old} inlined or left out"),
        (Some(old), _, true) => format!("now inlines or leaves out {callee}, which {old} called"),
        (Some(old), 0, false) => format!("now calls {callee}; {old} did not"),
        (Some(old), _, false) => format!("no longer calls {callee}; {old} did"),
        (None, _, true) => format!("`{caller}` calls {callee}, which `{other}` inlines or leaves out"),
        (None, _, false) => format!("`{caller}` calls {callee}, `{other}` does not"),
    }
}

fn callers_in_words(callers: &[String]) -> String {
    let mut names: Vec<String> =
        callers.iter().filter(|caller| !is_of_harness(caller)).map(|caller| format!("`{caller}`")).collect();
    if names.len() < callers.len() {
        names.push("another benchmark".to_owned());
    }
    match &names[..] {
        [] => String::new(),
        [caller] => format!("; {caller} calls it as well, which may be why"),
        _ => format!("; {} call it as well, which may be why", names.join(" and ")),
    }
}

/// The most telling call on one side alone, if it explains the different code.
fn call_of_one_side(programs: [&Program; 2], functions: [usize; 2]) -> Option<Why> {
    let all = [0, 1].map(|side| calls(programs[side], functions[side]));
    let only = [0, 1].map(|side| only_in(&all[side], &all[1 - side]));
    let firsts = [0, 1].into_iter().filter_map(|side| {
        let is_told = |call: &&&Call| explains(call, programs[side], &only[1 - side], &all[1 - side]);
        Some((*only[side].iter().find(is_told)?, side))
    });
    let (call, side) = firsts.min()?;
    let callers = match call.section {
        Some(section) if call.callee.can_be_inlined() => callers(programs[side], functions[side], section),
        _ => Vec::new(),
    };
    Some(Why::Calls { side, callee: call.callee.clone(), path: call.path.clone(), callers })
}

/// The calls whose functions the other side does not call.
fn only_in<'c>(calls: &'c [Call], of_other: &[Call]) -> Vec<&'c Call> {
    calls.iter().filter(|call| of_other.iter().all(|other| other.name != call.name)).collect()
}

/// Returns whether a call in this program, which the other side lacks, explains the calls that only the other
/// side has.
fn explains(call: &Call, program: &Program, only_of_other: &[&Call], all_of_other: &[Call]) -> bool {
    if !call.callee.can_be_inlined() {
        // The other side may call another function for the same purpose.
        return only_of_other.iter().all(|other| !other.callee.can_be_inlined())
            && all_of_other.iter().all(|other| other.callee != call.callee);
    }
    // If the other side has inlined it, that side calls what only the inlined function called.
    let inner = call.section.map_or_else(Vec::new, |section| calls(program, section));
    only_of_other.iter().all(|other| inner.iter().any(|call| call.name == other.name))
}

/// With at most this many callers, one caller less makes a function more likely to be inlined.
const MOST_CALLERS: usize = 3;

/// The functions besides `known` that call the callee, if they are few. Callers of std are left out: they
/// explain nothing.
fn callers(program: &Program, known: usize, callee: usize) -> Vec<String> {
    if program.is_of_toolchain(callee) {
        return Vec::new();
    }
    let others = program.referrers[callee].iter().filter(|caller| **caller != known);
    let code = others.map(|caller| &program.sections[*caller]).filter(|section| section.is_code());
    let names = in_order(code.map(Section::name));
    if names.len() > MOST_CALLERS {
        return Vec::new();
    }
    names
}

/// A function that is called, the most telling kind first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Callee {
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
    fn can_be_inlined(&self) -> bool {
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
struct Call {
    callee: Callee,
    name: String,
    path: String,
    /// The code that is called; `None` if it is in a shared library.
    section: Option<usize>,
}

/// The calls in a function, the most telling ones first.
fn calls(program: &Program, function: usize) -> Vec<Call> {
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
    fn a_difference_is_described_by_the_names_of_the_sides_and_not_of_the_harness() {
        let words = |callee, revision| {
            let timed = "<bench_diff_core::clock::slot::Call as bench_diff_core::clock::Slot>::call";
            let functions = [timed; 2].map(str::to_owned);
            let callers = ["bench_diff_harness::probe", "mine::twice"].map(str::to_owned).to_vec();
            let path = format!("mine::{callee}").replace('`', "");
            let why = Why::Calls { side: 0, callee, path, callers };
            let difference = Difference { functions, bytes: [7, 8], why };
            let Described { function, bytes, why, call } =
                difference.described(["sorted", "old::sorted"], revision);
            assert_eq!((&*function, bytes), ("sorted", [7, 8]));
            [why, call.unwrap()]
        };
        let step = || Callee::Function("step".to_owned());
        let others = "; `mine::twice` and another benchmark call it as well, which may be why";
        let call = "now calls `step`, which 3f2c9e1 inlined or left out";
        assert_eq!(words(step(), Some("3f2c9e1")), [format!("{call}{others}"), call.to_owned()]);
        let call = "`sorted` calls `step`, which `old::sorted` inlines or leaves out";
        assert_eq!(words(step(), None), [format!("{call}{others}"), call.to_owned()]);
        let call = "now calls the timed function, which 3f2c9e1 inlined or left out";
        assert_eq!(words(Callee::Function("sorted".to_owned()), Some("3f2c9e1"))[1], call);
        let call = "`sorted` calls the allocator, `old::sorted` does not";
        assert_eq!(words(Callee::Allocator, None)[1], call);
    }

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
