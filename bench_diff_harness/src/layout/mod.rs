//! The program linked again, four times for each round: with its functions and data in another order, which
//! the four have at four places of the cache lines.
//!
//! The place that a linker gives a function is worth up to a quarter of its speed, and that of a table a part
//! of it. It is the same in every process of the program, and has nothing to do with the source. So the
//! program is compiled once more, its objects are kept, and for each round they are linked in a random order
//! (Mytkowicz, Diwan, Hauswirth & Sweeney 2009; Curtsinger & Berger 2013).

mod build;
mod call;
mod cut;
mod dep_info;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzz;
mod image;
mod joined;
pub(crate) mod link;
mod linker;
mod lld;
pub(crate) mod map;
mod objects;
mod order;
mod relinker;
mod script;
mod shifts;
mod shuffle;
mod tool;
mod trust;

pub(crate) use self::build::{Build, REPORTS};
pub(crate) use self::call::RustcCall;
pub(crate) use self::cut::symbol;
pub(crate) use self::dep_info::{is_of_workspace, sources};
pub(crate) use self::linker::link;
pub(crate) use self::objects::is_starting;
pub(crate) use self::relinker::{Relinker, TRY_OUT};
pub(crate) use self::shifts::{Layout, PROGRAMS};
