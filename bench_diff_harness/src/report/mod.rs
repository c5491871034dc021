//! Reports: what is told of a run, and where.

mod explain;
mod group;
#[cfg(feature = "reports")]
mod json;
mod list;
mod numbers;
mod overhead;
mod phrase;
pub(crate) mod progress;
mod proof;
mod row;
mod terminal;
#[cfg(all(test, feature = "reports"))]
mod tests;
#[cfg(feature = "progress")]
mod time_left;
mod verdict;
mod wrap;

use std::io::{self, ErrorKind, Write};

use crate::config::{Config, Format};
use crate::event::Event;
use crate::exit::Exit;

#[cfg(feature = "reports")]
use self::json::JsonLines;
pub(crate) use self::list::list;
use self::progress::ProgressBar;
use self::terminal::Terminal;

/// Tells the events of a run in one form.
pub(crate) trait Sink {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()>;
}

/// All the sinks of a run. One that fails does not keep the others from being told.
pub(crate) struct Reports<'a> {
    sinks: Vec<Box<dyn Sink + 'a>>,
    error: Option<io::Error>,
}

impl<'a> Reports<'a> {
    /// The sinks that the configuration asks for, writing to `out`, which is `width` columns wide where it is a
    /// terminal.
    pub(crate) fn new(config: &Config, out: &'a mut dyn Write, width: Option<usize>) -> Self {
        let mut sinks: Vec<Box<dyn Sink + 'a>> = Vec::new();
        match config.format {
            #[cfg(feature = "reports")]
            Format::Json => sinks.push(Box::new(JsonLines::new(out))),
            // Refused when the settings are read.
            #[cfg(not(feature = "reports"))]
            Format::Json => {}
            Format::Terse => sinks.push(Box::new(Terminal::terse(out, width))),
            Format::Pretty => {
                if !config.surroundings.ci && !config.surroundings.nextest {
                    sinks.extend(ProgressBar::new().map(|bar| Box::new(bar) as Box<dyn Sink>));
                }
                // After the bar, which has to make room before a row is written.
                sinks.push(Box::new(Terminal::pretty(out, width)));
            }
        }
        Self { sinks, error: None }
    }

    pub(crate) fn tell(&mut self, event: &Event<'_>) {
        for sink in &mut self.sinks {
            if let Err(error) = sink.event(event) {
                self.error.get_or_insert(error);
            }
        }
    }

    /// How the reports change the end of a run: what could not be written is an error, unless nobody reads it.
    pub(crate) fn exit(self) -> Exit {
        exit_of_writing(self.error)
    }
}

/// A reader that went away has seen what it wanted.
pub(crate) fn exit_of_writing(error: Option<io::Error>) -> Exit {
    match error {
        Some(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "error: cannot write the report: {error}");
            Exit::Error
        }
        _ => Exit::Success,
    }
}
