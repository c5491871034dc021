//! The one global setting of this crate: the warm-up of a comparison that does not say otherwise.

use std::sync::atomic::{AtomicU64, Ordering};

static WARMUP_MILLIS: AtomicU64 = AtomicU64::new(3_000);

/// The milliseconds for which [`bench_diff`](crate::bench_diff) and its like warm up: 3000 unless
/// [`set_warmup_millis`] said otherwise.
pub fn get_warmup_millis() -> u64 {
    WARMUP_MILLIS.load(Ordering::Relaxed)
}

/// Sets the milliseconds for which [`bench_diff`](crate::bench_diff) and its like warm up from now
/// on, in the whole process.
///
/// A [`DiffPlan`](crate::DiffPlan) has its own warm-up.
pub fn set_warmup_millis(millis: u64) {
    WARMUP_MILLIS.store(millis, Ordering::Relaxed);
}
