//! The upper bound of the share of overhead, by the few empty slots of a warm-up.

use bench_diff_core::{Duo, Order, Overhead, Recording, Warmup};

use crate::random::Random;
use crate::simulation::{SLOT, warmup};

/// So long that a whole nanosecond is nothing.
const LONG: f64 = 100.0 * SLOT;

/// The overhead by this many empty slots, each of which takes 0.3 of a slot and 0.02 times this noise.
fn overhead(shares: usize, noise: &mut impl FnMut() -> f64) -> Overhead {
    let duo = Duo { order: Order::BaselineFirst, candidate: [LONG as u64; 2], baseline: [LONG as u64; 2] };
    let empty = (0..shares).map(|_| (LONG * (0.3 + 0.02 * noise())).round() as u64).collect();
    let warmup = Warmup { empty, ..warmup(vec![duo; shares], 1) };
    let round = Recording::of(warmup, Vec::new());
    Overhead::of(&[vec![round]]).expect("there are empty slots")
}

/// The warm-ups of which the truth lies above the bound.
fn too_low(warmups: usize, shares: usize, truth: f64, mut noise: impl FnMut() -> f64) -> usize {
    (0..warmups).filter(|_| overhead(shares, &mut noise).share_max < truth).count()
}

#[test]
fn a_bound_by_normal_shares_is_seldom_too_low() {
    const WARMUPS: usize = 10_000;
    for shares in [2, 3, 4, 8, 16] {
        let mut random = Random::new(shares as u64);
        let too_low = too_low(WARMUPS, shares, 0.3, || random.normal(1.0));
        println!("{shares} normal shares: {too_low} of {WARMUPS} bounds are too low");
        // Binomial (10,000, .0333): mean 333, standard deviation 18; the limit is 3 of them.
        assert!(too_low <= 387, "{shares}: {too_low} of {WARMUPS}");
    }
}

#[test]
fn a_bound_by_skewed_shares_is_too_low_more_often() {
    const WARMUPS: usize = 10_000;
    let mut random = Random::new(1);
    let mut exponential = || -random.uniform().ln();
    let truth = overhead(100_000, &mut exponential).share;
    let too_low = too_low(WARMUPS, 16, truth, exponential);
    println!("16 exponential shares: {too_low} of {WARMUPS} bounds are too low");
    // Binomial (10,000, .118): mean 1180, standard deviation 32; the limit is 3 of them.
    assert!(too_low <= 1276, "{too_low} of {WARMUPS}");
}
