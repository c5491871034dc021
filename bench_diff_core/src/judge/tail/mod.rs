//! The judge of tails: whether calls of the candidate exceed the baseline's 99th percentile more often than
//! the baseline's own calls.
//!
//! Every call is a slot. It is divided by the median of its function in its process, so that slowing down all
//! calls is not a tail. On that scale, a call is slow if it is slower than 99 % of the baseline's calls in
//! the rounds before. The machine makes slow calls come in clusters, so each round counts once, however many
//! slow calls it had, with the candidate's share of them. If the candidate has r times as many slow calls as
//! the baseline, in similar clusters, each cluster belongs to the candidate with probability r / (1 + r),
//! whatever its size and however many there are. So the mean of the share is r / (1 + r). For equal functions
//! it is 1/2 by symmetry, whatever the noise.

mod bets;
#[cfg(test)]
mod tests;

use std::time::Duration;

use self::bets::Bets;
use super::Verdict;
use crate::duo::{Duo, slots_of};
use crate::note::Note;
use crate::plan::{MOST_ROUNDS, Plan};
use crate::sample::Recording;

/// The share of the baseline's calls that are not slow.
const QUANTILE: f64 = 0.99;

/// The duos of a round. About 10 of the baseline's calls in it are slow.
pub(crate) const MOST_DUOS: usize = 512;

/// A round may take this part of the pair's time. A verdict takes about ten rounds.
const ROUNDS_IN_TIME: u32 = 20;

/// The duos of a round, given the nanoseconds of a duo and the maximum time of the pair.
pub(crate) fn duos_of_round(duo: u64, max_time: Duration) -> usize {
    let in_time = (max_time / ROUNDS_IN_TIME).as_nanos() / u128::from(duo.max(1));
    usize::try_from(in_time).unwrap_or(MOST_DUOS).clamp(1, MOST_DUOS)
}

/// The figures of the tail of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TailFigures {
    /// The [`max_tail`](Plan::max_tail) of the plan.
    pub margin: f64,
    /// The decision about the tail.
    pub verdict: Verdict,
    /// The calls of each function in the counted rounds, which are all but the first.
    pub calls: u64,
    /// The slow calls of the candidate among them.
    pub candidate: u64,
    /// The slow calls of the baseline among them.
    pub baseline: u64,
    /// The counted rounds that had slow calls.
    pub rounds: usize,
    /// The p-value of the proof of a failure: 1 over the largest evidence at any time.
    pub p_fail: f64,
    /// The p-value of the proof of a pass; 0 for functions that are the same code, which need no evidence.
    pub p_pass: f64,
    /// ln of the evidence for a failure at the end. It is an e-value, so the values of independent runs may
    /// be multiplied.
    pub ln_e_fail: f64,
    /// ln of the evidence for a pass at the end; infinite for functions that are the same code.
    pub ln_e_pass: f64,
}

/// For this margin, the bound that a failure proves to be exceeded and the bound that a pass proves to be
/// kept. They are half the margin below and above it, on the scale of logarithms.
fn bounds(margin: f64) -> [f64; 2] {
    [margin.sqrt(), margin.powf(1.5)]
}

impl TailFigures {
    /// A failure proves that the candidate has more than the first number times as many slow calls, a pass
    /// that it has less than the second.
    #[must_use]
    pub fn bounds(&self) -> [f64; 2] {
        bounds(self.margin)
    }

    /// The factor by which the candidate had more slow calls. `None` if neither had any, infinite if only the
    /// candidate had some.
    #[must_use]
    pub fn times(&self) -> Option<f64> {
        let times = self.candidate as f64 / self.baseline as f64;
        (!times.is_nan()).then_some(times)
    }
}

/// The judge of the tail of one pair.
#[derive(Clone, Debug)]
pub(crate) struct Tail {
    margin: f64,
    alpha: f64,
    beta: f64,
    is_one_function: bool,
    /// The calls of the baseline so far, divided by the median of their process, in ascending order.
    past: Vec<f64>,
    broken: Bets,
    kept: Bets,
    calls: u64,
    candidate: u64,
    baseline: u64,
    rounds: usize,
}

impl Tail {
    /// A judge for this margin.
    pub(crate) fn new(plan: &Plan, margin: f64) -> Self {
        let [lo, hi] = bounds(margin);
        let share = |times: f64| times / (1.0 + times);
        Self {
            margin,
            alpha: plan.alpha,
            beta: plan.beta,
            is_one_function: false,
            past: Vec::new(),
            broken: Bets::against(share(lo)),
            kept: Bets::against(1.0 - share(hi)),
            calls: 0,
            candidate: 0,
            baseline: 0,
            rounds: 0,
        }
    }

    /// The fewest rounds that can give either verdict. For a failure, every slow call is the candidate's; for
    /// a pass, both functions have equally many.
    pub(crate) fn fewest_of(plan: &Plan, margin: f64) -> usize {
        let decided_after = |share: f64| {
            let mut tail = Self::new(plan, margin);
            let decides = |_: &usize| {
                tail.count(share);
                tail.verdict() != Verdict::Inconclusive
            };
            1 + (1..MOST_ROUNDS).find(decides).unwrap_or(MOST_ROUNDS)
        };
        decided_after(1.0).max(decided_after(0.5))
    }

    /// Counts a round. Rounds have to be added in order.
    pub(crate) fn add(&mut self, round: &[Recording]) {
        self.is_one_function |= round.iter().any(|process| process.is_one_function);
        // Each process has its own pace.
        let of = |side: fn(&Duo) -> [u64; 2]| -> Vec<f64> {
            round.iter().flat_map(|process| relative(slots_of(&process.duos, side))).collect()
        };
        let (candidate, baseline) = (of(|duo| duo.candidate), of(|duo| duo.baseline));
        if let Some(threshold) = self.threshold() {
            let slow = |calls: &[f64]| calls.iter().filter(|call| **call > threshold).count();
            let [of_candidate, of_baseline] = [slow(&candidate), slow(&baseline)];
            self.calls += candidate.len() as u64;
            self.candidate += of_candidate as u64;
            self.baseline += of_baseline as u64;
            if of_candidate + of_baseline > 0 {
                self.count(of_candidate as f64 / (of_candidate + of_baseline) as f64);
            }
        }
        self.past.extend(baseline);
        // Most of them are already sorted, which makes a stable sort fast.
        self.past.sort_by(f64::total_cmp);
    }

    fn count(&mut self, share: f64) {
        self.rounds += 1;
        self.broken.add(share);
        self.kept.add(1.0 - share);
    }

    /// The time that a slow call exceeds; `None` before the first round.
    fn threshold(&self) -> Option<f64> {
        let rank = (QUANTILE * self.past.len() as f64).ceil() as usize;
        rank.checked_sub(1).map(|place| self.past[place])
    }

    pub(crate) fn verdict(&self) -> Verdict {
        if self.is_one_function {
            Verdict::Pass
        } else if self.broken.has_decided(self.alpha) {
            Verdict::Fail
        } else if self.kept.has_decided(self.beta) {
            Verdict::Pass
        } else {
            Verdict::Inconclusive
        }
    }

    pub(crate) fn figures(&self) -> TailFigures {
        let Self { margin, calls, candidate, baseline, rounds, broken, kept, .. } = self;
        // Functions that are the same code need no evidence.
        let (p_pass, ln_e_pass) =
            if self.is_one_function { (0.0, f64::INFINITY) } else { (kept.p(), kept.ln_e()) };
        TailFigures {
            margin: *margin,
            verdict: self.verdict(),
            calls: *calls,
            candidate: *candidate,
            baseline: *baseline,
            rounds: *rounds,
            p_fail: broken.p(),
            p_pass,
            ln_e_fail: broken.ln_e(),
            ln_e_pass,
        }
    }

    /// The note that the tail is undecided after this many rounds, if it is.
    pub(crate) fn note(&self, seen: usize) -> Option<Note> {
        (self.verdict() == Verdict::Inconclusive)
            .then(|| Note::TailUndecided { rounds: seen, slow_calls: self.candidate + self.baseline })
    }
}

/// Slots divided by their median, in any order. Of two in the middle, the median is the lower one: with the
/// upper one, no slot would be slow in a process with only two.
fn relative(mut slots: Vec<u64>) -> Vec<f64> {
    let Some(last) = slots.len().checked_sub(1) else { return Vec::new() };
    let median = (*slots.select_nth_unstable(last / 2).1).max(1) as f64;
    slots.into_iter().map(|slot| slot as f64 / median).collect()
}
