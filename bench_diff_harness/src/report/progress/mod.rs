//! The progress bar of a terminal. It moves between blocks of slots only, never while one is timed.

mod bar;

use std::sync::atomic::{AtomicBool, Ordering};

pub(super) use self::bar::ProgressBar;

static VISIBLE: AtomicBool = AtomicBool::new(false);

/// Whether a bar stands on the line of the terminal on which the next text would begin.
pub(crate) fn is_visible() -> bool {
    VISIBLE.load(Ordering::Relaxed)
}
