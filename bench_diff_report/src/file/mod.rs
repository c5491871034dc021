//! The report files that a user asked for, checked before anything is measured.
//!
//! The file of records grows with every decided pair. Every other document is a function of the whole run,
//! and is written once at its end.

pub(crate) mod github;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod markdown;
pub(crate) mod metrics;

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use bench_diff_system::exit::{Exit, Refusal};
use bench_diff_system::files::cannot;
use bench_diff_system::input::{self, are_one_file};
use bench_diff_system::replace::{can_be_replaced, replace};
use bench_diff_system::stderr;

use crate::file::json::RecordFile;
use crate::html;
use crate::options::{FileFormat, Options};
use crate::record::Event;
use crate::sink::{Channel, Document, Reader, Sink, WholeRun};

/// The report files that a user asked for; in a process of nextest only the file of records.
///
/// # Errors
///
/// The first file that cannot be written, or has another use.
pub(crate) fn channels(options: &Options) -> Result<Vec<Channel<'static>>, Refusal> {
    let nextest_run = options.nextest_run.as_deref();
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
        channels.push(channel(&name, file.format, destination, nextest_run));
    }
    unwritten(options).iter().for_each(stderr::note);
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
    nextest_run: Option<&str>,
) -> Channel<'static> {
    let none = WholeRun::default();
    let (reader, document, run): (Reader, Document, WholeRun) = match format {
        FileFormat::Json => {
            return Channel::new(name, Reader::Programs, RecordFile::new(destination, nextest_run));
        }
        FileFormat::Csv => (Reader::Programs, metrics::csv, WholeRun::drawn_by(metrics::csv_rows)),
        FileFormat::Junit => (Reader::Programs, junit::document, none),
        FileFormat::Bencher => (Reader::Programs, metrics::bencher, none),
        FileFormat::Markdown => (Reader::People, markdown::document, none),
        FileFormat::Html => (Reader::People, html::document, WholeRun::drawn_by(html::details)),
    };
    Channel::new(name, reader, AtEnd { destination, document, run })
}

/// Where a report is written.
pub(crate) enum Destination {
    /// Replaced as a whole, so a reader finds the old report or the new one.
    File(PathBuf),
    /// A terminal, an endless device, a pipe of this process, or the end of a file.
    Stream(File),
}

impl Destination {
    /// Checks that a report can be written to this path. Makes missing folders, and leaves a file as it is.
    ///
    /// # Errors
    ///
    /// The defect of the path.
    pub(crate) fn checked(path: &Path) -> Result<Self, String> {
        let cannot_open = |error: io::Error| format!("cannot open {} for writing: {error}", path.display());
        if let Some(stream) = standard_stream(path) {
            return Ok(Self::Stream(stream.map_err(cannot_open)?));
        }
        let kind = match fs::metadata(path) {
            Ok(metadata) => Some(metadata.file_type()),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(cannot_open(error)),
        };
        let names_a_folder = path.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
        if names_a_folder || kind.is_some_and(|kind| kind.is_dir()) {
            return Err(format!("{} is a folder; expected the path of a file", path.display()));
        }
        let open = || OpenOptions::new().append(true).open(path).map_err(cannot_open);
        let file = match kind {
            Some(kind) if kind.is_file() => {
                open()?;
                // The target of a link is replaced, not the link.
                fs::canonicalize(path).map_err(cannot_open)?
            }
            Some(kind) if is_stream(path, kind) => return Ok(Self::Stream(open()?)),
            Some(_) => {
                let path = path.display();
                return Err(format!(
                    "{path} is a pipe or a disk; expected the path of a file, or /dev/stdout"
                ));
            }
            None => {
                let folder = path.parent().unwrap_or(path);
                fs::create_dir_all(folder).map_err(|error| cannot("make the folder", folder, error))?;
                path.to_owned()
            }
        };
        can_be_replaced(&file).map_err(|error| cannot("make a file beside", &file, error))?;
        Ok(Self::File(file))
    }

    /// The end of this file.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be written.
    pub(crate) fn end_of(path: &Path) -> io::Result<Self> {
        let file = input::without_waiting(OpenOptions::new().append(true).create(true)).open(path)?;
        input::require_regular(&file)?;
        Ok(Self::Stream(file))
    }

    pub(crate) fn write(&mut self, text: &[u8]) -> io::Result<()> {
        match self {
            Self::File(path) => replace(path, text).map(drop),
            Self::Stream(stream) => stream.write_all(text),
        }
    }
}

/// Returns whether writing to a path at once can lose nothing. An open file of this process, as the shell's
/// `>(command)` names one, has a reader.
#[cfg(unix)]
fn is_stream(path: &Path, kind: FileType) -> bool {
    ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder))
        || std::os::unix::fs::FileTypeExt::is_char_device(&kind)
}

#[cfg(not(unix))]
fn is_stream(_: &Path, _: FileType) -> bool {
    true
}

/// A standard stream of this process, by name. Opening the name instead would start at the beginning of the
/// file that the stream is redirected to.
#[cfg(unix)]
fn standard_stream(path: &Path) -> Option<io::Result<File>> {
    use std::os::fd::AsFd;

    let stream = match path.to_str()? {
        "/dev/stdout" => io::stdout().as_fd().try_clone_to_owned(),
        "/dev/stderr" => io::stderr().as_fd().try_clone_to_owned(),
        _ => return None,
    };
    Some(stream.map(File::from))
}

#[cfg(not(unix))]
fn standard_stream(_: &Path) -> Option<io::Result<File>> {
    None
}

/// Collects a run, and writes its document at the end.
pub(crate) struct AtEnd {
    pub(crate) destination: Destination,
    pub(crate) document: Document,
    /// The run so far.
    pub(crate) run: WholeRun,
}

impl Sink for AtEnd {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.run.add(event);
        // Cargo passes a filter to all binaries, and it matches nothing in most of them.
        let has_content = !self.run.pairs.is_empty() || self.run.start.against.is_some();
        if has_content && matches!(event, Event::RunFinished(_)) {
            self.destination.write((self.document)(&self.run).as_bytes())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::fixture::{entry, planned};
    use crate::options::ReportFile;
    use crate::record::{Outcome, RunRecord};

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

    /// One name per line.
    fn names(run: &WholeRun) -> String {
        run.pairs.iter().map(|pair| format!("{}\n", pair.name)).collect()
    }

    #[test]
    fn the_former_report_stays_until_the_run_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("names");
        fs::write(&path, "of the last run").unwrap();
        let report = || AtEnd {
            destination: Destination::checked(&path).unwrap(),
            document: names,
            run: WholeRun::default(),
        };
        let run = |report: &mut AtEnd, event: &Event<'_>| {
            report.event(event).unwrap();
            fs::read_to_string(&path).unwrap()
        };
        let end = RunRecord::default();
        assert_eq!(run(&mut report(), &Event::RunFinished(&end)), "of the last run", "no pair was selected");
        let plan = planned("", &[entry("a", 1)]);
        let record = plan.pairs[0].ended(Outcome::Pass, None);
        let mut report = report();
        let pair = run(&mut report, &Event::PairFinished { record: &record, rounds: &[] });
        assert_eq!(pair, "of the last run");
        assert_eq!(run(&mut report, &Event::RunFinished(&end)), "a\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }
}
