//! A linked bench binary: links it again in random orders, and proves its functions unchanged.
//!
//! It belongs to the harness of the same version.

mod code;
mod layout;
mod proof;

pub use self::code::{Described, Difference, Trees, Unproven};
pub use self::layout::{Build, Format, Layout, PROGRAMS, Relinker, Request, Shifts, TRY_OUT, link};
pub use self::proof::{Binary, Entries};

/// For the fuzz targets of this project only: nothing in here is public API.
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub use self::layout::fuzz;
