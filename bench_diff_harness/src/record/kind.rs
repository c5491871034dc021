//! The kind of a record: the `event` of its line, and the version of its shape.

use crate::system::words::words;

pub(crate) const SCHEMA: u32 = 2;

words! {
    #[derive(Default)]
    pub(crate) enum Kind {
        /// The start of a run.
        Start = "start",
        /// A pair that is finished.
        #[default]
        Pair = "pair",
        /// The end of a run.
        Run = "run",
    }
}
