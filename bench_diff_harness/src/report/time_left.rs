//! How far a pair has come, and how long it and the run still take at most.

use std::time::Duration;

use bench_diff_core::{JudgeKind, Plan, Progress};

use crate::plan::{PairPlan, RunPlan};

/// What a progress bar shows of a moment.
#[derive(Debug, PartialEq)]
pub(super) struct Shown {
    /// Of this phase of the pair, from 0 to 1.
    pub(super) share: f64,
    pub(super) message: String,
}

/// What to show of the pair of this index in the run.
pub(super) fn shown(run: &RunPlan, index: usize, progress: Progress) -> Option<Shown> {
    let pair = run.pairs.get(index)?;
    let plan = &pair.plan;
    let (phase, share) = match (progress, plan.judge) {
        (Progress::Warmup { elapsed }, _) => ("warming up", elapsed.div_duration_f64(plan.warmup)),
        (Progress::Counting { elapsed, .. }, JudgeKind::Sequential) => {
            ("measuring", elapsed.div_duration_f64(longest_count(plan)))
        }
        (Progress::Counting { duos, .. }, JudgeKind::Welch) => {
            ("measuring", duos as f64 * 2.0 / plan.slots.max(2) as f64)
        }
    };
    let share = share.min(1.0);
    let bound = if plan.judge == JudgeKind::Sequential { "at most" } else { "about" };
    let pair_left = pair_left(plan, progress, share).map(|left| format!(", {bound} {} left", text(left)));
    let run_left = pairs_left(run, index, plan, progress).map(|left| format!(", {} of the run", text(left)));
    let message =
        format!("{phase} {}{}{}", pair.name, pair_left.unwrap_or_default(), run_left.unwrap_or_default());
    Some(Shown { share, message })
}

/// The longest time that counts. A control is measured beside the pair and takes as long again.
fn longest_count(plan: &Plan) -> Duration {
    if plan.control { plan.max_time.saturating_mul(2) } else { plan.max_time }
}

/// A fixed number of slots has no limit of time, but goes on as it went.
fn pair_left(plan: &Plan, progress: Progress, share: f64) -> Option<Duration> {
    match (progress, plan.judge) {
        (Progress::Warmup { elapsed }, JudgeKind::Sequential) => {
            Some(plan.warmup.saturating_sub(elapsed).saturating_add(longest_count(plan)))
        }
        // The least number of duos is measured however long it takes.
        (Progress::Counting { elapsed, .. }, JudgeKind::Sequential) => {
            longest_count(plan).checked_sub(elapsed).filter(|left| !left.is_zero())
        }
        (Progress::Warmup { .. }, JudgeKind::Welch) => None,
        (Progress::Counting { elapsed, .. }, JudgeKind::Welch) => {
            Duration::try_from_secs_f64(elapsed.as_secs_f64() * (1.0 - share) / share).ok()
        }
    }
}

/// None where this pair is over its limit, another one follows that has none, or none follows.
fn pairs_left(run: &RunPlan, index: usize, plan: &Plan, progress: Progress) -> Option<Duration> {
    let left = match plan.judge {
        JudgeKind::Sequential => pair_left(plan, progress, 0.0)?,
        JudgeKind::Welch => return None,
    };
    let mut others = run.pairs[index + 1..].iter().filter(|pair| pair.ignored.is_none()).peekable();
    others.peek()?;
    others.try_fold(left, |sum, pair| Some(sum.saturating_add(longest(pair)?)))
}

fn longest(pair: &PairPlan) -> Option<Duration> {
    let plan = &pair.plan;
    match plan.judge {
        JudgeKind::Sequential => Some(plan.warmup.saturating_add(longest_count(plan))),
        JudgeKind::Welch => None,
    }
}

/// Tenths of a second where these matter, minutes where there are some.
fn text(left: Duration) -> String {
    match left.as_secs() {
        0..10 => format!("{:.1}s", left.as_secs_f64()),
        seconds @ 10..120 => format!("{seconds}s"),
        seconds => format!("{}min", seconds.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, planned};

    const SECOND: Duration = Duration::from_secs(1);

    fn run(line: &str) -> RunPlan {
        let entries = [entry("a", 1, equal), entry("b", 2, equal).ignore("slow"), entry("c", 3, equal)];
        let judge = if line.contains("--judge") { "" } else { "--judge sequential" };
        planned(&format!("{judge} --warmup 1s --max-time 4s {line}"), &entries)
    }

    fn message(run: &RunPlan, index: usize, progress: Progress) -> String {
        shown(run, index, progress).unwrap().message
    }

    #[test]
    fn the_time_of_a_pair_and_of_the_run_is_bounded_by_max_time() {
        let run = run("");
        let warmup = Progress::Warmup { elapsed: SECOND / 4 };
        assert_eq!(message(&run, 0, warmup), "warming up a, at most 4.8s left, 9.8s of the run");
        let counting = Progress::Counting { duos: 8, elapsed: SECOND };
        let shown = shown(&run, 0, counting).unwrap();
        assert_eq!(shown.message, "measuring a, at most 3.0s left, 8.0s of the run");
        assert!((shown.share - 0.25).abs() < 1e-12);
        assert_eq!(message(&run, 2, counting), "measuring c, at most 3.0s left", "it is the last one");
    }

    #[test]
    fn nothing_is_said_of_the_time_beyond_the_limit() {
        for elapsed in [SECOND * 4, SECOND * 9] {
            for (index, message) in [(0, "measuring a"), (2, "measuring c")] {
                let shown = shown(&run(""), index, Progress::Counting { duos: 2, elapsed }).unwrap();
                assert_eq!((shown.share, &*shown.message), (1.0, message));
            }
        }
    }

    #[test]
    fn a_control_takes_as_long_again() {
        let counting = Progress::Counting { duos: 8, elapsed: SECOND };
        assert_eq!(message(&run("--control"), 2, counting), "measuring c, at most 7.0s left");
    }

    #[test]
    fn a_fixed_number_of_slots_goes_on_as_it_went() {
        let run = run("--judge welch --slots 400");
        assert_eq!(message(&run, 0, Progress::Warmup { elapsed: SECOND / 4 }), "warming up a");
        let shown = shown(&run, 0, Progress::Counting { duos: 50, elapsed: SECOND }).unwrap();
        assert_eq!((shown.share, &*shown.message), (0.25, "measuring a, about 3.0s left"));
    }

    #[test]
    fn long_times_are_short_texts() {
        let texts = [0.04, 9.94, 59.9, 119.0, 121.0].map(|seconds| text(Duration::from_secs_f64(seconds)));
        assert_eq!(texts, ["0.0s", "9.9s", "59s", "119s", "3min"]);
    }
}
