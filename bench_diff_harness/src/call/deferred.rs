//! Work that goes on after a function has returned.

use std::time::Duration;

use bench_diff_core::{Activity, Clocks};

/// The CPU time of other threads during the functions from which on they are looked at afterwards: less may
/// come from a thread that is ending.
const SUSPECT: Duration = Duration::from_micros(500);

/// The time for which threads of a pool look for more work before they sleep.
const SEARCH_FOR_WORK: Duration = Duration::from_millis(3);

/// The length of a look after that, and the most looks: on a busy machine threads wait for a core.
const LOOK: Duration = Duration::from_millis(4);
const LOOKS: u32 = 5;

/// The note, with advice.
pub(crate) const NOTE: &str = "threads go on computing after the functions have returned, and nothing measures that: \
    let each function wait for what it starts";

/// Returns whether other threads go on computing after the functions, whose start had the activity `before`.
pub(crate) fn goes_on<C: Clocks>(clocks: &C, before: Option<Activity>, pause: impl Fn(Duration)) -> bool {
    let others = |since: Activity| clocks.activity().map(|now| now.since(since).other_threads_cpu);
    if before.and_then(others).is_none_or(|busy| busy < SUSPECT) {
        return false;
    }
    pause(SEARCH_FOR_WORK);
    let then = clocks.activity();
    (0..LOOKS).any(|_| {
        pause(LOOK);
        then.and_then(others).is_some_and(|busy| busy > LOOK / 4)
    })
}

#[cfg(test)]
mod tests {
    use bench_diff_core::ManualClocks;

    use super::*;

    /// Returns whether threads are noticed that compute beside the functions, and then in each pause.
    fn seen(beside: Duration, in_pause: impl Fn(Duration) -> Duration) -> bool {
        let clocks = ManualClocks::new();
        let before = clocks.activity();
        clocks.compute_elsewhere(beside);
        goes_on(&clocks, before, |pause| clocks.compute_elsewhere(in_pause(pause)))
    }

    #[test]
    fn threads_that_compute_while_no_function_runs_are_seen() {
        let all = |pause| pause;
        let none = |_| Duration::ZERO;
        assert!(seen(SUSPECT, all));
        assert!(!seen(SUSPECT, none), "a function that waits for its threads");
        assert!(seen(SUSPECT, |pause| pause / 10), "threads that wait for a core most of the time");
        let asleep = |pause| if pause == LOOK { pause / 100 } else { pause };
        assert!(!seen(SUSPECT, asleep), "a pool that falls asleep");
        assert!(!seen(Duration::ZERO, all), "no thread beside the functions");
    }

    #[test]
    fn nothing_is_seen_where_the_machine_does_not_tell() {
        let clocks = ManualClocks::new();
        clocks.hide_activity();
        assert!(!goes_on(&clocks, clocks.activity(), |_| {}));
    }
}
