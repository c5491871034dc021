//! The reports in files that a configuration names.

use std::fs;
use std::path::{Path, PathBuf};

use super::append::Appended;
use super::open::{Opened, open};
use super::owner::Owners;
use crate::report::csv::Csv;
use crate::report::document::{Document, Place, Rewritten};
use crate::report::json::JsonLines;
use crate::report::run_so_far::RunSoFar;
use crate::report::sink::{Channel, Reader, Sink};
use crate::report::subject::Subject;
use crate::report::{bencher, html, junit, markdown};
use crate::settings::{Config, FileFormat, FilePath, grammar};
use crate::system::exit::{Exit, Refusal};
use crate::system::input::are_one_file;
use crate::system::replace::can_be_replaced;

/// A file that can be written.
struct Report<'a> {
    format: FileFormat,
    given: &'a FilePath,
    path: PathBuf,
    opened: Opened,
}

/// The reports in files that the configuration names.
///
/// # Errors
///
/// The first file that cannot be written, before any is changed.
pub(in crate::report) fn channels(
    config: &Config,
    subject: &Subject,
) -> Result<Vec<Channel<'static>>, Refusal> {
    let mut made = Vec::new();
    let reports = reports(config, subject, &mut made);
    if reports.is_err() {
        made.iter().for_each(|file| drop(fs::remove_file(file)));
    }
    Ok(reports?.into_iter().map(channel).collect())
}

/// The reports whose files can be written; those files that were not there before are told as made.
fn reports<'a>(
    config: &'a Config,
    subject: &Subject,
    made: &mut Vec<PathBuf>,
) -> Result<Vec<Report<'a>>, Refusal> {
    let note = subject.note.as_deref().filter(|_| config.surroundings.cargo);
    let owners = note.and_then(|note| Owners::of_this_run(note, subject));
    let mut reports = Vec::new();
    for (format, given) in &config.reports {
        let error = |exit, reason: String| Refusal {
            exit,
            reason: grammar::wrong_value(&given.origin, &given.text, &reason),
        };
        let path = subject.path_of(given);
        let opened = open(&path).map_err(|reason| error(Exit::Error, reason))?;
        if let Some(file) = &opened.path {
            if opened.is_new {
                made.push(file.clone());
            }
            if let Some(reason) = use_of(file, subject, &reports) {
                let reason = format!("{reason}; a report needs a file of its own");
                return Err(error(Exit::Usage, reason));
            }
            if let Some(other) = owners.as_ref().and_then(|owners| owners.other(file)) {
                // A filter that matches nothing here has matched there.
                if subject.selected == 0 {
                    continue;
                }
                return Err(error(Exit::Error, owned_by(&other, &path)));
            }
            if document(*format).is_some() {
                can_be_replaced(file).map_err(|why| {
                    let file = file.display();
                    error(Exit::Error, format!("cannot make a file beside {file}, to replace it: {why}"))
                })?;
            }
        }
        reports.push(Report { format: *format, given, path, opened });
    }
    if let Some(owners) = owners.filter(|_| subject.selected > 0 && !reports.is_empty()) {
        owners.claim(reports.iter().filter_map(|report| report.opened.path.as_deref()));
    }
    Ok(reports)
}

/// The other use of a file, if it has one.
fn use_of(file: &Path, subject: &Subject, reports: &[Report<'_>]) -> Option<String> {
    let is_it = |other: &Path| are_one_file(other, file);
    if subject.inputs.iter().any(|input| is_it(input)) {
        return Some("the records of this run are read from it".to_owned());
    }
    if subject.stored.as_deref().is_some_and(is_it) {
        return Some("the run is stored in it".to_owned());
    }
    let other = reports.iter().find(|report| report.opened.path.as_deref().is_some_and(is_it))?;
    Some(format!("'{}' names the same file", other.given.origin))
}

/// The report that is written into a file, and its reader.
fn channel(
    Report { format, given, path, opened: Opened { file, path: regular, .. } }: Report<'_>,
) -> Channel<'static> {
    let name = format!("the file of '{}', {}", given.origin, path.display());
    let Some((reader, document)) = document(format) else {
        let sink: Box<dyn Sink> =
            if format == FileFormat::Csv { Box::new(Csv::new(file)) } else { Box::new(JsonLines::new(file)) };
        return Channel::new(&name, Reader::Programs, Appended { path: regular, sink });
    };
    let place = regular.map_or_else(|| Place::Stream(Box::new(file)), Place::File);
    let mut report = Rewritten::new(place, document);
    if format == FileFormat::Html {
        report.so_far = RunSoFar::drawn_by(html::plots);
    }
    Channel::new(&name, reader, report)
}

/// The document of a format, and its reader; none of lines that are added.
fn document(format: FileFormat) -> Option<(Reader, Document)> {
    match format {
        FileFormat::Json | FileFormat::Csv => None,
        FileFormat::Junit => Some((Reader::Programs, junit::document)),
        FileFormat::Markdown => Some((Reader::People, markdown::document)),
        FileFormat::Html => Some((Reader::People, html::document)),
        FileFormat::Bencher => Some((Reader::Programs, bencher::document)),
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
    use super::*;
    use crate::fixture::{TARGET, config};

    /// The error of these reports, where `input.jsonl` of this folder was read.
    fn refused(folder: &Path, line: &str) -> Refusal {
        let line = line.replace("DIR", &folder.display().to_string());
        let mut config = config(&line);
        config.surroundings.cargo = true;
        let subject = Subject {
            note: Some(folder.join("note")),
            inputs: vec![fs::canonicalize(folder.join("input.jsonl")).unwrap()],
            ..Subject::new(1, 0, &TARGET, &config)
        };
        channels(&config, &subject).err().unwrap()
    }

    #[test]
    fn a_file_with_another_use_is_no_report() {
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
        assert!(!folder.join("note").exists());
        for file in ["input.jsonl", "there.csv"] {
            assert_eq!(fs::read_to_string(folder.join(file)).unwrap(), "former\n");
        }
    }
}
