//! A line on the terminal that shows the progress of the run.

use std::io;
use std::time::Duration;

use super::sink::Sink;
use crate::record::Event;
use bench_diff_system::wrap::fitting;
use bench_diff_system::{stderr, terminal};

/// The shortest time between two drawings: rounds of a few milliseconds would make the line flicker.
const INTERVAL: Duration = Duration::from_millis(100);

#[derive(Default)]
pub(super) struct ProgressBar {
    /// The time of the last drawing, since the run began.
    drawn: Option<Duration>,
    round: String,
}

impl ProgressBar {
    /// Shows the round, and what happens in it.
    fn show(&mut self, what: &str, elapsed: Duration) {
        if self.drawn.is_some_and(|drawn| elapsed - drawn < INTERVAL) {
            return;
        }
        self.drawn = Some(elapsed);
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
            Event::RoundStarted { number, open, elapsed } => {
                self.round = format!("round {number}, {open} undecided");
                self.show("", *elapsed);
            }
            Event::PairStarted { name, elapsed } => self.show(&format!(": {name}"), *elapsed),
            Event::PairFinished { .. } | Event::RunFinished(_) => stderr::clear_bar(),
            _ => {}
        }
        Ok(())
    }
}
