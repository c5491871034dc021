//! The place where two walks part, for readers who look for the reason.

use std::fmt::{self, Display};

use super::program::{Program, Root, Section, Target};

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

/// The kind of difference.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Why {
    Code,
    /// Constants or variables.
    Data,
    /// One of the functions, by its index, calls a function, and the other has no call of that name: what it
    /// did was inlined, or is left out.
    Calls {
        side: usize,
        /// Its path.
        callee: String,
        callers: Vec<String>,
    },
}

impl Difference {
    /// The difference of two functions, which their own bytes make or the data that they refer to.
    pub(super) fn of(programs: [&Program; 2], functions: [usize; 2], is_own: bool) -> Self {
        let calls = [0, 1].map(|side| callees(programs[side], functions[side]));
        // The call of one side that the other has in its own code: all that only the other one calls, it
        // calls.
        let inlined = |side: usize| {
            let [own, other] = [&calls[side], &calls[1 - side]];
            let has = |calls: &[Callee], name: &str| calls.iter().any(|(called, _)| called == name);
            let mut only = own.iter().filter(|(name, _)| !has(other, name));
            let is_in_it = |callee: usize| {
                let calls = callees(programs[side], callee);
                other.iter().all(|(name, _)| has(own, name) || has(&calls, name))
            };
            let (_, at) = only.find(|(_, at)| is_in_it(*at))?;
            let callers = callers(programs[side], functions[side], *at);
            Some(Why::Calls { side, callee: programs[side].sections[*at].name(), callers })
        };
        let why = if is_own { inlined(0).or_else(|| inlined(1)).unwrap_or(Why::Code) } else { Why::Data };
        let function = |side: usize| {
            let section = &programs[side].sections[functions[side]];
            Function { name: section.name(), bytes: section.header.size }
        };
        Self { functions: [function(0), function(1)], why }
    }

    /// The paths of what was compiled in two ways if functions of one name have other code: of the function,
    /// and of what it calls on one side alone.
    pub(crate) fn compiled_in_two_ways(&self) -> Vec<String> {
        let function = self.functions[0].name.clone();
        match &self.why {
            _ if !self.have_one_name() => Vec::new(),
            Why::Data => Vec::new(),
            Why::Code => vec![function],
            Why::Calls { callee, .. } => vec![function, callee.clone()],
        }
    }

    fn have_one_name(&self) -> bool {
        let [left, right] = self.functions.each_ref().map(|function| last_part(&function.name));
        left == right
    }

    /// True if functions of one name differ in what is inlined, and more functions call that.
    pub(crate) fn may_be_by_others(&self) -> bool {
        self.have_one_name() && matches!(&self.why, Why::Calls { callers, .. } if !callers.is_empty())
    }
}

/// Names the difference between the functions.
impl Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Why::Code => f.write_str("other code"),
            Why::Data => f.write_str("code on other data"),
            Why::Calls { side, callee, callers } => {
                let [left, right] = &self.functions;
                let [caller, other] = if *side == 0 { [left, right] } else { [right, left] };
                let callee = last_part(callee);
                write!(
                    f,
                    "`{}` calls `{callee}`, which `{}` has inlined or left out",
                    caller.name, other.name
                )?;
                match &callers[..] {
                    [] => Ok(()),
                    [caller] => write!(f, "; `{caller}` calls it as well, which may be why"),
                    _ => write!(f, "; `{}` call it as well, which may be why", callers.join("`, `")),
                }
            }
        }
    }
}

/// The most callers of a function for which the lack of one makes it more likely to be inlined.
const MOST_CALLERS: usize = 3;

/// A function that is called, by its name without the path: that is another in another crate.
type Callee = (String, usize);

/// The functions that one calls, in the order of their names.
fn callees(program: &Program, function: usize) -> Vec<Callee> {
    let mut callees = Vec::new();
    for reference in &program.sections[function].references {
        if let Target::Place(Root { section, .. }) = reference.to
            && program.sections[section].is_code()
        {
            callees.push((last_part(&program.sections[section].name()), section));
        }
    }
    callees.sort_unstable();
    callees
}

/// The functions that call another one beside the one that is known to, where they are few. Who calls std
/// says nothing.
fn callers(program: &Program, known: usize, callee: usize) -> Vec<String> {
    let others = program.referrers(callee).iter().filter(|caller| **caller != known);
    let code = others.map(|caller| &program.sections[*caller]).filter(|section| section.is_code());
    let mut names: Vec<String> = code.map(Section::name).collect();
    names.sort_unstable();
    names.dedup();
    if program.is_of_toolchain(callee) || names.len() > MOST_CALLERS {
        return Vec::new();
    }
    names
}

/// The last part of a path that is no closure, type argument or shim.
fn last_part(name: &str) -> String {
    let (mut plain, mut depth) = (String::new(), 0_u32);
    for character in name.chars() {
        match character {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(character),
            _ => {}
        }
    }
    plain.rsplit("::").find(|part| !part.is_empty() && !part.starts_with('{')).unwrap_or(name).to_owned()
}
