//! Files that reports go to: checked before anything is measured, complete whenever the run ends.

mod channels;
mod open;
mod owner;

pub(super) use self::channels::channels;
