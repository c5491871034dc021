//! The report files that the configuration names, checked before anything is measured.

use std::path::{Path, PathBuf};

use super::destination::Destination;
use super::document::{AtEnd, Document};
use super::sink::{Channel, Reader};
use super::subject::Subject;
use super::whole_run::WholeRun;
use super::{bencher, csv, html, json, junit, markdown};
use crate::settings::{Config, FileFormat, grammar, paths};
use crate::system::exit::{Exit, Refusal};
use crate::system::input::are_one_file;

/// The report files that the configuration names.
///
/// # Errors
///
/// The first file that cannot be written, or has another use.
pub(super) fn channels(config: &Config, subject: &Subject) -> Result<Vec<Channel<'static>>, Refusal> {
    let (mut channels, mut files) = (Vec::new(), Vec::new());
    for (format, given) in &config.reports {
        let error = |exit, reason: &str| Refusal {
            exit,
            reason: grammar::wrong_value(&given.origin, &given.text, reason),
        };
        let path = paths::given(given, config, &subject.target);
        let destination = Destination::checked(&path).map_err(|reason| error(Exit::Error, &reason))?;
        if let Destination::File(file) = &destination {
            if let Some(reason) = use_of(file, subject, &files) {
                return Err(error(Exit::Usage, &format!("{reason}; a report needs a separate file")));
            }
            files.push((file.clone(), &*given.origin));
        }
        let name = format!("the file of '{}', {}", given.origin, path.display());
        channels.push(channel(&name, *format, destination));
    }
    Ok(channels)
}

/// The other use of a file, if one of these reports or inputs already uses it.
fn use_of(file: &Path, subject: &Subject, files: &[(PathBuf, &str)]) -> Option<String> {
    let is_file = |other: &Path| are_one_file(other, file);
    if subject.inputs.iter().any(|input| is_file(input)) {
        return Some("the records of this run are read from it".to_owned());
    }
    if subject.stored.as_deref().is_some_and(is_file) {
        return Some("the run is stored in it".to_owned());
    }
    let (_, origin) = files.iter().find(|(other, _)| is_file(other))?;
    Some(format!("'{origin}' names the same file"))
}

/// The report of this format.
fn channel(name: &str, format: FileFormat, destination: Destination) -> Channel<'static> {
    let (reader, document): (Reader, Document) = match format {
        FileFormat::Json => (Reader::Programs, json::document),
        FileFormat::Csv => (Reader::Programs, csv::document),
        FileFormat::Junit => (Reader::Programs, junit::document),
        FileFormat::Bencher => (Reader::Programs, bencher::document),
        FileFormat::Markdown => (Reader::People, markdown::document),
        FileFormat::Html => (Reader::People, html::document),
    };
    let run = match format {
        FileFormat::Csv => WholeRun::drawn_by(csv::rows),
        FileFormat::Html => WholeRun::drawn_by(html::plots),
        _ => WholeRun::default(),
    };
    Channel::new(name, reader, AtEnd { destination, document, run })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::fixture::{TARGET, config};

    /// The error of these reports, where `input.jsonl` of this folder was read.
    fn refused(folder: &Path, line: &str) -> Refusal {
        let config = config(&line.replace("DIR", &folder.display().to_string()));
        let inputs = vec![fs::canonicalize(folder.join("input.jsonl")).unwrap()];
        let subject = Subject { inputs, ..Subject::new(&TARGET, &config) };
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
        let twice = refused(folder, "--json DIR/new.json --csv DIR/there.csv --bencher DIR/./new.json");
        assert!(twice.reason.contains("names the same file"), "{}", twice.reason);
        for file in ["input.jsonl", "there.csv"] {
            assert_eq!(fs::read_to_string(folder.join(file)).unwrap(), "former\n");
        }
    }
}
