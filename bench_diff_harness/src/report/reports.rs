//! All reports of a run.

use std::io::Write;

use super::files;
use super::progress::ProgressBar;
use super::sink::{Added, Channel, REPORT, Reader, Sink};
use super::terminal::Terminal;
use super::{github, json, safe, sides};
use crate::record::Event;
use crate::settings::{Config, Format, Surroundings, Target};
use bench_diff_system::exit::{Exit, Refusal};
use bench_diff_system::stderr::Stderr;

/// All sinks of a run. The failure of one does not affect the others.
pub(crate) struct Reports<'a> {
    pub(super) channels: Vec<Channel<'a>>,
    pub(super) exit: Exit,
}

impl<'a> Reports<'a> {
    /// The sinks of the configuration. They write to `out`, which is `width` columns wide if it is a
    /// terminal, and to files at the end. `comparison` is the command that compares the functions with those
    /// of another revision, if the run compares nothing.
    ///
    /// # Errors
    ///
    /// The first file that cannot be written.
    pub(crate) fn new(
        config: &Config,
        target: &Target,
        comparison: Option<String>,
        out: &'a mut dyn Write,
        width: Option<usize>,
    ) -> Result<Self, Refusal> {
        let files = files::channels(config, target)?;
        let mut reports = Self { channels: Vec::new(), exit: Exit::Success };
        // The progress bar comes before all others, since it has to make room before a row is written.
        let Surroundings { ci, nextest_run, .. } = &config.surroundings;
        if config.format == Format::Pretty && !ci && nextest_run.is_none() {
            reports.channels.extend(ProgressBar::new().map(|bar| Channel::new(REPORT, Reader::People, bar)));
        }
        match config.format {
            Format::Json => {
                reports.add(Reader::Programs, Added::new(out, json::line));
                reports.add(Reader::People, Added::new(Stderr, sides::beside_records));
            }
            Format::Terse => reports.add(Reader::People, Terminal::terse(out, width)),
            Format::Pretty => {
                let table = Terminal::pretty(out, width, config.verbose);
                reports.add(Reader::People, table.with_comparison(comparison));
            }
        }
        reports.channels.extend(files);
        reports.exit = github::add(config, target, &mut reports.channels);
        Ok(reports)
    }

    fn add(&mut self, reader: Reader, sink: impl Sink + 'a) {
        self.channels.push(Channel::new(REPORT, reader, sink));
    }

    pub(crate) fn emit(&mut self, event: &Event<'_>) {
        match *event {
            Event::RunStarted(start) => {
                self.tell(event, &Event::RunStarted(&safe::start(start)));
            }
            Event::PairFinished { record, rounds } => {
                let shown = safe::pair(record);
                self.tell(event, &Event::PairFinished { record: &shown, rounds });
            }
            _ => self.tell(event, event),
        }
    }

    /// Sends an event to every sink that has not failed, in the form for its readers.
    fn tell(&mut self, programs: &Event<'_>, people: &Event<'_>) {
        self.channels.retain_mut(|channel| {
            let event = if channel.reader == Reader::People { people } else { programs };
            let written = channel.sink.event(event);
            let works = written.is_ok();
            self.exit = self.exit.max(Exit::of_writing(&channel.name, written));
            works
        });
    }

    /// The effect of the reports on the exit code: failing to write is an error, unless the reader has gone.
    pub(crate) fn exit(self) -> Exit {
        self.exit
    }
}
