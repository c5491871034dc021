//! A linked bench binary: links it again in random orders, and proves its functions unchanged.
//!
//! It belongs to the harness of the same version.

mod code;
mod layout;

pub use self::code::{
    Called, Callee, Difference, Function, Program, Root, Sides, Trees, Unproven, Why, is_foreign,
    is_of_harness, same,
};
pub use self::layout::{Build, Format, Layout, PROGRAMS, Relinker, Request, Shifts, THE_RUN, TRY_OUT, link};

/// For the fuzz targets of this project only: nothing in here is public API.
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub use self::layout::fuzz;
