//! The expected number of duos in normal noise, without the fewest duos of a run.
//!
//! Against a numpy simulation of the same process, which looks at its evidence after every block of duos.

use super::scale::Scale;
use super::trial::Trial;
use crate::gate::Gate;
use crate::sample::BLOCK;
use crate::simulation::Noise;

const RUNS: u64 = 6000;
const WARMUP_DUOS: usize = 16;
const FLOOR: f64 = 1e-5;

/// What counts at a look: the evidence as it is, or the most that there has been since the start, which may stop a run
/// earlier and costs no error either.
#[derive(Clone, Copy)]
enum Counts {
    Now,
    Largest,
}

/// The mean number of duos, in steps of a block, for a true effect and a spread of the contrasts.
fn expected_duos(gate: Gate, delta: f64, sigma: f64, counts: Counts) -> f64 {
    let duos: usize = (1..=RUNS).map(|seed| duos(gate, delta, sigma, seed, counts)).sum();
    duos as f64 / RUNS as f64
}

fn duos(gate: Gate, delta: f64, sigma: f64, seed: u64, counts: Counts) -> usize {
    // The first numbers of neighbouring seeds are alike.
    let noise = Noise::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let contrast = || delta + noise.log_normal(1.0, sigma).ln();

    let warmup: Vec<f64> = (0..WARMUP_DUOS).map(|_| contrast()).collect();
    let mut scale = Scale::new(&warmup, FLOOR);
    let zone = gate.zone().unwrap();
    let mut trial = Trial::new(zone, zone.width(), 0.01, 0.05);
    let mut contrasts = Vec::new();
    loop {
        for _ in 0..BLOCK {
            let now = scale.after(&contrasts);
            contrasts.push(contrast());
            trial.add(contrasts[contrasts.len() - 1], now);
        }
        let (ln_e_fail, ln_e_pass) = match counts {
            Counts::Now => (trial.ln_e_fail(), trial.ln_e_pass()),
            Counts::Largest => (-trial.p_fail().ln(), -trial.p_pass().ln()),
        };
        if ln_e_fail >= trial.fail_at() || ln_e_pass >= trial.pass_at() {
            return contrasts.len();
        }
    }
}

/// Of the width of the zone in spreads of the contrasts, and of the two ends of the zone.
fn assert_expected(share: f64, at_lo: f64, at_hi: f64) {
    let gate = Gate::MaxSlowdown(0.02);
    let zone = gate.zone().unwrap().slower;
    let sigma = (zone.hi - zone.lo) / share;
    for (delta, expected) in [(zone.lo, at_lo), (zone.hi, at_hi)] {
        let duos = expected_duos(gate, delta, sigma, Counts::Now);
        let largest = expected_duos(gate, delta, sigma, Counts::Largest);
        assert!((duos / expected - 1.0).abs() < 0.05, "{duos} instead of {expected} at h / sigma = {share}");
        assert!(largest <= duos, "{largest} by the largest evidence, {duos} by what there is");
    }
}

#[test]
fn a_fifth_of_the_spread_takes_hundreds_of_duos() {
    assert_expected(0.2, 197.0, 286.0);
}

#[test]
fn the_spread_itself_takes_two_or_three_blocks() {
    assert_expected(1.0, 14.8, 20.8);
}
