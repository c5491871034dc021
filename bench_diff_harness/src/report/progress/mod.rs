//! The progress bar of a terminal. It moves between blocks of slots only, never while one is timed.

#[cfg_attr(not(feature = "progress"), path = "no_bar.rs")]
mod bar;

use std::sync::atomic::{AtomicBool, Ordering};

pub(super) use self::bar::ProgressBar;

static VISIBLE: AtomicBool = AtomicBool::new(false);

/// Whether a bar stands on the line of the terminal on which the next text would begin.
pub(crate) fn is_visible() -> bool {
    VISIBLE.load(Ordering::Relaxed)
}
