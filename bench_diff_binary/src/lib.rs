//! A linked bench binary of [bench_diff](https://docs.rs/bench_diff_harness): links it again in random
//! orders, and proves that its functions did not change. It belongs to the harness of the same version, and
//! nothing else should depend on it.
//!
//! It starts the compiler and the linker, and a binary that it has linked once, to see that it starts; no
//! other process. It asks neither for arguments nor for environment variables, and has the harness show its
//! lines. It knows nothing of plans, records and settings. Of the other crates it uses `bench_diff_core`, for
//! random numbers, and `bench_diff_system`.
//!
//! | step | made of | by |
//! |---|---|---|
//! | [`Build`] | the recorded call of rustc: the objects of the binary, kept for later runs | [`Build::of`], and [`link()`] where rustc calls this executable as its linker |
//! | [`Relinker`] | a build: up to four [`Layout`]s for each round | [`Relinker::new`], [`Relinker::next_round`] |
//! | [`Binary`] | a build: its machine code, and where the functions of pairs are, by their [`Entries`] | [`Binary::read`] |
//! | [`Unproven`] | two functions that are not proven to be the same code, with the first [`Difference`] | [`Binary::compare_pairs`], [`Binary::compare_with`] |
//!
//! `layout` has the first two, `code` the rules of a comparison, and `proof` its use for pairs.

mod code;
mod layout;
mod proof;

pub use self::code::{Described, Difference, Unproven};
/// For the fuzz targets of this project only: nothing in here is public API.
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub use self::layout::fuzz;
pub use self::layout::{Build, BuildRequest, Format, Layout, PROGRAMS, Relinker, Shifts, TRY_OUT, link};
pub use self::proof::{Binary, Entries};
