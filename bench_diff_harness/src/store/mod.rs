//! Stored runs: written while a run goes on, and read again by `--replay` and `--merge`.

mod combine;
mod file;
#[cfg(test)]
mod fixture;
mod folder;
mod joined;
mod loaded;
mod merge;
#[cfg(test)]
mod mutations;
mod name;
mod read_back;
mod replay;
#[cfg(unix)]
#[cfg(test)]
mod untrusted;
mod verify;
mod writer;

pub(crate) use self::folder::target_folder;
pub(crate) use self::read_back::read_back;
pub(crate) use self::writer::Store;
