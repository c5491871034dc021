//! What layouts need of ELF and of lld: one object joined from all others, the order and the offsets of its
//! functions, and the checks of the result.

pub(super) mod joined;
pub(super) mod lld;
pub(crate) mod map;
pub(super) mod options;
pub(super) mod script;
mod shuffle;
mod starting;

pub(crate) use self::options::THE_RUN;
pub(super) use self::shuffle::Shuffle;
pub(crate) use self::starting::is_starting;
