//! A line on the terminal that shows the progress of the run.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use super::sink::Sink;
use crate::record::Event;
use crate::system::wrap::fitting;
use crate::system::{stderr, terminal};

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
            stderr::show_bar(&cut(&format!("{}{what}", self.round), width));
        }
    }
}

impl Sink for ProgressBar {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::RoundStarted { number, open } => {
                self.round = round(*number, *open);
                self.show("");
            }
            Event::PairStarted { name } => self.show(&format!(": {name}")),
            Event::PairFinished { .. } | Event::RunFinished(_) => stderr::clear_bar(),
            _ => {}
        }
        Ok(())
    }
}

fn round(number: usize, open: usize) -> String {
    format!("round {number}, {open} undecided")
}

/// The part of a text that fits on one line of this width.
fn cut(text: &str, width: usize) -> String {
    // Some terminals go on to the next line when the last column is written.
    fitting(text.chars(), width.saturating_sub(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_says_how_many_pairs_are_open() {
        assert_eq!(round(3, 14), "round 3, 14 undecided");
    }

    #[test]
    fn it_stays_on_its_line() {
        let text = "round 3, 14 undecided: größe/数";
        assert_eq!(cut(text, 80), text);
        assert_eq!(cut(text, 32), text);
        assert_eq!(cut(text, 31), "round 3, 14 undecided: größe/");
        assert_eq!((cut(text, 6).as_str(), cut(text, 0).as_str()), ("round", ""));
    }
}
