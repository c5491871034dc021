//! All reports of a run: each receives the events, in the form for its readers.

use std::io::Write;

use bench_diff_system::exit::{Exit, Refusal};
use bench_diff_system::stderr::Stderr;

use crate::file::{self, github, json};
use crate::options::{Format, Options};
use crate::record::Event;
use crate::sink::{Added, Channel, REPORT, Reader, Sink};
use crate::terminal::Terminal;
use crate::terminal::progress::{ProgressBar, ProgressLine};
use crate::text::{overall, safe};

/// All sinks of a run. The failure of one does not affect the others.
pub struct Reports<'a> {
    pub(crate) channels: Vec<Channel<'a>>,
    pub(crate) exit: Exit,
}

impl<'a> Reports<'a> {
    /// The reports that these options ask for. They print to `out`, and most files are
    /// written at the end.
    ///
    /// # Errors
    ///
    /// The first file that cannot be written.
    pub fn new(options: &Options, out: &'a mut dyn Write) -> Result<Self, Refusal> {
        let files = file::channels(options)?;
        let mut reports = Self { channels: Vec::new(), exit: Exit::Success };
        // The progress bar comes before all others, since it has to make room before a row is written.
        if options.shows_progress {
            reports.add(Reader::People, ProgressBar::default());
        } else if options.format == Format::Pretty && options.nextest_run.is_none() {
            reports.add(Reader::People, ProgressLine::default());
        }
        let Options { width, verbose, .. } = *options;
        match options.format {
            Format::Json => {
                reports.add(Reader::Programs, Added(out, json::line));
                reports.add(Reader::People, Added(Stderr, overall::beside_records));
            }
            Format::Terse => reports.add(Reader::People, Terminal::terse(out, width, verbose)),
            Format::Pretty => {
                let table = Terminal::pretty(out, width, verbose);
                reports.add(Reader::People, table.with_comparison(options.comparison.clone()));
            }
        }
        reports.channels.extend(files);
        if let Some(job) = &options.github {
            reports.exit = github::add(job, &mut reports.channels);
        }
        Ok(reports)
    }

    fn add(&mut self, reader: Reader, sink: impl Sink + 'a) {
        self.channels.push(Channel::new(REPORT, reader, sink));
    }

    /// Hands an event to every report that has not failed.
    pub fn emit(&mut self, event: &Event<'_>) {
        match *event {
            Event::RunStarted(start) => {
                self.send(event, &Event::RunStarted(&safe::start(start)));
            }
            Event::PairFinished { record, rounds } => {
                let shown = safe::pair(record);
                self.send(event, &Event::PairFinished { record: &shown, rounds });
            }
            _ => self.send(event, event),
        }
    }

    /// Sends an event to every sink that has not failed, in the form for its readers.
    fn send(&mut self, programs: &Event<'_>, people: &Event<'_>) {
        self.channels.retain_mut(|channel| {
            let event = if channel.reader == Reader::People { people } else { programs };
            let written = channel.sink.event(event);
            let works = written.is_ok();
            self.exit = self.exit.max(Exit::of_writing(&channel.name, written));
            works
        });
    }

    /// The effect of the reports on the exit code: failing to write is an error, unless the reader has gone.
    pub fn exit(self) -> Exit {
        self.exit
    }
}
