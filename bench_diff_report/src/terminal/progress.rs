//! The progress of a run, on the error stream: a line that is drawn again and again on a terminal, or a
//! single one in a log.

use std::io;
use std::time::Duration;

use bench_diff_system::wrap::fitting;
use bench_diff_system::{stderr, terminal};

use crate::record::Event;
use crate::sink::Sink;

/// The shortest time between two drawings: rounds of a few milliseconds would make the line flicker.
const INTERVAL: Duration = Duration::from_millis(100);

/// A line that shows the time that is left and the pair that is measured, until the next row is written.
#[derive(Default)]
pub(crate) struct ProgressBar {
    /// The time of the last drawing, since the run began.
    drawn: Option<Duration>,
    /// What is left of the run.
    left: String,
}

impl ProgressBar {
    /// Shows what is left, and what happens now.
    fn show(&mut self, what: &str, elapsed: Duration) {
        if self.drawn.is_some_and(|drawn| elapsed.saturating_sub(drawn) < INTERVAL) {
            return;
        }
        self.drawn = Some(elapsed);
        if let Some(width) = terminal::width() {
            let text = format!("{}{what}", self.left);
            // Some terminals go on to the next line when the last column is written.
            stderr::show_bar(&fitting(text.chars(), width.saturating_sub(1)).collect::<String>());
        }
    }
}

impl Sink for ProgressBar {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::RoundStarted { number, open, of, left, elapsed } => {
                self.left = match left {
                    Some(left) => undecided(*left, *open, *of),
                    None => format!("round {number}, {open} undecided"),
                };
                self.show("", *elapsed);
            }
            Event::PairStarted { name, elapsed } => self.show(&format!(": {name}"), *elapsed),
            Event::PairFinished { .. } | Event::RunFinished(_) => stderr::clear_bar(),
            _ => {}
        }
        Ok(())
    }
}

/// The time that is left from which a log says so.
const LONG: Duration = Duration::from_secs(30);

/// A single line in a log, if the run takes so long that its reader may wonder.
#[derive(Default)]
pub(crate) struct ProgressLine {
    is_written: bool,
}

impl Sink for ProgressLine {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        if let Event::RoundStarted { open, of, left: Some(left), .. } = event
            && *left > LONG
            && !self.is_written
        {
            self.is_written = true;
            stderr::say(&undecided(*left, *open, *of));
        }
        Ok(())
    }
}

fn undecided(left: Duration, open: usize, of: usize) -> String {
    let seconds = left.as_secs().max(1);
    let time = if seconds < 60 { format!("{seconds} s") } else { format!("{} min", (seconds + 30) / 60) };
    format!("about {time}: {open} of {of} undecided")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_that_is_left_is_in_whole_seconds_or_minutes() {
        let text = |seconds: f64| undecided(Duration::from_secs_f64(seconds), 3, 40);
        assert_eq!(text(0.2), "about 1 s: 3 of 40 undecided");
        assert_eq!(text(59.9), "about 59 s: 3 of 40 undecided");
        assert_eq!(text(89.0), "about 1 min: 3 of 40 undecided");
        assert_eq!(text(100.0), "about 2 min: 3 of 40 undecided");
    }
}
