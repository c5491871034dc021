//! Files that reports go to: checked before anything is measured, complete whenever the run ends.

mod append;
mod channels;
mod open;
mod owner;
mod rewrite;

pub(crate) use self::channels::FileError;
use self::channels::OpenedFile;
pub(super) use self::channels::channels;
