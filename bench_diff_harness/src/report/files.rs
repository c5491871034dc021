//! The report files that the configuration names, checked before anything is measured.

use std::path::PathBuf;

use super::destination::Destination;
use super::json::RecordFile;
use super::sink::{Channel, Reader};
use super::whole_run::{AtEnd, Document, WholeRun};
use super::{bencher, csv, html, junit, markdown};
use crate::settings::{Config, FileFormat, Target, grammar, paths};
use bench_diff_system::exit::{Exit, Refusal};
use bench_diff_system::input::are_one_file;
use bench_diff_system::stderr;

/// The report files that the configuration names; in a process of nextest only the file of records.
///
/// # Errors
///
/// The first file that cannot be written, or has another use.
pub(super) fn channels(config: &Config, target: &Target) -> Result<Vec<Channel<'static>>, Refusal> {
    let nextest_run = config.surroundings.nextest_run.as_deref();
    let mut unwritten = unwritten(config);
    let mut channels = Vec::new();
    let mut files: Vec<(PathBuf, &str)> = Vec::new();
    for (format, given) in &config.reports {
        if nextest_run.is_some() && *format != FileFormat::Json {
            continue;
        }
        let error = |exit, reason: &str| Refusal {
            exit,
            reason: grammar::wrong_value(&given.origin, &given.text, reason),
        };
        let path = paths::given(given, config, target);
        let destination = Destination::checked(&path).map_err(|reason| error(Exit::Error, &reason))?;
        if let Destination::File(file) = &destination {
            if let Some((_, origin)) = files.iter().find(|(other, _)| are_one_file(other, file)) {
                let reason = format!("'{origin}' names the same file; a report needs a separate file");
                return Err(error(Exit::Usage, &reason));
            }
            files.push((file.clone(), &*given.origin));
        }
        let name = format!("the file of '{}', {}", given.origin, path.display());
        let note = if *format == FileFormat::Json { unwritten.take() } else { None };
        channels.push(channel(&name, *format, destination, (nextest_run, note)));
    }
    // Without a file that they share, no process knows whether it is the first.
    unwritten.iter().for_each(stderr::note);
    Ok(channels)
}

/// The note on the reports that a process of nextest does not write, if there are any.
fn unwritten(config: &Config) -> Option<String> {
    config.surroundings.nextest_run.as_ref()?;
    let reports = config.reports.iter().filter(|(format, _)| *format != FileFormat::Json);
    let reports: Vec<&str> = reports.map(|(_, given)| given.origin.as_str()).collect();
    (!reports.is_empty()).then(|| {
        let reports = reports.join(", ");
        format!("under nextest each function runs in a separate process, so only --json is written, and not {reports}")
    })
}

/// The report of this format.
fn channel(
    name: &str,
    format: FileFormat,
    destination: Destination,
    (nextest_run, note): (Option<&str>, Option<String>),
) -> Channel<'static> {
    let (reader, document): (Reader, Document) = match format {
        FileFormat::Json => {
            return Channel::new(name, Reader::Programs, RecordFile::new(destination, nextest_run, note));
        }
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

    #[test]
    fn two_reports_need_two_files() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("there.csv");
        fs::write(&there, "former\n").unwrap();
        let line = "--json DIR/new.json --csv DIR/there.csv --bencher DIR/./new.json";
        let config = config(&line.replace("DIR", &folder.path().display().to_string()));
        let refused = channels(&config, &TARGET).err().unwrap();
        assert_eq!(refused.exit, Exit::Usage);
        assert!(refused.reason.contains("'--json' names the same file"), "{}", refused.reason);
        assert_eq!(fs::read_to_string(&there).unwrap(), "former\n");
    }
}
