//! Functions that do their work once per process and return the kept result from then on.

use std::time::Duration;

use bench_diff_core::stats::median_time;
use bench_diff_core::{Duo, Recording, with_blank};

use super::nanoseconds;

/// A first call is slow if it takes this many times as long as later ones.
const TIMES: u64 = 20;

/// The least excess of a slow first call over later ones, in nanoseconds: touching a page of code or of
/// memory for the first time takes a microsecond.
const LEAST_EXCESS: u64 = 20_000;

/// The least excess of a function that keeps a result, as a multiple of that of the other function, which
/// also pays for a fresh process.
const TIMES_OF_OTHER: u64 = 2;

/// The least speed of its later calls, as a multiple of that of the other function. If they are slower than
/// that, the first call may be slow because it is the first to touch memory and code.
const TIMES_AS_FAST: u64 = 4;

/// The fewest processes that show it. The first function in a process pays for what both need, and chance
/// decides which one that is.
const FEWEST_ROUNDS: usize = 4;

/// The calls of a function in a process, in nanoseconds.
#[derive(Clone, Copy)]
struct Calls {
    first: u64,
    /// The typical call among those that counted.
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

/// The note for one function that is slow in its first call of most processes while the other is not.
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

/// The advice in the note.
const CACHE: &str = "if it keeps what it has computed, its figures are those of a cache, and each call needs an input \
    of its own (`setup`)";

/// The quartile of a figure of the calls; 0 if there are none.
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

    /// The note for rounds with these first calls of candidate and baseline, and these later ones, in
    /// nanoseconds.
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
        // Two versions of httparse; one is the first to touch the input.
        assert_eq!(noted(&[[45_000, 9_000]; 8], [620, 650]), None, "no faster for what it would keep");
    }

    #[test]
    fn rounds_whose_first_calls_nobody_timed_say_nothing() {
        assert_eq!(note(&[vec![recording(Vec::new())]]), None);
        assert_eq!(note(&[]), None);
    }
}
