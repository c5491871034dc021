//! Links the bench binary again, four times for each round. In each round, functions and data are in another
//! order, and the four binaries place them at four offsets in the cache lines.
//!
//! The address that a linker gives a function is worth up to a quarter of its speed, and the address of a
//! table has a smaller effect. The address is the same in every process of the binary, and has nothing to do
//! with the source. So bench_diff compiles the binary once more, keeps the objects, and links them in a
//! random order for each round (Mytkowicz, Diwan, Hauswirth & Sweeney 2009; Curtsinger & Berger 2013).

mod build;
mod call;
mod elf;
mod format;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod image;
pub(crate) mod link;
mod linker;
mod macho;
mod relinker;
mod shifts;
mod shuffle;
mod tool;
#[cfg(unix)]
mod trust;

pub(crate) use self::build::REPORTS;
pub use self::build::{Build, Request};
pub(crate) use self::elf::{THE_RUN, is_starting, map};
pub use self::format::Format;
pub use self::linker::link;
pub use self::relinker::{Relinker, TRY_OUT};
pub use self::shifts::{Layout, PROGRAMS, Shifts};
