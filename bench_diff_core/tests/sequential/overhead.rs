//! Functions that are short against the call of them: what is proven holds for the functions themselves.

use bench_diff_core::{Coin, Duo, Gate, JudgeKind, OrderPolicy, Plan, Seed, Verdict, Warmup, judge};

use crate::binomial::acceptable;
use crate::gate::{DEFAULT, bounds};
use crate::noise::Noise;
use crate::random::Random;
use crate::simulation::{Machine, Tally, WARMUP_DUOS, nanoseconds, plan, warmup};

const RUNS: usize = 400;

/// The runs of each of 128 cases.
const SHORT: usize = 100;
const FULL: usize = 400;

/// The fewest counted duos with which the gates of this test can be decided, and some more.
const DUOS: usize = 400;

/// Functions of a true ln(candidate / baseline), in slots of the baseline of which this share is overhead.
struct Short {
    noise: Noise,
    share: f64,
    delta: f64,
}

impl Short {
    fn verdict(&self, plan: &Plan, run: usize) -> Verdict {
        let seed = Seed(run as u64).for_pair(&self.noise.name());
        let noise = self.noise.slots(Random::new(seed.0));
        let delta = (self.share + (1.0 - self.share) * self.delta.exp()).ln();
        let mut machine = Machine { noise, coin: Coin::new(OrderPolicy::Coin, seed), delta };
        let with_empty = |_| (machine.duo(), nanoseconds((machine.noise)(), self.share.ln()));
        let (duos, empty) = (0..WARMUP_DUOS).map(with_empty).unzip();
        let warmup = Warmup { empty, ..warmup(duos, 1) };
        let duos: Vec<Duo> = (0..DUOS).map(|_| machine.duo()).collect();
        let judgement = judge(plan, &warmup, &duos).expect("every slot has a time");
        judgement.verdict.expect("a gate has a verdict")
    }

    fn tally(&self, plan: &Plan, runs: usize) -> Tally {
        (0..runs).map(|run| self.verdict(plan, run)).collect()
    }
}

const SHARES: [f64; 4] = [0.001, 0.3, 0.7, 0.95];

/// At the bound itself, where errors are most probable.
fn neither_accuses_nor_hides(runs: usize) {
    let (mut most_fails, mut most_passes) = (0, 0);
    for share in SHARES {
        for gate in [DEFAULT, Gate::MaxDifference(0.02), Gate::MinSpeedup(1.5), Gate::MinSpeedup(5.0)] {
            for noise in [Noise::Independent, Noise::LongMemory] {
                for judge in JudgeKind::ALL {
                    let plan = Plan { judge, slots: 2 * DUOS as u64, ..plan(gate) };
                    let case = format!("{share} {gate:?} {noise:?} {judge:?}");
                    let innocent = Short { noise, share, delta: bounds(gate).lo }.tally(&plan, runs);
                    assert!(innocent.fails <= acceptable(runs, plan.alpha, 1e-3), "{case}: {innocent:?}");
                    let guilty = Short { noise, share, delta: bounds(gate).hi }.tally(&plan, runs);
                    assert!(guilty.passes <= acceptable(runs, plan.beta, 1e-3), "{case}: {guilty:?}");
                    most_fails = most_fails.max(innocent.fails);
                    most_passes = most_passes.max(guilty.passes);
                }
            }
        }
    }
    println!("at the bound, of each {runs} at most {most_fails} failed and {most_passes} passed");
}

#[test]
fn overhead_neither_accuses_nor_hides() {
    neither_accuses_nor_hides(SHORT);
}

mod in_full {
    #[test]
    #[ignore = "half a minute"]
    fn overhead_neither_accuses_nor_hides() {
        super::neither_accuses_nor_hides(super::FULL);
    }
}

/// A quarter more time is a few percent, or one, where most of the time is overhead.
#[test]
fn a_slowdown_that_overhead_hides_does_not_pass() {
    for (share, fails) in [(0.3, RUNS), (0.6, RUNS), (0.7, 0), (0.95, 0)] {
        let delta = 1.25_f64.ln();
        let tally = Short { noise: Noise::Independent, share, delta }.tally(&plan(DEFAULT), RUNS);
        assert_eq!(tally.passes, 0, "{share}: {tally:?}");
        assert!(tally.fails >= fails, "{share}: {tally:?}");
    }
}

/// Without the bound that is moved, these would pass.
#[test]
fn only_what_is_known_of_the_overhead_makes_the_difference() {
    let short = Short { noise: Noise::Independent, share: 0.7, delta: bounds(DEFAULT).hi };
    let plain = Machine {
        noise: Noise::Independent.slots(Random::new(1)),
        coin: Coin::new(OrderPolicy::Coin, Seed(1)),
        delta: (0.7 + 0.3 * short.delta.exp()).ln(),
    }
    .run(&plan(DEFAULT), DUOS);
    assert_eq!(plain.verdict(), Verdict::Pass);
    assert!(short.tally(&plan(DEFAULT), RUNS).passes < RUNS / 20);
}

#[test]
fn equal_functions_pass_where_the_overhead_allows_it() {
    for (share, passes) in [(0.3, RUNS), (0.6, RUNS * 9 / 10)] {
        let tally = Short { noise: Noise::Independent, share, delta: 0.0 }.tally(&plan(DEFAULT), RUNS);
        assert!(tally.passes >= passes && tally.fails == 0, "{share}: {tally:?}");
    }
}
