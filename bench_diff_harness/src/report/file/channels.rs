//! The reports in files that a configuration names.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::open::{Opened, open};
use super::owner::Owners;
use crate::report::added::Added;
use crate::report::document::{Document, Place, Rewritten};
use crate::report::run_so_far::RunSoFar;
use crate::report::sink::{Channel, Reader};
use crate::report::subject::Subject;
use crate::report::{bencher, csv, html, json, junit, markdown};
use crate::settings::{Config, FileFormat, grammar};
use crate::system::exit::{Exit, Refusal};
use crate::system::input::are_one_file;
use crate::system::replace::can_be_replaced;

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
    let channels = checked(config, subject, &mut made);
    if channels.is_err() {
        made.iter().for_each(|file| drop(fs::remove_file(file)));
    }
    channels
}

/// The reports whose files can be written; those files that were not there before are told as made.
fn checked(
    config: &Config,
    subject: &Subject,
    made: &mut Vec<PathBuf>,
) -> Result<Vec<Channel<'static>>, Refusal> {
    let note = subject.note.as_deref().filter(|_| config.surroundings.cargo);
    let owners = note.and_then(|note| Owners::of_this_run(note, subject));
    let (mut channels, mut files) = (Vec::new(), Vec::new());
    for (format, given) in &config.reports {
        let error = |exit, reason: String| Refusal {
            exit,
            reason: grammar::wrong_value(&given.origin, &given.text, &reason),
        };
        let path = subject.path_of(given);
        let Opened { file: opened, path: file, is_new } =
            open(&path).map_err(|reason| error(Exit::Error, reason))?;
        if let Some(file) = &file {
            if is_new {
                made.push(file.clone());
            }
            if let Some(reason) = use_of(file, subject, &files) {
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
            if !matches!(format, FileFormat::Json | FileFormat::Csv) {
                can_be_replaced(file).map_err(|why| {
                    let file = file.display();
                    error(Exit::Error, format!("cannot make a file beside {file}, to replace it: {why}"))
                })?;
            }
            files.push((file.clone(), &*given.origin));
        }
        let name = format!("the file of '{}', {}", given.origin, path.display());
        channels.push(channel(&name, *format, opened, file));
    }
    if let Some(owners) = owners.filter(|_| subject.selected > 0 && !files.is_empty()) {
        owners.claim(files.iter().map(|(file, _)| file.as_path()));
    }
    Ok(channels)
}

/// The other use of a file, if it has one, beside these reports and where they come from.
fn use_of(file: &Path, subject: &Subject, files: &[(PathBuf, &str)]) -> Option<String> {
    let is_it = |other: &Path| are_one_file(other, file);
    if subject.inputs.iter().any(|input| is_it(input)) {
        return Some("the records of this run are read from it".to_owned());
    }
    if subject.stored.as_deref().is_some_and(is_it) {
        return Some("the run is stored in it".to_owned());
    }
    let (_, origin) = files.iter().find(|(other, _)| is_it(other))?;
    Some(format!("'{origin}' names the same file"))
}

/// The report that is written to what was opened: to a file, or to a stream.
fn channel(name: &str, format: FileFormat, opened: File, file: Option<PathBuf>) -> Channel<'static> {
    let (reader, document): (Reader, Document) = match format {
        FileFormat::Json | FileFormat::Csv => {
            let addition = if format == FileFormat::Csv { csv::lines } else { json::lines };
            let mut report = Added::new(opened, addition);
            report.file = file;
            return Channel::new(name, Reader::Programs, report);
        }
        FileFormat::Junit => (Reader::Programs, junit::document),
        FileFormat::Markdown => (Reader::People, markdown::document),
        FileFormat::Html => (Reader::People, html::document),
        FileFormat::Bencher => (Reader::Programs, bencher::document),
    };
    let place = file.map_or_else(|| Place::Stream(Box::new(opened)), Place::File);
    let mut report = Rewritten::new(place, document);
    if format == FileFormat::Html {
        report.so_far = RunSoFar::drawn_by(html::plots);
    }
    Channel::new(name, reader, report)
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
    use crate::record::{Event, RunRecord, StartRecord};

    /// The error of these reports, where `input.jsonl` of this folder was read.
    fn refused(folder: &Path, line: &str) -> Refusal {
        let line = line.replace("DIR", &folder.display().to_string());
        let mut config = config(&line);
        config.surroundings.cargo = true;
        let subject = Subject {
            note: Some(folder.join("note")),
            inputs: vec![fs::canonicalize(folder.join("input.jsonl")).unwrap()],
            ..Subject::new(1, &TARGET, &config)
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

    #[test]
    fn the_former_report_stays_until_the_run_starts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        fs::write(&path, "of the last run\n").unwrap();
        let Opened { file, path: opened, .. } = open(&path).unwrap();
        let mut file = channel("", FileFormat::Json, file, opened).sink;
        assert_eq!(fs::read_to_string(&path).unwrap(), "of the last run\n");
        file.event(&Event::RunStarted(&StartRecord::default())).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "");
        // Who else adds a line loses none.
        fs::write(&path, "of another one\n").unwrap();
        file.event(&Event::RunFinished(&RunRecord::default())).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("of another one\n{") && text.lines().count() == 2, "{text}");
    }
}
