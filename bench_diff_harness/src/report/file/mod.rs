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
use super::csv::Csv;
use super::json::JsonLines;
#[cfg(feature = "junit")]
use super::junit;
use super::{Channel, Sink, Subject, bencher, markdown};
use crate::config::{FilePath, Files, UsageError};
use crate::exit::Exit;

/// The reports in files that the configuration names.
///
/// # Errors
///
/// The first file that cannot be written, before any is changed.
pub(super) fn channels(files: &Files, subject: &Subject) -> Result<Vec<Channel<'static>>, FileError> {
    let OpenedFiles { json, junit, markdown, csv, bencher } = OpenedFiles::new(files, subject)?;
    #[cfg(feature = "junit")]
    let junit = channel(junit, |file| file.rewritten(junit::document))?;
    #[cfg(not(feature = "junit"))]
    let junit = junit.and(None);
    let markdown = channel(markdown, |file| file.rewritten(markdown::document))?;
    let bencher = channel(bencher, |file| file.rewritten(bencher::document))?;
    // From here on files are emptied.
    let json = channel(json, |file| file.appended().map(JsonLines::new))?;
    let csv = channel(csv, |file| file.appended().map(Csv::new))?;
    Ok([junit, markdown, bencher, json, csv].into_iter().flatten().collect())
}

fn channel<S: Sink + 'static>(
    file: Option<OpenedFile>,
    sink: impl FnOnce(OpenedFile) -> Result<S, FileError>,
) -> Result<Option<Channel<'static>>, FileError> {
    file.map(|file| Ok(Channel::new(&file.name(), sink(file)?))).transpose()
}

/// The files of a run, none of them changed yet.
#[derive(Debug, Default)]
struct OpenedFiles {
    json: Option<OpenedFile>,
    junit: Option<OpenedFile>,
    markdown: Option<OpenedFile>,
    csv: Option<OpenedFile>,
    bencher: Option<OpenedFile>,
}

/// A file that can be written.
#[derive(Debug)]
struct OpenedFile {
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
    fn new(files: &Files, subject: &Subject) -> Result<Self, FileError> {
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
    fn name(&self) -> String {
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
