//! What layouts need of Mach-O and of its linkers: blocks that move functions and data, and the order of all
//! of them.

mod gap;
mod order;
mod shuffle;

pub(super) use self::shuffle::Shuffle;
