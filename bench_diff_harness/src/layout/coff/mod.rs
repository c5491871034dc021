//! What layouts need of COFF and of its linkers: the names by which linkers sort functions and data, and the
//! gaps that move them.

mod gap;
mod objects;
mod sections;
mod shuffle;
mod stamps;

pub(super) use self::shuffle::Shuffle;
pub(super) use self::stamps::stamps;
