//! Functions that work once in a process and return what they keep from then on.

use std::time::Duration;

use bench_diff_core::stats::median_time;
use bench_diff_core::{Duo, Recording, with_blank};

use super::nanoseconds;

/// A first call that takes so many times as long as later ones is slow.
const TIMES: u64 = 20;

/// A first call takes at least so much more time than later ones, in nanoseconds, to be slow: pages of
/// code and of memory that are touched for the first time take a microsecond each.
const LEAST_EXCESS: u64 = 20_000;

/// The excess of a function that keeps something is so many times that of the other function, which pays
/// for a fresh process as well.
const TIMES_OF_OTHER: u64 = 2;

/// What it saves makes its later calls so many times as fast as those of the other function. Where they are
/// not, the first call may as well be slow for the memory and the code that it is the first to touch.
const TIMES_AS_FAST: u64 = 4;

/// The fewest processes that show it. Who goes first in a process pays for what both need, and chance
/// decides who that is.
const FEWEST_ROUNDS: usize = 4;

/// The calls of a function in a process, in nanoseconds.
#[derive(Clone, Copy)]
struct Calls {
    first: u64,
    /// A typical one of those that counted.
    later: u64,
}

impl Calls {
    fn new(first: Duration, round: &Recording, side: fn(&Duo) -> [u64; 2]) -> Self {
        let slot = median_time(round.duos.iter().flat_map(side).collect());
        Self { first: nanoseconds(first), later: slot / round.warmup.iterations }
    }

    fn excess(&self) -> u64 {
        self.first.saturating_sub(self.later)
    }

    fn is_slow_at_first(&self) -> bool {
        self.excess() >= LEAST_EXCESS && self.first >= self.later.saturating_mul(TIMES)
    }
}

/// A note where one function is slow in its first call of most processes and the other is not.
pub(super) fn note(rounds: &[Vec<Recording>]) -> Option<String> {
    let timed = || rounds.iter().flatten().filter_map(|process| Some((process, process.first_calls?)));
    let candidate: Vec<Calls> =
        timed().map(|(round, first)| Calls::new(first.candidate, round, |duo| duo.candidate)).collect();
    let baseline: Vec<Calls> =
        timed().map(|(round, first)| Calls::new(first.baseline, round, |duo| duo.baseline)).collect();
    note_of("candidate", &candidate, "baseline", &baseline)
        .or_else(|| note_of("baseline", &baseline, "candidate", &candidate))
}

fn note_of(name: &str, calls: &[Calls], other_name: &str, others: &[Calls]) -> Option<String> {
    let slow = calls.iter().filter(|calls| calls.is_slow_at_first()).count();
    let excess = quartile(calls, 2, Calls::excess);
    let is_alone = excess >= quartile(others, 3, Calls::excess).saturating_mul(TIMES_OF_OTHER);
    let later = |calls| quartile(calls, 2, |calls| calls.later);
    let saves = later(others) >= later(calls).saturating_mul(TIMES_AS_FAST);
    let is_noted = calls.len() >= FEWEST_ROUNDS && slow * 4 >= calls.len() * 3 && is_alone && saves;
    is_noted.then(|| {
        let time = |of| with_blank(&format!("{:.1?}", Duration::from_nanos(quartile(calls, 2, of))));
        let [first, later] = [time(|calls| calls.first), time(|calls| calls.later)];
        format!(
            "the first call of the {name} in a process takes {first}, and a later one {later}, unlike those of the \
             {other_name}: {CACHE}"
        )
    })
}

/// What a reader does about it.
const CACHE: &str = "if it keeps what it has computed, its figures are those of a cache, and each call needs an input \
    of its own (`setup`)";

/// This quarter of the way through a figure of the calls, in ascending order; 0 where there are none.
fn quartile(calls: &[Calls], quarter: usize, figure: fn(&Calls) -> u64) -> u64 {
    let mut figures: Vec<u64> = calls.iter().map(figure).collect();
    figures.sort_unstable();
    let place = figures.len() * quarter / 4;
    figures.get(place.min(figures.len().saturating_sub(1))).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use bench_diff_core::{FirstCalls, Order};

    use super::*;
    use crate::fixture::recording;

    /// Rounds with these first calls of candidate and baseline, in nanoseconds, whose later ones take so
    /// long.
    fn noted(first: &[[u64; 2]], later: [u64; 2]) -> Option<String> {
        let [candidate, baseline] = later.map(|later| [later; 2]);
        let rounds = first.iter().map(|first| {
            let duos = vec![Duo { order: Order::CandidateFirst, candidate, baseline }; 8];
            let [candidate, baseline] = first.map(Duration::from_nanos);
            vec![Recording { first_calls: Some(FirstCalls { candidate, baseline }), ..recording(duos) }]
        });
        note(&rounds.collect::<Vec<_>>())
    }

    #[test]
    fn a_function_that_works_once_is_noted() {
        let expected = "the first call of the candidate in a process takes 1.0 ms, and a later one 2.0 us, unlike those \
                        of the baseline: if it keeps";
        let text = noted(&[[1_000_000, 30_000]; 5], [2_000, 20_000]).unwrap();
        assert!(text.starts_with(expected), "{text}");
        let text = noted(&[[30_000, 1_000_000]; 5], [20_000, 2_000]).unwrap();
        assert!(text.starts_with("the first call of the baseline in a process"), "{text}");
        let mut interrupted = [[1_000_000, 30_000]; 8];
        interrupted[3] = [1_000_000, 9_000_000];
        assert!(noted(&interrupted, [2_000, 20_000]).is_some(), "one process where the other one waited");
    }

    #[test]
    fn a_fresh_process_is_no_cache() {
        assert_eq!(noted(&[[12_000, 11_000]; 8], [5, 5]), None, "pages of code");
        assert_eq!(noted(&[[19_000, 100]; 8], [5, 5]), None, "too little to tell it from pages");
        assert_eq!(noted(&[[1_000_000, 900_000]; 8], [2_000, 2_000]), None, "both");
        assert_eq!(noted(&[[1_000_000, 30_000]; 8], [60_000, 20_000]), None, "not twenty times as long");
        let first_pays = [[90_000, 200], [200, 90_000]].repeat(4);
        assert_eq!(noted(&first_pays, [100, 100]), None, "who goes first pays");
        let mostly = [[90_000, 200], [90_000, 200], [90_000, 200], [200, 90_000]].repeat(2);
        assert_eq!(noted(&mostly, [100, 100]), None, "also where that is one of them more often");
        assert_eq!(noted(&[[1_000_000, 30_000]; 3], [2_000, 20_000]), None, "too few processes");
        // Two versions of httparse, of which one is the first to touch what it reads.
        assert_eq!(noted(&[[45_000, 9_000]; 8], [620, 650]), None, "no faster for what it would keep");
    }

    #[test]
    fn rounds_whose_first_calls_nobody_timed_say_nothing() {
        assert_eq!(note(&[vec![recording(Vec::new())]]), None);
        assert_eq!(note(&[]), None);
    }
}
