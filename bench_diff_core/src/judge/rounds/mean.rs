//! What a few slow calls add to the mean although the typical call keeps the gate.

use crate::duo::{Duo, slots_of};
use crate::judge::effective_zone::EffectiveZone;
use crate::sample::Recording;
use crate::stats::median_time;

/// The share of runs of equal functions that may show the note.
const RATE: f64 = 0.005;

/// ln(mean slot of the candidate / mean slot of the baseline), if that breaks the gate in a direction and is
/// not chance.
///
/// In a process of equal functions, slow calls hit both equally. So processes whose mean exceeds their
/// typical duo by more than the gate allows are slower as often as they are faster.
pub(super) fn change_on_average(rounds: &[Vec<Recording>], effective: EffectiveZone) -> Option<f64> {
    let processes: Vec<Means> = rounds.iter().flatten().filter_map(Means::of).collect();
    let sum = |mean: fn(&Means) -> f64| processes.iter().map(mean).sum::<f64>();
    let change = (sum(|means| means.candidate) / sum(|means| means.baseline)).ln();
    effective.bounds().zip([1.0, -1.0]).find_map(|(bounds, sign)| {
        let limit = sign * bounds.hi;
        let votes = |sign: f64| processes.iter().filter(|means| sign * means.beyond > limit.abs()).count();
        let (with, against) = (votes(sign), votes(-sign));
        (sign * change > limit && chance(with, against) <= RATE).then_some(change)
    })
}

/// The mean slots of a process, divided by the typical slot of its baseline.
struct Means {
    candidate: f64,
    baseline: f64,
    /// ln of their ratio, minus the contrast of the process.
    beyond: f64,
}

impl Means {
    fn of(process: &Recording) -> Option<Self> {
        let typical = median_time(slots_of(&process.duos, |duo| duo.baseline)) as f64;
        let mean = |side: fn(&Duo) -> [u64; 2]| {
            let slots = slots_of(&process.duos, side);
            slots.iter().map(|slot| *slot as f64).sum::<f64>() / slots.len() as f64 / typical
        };
        let (candidate, baseline) = (mean(|duo| duo.candidate), mean(|duo| duo.baseline));
        let beyond = (candidate / baseline).ln() - process.contrast()?;
        beyond.is_finite().then_some(Self { candidate, baseline, beyond })
    }
}

/// The probability that at least this many of all fair signs are positive.
fn chance(with: usize, against: usize) -> f64 {
    let all = (with + against) as f64;
    let mut ln_ways = 0.0;
    let mut sum = 0.0;
    // Starts with all signs positive and goes down.
    for fewer in 0..=against {
        sum += f64::exp(ln_ways - all * std::f64::consts::LN_2);
        ln_ways += ((all - fewer as f64) / (fewer + 1) as f64).ln();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ClockKind;
    use crate::duo::Order;
    use crate::gate::Gate;
    use crate::judge::{Rounds, Verdict};
    use crate::measurement::Measurement;
    use crate::note::Note;
    use crate::plan::Plan;
    use crate::sample::{Samples, Warmup};
    use crate::simulation::Noise;

    /// The slots of a function, some of which take many times as long.
    #[derive(Clone, Copy)]
    struct Slots {
        spread: f64,
        slow: f64,
        times: f64,
    }

    impl Slots {
        fn draw(self, noise: &Noise) -> u64 {
            let typical = noise.log_normal(20e3, self.spread);
            // Some of the slow slots are much slower than others (Pareto).
            let is_slow = noise.uniform() < self.slow;
            (if is_slow { typical * self.times / noise.uniform().powf(0.7) } else { typical }) as u64
        }
    }

    /// A run of such functions, with rounds of four processes. Some processes are noisier than others.
    fn judged(sides: [Slots; 2], noise: &Noise) -> (Option<Verdict>, Option<f64>) {
        let plan = Plan {
            zone: Gate::MaxSlowdown(0.02).zone(),
            max_rounds: Some(40),
            alpha: 0.01,
            ..Plan::default()
        };
        let (mut judge, mut rounds) = (Rounds::new(&plan), Vec::new());
        while let Some(duos) = judge.next() {
            let process = |_| {
                let mood = noise.log_normal(1.0, 1.0);
                let sides = sides.map(|side| Slots { slow: side.slow * mood, ..side });
                let [candidate, baseline] = sides.map(|side| move || [side.draw(noise), side.draw(noise)]);
                let duo =
                    |_| Duo { order: Order::BaselineFirst, candidate: candidate(), baseline: baseline() };
                let warmup = Warmup::new(Samples::default(), 1, ClockKind::Wall, 1);
                Recording::of(warmup, (0..duos.div_ceil(4).max(8)).map(duo).collect())
            };
            let round: Vec<Recording> = (0..4).map(process).collect();
            judge.add(&round).unwrap();
            rounds.push(round);
        }
        let judgement = Measurement::of(&plan, rounds).unwrap().judgement;
        let change = judgement.notes.iter().find_map(|note| match note {
            Note::OnAverage { change } => Some(*change),
            _ => None,
        });
        (judgement.verdict, change)
    }

    /// In 4000 runs of each kind, 0, 6, 10, 7 and 4 had a note.
    #[test]
    fn equal_functions_have_no_note() {
        let noise = Noise::new(7);
        let runs = 400;
        for (spread, slow, times) in
            [(0.01, 0.0, 1.0), (0.05, 0.02, 1.3), (0.01, 0.05, 3.0), (0.01, 0.02, 30.0), (0.2, 0.1, 3.0)]
        {
            let side = Slots { spread, slow, times };
            let noted = (0..runs).filter(|_| judged([side; 2], &noise).1.is_some()).count();
            // Ten would be five times the rate.
            assert!(noted < 10, "{spread} {slow} {times}: {noted} of {runs}");
        }
    }

    #[test]
    fn a_function_that_is_slow_at_times_has_the_note() {
        let noise = Noise::new(7);
        let steady = Slots { spread: 0.01, slow: 0.0, times: 1.0 };
        let slow = Slots { slow: 1.0 / 64.0, times: 33.0, ..steady };
        let runs = 100;
        let all: Vec<_> = (0..runs).map(|_| judged([slow, steady], &noise)).collect();
        let noted = all.iter().filter(|(_, change)| change.is_some()).count();
        let passed = all.iter().filter(|(verdict, _)| *verdict == Some(Verdict::Pass)).count();
        // There are few slow calls in 300 calls, and eight processes need to have some.
        assert!(passed == runs && noted > runs / 5, "{noted} noted, {passed} passed of {runs}");
    }

    #[test]
    fn the_chance_is_binomial() {
        for (with, against, expected) in
            [(0, 0, 1.0), (8, 0, 1.0 / 256.0), (7, 1, 9.0 / 256.0), (2, 2, 11.0 / 16.0), (0, 3, 1.0)]
        {
            assert!((chance(with, against) - expected).abs() < 1e-12, "{with} {against}");
        }
        assert!(chance(3_000, 2_000) < 1e-40);
    }
}
