//! What layouts need of ELF and of lld.
//!
//! `joined` makes one object of all others, and checks it. `shuffle` has `lld` put the sections of that
//! object, or of all objects, in an order, and a `script` shift them, except those of the `startup` objects.
//! `map` reads what a linker reports.

pub(super) mod joined;
pub(super) mod lld;
pub(crate) mod map;
mod script;
mod shuffle;
mod startup;

pub(super) use self::shuffle::Shuffle;
pub(crate) use self::shuffle::THE_RUN;
pub(crate) use self::startup::is_starting;
