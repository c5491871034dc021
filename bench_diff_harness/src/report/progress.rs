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

    use bench_diff_core::{JudgeKind, Progress};
    use indicatif::ProgressStyle;

    use super::VISIBLE;
    use crate::event::Event;
    use crate::plan::PairPlan;
    use crate::report::Sink;

    /// Seldom enough to leave the machine to the functions.
    const INTERVAL: Duration = Duration::from_millis(100);

    pub(in crate::report) struct ProgressBar {
        style: ProgressStyle,
        /// Of the pair that runs, once it has run for a while.
        bar: Option<indicatif::ProgressBar>,
        drawn: Instant,
        index: usize,
        pairs: usize,
    }

    impl ProgressBar {
        /// A bar on the error stream; none where that is no terminal.
        pub(in crate::report) fn new() -> Option<Self> {
            if !io::stderr().is_terminal() {
                return None;
            }
            let style = ProgressStyle::with_template("{prefix} {bar:20} {percent:>3} % {wide_msg}").ok()?;
            Some(Self { style, bar: None, drawn: Instant::now(), index: 0, pairs: 0 })
        }

        fn show(&mut self, pair: &PairPlan, progress: Progress) {
            if self.drawn.elapsed() < INTERVAL {
                return;
            }
            self.drawn = Instant::now();
            let plan = &pair.plan;
            let (share, phase) = match (progress, plan.judge) {
                (Progress::Warmup { elapsed }, _) => (elapsed.div_duration_f64(plan.warmup), "warming up"),
                (Progress::Counting { elapsed, .. }, JudgeKind::Sequential) => {
                    (elapsed.div_duration_f64(plan.max_time), "measuring")
                }
                (Progress::Counting { duos, .. }, JudgeKind::Welch) => {
                    (duos as f64 * 2.0 / plan.exec_count as f64, "measuring")
                }
            };
            let bar = self.bar.get_or_insert_with(|| {
                let bar = indicatif::ProgressBar::new(100).with_style(self.style.clone());
                bar.with_prefix(format!("[{}/{}]", self.index + 1, self.pairs))
            });
            bar.set_message(format!("{phase} {}", pair.name));
            bar.set_position((share.min(1.0) * 100.0) as u64);
            VISIBLE.store(true, Ordering::Relaxed);
        }
    }

    impl Sink for ProgressBar {
        fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
            match event {
                Event::RunStarted(start) => self.pairs = start.pairs.len(),
                Event::PairStarted(index) => self.index = *index,
                Event::Progress { pair, progress } => self.show(pair, *progress),
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
