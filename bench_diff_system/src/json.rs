//! JSON: written and read by miniserde.

#[cfg(test)]
mod tests;

use std::path::Path;

use miniserde::{Deserialize, Serialize};

use crate::files::cannot;
use crate::{input, text};

/// The text of a value, on one line that is safe to show.
pub fn to_string(value: &(impl Serialize + ?Sized)) -> String {
    text::json(miniserde::json::to_string(value))
}

/// Reads a value from a text. The last digit of an `f64` may be wrong.
///
/// # Errors
///
/// If the text is not such a value.
pub fn from_str<T: Deserialize>(text: &str) -> Result<T, String> {
    miniserde::json::from_str(text).map_err(|_| "unexpected JSON".to_owned())
}

/// Reads a value from a file of at most this many bytes.
///
/// # Errors
///
/// If the file cannot be read, or its text has a problem.
pub fn read<T: Deserialize>(path: &Path, most: u64) -> Result<T, String> {
    let bytes = input::read(path, most)?;
    from_str(&String::from_utf8_lossy(&bytes)).map_err(|error| cannot("read", path, error))
}
