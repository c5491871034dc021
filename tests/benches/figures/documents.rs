//! The documents of this workspace that quote figures.

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::measurements::{Measurements, folder};
use crate::quotes::{self, Document};

const NAMES: [&str; 2] = ["README.md", "METHODOLOGY.md"];

/// What is wrong with the figures that they quote.
pub(crate) fn complaints() -> Result<Vec<String>, Box<dyn Error>> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("");
    let mut texts = Vec::new();
    for name in NAMES {
        texts.push((name, fs::read_to_string(workspace.join(name))?));
    }
    let documents: Vec<Document<'_>> = texts.iter().map(|(name, text)| Document { name, text }).collect();
    let settings = fs::read_to_string(folder().join("settings.txt"))?;
    let settings: Vec<&str> =
        settings.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    Ok(quotes::complaints(&documents, &settings, &Measurements::read(&folder())?))
}
