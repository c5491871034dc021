//! The words in which every report says the same: numbers, then phrases, then texts on a pair and on a run.

pub(crate) mod evidence;
pub(crate) mod explain;
pub(crate) mod numbers;
pub(crate) mod overall;
pub(crate) mod pair;
pub(crate) mod phrase;
pub(crate) mod safe;
pub(crate) mod table;
