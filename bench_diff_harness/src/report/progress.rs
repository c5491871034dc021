//! A line on the terminal that shows the progress of the run.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use super::sink::Sink;
use crate::record::Event;
use bench_diff_system::wrap::fitting;
use bench_diff_system::{stderr, terminal};

/// The shortest time between two drawings: rounds of a few milliseconds would make the line flicker.
const INTERVAL: Duration = Duration::from_millis(100);

pub(super) struct ProgressBar {
    drawn: Option<Instant>,
    round: String,
}

impl ProgressBar {
    /// A line on the error stream; `None` if that is not a terminal, or if another program shows the results
    /// on it.
    pub(super) fn new() -> Option<Self> {
        (io::stderr().is_terminal() && terminal::has_escapes())
            .then_some(Self { drawn: None, round: String::new() })
    }

    /// Shows the round, and what happens in it.
    fn show(&mut self, what: &str) {
        if self.drawn.is_some_and(|drawn| drawn.elapsed() < INTERVAL) {
            return;
        }
        self.drawn = Some(Instant::now());
        if let Some(width) = terminal::width() {
            let text = format!("{}{what}", self.round);
            // Some terminals go on to the next line when the last column is written.
            stderr::show_bar(&fitting(text.chars(), width.saturating_sub(1)).collect::<String>());
        }
    }
}

impl Sink for ProgressBar {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::RoundStarted { number, open } => {
                self.round = format!("round {number}, {open} undecided");
                self.show("");
            }
            Event::PairStarted { name } => self.show(&format!(": {name}")),
            Event::PairFinished { .. } | Event::RunFinished(_) => stderr::clear_bar(),
            _ => {}
        }
        Ok(())
    }
}
