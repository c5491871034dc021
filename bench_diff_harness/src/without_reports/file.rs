//! Stands in for reports in files: the settings refuse them.

use std::fmt;
use std::path::PathBuf;

use super::{Channel, Subject};
use crate::config::{Config, Files};
use crate::exit::Exit;
use crate::target::Target;

#[derive(Debug)]
pub(crate) struct FileError {
    pub(crate) exit: Exit,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("reports in files need the feature `reports` of bench_diff_harness")
    }
}

pub(super) fn channels(files: &Files, _: &Subject) -> Result<Vec<Channel<'static>>, FileError> {
    let Files { json, junit, markdown, csv, bencher, .. } = files;
    match [json, junit, markdown, csv, bencher].into_iter().flatten().next() {
        Some(_) => Err(FileError { exit: Exit::Usage }),
        None => Ok(Vec::new()),
    }
}

pub(super) fn notes_folder(_: &Config, _: &Target) -> Option<PathBuf> {
    None
}
