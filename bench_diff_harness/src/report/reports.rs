//! All reports of a run.

use std::io::Write;

use super::bench_lines::BenchLines;
use super::document::{Place, Rewritten};
use super::file;
use super::json::JsonLines;
use super::progress::ProgressBar;
use super::self_test::SelfTestTable;
use super::sink::{Channel, REPORT, Reader, Sink};
use super::subject::Subject;
use super::terminal::Terminal;
use super::{github, junit, safe};
use crate::record::{Event, StartRecord};
use crate::settings::{Config, FileFormat, FilePath, Format};
use crate::system::exit::{Exit, Refusal};
use crate::system::stderr::{self, Stderr};

/// All sinks of a run. The failure of one does not affect the others.
pub(crate) struct Reports<'a> {
    pub(super) channels: Vec<Channel<'a>>,
    pub(super) start: StartRecord,
    pub(super) exit: Exit,
}

impl<'a> Reports<'a> {
    /// The sinks of the configuration. They write to `out`, which is `width` columns wide if it is a
    /// terminal, and to files, which are opened here.
    ///
    /// # Errors
    ///
    /// The first file that cannot be written, before any is changed.
    pub(crate) fn new(
        config: &Config,
        subject: &Subject,
        out: &'a mut dyn Write,
        width: Option<usize>,
    ) -> Result<Self, Refusal> {
        let files = if config.surroundings.nextest {
            if let Some(note) = nextest_note(&config.reports) {
                stderr::note(note);
            }
            Vec::new()
        } else {
            file::channels(config, subject)?
        };
        let mut reports = Self { channels: Vec::new(), start: StartRecord::default(), exit: Exit::Success };
        reports.add_output(config, subject, out, width);
        reports.channels.extend(files);
        reports.exit = github::add(config, subject, &mut reports.channels);
        Ok(reports)
    }

    /// The sinks for the output of self-tests.
    pub(crate) fn of_self_tests(config: &Config, out: &'a mut dyn Write, width: Option<usize>) -> Self {
        let mut reports = Self { channels: Vec::new(), start: StartRecord::default(), exit: Exit::Success };
        if config.format == Format::Json {
            reports.add(Reader::Programs, JsonLines::new(out));
        } else {
            reports.add_progress_bar(config);
            // It makes texts safe itself.
            reports.add(Reader::Programs, SelfTestTable::new(out, width, config.verbose));
        }
        reports
    }

    /// Adds the progress bar first, since it has to make room before a row is written.
    fn add_progress_bar(&mut self, config: &Config) {
        if !config.surroundings.ci && !config.surroundings.nextest {
            self.channels.extend(ProgressBar::new().map(|bar| Channel::new(REPORT, Reader::People, bar)));
        }
    }

    fn add_output(
        &mut self,
        config: &Config,
        subject: &Subject,
        out: &'a mut dyn Write,
        width: Option<usize>,
    ) {
        match config.format {
            Format::Json => self.add(Reader::Programs, JsonLines::new(out)),
            Format::Bencher => self.add(Reader::People, BenchLines::new(out, Stderr, subject.filtered_out)),
            Format::Terse => self.add(Reader::People, Terminal::terse(out, width)),
            Format::Junit => {
                let report = Rewritten::new(Place::Stream(Box::new(out)), junit::document);
                self.add(Reader::Programs, report);
            }
            Format::Pretty => {
                self.add_progress_bar(config);
                self.add(Reader::People, Terminal::pretty(out, width, config.verbose));
            }
        }
    }

    fn add(&mut self, reader: Reader, sink: impl Sink + 'a) {
        self.channels.push(Channel::new(REPORT, reader, sink));
    }

    /// Adds a sink in front of the others: whoever reads about a pair finds it stored.
    pub(crate) fn push_first(&mut self, sink: impl Sink + 'a) {
        self.channels.insert(0, Channel::new("the stored run", Reader::Programs, sink));
    }

    pub(crate) fn emit(&mut self, event: &Event<'_>) {
        match *event {
            Event::RunStarted(start) => {
                self.start = start.clone();
                self.tell(event, &Event::RunStarted(&safe::start(start)));
            }
            Event::PairFinished { record, measured } => {
                let shown = safe::pair(&self.start.shown(record));
                self.tell(event, &Event::PairFinished { record: &shown, measured });
            }
            _ => self.tell(event, event),
        }
    }

    /// Sends an event to every sink that has not failed, in the form for its readers.
    fn tell(&mut self, programs: &Event<'_>, people: &Event<'_>) {
        for channel in self.channels.iter_mut().filter(|channel| !channel.failed) {
            let event = if channel.reader == Reader::People { people } else { programs };
            if let Err(error) = channel.sink.event(event) {
                channel.failed = true;
                self.exit = self.exit.max(Exit::of_writing(&channel.name, Err(error)));
            }
        }
    }

    /// The effect of the reports on the exit code: failing to write is an error, unless the reader has gone.
    pub(crate) fn exit(self) -> Exit {
        self.exit
    }
}

/// The note on the files that a process of nextest does not write.
fn nextest_note(reports: &[(FileFormat, FilePath)]) -> Option<String> {
    let names: Vec<&str> = reports.iter().map(|(_, path)| path.origin.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "under nextest each pair has a process of its own, so the file of {} is not written; `--merge` makes it \
             of the stored runs",
            names.join(", ")
        )
    })
}
