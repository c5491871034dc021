//! Where two walks part, for those who look for the reason.

use std::collections::BTreeSet;
use std::fmt::{self, Display};

use super::program::{Program, Root, Target};

/// The first functions that are not the same code.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Difference {
    /// Of the left entry and of the right one.
    pub(crate) functions: [Function; 2],
    pub(crate) why: Why,
}

/// A function with the size of its code.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

/// What differs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Why {
    Code,
    /// Constants or variables.
    Data,
    /// One of the functions, by its index, calls a function, and the other has no call of that name: what it
    /// did was inlined, or is left out.
    Calls {
        side: usize,
        callee: String,
        callers: Vec<String>,
    },
}

impl Difference {
    /// The difference of two functions, which their own bytes make or the data that they refer to.
    pub(super) fn of(programs: [&Program; 2], functions: [usize; 2], is_own: bool) -> Self {
        let [left, right] = [0, 1].map(|side| callees(programs[side], functions[side]));
        let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
            one.iter().find(|name| !other.contains(*name)).cloned()
        };
        let calls = |side: usize, callee: String| {
            let callers = callers(programs[side], functions[side], &callee);
            Why::Calls { side, callee, callers }
        };
        let why = match (only(&left, &right), only(&right, &left)) {
            _ if !is_own => Why::Data,
            // Where each has a call of its own, they do different things.
            (Some(callee), None) => calls(0, callee),
            (None, Some(callee)) => calls(1, callee),
            _ => Why::Code,
        };
        let function = |side: usize| {
            let section = &programs[side].sections[functions[side]];
            Function { name: section.name(), bytes: section.header.size }
        };
        Self { functions: [function(0), function(1)], why }
    }
}

/// What differs in the functions.
impl Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Why::Code => f.write_str("other code"),
            Why::Data => f.write_str("code on other data"),
            Why::Calls { side, callee, callers } => {
                let [left, right] = &self.functions;
                let [caller, other] = if *side == 0 { [left, right] } else { [right, left] };
                write!(f, "`{}` calls `{callee}`, and `{}` does not", caller.name, other.name)?;
                match callers.split_at_checked(MOST_CALLERS) {
                    _ if callers.is_empty() => Ok(()),
                    Some((first, rest)) if !rest.is_empty() => {
                        write!(f, "; so does `{}`, and {} more", first.join("`, `"), rest.len())
                    }
                    _ => write!(f, "; so does `{}`", callers.join("`, `")),
                }
            }
        }
    }
}

/// So many callers are named.
const MOST_CALLERS: usize = 3;

/// The names of the functions that one calls, without the path: that is another in another crate.
fn callees(program: &Program, function: usize) -> BTreeSet<String> {
    code_in(program, function).map(|callee| last_part(&program.sections[callee].name())).collect()
}

/// The functions that call another one of this name beside the one that is known to. Who calls std says
/// nothing.
fn callers(program: &Program, known: usize, callee: &str) -> Vec<String> {
    let is_it = |section: &usize| last_part(&program.sections[*section].name()) == callee;
    let is_own = |section: &usize| is_it(section) && !program.is_of_toolchain(*section);
    let Some(called) = code_in(program, known).find(is_own) else { return Vec::new() };
    let callers = program.referrers(called).iter().map(|caller| (*caller, &program.sections[*caller]));
    let others = callers.filter(|(caller, section)| *caller != known && section.is_code());
    let names: BTreeSet<String> = others.map(|(_, section)| section.name()).collect();
    names.into_iter().collect()
}

/// The code that a function refers to.
fn code_in(program: &Program, function: usize) -> impl Iterator<Item = usize> {
    program.sections[function].references.iter().filter_map(|reference| match reference.to {
        Target::Place(Root { section, .. }) if program.sections[section].is_code() => Some(section),
        _ => None,
    })
}

/// The last part of a path that is no closure, type argument or shim.
fn last_part(name: &str) -> String {
    let mut depth = 0_u32;
    let plain: String = name
        .chars()
        .filter(|character| {
            match character {
                '<' => depth += 1,
                '>' => {
                    depth = depth.saturating_sub(1);
                    return false;
                }
                _ => {}
            }
            depth == 0
        })
        .collect();
    plain.rsplit("::").find(|part| !part.is_empty() && !part.starts_with('{')).unwrap_or(name).to_owned()
}
