//! Links the bench binary again, four times for each round. In each round, functions and data are in another
//! order, and the four binaries place them at four offsets in the cache lines.
//!
//! The address that a linker gives a function is worth up to a quarter of its speed, and the address of a
//! table has a smaller effect. The address is the same in every process of the binary, and has nothing to do
//! with the source. So bench_diff compiles the binary once more, keeps the objects, and links them in a
//! random order for each round (Mytkowicz, Diwan, Hauswirth & Sweeney 2009; Curtsinger & Berger 2013).
//!
//! 1. `compile` calls rustc once more, with this executable as its linker; `stand_in`, in that process, keeps
//!    the objects and writes down the call of the linker, a `link::Link`.
//! 2. `build` checks by `image` that this call makes the same binary, and keeps both for later runs. For ELF,
//!    `elf::joined` makes one object of all, which takes less time to link.
//! 3. `relinker` draws the `shifts` of each round and links its binaries by a `shuffle`: `elf` has lld order
//!    the sections and a script shift them, `macho` has an order file that also names blocks of zeros.

mod build;
mod compile;
mod elf;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod image;
pub(crate) mod link;
mod macho;
mod relinker;
mod shifts;
mod shuffle;
mod stand_in;

pub(crate) use self::build::REPORTS;
pub use self::build::{Build, BuildRequest};
pub(crate) use self::elf::{THE_RUN, is_starting, map};
pub use self::relinker::{Relinker, TRY_OUT};
pub use self::shifts::{Layout, PROGRAMS, Shifts};
pub use self::shuffle::Format;
pub use self::stand_in::link;
