//! A machine that is busy while something is measured on it.

use std::hint;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Does this with a thread that computes on every core, where that is asked for.
pub(crate) fn with_load<T>(has_load: bool, work: impl FnOnce() -> T) -> T {
    let ends = AtomicBool::new(!has_load);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while !ends.load(Ordering::Relaxed) {
                    hint::spin_loop();
                }
            });
        }
        let result = work();
        ends.store(true, Ordering::Relaxed);
        result
    })
}
