//! The design of a sequential sign test: how many signs decide after each number of rounds, and how much
//! evidence any other number of signs is.

use std::sync::{Arc, Mutex, PoisonError};

/// How a design spends its error rate: this part as soon as anything can be spent, the rest evenly up to the
/// last round (Lan & DeMets 1983, "Discrete sequential boundaries for clinical trials").
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spending(f64);

impl Spending {
    /// For passes, which most pairs end with. At 5 %, five rounds of the same sign are enough.
    pub(super) const EARLY: Self = Self(0.7);
    /// For failures, which are rarer and take noisy pairs more rounds.
    pub(super) const LATE: Self = Self(1.0 / 3.0);
}

/// A test of "the probability of a positive sign is at most 1/2" in at most this many independent rounds. A
/// sign is positive if it speaks for the claim to be proven. The test errs with at most this rate whenever it
/// stops.
///
/// The evidence is the probability, given the signs so far, that fair signs reach the boundary, divided by
/// the probability that they ever do. That is a martingale which is at least 1 over the error rate when the
/// boundary is reached, so looking after every round costs nothing (Koning & van Meer 2025, "Anytime
/// validity is free: inducing sequential tests", arXiv 2501.03982).
#[derive(Clone, Debug)]
pub(super) struct Design {
    pub(super) rate: f64,
    spending: Spending,
    /// The number of positive signs that decides after each number of rounds; larger than the number of
    /// rounds if none does.
    needed: Vec<usize>,
    /// ln of the evidence by the numbers of rounds and of positive signs, if the boundary was not reached
    /// before.
    ln_e: Vec<Vec<f64>>,
}

impl Design {
    /// The design for these parameters. Thousands of pairs share a few designs, so each is made once.
    pub(super) fn shared(rate: f64, rounds: usize, spending: Spending) -> Arc<Self> {
        static MADE: Mutex<Vec<Arc<Design>>> = Mutex::new(Vec::new());

        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        let matches =
            |design: &&Arc<Self>| (design.rate, design.rounds(), design.spending) == (rate, rounds, spending);
        if let Some(design) = made.iter().find(matches) {
            return Arc::clone(design);
        }
        let design = Arc::new(Self::new(rate, rounds, spending));
        made.push(Arc::clone(&design));
        design
    }

    pub(super) fn new(rate: f64, rounds: usize, spending: Spending) -> Self {
        let needed = boundary(rate, rounds, spending);
        let reached = probabilities_of_reaching(&needed);
        // Rounding could raise it above the rate.
        let size = reached[0][0].min(rate);
        // Too few rounds have no boundary, and are no evidence.
        let ln_e = |reached: f64| if size == 0.0 { 0.0 } else { (reached / size).ln() };
        let ln_e = reached.into_iter().map(|row| row.into_iter().map(ln_e).collect()).collect();
        Self { rate, spending, needed, ln_e }
    }

    pub(super) fn rounds(&self) -> usize {
        self.needed.len() - 1
    }

    /// ln of the evidence that decides.
    pub(super) fn threshold(&self) -> f64 {
        -self.rate.ln()
    }

    /// The fewest rounds that decide, if all signs are positive; `None` if the design has too few rounds.
    pub(super) fn fewest(&self) -> Option<usize> {
        (1..=self.rounds()).find(|rounds| self.needed[*rounds] <= *rounds)
    }

    /// Returns whether this many positive signs in this many rounds decide.
    pub(super) fn decides_at(&self, rounds: usize, signs: usize) -> bool {
        self.ln_e[rounds][signs] >= self.threshold()
    }

    /// The fewest positive signs that decide after this many rounds; `None` if none do.
    pub(super) fn signs_that_decide(&self, rounds: usize) -> Option<usize> {
        (0..=rounds).find(|signs| self.decides_at(rounds, *signs))
    }

    /// The number of rounds after which this share of positive signs decides; `None` if no number does.
    fn rounds_for(&self, share: f64) -> Option<usize> {
        (1..=self.rounds()).find(|rounds| self.needed[*rounds] as f64 <= share * *rounds as f64)
    }

    /// The probability of reaching the boundary if each sign is positive with this probability.
    pub(super) fn power(&self, probability: f64) -> f64 {
        let mut states = vec![1.0];
        let mut decided = 0.0;
        for needed in &self.needed[1..] {
            states = next_states(&states, probability);
            let on_boundary = states.len().min(*needed);
            decided += states.drain(on_boundary..).sum::<f64>();
        }
        decided
    }
}

/// The number of positive signs that decides after each number of rounds: the smallest that the error rate to
/// be spent by then allows.
fn boundary(rate: f64, rounds: usize, Spending(at_once): Spending) -> Vec<usize> {
    // With fewer rounds, even equal signs may be chance.
    let first = (1..=rounds).find(|rounds| 0.5_f64.powi(*rounds as i32) <= rate).unwrap_or(rounds);
    let mut needed = vec![1];
    let mut states = vec![1.0];
    let mut spent = 0.0;
    for round in 1..=rounds {
        states = next_states(&states, 0.5);
        let progress = round.saturating_sub(first) as f64 / (rounds - first).max(1) as f64;
        let may_be_spent = if round < first { 0.0 } else { rate * (at_once + (1.0 - at_once) * progress) };
        let mut here = round + 1;
        while here > 0 && 2 * (here - 1) > round {
            let also = states.get(here - 1).copied().unwrap_or(0.0);
            if spent + also > may_be_spent {
                break;
            }
            spent += also;
            here -= 1;
        }
        states.truncate(here);
        needed.push(here);
    }
    needed
}

/// The probabilities of each number of positive signs after one more round.
fn next_states(states: &[f64], probability: f64) -> Vec<f64> {
    let stay = states.iter().map(|state| state * (1.0 - probability)).chain([0.0]);
    let step = [0.0].into_iter().chain(states.iter().map(|state| state * probability));
    stay.zip(step).map(|(stay, step)| stay + step).collect()
}

/// The probability that fair signs reach the boundary, from each number of rounds and of positive signs.
fn probabilities_of_reaching(needed: &[usize]) -> Vec<Vec<f64>> {
    let rounds = needed.len() - 1;
    let mut reached = vec![Vec::new(); needed.len()];
    for round in (0..=rounds).rev() {
        reached[round] = (0..=round)
            .map(|signs| match () {
                () if round > 0 && signs >= needed[round] => 1.0,
                () if round == rounds => 0.0,
                () => f64::midpoint(reached[round + 1][signs], reached[round + 1][signs + 1]),
            })
            .collect();
    }
    reached
}

/// The evidence of the signs so far, by a design.
#[derive(Clone, Debug)]
pub(super) struct Signs {
    design: Arc<Design>,
    rounds: usize,
    signs: usize,
    /// The largest ln E so far.
    largest: f64,
}

impl Signs {
    pub(super) fn new(design: &Arc<Design>) -> Self {
        Self { design: Arc::clone(design), rounds: 0, signs: 0, largest: 0.0 }
    }

    /// The evidence of all these rounds.
    #[cfg(test)]
    pub(super) fn of(design: &Arc<Design>, signs: impl IntoIterator<Item = bool>) -> Self {
        let mut all = Self::new(design);
        signs.into_iter().for_each(|is_positive| all.add(is_positive));
        all
    }

    /// Counts a round. Rounds beyond the last one of the design change nothing.
    pub(super) fn add(&mut self, is_positive: bool) {
        if self.rounds == self.design.rounds() {
            return;
        }
        self.rounds += 1;
        self.signs += usize::from(is_positive);
        self.largest = self.largest.max(self.design.ln_e[self.rounds][self.signs]);
    }

    /// The current ln E.
    #[cfg(test)]
    pub(super) fn ln_e(&self) -> f64 {
        self.design.ln_e[self.rounds][self.signs]
    }

    /// Returns whether the signs have decided at any time (Ville 1939).
    pub(super) fn has_decided(&self) -> bool {
        self.largest >= self.design.threshold()
    }

    /// The p-value, valid whenever the run stops: 1 over the largest E so far.
    pub(super) fn p(&self) -> f64 {
        (-self.largest).exp()
    }

    /// The fewest rounds that decide; `None` if the design has too few rounds.
    pub(super) fn fewest(&self) -> Option<usize> {
        self.design.fewest()
    }

    /// The probability of a positive sign at which this share of runs decides, found by bisection; `None` if
    /// the design has too few rounds.
    pub(super) fn probability_for(&self, power: f64) -> Option<f64> {
        /// Enough for half a digit more than is shown.
        const STEPS: usize = 30;

        self.fewest()?;
        let (mut too_small, mut enough) = (0.5, 1.0);
        for _ in 0..STEPS {
            let probability = f64::midpoint(too_small, enough);
            let end = if self.design.power(probability) >= power { &mut enough } else { &mut too_small };
            *end = probability;
        }
        Some(enough)
    }

    /// The number of rounds after which the signs decide if they go on to be positive in the same share of
    /// rounds, or in a share that is larger by `more`; `None` if they never do.
    pub(super) fn rounds_to_decide(&self, more: f64) -> Option<usize> {
        self.design.rounds_for((self.signs as f64 / self.rounds as f64 + more).min(1.0))
    }
}
