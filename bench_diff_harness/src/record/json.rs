//! JSON: written by miniserde, and read into types that derive its traits. None of the code here is generic,
//! so it is compiled once.

mod reader;
#[cfg(test)]
mod tests;
mod word;

use std::path::Path;

use miniserde::{Deserialize, Serialize};

use self::reader::read_into;
pub(crate) use self::word::Word;
use crate::system::files::{FileError, cannot};
use crate::system::{input, text};

/// The text of a value, on one line that is safe to show.
pub(crate) fn to_string(value: &(impl Serialize + ?Sized)) -> String {
    text::json(miniserde::json::to_string(value))
}

/// Reads a value from a text, with every number exact to the last bit.
///
/// # Errors
///
/// The problem with the text, and the column.
pub(crate) fn from_str<T: Deserialize>(text: &str) -> Result<T, String> {
    let mut value = None;
    read_into(text, T::begin(&mut value))?;
    value.ok_or_else(|| "there is no value".to_owned())
}

/// Reads a value from a file of at most this many bytes.
///
/// # Errors
///
/// If the file cannot be read, or its text has a problem.
pub(crate) fn read<T: Deserialize>(path: &Path, most: u64) -> Result<T, FileError> {
    let bytes = input::read(path, most)?;
    from_str(&String::from_utf8_lossy(&bytes)).map_err(|error| cannot("read", path, error))
}

/// A value that JSON can hold.
pub(super) fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}
