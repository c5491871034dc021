//! The reports in files that a configuration names.

use std::fs;
use std::path::{Path, PathBuf};

use super::open::Opened;
use super::owner::Owners;
use crate::report::csv::Csv;
use crate::report::html::Html;
use crate::report::json::JsonLines;
use crate::report::sink::{Channel, Reader};
use crate::report::subject::Subject;
use crate::report::{bencher, junit, markdown};
use crate::settings::{FileFormat, FilePath, Files, grammar};
use crate::system::exit::Exit;
use crate::system::input::are_one_file;

/// The reports in files that the configuration names.
///
/// # Errors
///
/// The first file that cannot be written, before any is changed.
pub(in crate::report) fn channels(
    files: &Files,
    subject: &Subject,
) -> Result<Vec<Channel<'static>>, FileError> {
    let note = subject.note.as_deref().filter(|_| files.by_cargo);
    let mut opening = Opening {
        subject,
        owners: note.and_then(|note| Owners::of_this_run(note, subject)),
        taken: Vec::new(),
        created: Created::default(),
    };
    let opened: Vec<(FileFormat, OpenedFile)> = files
        .reports
        .iter()
        .filter_map(|(format, path)| Some(opening.open(path).transpose()?.map(|file| (*format, file))))
        .collect::<Result<_, _>>()?;
    let channels =
        opened.into_iter().map(|(format, file)| channel(format, file)).collect::<Result<_, _>>()?;
    opening.claim();
    Ok(channels)
}

/// The report that is written into a file of this format, and its reader.
fn channel(format: FileFormat, file: OpenedFile) -> Result<Channel<'static>, FileError> {
    let name = file.name();
    Ok(match format {
        FileFormat::Json => Channel::new(&name, Reader::Programs, file.appended(JsonLines::new)?),
        FileFormat::Csv => Channel::new(&name, Reader::Programs, file.appended(Csv::new)?),
        FileFormat::Junit => Channel::new(&name, Reader::Viewer, file.rewritten(junit::document)?),
        FileFormat::Markdown => Channel::new(&name, Reader::People, file.rewritten(markdown::document)?),
        FileFormat::Html => Channel::new(&name, Reader::People, file.drafted(Html::default())?),
        FileFormat::Bencher => Channel::new(&name, Reader::Programs, file.rewritten(bencher::document)?),
    })
}

/// A file that can be written.
#[derive(Debug)]
pub(super) struct OpenedFile {
    pub(super) given: FilePath,
    pub(super) path: PathBuf,
    pub(super) opened: Opened,
}

/// The reason that a file cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileError {
    pub(crate) exit: Exit,
    pub(crate) reason: String,
}

impl FileError {
    pub(super) fn new(exit: Exit, given: &FilePath, reason: &str) -> Self {
        Self { exit, reason: grammar::wrong_value(&given.origin, &given.text, reason) }
    }
}

struct Opening<'a> {
    subject: &'a Subject,
    owners: Option<Owners>,
    /// The files so far, with what asked for them.
    taken: Vec<(PathBuf, String)>,
    created: Created,
}

/// Files that were made to see whether they can be: gone again where another one cannot be written.
#[derive(Debug, Default)]
struct Created(Vec<PathBuf>);

impl Drop for Created {
    fn drop(&mut self) {
        for file in &self.0 {
            let _ = fs::remove_file(file);
        }
    }
}

impl Opening<'_> {
    /// None where the file is left to another binary.
    fn open(&mut self, given: &FilePath) -> Result<Option<OpenedFile>, FileError> {
        let path = self.subject.path_of(given);
        let wrong = |exit, reason: String| FileError::new(exit, given, &reason);
        let opened = Opened::new(&path).map_err(|reason| wrong(Exit::Error, reason))?;
        if let Some(file) = opened.regular() {
            if opened.is_new() {
                self.created.0.push(file.to_owned());
            }
            let is_it = |other: &Path| are_one_file(other, file);
            if self.subject.inputs.iter().any(|input| is_it(input)) {
                let reason = "the records of this run are read from it; a report needs a file of its own";
                return Err(wrong(Exit::Usage, reason.to_owned()));
            }
            if self.subject.stored.as_deref().is_some_and(is_it) {
                let reason = "the run is stored in it; a report needs a file of its own";
                return Err(wrong(Exit::Usage, reason.to_owned()));
            }
            if let Some((_, other)) = self.taken.iter().find(|(taken, _)| is_it(taken)) {
                let reason = format!("'{other}' names the same file; each report needs a file of its own");
                return Err(wrong(Exit::Usage, reason));
            }
            self.taken.push((file.to_owned(), given.origin.clone()));
            if let Some(other) = self.owners.as_ref().and_then(|owners| owners.other(file)) {
                // A filter that matches nothing here has matched there.
                return match self.subject.selected {
                    0 => Ok(None),
                    _ => Err(wrong(Exit::Error, owned_by(&other, &path))),
                };
            }
        }
        Ok(Some(OpenedFile { given: given.clone(), path, opened }))
    }

    /// Keeps the files for this binary, now that all can be written.
    fn claim(mut self) {
        self.created.0.clear();
        if let Some(owners) = self.owners.filter(|_| self.subject.selected > 0 && !self.taken.is_empty()) {
            owners.claim(self.taken.iter().map(|(file, _)| file.as_path()));
        }
    }
}

impl OpenedFile {
    /// Its name in the message of a failure.
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::fixture::{TARGET, config};

    /// The error of these reports, where `input.jsonl` of this folder was read.
    fn refused(folder: &Path, line: &str) -> FileError {
        let line = line.replace("DIR", &folder.display().to_string());
        let config = config(&line);
        let subject = Subject {
            note: Some(folder.join("note")),
            inputs: vec![fs::canonicalize(folder.join("input.jsonl")).unwrap()],
            ..Subject::new(1, 0, &TARGET, &config)
        };
        let files = Files { by_cargo: true, ..config.files };
        channels(&files, &subject).err().unwrap()
    }

    #[test]
    fn reports_that_cannot_all_be_written_leave_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for file in ["input.jsonl", "there.csv"] {
            fs::write(folder.join(file), "former\n").unwrap();
        }
        let input = refused(folder, "--json DIR/new.json --csv DIR/there.csv --bencher DIR/./input.jsonl");
        assert_eq!(input.exit, Exit::Usage);
        assert!(
            input.reason.contains("'--bencher': the records of this run are read from it"),
            "{}",
            input.reason
        );
        let twice = refused(folder, "--json DIR/new.json --csv DIR/there.csv --bencher DIR/new.json");
        assert!(twice.reason.contains("names the same file"), "{}", twice.reason);
        let mut left: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["input.jsonl", "there.csv"], "neither a file nor a note on whose it is");
        for file in left {
            assert_eq!(fs::read_to_string(folder.join(file)).unwrap(), "former\n");
        }
    }
}
