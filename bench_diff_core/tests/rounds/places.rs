//! Rounds of four processes whose functions lie at four places: what cancels, what does not, and the level
//! under what is left.

use bench_diff_core::{Bounds, Gate, Measurement, Recording};

use crate::binomial::acceptable;
use crate::random::Random;
use crate::script::{RISK, Tally, plan, round};

const SHORT: usize = 400;
const FULL: usize = 4000;

const GATE: Gate = Gate::MaxSlowdown(0.02);

/// The cost of a function at each of its places, as logarithms: both pay the same in the mean.
const OF_CANDIDATE: [f64; 4] = [0.26, 0.0, 0.0, 0.0];
const OF_BASELINE: [f64; 4] = [0.0, 0.13, 0.13, 0.0];

/// The spread of processes in any case.
const NOISE: f64 = 0.002;

fn place(random: &mut Random) -> usize {
    (random.uniform() * 4.0).ceil() as usize - 1
}

/// A round in which each function lies at each place once, and how far one lies from the other is drawn.
fn balanced(random: &mut Random, of: impl Fn(usize, usize) -> f64) -> [f64; 4] {
    let (first, apart) = (place(random), place(random));
    [0, 1, 2, 3].map(|process| of((first + process) % 4, (first + process + apart) % 4))
}

fn of_places(candidate: usize, baseline: usize) -> f64 {
    OF_CANDIDATE[candidate] - OF_BASELINE[baseline]
}

/// Runs of rounds whose processes have these contrasts, of this many pairs that share alpha.
fn tally<const N: usize>(
    (name, pairs, runs): (&str, usize, usize),
    seed: u64,
    contrasts: impl Fn(&mut Random) -> [f64; N],
) -> Tally {
    let mut random = Random::new(seed);
    let tally = Tally::of_processes(&plan(GATE, pairs), runs, || contrasts(&mut random).map(round).to_vec());
    let Tally { failed, passed, .. } = &tally;
    println!("| {name} | {failed} fail, {passed} pass of {runs} | {} rounds |", tally.median_rounds());
    tally
}

/// An effect of the place of one function alone leaves no trace.
fn places_cancel(runs: usize) {
    let noisy = |random: &mut Random| balanced(random, of_places).map(|it| it + random.normal(NOISE));
    let balanced = tally(("places, balanced", 1, runs), 1, noisy);
    assert_eq!((balanced.failed, balanced.passed, balanced.median_rounds()), (0, runs, 5));
    let scattered = |random: &mut Random| [(); 4].map(|()| of_places(place(random), place(random)));
    let scattered = tally(("places at random", 1, runs), 2, scattered);
    let Tally { failed, passed, .. } = &scattered;
    assert!(passed * 4 < runs * 3 && scattered.median_rounds() > 50, "{failed} failed, {passed} passed");
}

/// A mode that makes the candidate slow by 10 % for the life of a process counts by its share, also where
/// most processes are without it.
fn a_mode_counts(runs: usize) {
    fn processes<const N: usize>(share: f64) -> impl Fn(&mut Random) -> [f64; N] {
        move |random| {
            [(); N].map(|()| {
                let mode = if random.chance(share) { 0.1_f64.ln_1p() } else { 0.0 };
                mode + random.normal(NOISE)
            })
        }
    }
    // The share of runs that fail at least and at most, and of those that pass.
    for (share, fail, pass) in
        [(0.2, [0.0, 0.1], [0.85, 1.0]), (0.3, [0.5, 0.75], [0.15, 0.4]), (0.6, [0.99, 1.0], [0.0, 0.01])]
    {
        let seed = (share * 100.0) as u64;
        let alone = tally((&format!("a mode in {share}, one process"), 1, runs), seed, processes::<1>(share));
        assert!(share > 0.5 || alone.failed * 10 < runs, "the median of single processes is 0 up to a half");
        let four = tally((&format!("a mode in {share}, four"), 1, runs), seed, processes::<4>(share));
        let is_within =
            |count: usize, [least, most]: [f64; 2]| (least..=most).contains(&(count as f64 / runs as f64));
        assert!(is_within(four.failed, fail), "{share}: {} of {runs} failed", four.failed);
        assert!(is_within(four.passed, pass), "{share}: {} of {runs} passed", four.passed);
    }
}

/// If two places interact and one of 16 combinations pays for all others, the mean is 0 and three rounds of
/// four are slow. This fails, since the median of rounds is not made for it.
fn a_skewed_interaction_fails(runs: usize) {
    let slow = 0.2_f64.ln_1p();
    let of = |candidate, baseline| if (candidate, baseline) == (0, 0) { -15.0 * slow } else { slow };
    let noisy = |random: &mut Random| balanced(random, of).map(|it| it + random.normal(NOISE));
    for (pairs, least, most) in [(1, 0.99, 1.0), (22, 0.9, 1.0)] {
        let Tally { failed, .. } = tally((&format!("an interaction, {pairs} pairs"), pairs, runs), 5, noisy);
        let share = failed as f64 / runs as f64;
        assert!((least..=most).contains(&share), "{failed} of {runs} failed with {pairs} pairs");
    }
}

/// The noise from process to process beside its places.
type Shape = fn(&mut Random) -> f64;

const SHAPES: [(&str, Shape); 4] = [
    ("normal 1 %", |random| random.normal(0.01)),
    ("normal 10 %", |random| random.normal(0.1)),
    ("Student's t with 1.5 degrees of freedom", |random| (0.01 * random.student(1.5)).clamp(-10.0, 10.0)),
    // One process of four has it in 48 % of rounds.
    ("a mode of 10 % in 15 %", |random| if random.chance(0.15) { 0.1 } else { 0.0 }),
];

fn the_level_holds(runs: usize) {
    let Bounds { lo, hi } = GATE.zone().unwrap().slower;
    for (seed, (name, shape)) in (11..).zip(SHAPES) {
        // The bound itself is not beyond it, which rounding must not change.
        let at = |bound: f64, sign: f64, pairs: usize| {
            let contrasts = |random: &mut Random| {
                balanced(random, of_places).map(|of_places| bound + of_places + sign * shape(random))
            };
            tally((name, pairs, runs), seed, contrasts)
        };
        let (Tally { failed, .. }, Tally { passed, .. }) = (at(lo - 1e-7, 1.0, 1), at(hi + 1e-7, -1.0, 22));
        assert!(failed <= acceptable(runs, 0.01, RISK), "{name}: {failed} of {runs} failed");
        assert!(passed <= acceptable(runs, 0.05, RISK), "{name}: {passed} of {runs} passed");
    }
}

/// What both functions of a look of one layout have in common. Each function adds its own cost in its place
/// and mode, and `later` is what the one that goes second pays more.
struct OneLayout {
    name: &'static str,
    cost: fn(&mut Random) -> f64,
    later: f64,
}

/// The same code in looks of one layout: which function goes first is a fair coin, and each side draws its
/// place alone.
fn looks_of_one_layout_keep_the_level(runs: usize) {
    let looks = [
        OneLayout { name: "a drift", cost: |random| random.normal(0.001), later: 0.05 },
        OneLayout { name: "first calls that warm up", cost: |random| random.normal(0.02), later: -0.3 },
        OneLayout {
            name: "two modes",
            cost: |random| if random.chance(0.3) { 0.25 } else { 0.0 },
            later: 0.0,
        },
        OneLayout { name: "a place worth 20 %", cost: |random| 0.2 * (place(random) / 3) as f64, later: 0.0 },
    ];
    let Bounds { lo, .. } = GATE.zone().unwrap().slower;
    for (seed, OneLayout { name, cost, later }) in (31..).zip(looks) {
        for pairs in [1, 24] {
            let contrasts = |random: &mut Random| {
                let later = if random.chance(0.5) { later } else { -later };
                [lo - 1e-7 + cost(random) - cost(random) + later]
            };
            let Tally { failed, .. } = tally((name, pairs, runs), seed, contrasts);
            let most = acceptable(runs, 0.01 / pairs as f64, RISK);
            assert!(failed <= most, "{name}, {pairs} pairs: {failed} of {runs} failed");
        }
    }
}

#[test]
fn places_that_cancel_leave_no_spread() {
    let mut random = Random::new(1);
    let rounds: Vec<Vec<Recording>> =
        (0..20).map(|_| balanced(&mut random, of_places).map(round).to_vec()).collect();
    let figures = Measurement::of(&plan(GATE, 1), rounds).unwrap().judgement.rounds.unwrap();
    // Slots are whole nanoseconds.
    assert!(figures.contrasts.iter().all(|contrast| contrast.abs() < 1e-8), "{figures:?}");
}

#[test]
fn what_depends_on_one_place_is_never_red() {
    places_cancel(SHORT);
}

#[test]
fn a_mode_of_the_candidate_counts_by_its_share() {
    a_mode_counts(SHORT);
}

#[test]
fn where_two_places_interact_the_median_of_rounds_is_not_the_mean() {
    a_skewed_interaction_fails(SHORT);
}

#[test]
fn at_the_bounds_places_change_no_rate() {
    the_level_holds(SHORT);
}

#[test]
fn looks_of_one_layout_are_fair() {
    looks_of_one_layout_keep_the_level(SHORT);
}

mod in_full {
    use super::*;

    #[test]
    #[ignore = "ten seconds"]
    fn looks_of_one_layout_are_fair() {
        looks_of_one_layout_keep_the_level(FULL);
    }

    #[test]
    #[ignore = "ten seconds"]
    fn what_depends_on_one_place_is_never_red() {
        places_cancel(FULL);
    }

    #[test]
    #[ignore = "ten seconds"]
    fn a_mode_of_the_candidate_counts_by_its_share() {
        a_mode_counts(FULL);
    }

    #[test]
    #[ignore = "ten seconds"]
    fn where_two_places_interact_the_median_of_rounds_is_not_the_mean() {
        a_skewed_interaction_fails(FULL);
    }

    #[test]
    #[ignore = "ten seconds"]
    fn at_the_bounds_places_change_no_rate() {
        the_level_holds(FULL);
    }
}
