//! The bar: how far the pair that runs has come, on one line.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};
use std::{env, iter};

use bench_diff_core::Progress;
use terminal_size::terminal_size_of;
use unicode_width::UnicodeWidthChar;

use crate::event::Event;
use crate::plan::RunPlan;
use crate::report::Sink;
use crate::report::time_left::{self, Shown};
use crate::system::stderr;

/// Seldom enough to leave the machine to the functions.
const INTERVAL: Duration = Duration::from_millis(100);
const CELLS: usize = 20;
/// Of terminals that do not tell theirs.
const USUAL_WIDTH: usize = 80;

pub(super) struct ProgressBar {
    /// When the bar of the pair that runs was drawn last.
    drawn: Option<Instant>,
    index: usize,
}

impl ProgressBar {
    /// A bar on the error stream; none where that is no terminal, or where another program shows the results on it.
    pub(super) fn new() -> Option<Self> {
        let is_terminal = io::stderr().is_terminal() && io::stdout().is_terminal();
        let moves = env::var_os("TERM").is_none_or(|terminal| terminal != "dumb");
        (is_terminal && moves).then_some(Self { drawn: None, index: 0 })
    }

    fn show(&mut self, run: &RunPlan, progress: Progress) {
        if self.drawn.is_some_and(|drawn| drawn.elapsed() < INTERVAL) {
            return;
        }
        self.drawn = Some(Instant::now());
        let Some(shown) = time_left::shown(run, self.index, progress) else { return };
        let width = terminal_size_of(io::stderr()).map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0));
        let line = line(self.index + 1, run.pairs.len(), &shown, width);
        stderr::show_bar(&line);
    }
}

impl Sink for ProgressBar {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::RunStarted(_) => {}
            Event::PairStarted(index) => *self = Self { drawn: None, index: *index },
            Event::Progress { run, progress } => self.show(run, *progress),
            Event::PairFinished { .. } | Event::RunFinished(_) => stderr::clear_bar(),
        }
        Ok(())
    }
}

/// As much as goes on one line of this width.
fn line(number: usize, pairs: usize, shown: &Shown, width: usize) -> String {
    let done = (shown.share * CELLS as f64) as usize;
    let cells = iter::repeat_n('█', done).chain(iter::repeat_n('░', CELLS - done));
    let (bar, percent) = (cells.collect::<String>(), (shown.share * 100.0) as u64);
    let mut line = format!("[{number}/{pairs}] {bar} {percent:>3} % {}", shown.message);
    // Some terminals go on to the next line when the last column is written.
    let mut used = 1;
    let cut = line.char_indices().find(|(_, character)| {
        used += character.width().unwrap_or(0);
        used > width
    });
    if let Some((place, _)) = cut {
        line.truncate(place);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(share: f64, width: usize) -> String {
        line(2, 10, &Shown { share, message: "measuring größe/数".to_owned() }, width)
    }

    #[test]
    fn a_bar_is_as_full_as_its_pair() {
        assert_eq!(shown(0.0, 80), "[2/10] ░░░░░░░░░░░░░░░░░░░░   0 % measuring größe/数");
        assert_eq!(shown(0.55, 80), "[2/10] ███████████░░░░░░░░░  55 % measuring größe/数");
        assert_eq!(shown(1.0, 80), "[2/10] ████████████████████ 100 % measuring größe/数");
    }

    #[test]
    fn a_bar_stays_on_its_line() {
        assert_eq!(shown(0.0, 53), "[2/10] ░░░░░░░░░░░░░░░░░░░░   0 % measuring größe/数");
        assert_eq!(shown(0.0, 52), "[2/10] ░░░░░░░░░░░░░░░░░░░░   0 % measuring größe/");
        assert_eq!(shown(0.0, 8), "[2/10] ");
        assert_eq!(shown(0.0, 0), "");
    }
}
