//! The folder of measurements: pages by their dates, the newest section of each name, and the bounds that
//! documents state.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::page::{Section, sections};

/// The dated pages of a folder and of its archive, the newest first.
pub(crate) struct Measurements {
    pages: Vec<(String, Vec<Section>)>,
}

impl Measurements {
    pub(crate) fn read(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let named = |path: PathBuf| {
            let date = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            fs::read_to_string(path).map(|text| (date, text))
        };
        Ok(Self::of(pages(folder)?.into_iter().map(named).collect::<Result<_, _>>()?))
    }

    /// The measurements of these pages, by their dates.
    pub(crate) fn of(mut texts: Vec<(String, String)>) -> Self {
        texts.sort_unstable_by(|left, right| right.0.cmp(&left.0));
        Self { pages: texts.into_iter().map(|(date, text)| (date, sections(&text))).collect() }
    }

    /// The newest section of this name, and its date.
    pub(crate) fn newest(&self, anchor: &str) -> Option<(&str, &Section)> {
        self.pages.iter().find_map(|(date, sections)| {
            let section = sections.iter().find(|section| section.anchor == anchor)?;
            Some((date.as_str(), section))
        })
    }
}

/// The dated pages in a folder, and in its archive if it has one.
pub(crate) fn pages(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.ends_with(ARCHIVE) {
            pages.extend(self::pages(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "md")
            && path.file_stem().and_then(|stem| stem.to_str()).is_some_and(is_date)
        {
            pages.push(path);
        }
    }
    Ok(pages)
}

/// The folder for pages of former days.
const ARCHIVE: &str = "archive";

/// `2026-11-22`, or `2026-11-22b` for another page of that day.
fn is_date(text: &str) -> bool {
    let text = text.strip_suffix(|last: char| last.is_ascii_lowercase()).unwrap_or(text);
    let digits = |part: &str, count| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = text.split('-').collect();
    matches!(parts[..], [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2))
}

/// The folder of the measurements.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("docs").join("measurements")
}
