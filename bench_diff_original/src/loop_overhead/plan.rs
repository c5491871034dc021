//! The settings of a measurement of two loops.

use bench_diff_core::sample::{BLOCK, LONG_WARMUP_DUOS, Pair, Sampler, Samples};
use bench_diff_core::{Chance, Clock, OrderPolicy, Seed};

/// The settings of a measurement of two loops: in duos, each slot a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopPlan {
    /// The turns of every loop, at least 1. To time a single call with n calls in each pair of loops, use n /
    /// 3.
    pub turns: u64,
    /// The duos that count, at least 2; two more run first.
    pub duos: usize,
    /// The seed of the coin that orders them.
    pub seed: Seed,
}

impl LoopPlan {
    /// The mean slots of both functions of a pair, which are the turns of the two loops, in each duo.
    pub(super) fn measure(&self, clock: &impl Clock, pair: &mut dyn Pair) -> Vec<[f64; 2]> {
        assert!(self.turns > 0, "a loop without a turn takes no time");
        let mut sampler = Sampler::new(clock, pair).with_iterations(self.turns);
        let mut practice = Chance::new(OrderPolicy::Coin, self.seed.for_warmup());
        sampler.block(&mut practice, LONG_WARMUP_DUOS, &mut Samples::default());

        let mut chance = Chance::new(OrderPolicy::Coin, self.seed);
        let mut samples = Samples::default();
        while samples.duos.len() < self.duos {
            sampler.block(&mut chance, BLOCK.min(self.duos - samples.duos.len()), &mut samples);
        }
        let mean = |[first, second]: [u64; 2]| (first as f64 + second as f64) / 2.0;
        samples.duos.iter().map(|duo| [mean(duo.candidate), mean(duo.baseline)]).collect()
    }
}
