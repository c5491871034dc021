//! Contrasts of 22 functions against copies of themselves, recorded in 48 processes of 16 random layouts,
//! with every function on a 64-byte boundary. Their signs around their mean are drawn anew, so that the truth
//! is what is added.

use bench_diff_core::Gate;

use crate::random::Random;
use crate::script::{Tally, plan};

const CONTRASTS: &str = include_str!("../data/aligned_contrasts.csv");
const RUNS: usize = 300;

/// Each function with how far its contrasts lie from their mean.
fn functions() -> Vec<(&'static str, Vec<f64>)> {
    let mut functions: Vec<(&str, Vec<f64>)> = Vec::new();
    for line in CONTRASTS.lines().skip(1) {
        let (name, contrasts) = line.split_once(',').unwrap();
        let contrasts = contrasts.split(',').map(|contrast| contrast.parse::<f64>().unwrap());
        match functions.iter_mut().find(|(known, _)| *known == name) {
            Some((_, all)) => all.extend(contrasts),
            None => functions.push((name, contrasts.collect())),
        }
    }
    for (_, contrasts) in &mut functions {
        let mean = contrasts.iter().sum::<f64>() / contrasts.len() as f64;
        contrasts.iter_mut().for_each(|contrast| *contrast -= mean);
    }
    functions
}

/// The runs of every function, of 22 that share alpha.
fn tallies(slowdown: f64) -> Vec<(&'static str, Tally)> {
    let functions = functions();
    assert_eq!(functions.len(), 22);
    let plan = plan(Gate::MaxSlowdown(0.02), functions.len());
    let tally = |(index, (name, distances)): (usize, (&'static str, Vec<f64>))| {
        let mut random = Random::new(index as u64 + slowdown.to_bits());
        let script = || {
            let distance = distances[(random.uniform() * distances.len() as f64).ceil() as usize - 1];
            slowdown.ln_1p() + if random.chance(0.5) { distance } else { -distance }
        };
        (name, Tally::of(&plan, RUNS, script))
    };
    functions.into_iter().enumerate().map(tally).collect()
}

fn median(mut values: Vec<usize>) -> usize {
    values.sort_unstable();
    values[values.len() / 2]
}

#[test]
fn unchanged_functions_do_not_fail_and_pass_in_five_rounds() {
    let tallies = tallies(0.0);
    assert_eq!(tallies.iter().map(|(_, tally)| tally.failed).sum::<usize>(), 0);
    let rounds = tallies.iter().map(|(_, tally)| tally.median_rounds()).collect();
    assert!(median(rounds) <= 5);
    assert!(tallies.iter().all(|(_, tally)| tally.median_rounds() <= 16), "{tallies:?}");
}

#[test]
fn five_percent_is_found_and_never_passed() {
    let tallies = tallies(0.05);
    let found =
        |share: f64| tallies.iter().filter(|(_, tally)| tally.failed as f64 >= share * RUNS as f64).count();
    assert!(found(0.98) >= 20 && found(0.95) >= 21 && found(0.6) == 22, "{tallies:?}");
    assert!(median(tallies.iter().map(|(_, tally)| tally.median_rounds()).collect()) <= 14);
    assert!(tallies.iter().all(|(_, tally)| tally.passed * 50 <= RUNS), "{tallies:?}");
}

#[test]
fn ten_percent_is_found_in_all_and_the_far_end_of_the_zone_passes_seldom() {
    for (name, tally) in tallies(0.1) {
        assert!(tally.failed * 100 >= 99 * RUNS, "{name}: {tally:?}");
    }
    // A true rate of 5 % gives more than 28 of 300 once in 1000.
    for (name, tally) in tallies(0.03) {
        assert!(tally.passed <= 28, "{name}: {} passed", tally.passed);
    }
}
