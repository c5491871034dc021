//! Files that reports go to: checked before anything is measured, complete whenever the run ends.

mod append;
mod open;
mod owner;
mod rewrite;

use std::fmt;
use std::path::{Path, PathBuf};

use self::open::Opened;
pub(crate) use self::owner::notes_folder;
use self::owner::{Owner, Owners};
use super::Subject;
use crate::config::{FilePath, Files, UsageError};
use crate::exit::Exit;

/// The files of a run, none of them changed yet.
#[derive(Debug, Default)]
pub(super) struct OpenedFiles {
    pub(super) json: Option<OpenedFile>,
    pub(super) junit: Option<OpenedFile>,
    pub(super) markdown: Option<OpenedFile>,
    pub(super) csv: Option<OpenedFile>,
    pub(super) bencher: Option<OpenedFile>,
}

/// A file that can be written.
#[derive(Debug)]
pub(super) struct OpenedFile {
    given: FilePath,
    path: PathBuf,
    opened: Opened,
}

/// Why a file cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileError {
    pub(crate) exit: Exit,
    error: UsageError,
}

impl FileError {
    fn new(exit: Exit, given: &FilePath, reason: String) -> Self {
        Self { exit, error: UsageError::new(&given.origin, &given.text, reason) }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl OpenedFiles {
    /// Opens what the configuration names.
    pub(super) fn new(files: &Files, subject: &Subject) -> Result<Self, FileError> {
        let notes = subject.notes.as_deref().filter(|_| files.by_cargo);
        let mut opening = Opening {
            subject,
            owners: notes.and_then(|notes| Owners::of_this_run(notes, subject)),
            taken: Vec::new(),
        };
        Ok(Self {
            json: opening.open(files.json.as_ref())?,
            junit: opening.open(files.junit.as_ref())?,
            markdown: opening.open(files.markdown.as_ref())?,
            csv: opening.open(files.csv.as_ref())?,
            bencher: opening.open(files.bencher.as_ref())?,
        })
    }
}

struct Opening<'a> {
    subject: &'a Subject,
    owners: Option<Owners>,
    /// The files so far, with what asked for them.
    taken: Vec<(PathBuf, String)>,
}

impl Opening<'_> {
    fn open(&mut self, given: Option<&FilePath>) -> Result<Option<OpenedFile>, FileError> {
        let Some(given) = given else { return Ok(None) };
        let path = self.subject.root.join(given.filled(&self.subject.package, &self.subject.bench));
        let wrong = |exit, reason: String| FileError::new(exit, given, reason);
        let opened = Opened::new(&path).map_err(|reason| wrong(Exit::Error, reason))?;
        if let Some(file) = opened.regular() {
            if let Some((_, other)) = self.taken.iter().find(|(taken, _)| taken == file) {
                let reason = format!("'{other}' names the same file; each report needs a file of its own");
                return Err(wrong(Exit::Usage, reason));
            }
            self.taken.push((file.to_owned(), given.origin.clone()));
            match self.owners.as_ref().map_or(Owner::Nobody, |owners| owners.of(file)) {
                Owner::Nobody => {}
                // A filter that matches nothing here has matched there.
                Owner::Other(_) if self.subject.selected == 0 => return Ok(None),
                Owner::Other(other) => return Err(wrong(Exit::Error, owned_by(&other, &path))),
            }
        }
        Ok(Some(OpenedFile { given: given.clone(), path, opened }))
    }
}

impl OpenedFile {
    /// What it is called where it fails.
    pub(super) fn name(&self) -> String {
        format!("the file of '{}', {}", self.given.origin, self.path.display())
    }
}

fn owned_by(other: &str, path: &Path) -> String {
    format!(
        "{} was written by {other} in this run of cargo; each binary needs a file of its own, so put {{package}} and \
         {{bench}} into the path",
        path.display()
    )
}
