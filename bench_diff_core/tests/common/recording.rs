//! The recording of a process, of which nothing but the slots matters.

use std::time::Duration;

use bench_diff_core::{Duo, Recording, Warmup};

/// These duos after this warm-up.
pub(crate) fn recording(warmup: Warmup, duos: Vec<Duo>) -> Recording {
    Recording {
        warmup,
        duos,
        empty: Vec::new(),
        limited_by_inputs: false,
        places: None,
        has_baseline: true,
        is_one_function: false,
        preparing: Duration::ZERO,
        elapsed: Duration::ZERO,
    }
}
