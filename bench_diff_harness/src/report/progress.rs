//! The progress bar of a terminal. It moves between blocks of slots only, never while one is timed.

use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(not(feature = "progress"))]
pub(super) use absent::ProgressBar;
#[cfg(feature = "progress")]
pub(super) use present::ProgressBar;

static VISIBLE: AtomicBool = AtomicBool::new(false);

/// Whether a bar stands on the line of the terminal on which the next text would begin.
pub(crate) fn is_visible() -> bool {
    VISIBLE.load(Ordering::Relaxed)
}

#[cfg(feature = "progress")]
mod present {
    use std::io::{self, IsTerminal};
    use std::sync::atomic::Ordering;
    use std::time::{Duration, Instant};

    use bench_diff_core::Progress;
    use indicatif::ProgressStyle;

    use super::VISIBLE;
    use crate::event::Event;
    use crate::plan::RunPlan;
    use crate::report::Sink;
    use crate::report::time_left::{self, Shown};

    /// Seldom enough to leave the machine to the functions.
    const INTERVAL: Duration = Duration::from_millis(100);

    pub(in crate::report) struct ProgressBar {
        style: ProgressStyle,
        /// Of the pair that runs, once it has run for a while.
        bar: Option<indicatif::ProgressBar>,
        drawn: Instant,
        index: usize,
    }

    impl ProgressBar {
        /// A bar on the error stream; none where that is no terminal, or where another program shows the results on it.
        pub(in crate::report) fn new() -> Option<Self> {
            if !(io::stderr().is_terminal() && io::stdout().is_terminal()) {
                return None;
            }
            let style = ProgressStyle::with_template("{prefix} {bar:20} {percent:>3} % {wide_msg}").ok()?;
            Some(Self { style, bar: None, drawn: Instant::now(), index: 0 })
        }

        fn show(&mut self, run: &RunPlan, progress: Progress) {
            if self.drawn.elapsed() < INTERVAL {
                return;
            }
            self.drawn = Instant::now();
            let Some(Shown { share, message }) = time_left::shown(run, self.index, progress) else { return };
            let bar = self.bar.get_or_insert_with(|| {
                let bar = indicatif::ProgressBar::new(100).with_style(self.style.clone());
                bar.with_prefix(format!("[{}/{}]", self.index + 1, run.pairs.len()))
            });
            bar.set_message(message);
            bar.set_position((share * 100.0) as u64);
            VISIBLE.store(!bar.is_hidden(), Ordering::Relaxed);
        }
    }

    impl Sink for ProgressBar {
        fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
            match event {
                Event::RunStarted(_) => {}
                Event::PairStarted(index) => self.index = *index,
                Event::Progress { run, progress } => self.show(run, *progress),
                Event::PairFinished { .. } | Event::RunFinished(_) => {
                    if let Some(bar) = self.bar.take() {
                        bar.finish_and_clear();
                        VISIBLE.store(false, Ordering::Relaxed);
                    }
                }
            }
            Ok(())
        }
    }
}

#[cfg(not(feature = "progress"))]
mod absent {
    use std::io;

    use crate::event::Event;
    use crate::report::Sink;

    pub(in crate::report) enum ProgressBar {}

    impl ProgressBar {
        pub(in crate::report) fn new() -> Option<Self> {
            None
        }
    }

    impl Sink for ProgressBar {
        fn event(&mut self, _: &Event<'_>) -> io::Result<()> {
            match *self {}
        }
    }
}
