//! The pairs that the attributes of a binary registered.

mod cases;
mod entry;
mod names;
mod registry;

pub use self::cases::{Arg, Cases, infer_1, infer_2};
pub(crate) use self::cases::{Case, MeasurePair};
pub use self::entry::{Location, PairEntry};
pub(crate) use self::entry::{baseline_of, name_of};
pub(crate) use self::names::Names;
#[cfg(test)]
pub(crate) use self::registry::in_order_of_source;
pub use self::registry::submitted;
pub(crate) use self::registry::{cases_of, visit};
