//! The report files that a user asked for, checked before anything is measured.

use std::path::PathBuf;

use super::destination::Destination;
use super::json::RecordFile;
use super::options::{FileFormat, Options};
use super::sink::{Channel, Reader};
use super::whole_run::{AtEnd, Document, WholeRun};
use super::{bencher, csv, html, junit, markdown};
use bench_diff_system::exit::{Exit, Refusal};
use bench_diff_system::input::are_one_file;
use bench_diff_system::stderr;

/// The report files that a user asked for; in a process of nextest only the file of records.
///
/// # Errors
///
/// The first file that cannot be written, or has another use.
pub(super) fn channels(options: &Options) -> Result<Vec<Channel<'static>>, Refusal> {
    let nextest_run = options.nextest_run.as_deref();
    let mut unwritten = unwritten(options);
    let mut channels = Vec::new();
    let mut files: Vec<(PathBuf, &str)> = Vec::new();
    for file in &options.files {
        if nextest_run.is_some() && file.format != FileFormat::Json {
            continue;
        }
        let error = |exit, reason: &str| Refusal { exit, reason: file.wrong(reason) };
        let destination = Destination::checked(&file.path).map_err(|reason| error(Exit::Error, &reason))?;
        if let Destination::File(path) = &destination {
            if let Some((_, origin)) = files.iter().find(|(other, _)| are_one_file(other, path)) {
                let reason = format!("'{origin}' names the same file; a report needs a separate file");
                return Err(error(Exit::Usage, &reason));
            }
            files.push((path.clone(), &*file.origin));
        }
        let name = format!("the file of '{}', {}", file.origin, file.path.display());
        let note = if file.format == FileFormat::Json { unwritten.take() } else { None };
        channels.push(channel(&name, file.format, destination, (nextest_run, note)));
    }
    // Without a file that they share, no process knows whether it is the first.
    unwritten.iter().for_each(stderr::note);
    Ok(channels)
}

/// The note on the reports that a process of nextest does not write, if there are any.
fn unwritten(options: &Options) -> Option<String> {
    options.nextest_run.as_ref()?;
    let reports = options.files.iter().filter(|file| file.format != FileFormat::Json);
    let reports: Vec<&str> = reports.map(|file| file.origin.as_str()).collect();
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
    use crate::report::options::ReportFile;

    #[test]
    fn two_reports_need_two_files() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("there.csv");
        fs::write(&there, "former\n").unwrap();
        let file = |format: FileFormat, text: &str| ReportFile {
            format,
            path: folder.path().join(text),
            origin: format!("--{}", format.name()),
            text: text.to_owned(),
        };
        let files = vec![
            file(FileFormat::Json, "new.json"),
            file(FileFormat::Csv, "there.csv"),
            file(FileFormat::Bencher, "./new.json"),
        ];
        let refused = channels(&Options { files, ..Options::default() }).err().unwrap();
        assert_eq!(refused.exit, Exit::Usage);
        assert!(refused.reason.contains("'--json' names the same file"), "{}", refused.reason);
        assert_eq!(fs::read_to_string(&there).unwrap(), "former\n");
    }
}
