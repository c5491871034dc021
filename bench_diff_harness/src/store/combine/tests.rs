//! The combined evidence of several runs.

use bench_diff_core::{Bounds, Duo, Gate, Order, Recording, Verdict, judge_again};

use super::*;
use crate::call::allocations::FunctionAllocations;
use crate::fixture::{entry, equal, planned, recording};
use crate::record::json::Word;
use crate::record::{Doubt, IgnoredRecord, RoundsRecord};
use crate::register::PairEntry;

/// A record at alpha 1 % and beta 5 %: ln 100 = 4.605, ln 200 = 5.298, ln 20 = 2.996.
fn record(entry: PairEntry, seed: u64, [fail, pass]: [f64; 2]) -> PairRecord {
    let plan = planned(&format!("--seed {seed} --judge sequential"), &[entry]);
    let figures = Figures {
        outcome: Outcome::Inconclusive,
        reason: Some("noisy".to_owned()),
        ln_e_fail: Some(fail),
        ln_e_pass: Some(pass),
        rounds: Some(rounds()),
        duos: usize::try_from(seed).unwrap() * 8,
        ratio: 1.0 + seed as f64 / 100.0,
        ..Figures::default()
    };
    let program = Some("0123456789abcdef".to_owned());
    PairRecord { program, ..PairRecord::unmeasured(&plan, &plan.pairs[0], figures.into()) }
}

fn rounds() -> RoundsRecord {
    RoundsRecord { n: 1, spread: 0.0, t: None, df: 0, p: None, contrasts: vec![0.0] }
}

fn joined(records: &[PairRecord]) -> Result<PairRecord, String> {
    let paths = ["one.jsonl", "two.jsonl", "three.jsonl"].map(Path::new);
    let sources: Vec<_> =
        records.iter().zip(paths).map(|(record, path)| Source { record, side: None, path }).collect();
    combined(&sources).map(|(_, record)| record)
}

fn of(entry: PairEntry, evidence: &[[f64; 2]]) -> PairRecord {
    let seeds = 1..;
    let records: Vec<_> =
        seeds.zip(evidence).map(|(seed, evidence)| record(entry, seed, *evidence)).collect();
    joined(&records).unwrap()
}

fn near(actual: Option<f64>, expected: f64) {
    assert!((actual.unwrap() - expected).abs() < 1e-12, "{actual:?} is not {expected}");
}

#[test]
fn evidence_of_runs_multiplies() {
    use Outcome::{Fail, Inconclusive, Pass};
    let slowdown = entry("a", 1, equal);
    for (evidence, expected) in [
        (&[[2.3, -5.0], [2.31, -5.0]][..], Fail),
        (&[[2.3, -5.0], [2.3, -5.0]], Inconclusive),
        (&[[-5.0, 1.5], [-5.0, 1.5]], Pass),
        (&[[-5.0, 1.5], [-5.0, 1.49]], Inconclusive),
        (&[[4.7, -5.0], [-5.0, 4.0]], Inconclusive),
        (&[[2.0, -1.0], [2.0, -1.0], [2.0, -1.0]], Fail),
    ] {
        assert_eq!(of(slowdown, evidence).outcome(), expected, "{evidence:?}");
    }
    let record = of(slowdown, &[[2.0, -1.0], [1.0, 0.5]]);
    near(record.of().ln_e_fail, 3.0);
    near(record.of().ln_e_pass, -0.5);
    near(record.of().p_fail, (-3.0_f64).exp());
    near(record.of().p_pass, 1.0);
    assert_eq!(record.reason().as_deref(), Some("2 runs together prove neither a pass nor a failure"));
}

#[test]
fn a_doubt_of_one_run_is_one_of_all() {
    let runs = [1, 2].map(|seed| record(entry("a", 1, equal), seed, [4.0, -5.0]));
    assert_eq!(joined(&runs).unwrap().outcome(), Outcome::Fail);
    let [one, other] = runs;
    let combined = joined(&[one, other.doubted(Some(Doubt::UNITS))]).unwrap();
    assert_eq!((combined.outcome(), combined.doubt()), (Outcome::Inconclusive, Some(Doubt::UNITS)));
}

#[test]
fn the_bounds_of_all_runs_are_those_that_hold_in_each() {
    let run = |seed: u64, share: f64, below_ns: f64| {
        let record = record(entry("a", 1, equal).max_difference(0.02), seed, [-5.0, 2.0]);
        let ignored = IgnoredRecord { below_ns, share, decided: seed == 1 };
        let zone = Gate::MaxDifference(0.02).zone().unwrap().ignoring(share);
        let faster = zone.faster.unwrap();
        let gate = GateRecord {
            lo: zone.slower.lo,
            hi: zone.slower.hi,
            lo2: Some(faster.lo),
            hi2: Some(faster.hi),
            ..record.gate.clone().unwrap()
        };
        PairRecord { ignored: Some(ignored), gate: Some(gate), ..record }
    };
    let both = joined(&[run(1, 0.12, 1.0), run(2, 0.13, 1.0)]).unwrap();
    assert_eq!(both.outcome(), Outcome::Pass);
    let gate = both.gate.unwrap();
    near(Some(gate.lo), 1.12_f64.ln());
    near(Some(gate.hi), 1.39_f64.ln());
    near(gate.lo2, 0.88_f64.ln());
    near(gate.hi2, 0.61_f64.ln());
    assert!(both.ignored.unwrap().decided);
    let error = joined(&[run(1, 0.12, 1.0), run(2, 0.12, 2.0)]).unwrap_err();
    assert_eq!(error, "their ignore_below differs");
}

#[test]
fn two_directions_are_paid_for_in_every_run() {
    use Outcome::{Fail, Inconclusive, Pass};
    let difference = entry("a", 1, equal).max_difference(0.02);
    // ln 100 + 2 ln 2 = 5.9915 for two runs.
    for (evidence, expected) in [
        (&[[3.0, -5.0], [2.9916, -5.0]][..], Fail),
        (&[[3.0, -5.0], [2.9914, -5.0]], Inconclusive),
        (&[[-5.0, 1.5], [-5.0, 1.5]], Pass),
    ] {
        assert_eq!(of(difference, evidence).outcome(), expected, "{evidence:?}");
    }
    let record = of(difference, &[[3.0, 0.0], [1.0, 0.0]]);
    near(record.of().ln_e_fail, 4.0 - 2.0_f64.ln());
    near(record.of().p_fail, 4.0 * (-4.0_f64).exp());
    near(of(difference, &[[0.1, 0.0], [0.1, 0.0]]).of().p_fail, 1.0);
}

#[test]
fn the_figures_are_those_of_the_longest_run_and_the_notes_list_all() {
    let entry = entry("a", 1, equal);
    let mut records = [record(entry, 3, [0.5, 1.0]), record(entry, 9, [1.0, 0.5])];
    records[1].notes = vec!["inputs are made".to_owned(), "noisy".to_owned()];
    let joined = joined(&records).unwrap();
    assert_eq!((joined.of().duos, joined.of().ratio), (72, 1.09));
    assert_eq!(
        joined.notes,
        [
            "inputs are made",
            "2 runs are combined: their evidence multiplies, the figures are those of the longest",
            "inconclusive with seed 0000000000000003: ratio 1.0300, 24 duos, ln E 0.50 for a failure and 1.00 for a pass \
             (one.jsonl)",
            "inconclusive with seed 0000000000000009: ratio 1.0900, 72 duos, ln E 1.00 for a failure and 0.50 for a pass \
             (two.jsonl)",
        ],
        "what kept the longest run from a verdict is no note on all"
    );
}

#[test]
fn what_is_no_independent_run_of_one_gate_is_refused() {
    let plain = entry("a", 1, equal);
    let first = record(plain, 1, [1.0, 1.0]);
    let second = || record(plain, 2, [1.0, 1.0]);
    for (other, expected) in [
        (record(plain, 1, [2.0, 1.0]), "they have the same seed 0000000000000001, and"),
        (record(plain.max_slowdown(0.03), 2, [1.0, 1.0]), "their limits or error rates differ"),
        (record(plain.beta(0.02), 2, [1.0, 1.0]), "their limits or error rates differ"),
        (record(plain.report_only(true), 2, [1.0, 1.0]), "their limits or error rates differ"),
        (PairRecord { judge: Word(JudgeKind::Welch), ..second() }, "two.jsonl: it has the judge welch"),
        (second().failed(String::new()), "two.jsonl: it could not be measured"),
        (second().with(|of| of.outcome = Outcome::Measured), "two.jsonl: it has no verdict"),
        (second().with(|of| of.ln_e_fail = None), "two.jsonl: its record has no evidence"),
        (second().with(|of| of.rounds = None), "two.jsonl: it was measured in one process"),
        (
            PairRecord { program: None, ..second() },
            "two.jsonl: its record does not say in which bench binary",
        ),
        (
            PairRecord { program: Some("fedcba9876543210".to_owned()), ..second() },
            "their rounds are of different binaries",
        ),
    ] {
        let error = joined(&[first.clone(), other]).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_record_of_several_runs_keeps_all_their_seeds() {
    let entry = entry("a", 1, equal);
    let [first, second, third] = [1, 2, 3].map(|seed| record(entry, seed, [0.5, 0.5]));
    let both = joined(&[first.clone(), second.clone()]).unwrap();
    assert_eq!(both.seed, "0000000000000001+0000000000000002");
    for one in [&first, &second] {
        let error = joined(&[both.clone(), one.clone()]).unwrap_err();
        let expected = format!("they have the same seed {}", one.seed);
        assert!(error.starts_with(&expected), "{error}");
    }
    let all = joined(&[both, third]).unwrap();
    assert_eq!(all.seed, "0000000000000001+0000000000000002+0000000000000003");
    near(all.of().ln_e_fail, 1.5);
}

#[test]
fn verdicts_that_contradict_each_other_are_refused() {
    let entry = entry("a", 1, equal);
    let of = |seed, outcome, evidence| record(entry, seed, evidence).with(|of| of.outcome = outcome);
    let (fail, pass) = (of(1, Outcome::Fail, [4.7, -3.0]), of(2, Outcome::Pass, [-9.0, 8.0]));
    assert_eq!(
        joined(&[fail.clone(), pass]).unwrap_err(),
        "they contradict each other, so the machines differ"
    );
    let open = of(2, Outcome::Inconclusive, [-1.0, 2.9]);
    assert_eq!(joined(&[fail, open]).unwrap().outcome(), Outcome::Inconclusive);
}

#[test]
fn a_run_that_can_prove_nothing_weighs_nothing() {
    let entry = entry("a", 1, equal);
    let nothing = record(entry, 2, [0.0; 2]).with(|of| (of.ln_e_fail, of.ln_e_pass) = (None, None));
    let both = joined(&[record(entry, 1, [4.0, -1.0]), nothing.clone()]).unwrap();
    near(both.of().ln_e_fail, 4.0);
    near(both.of().ln_e_pass, -1.0);
    let odd = nothing.with(|of| of.outcome = Outcome::Pass);
    assert!(
        joined(&[record(entry, 1, [4.0, -1.0]), odd]).unwrap_err().ends_with("its record has no evidence")
    );
}

/// Numbers between -1 and 1 (SplitMix64; Steele, Lea & Flood 2014).
struct Noise(u64);

impl Noise {
    fn draw(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Rounds of functions that differ by delta, in noise of up to 10 % whose median is 0.
    fn rounds(&mut self, delta: f64, count: usize) -> Vec<Vec<Recording>> {
        let round = |_| {
            let slot = (1e9 * (delta + 0.1 * self.draw()).exp()) as u64;
            let duo =
                Duo { order: Order::CandidateFirst, candidate: [slot; 2], baseline: [1_000_000_000; 2] };
            vec![recording(vec![duo])]
        };
        (0..count).map(round).collect()
    }
}

/// The outcomes of two runs of a pair and that of both together; the functions differ by delta.
fn outcomes(gate: Gate, rate: f64, delta: f64, noise: &mut Noise) -> [Outcome; 3] {
    let entry = match gate {
        Gate::MaxDifference(margin) => entry("a", 1, equal).max_difference(margin),
        _ => entry("a", 1, equal),
    };
    let line = format!("--judge sequential --alpha {rate} --max-rounds 12 --max-time 1min");
    let entry = entry.beta(rate);
    let plan = planned(&line, &[entry]);
    let base = record(entry, 1, [0.0; 2]);
    let base = PairRecord { gate: GateRecord::of(gate, &plan.pairs[0].plan), ..base };
    let runs = ["1", "2"].map(|seed| {
        let rejudged = judge_again(&plan.pairs[0].plan, noise.rounds(delta, 12)).unwrap();
        let judgement = rejudged.measurement.judgement;
        PairRecord { seed: seed.to_owned(), ..base.clone() }.with(|of| {
            of.outcome = match judgement.verdict.unwrap() {
                Verdict::Fail => Outcome::Fail,
                Verdict::Pass => Outcome::Pass,
                Verdict::Inconclusive => Outcome::Inconclusive,
            };
            (of.ln_e_fail, of.ln_e_pass) = (judgement.ln_e_fail, judgement.ln_e_pass);
        })
    });
    // Contradictory runs are an error of their pair, not a verdict.
    let both = joined(&runs).map_or(Outcome::Error, |both| both.outcome());
    let [first, second] = runs.map(|run| run.outcome());
    [first, second, both]
}

/// The number of 300 combinations with this outcome, and the number of their first runs with it.
fn count(gate: Gate, rate: f64, delta: f64, wanted: Outcome) -> [usize; 2] {
    let mut noise = Noise(7);
    let all: Vec<_> = (0..300).map(|_| outcomes(gate, rate, delta, &mut noise)).collect();
    let of = |which: usize| all.iter().filter(|outcomes| outcomes[which] == wanted).count();
    [of(2), of(0)]
}

#[test]
fn a_combination_keeps_the_error_rates_of_its_runs() {
    for gate in [Gate::MaxSlowdown(0.02), Gate::MaxDifference(0.02)] {
        let Bounds { lo, hi } = gate.zone().unwrap().slower;
        // Binomial (300, .1) at the most: mean 30, standard deviation 5.2; the limit is 3 of them.
        let [false_failures, _] = count(gate, 0.1, lo, Outcome::Fail);
        let [false_passes, _] = count(gate, 0.1, hi, Outcome::Pass);
        assert!(false_failures <= 45 && false_passes <= 45, "{gate:?}: {false_failures}, {false_passes}");
    }
}

#[test]
fn a_combination_knows_more_than_one_run() {
    let gate = Gate::MaxSlowdown(0.02);
    for (delta, outcome) in [(0.08, Outcome::Fail), (-0.04, Outcome::Pass)] {
        let [both, one] = count(gate, 0.001, delta, outcome);
        assert!(both > one + 20, "{outcome:?}: {both}, {one} of one run");
    }
}

#[test]
fn one_piece_of_code_needs_no_evidence() {
    let entry = entry("a", 1, equal);
    let proven = |seed, outcome| {
        record(entry, seed, [0.0; 2]).with(|of| {
            (of.outcome, of.same_code) = (outcome, Some(true));
            (of.ln_e_fail, of.ln_e_pass) = (None, None);
            of.p_fail = Some(if outcome == Outcome::Fail { 0.0 } else { 1.0 });
            of.p_pass = Some(if outcome == Outcome::Pass { 0.0 } else { 1.0 });
        })
    };
    for outcome in [Outcome::Pass, Outcome::Fail] {
        let both = joined(&[proven(1, outcome), proven(2, outcome)]).unwrap();
        assert_eq!((both.outcome(), both.of().ln_e_fail, both.of().ln_e_pass), (outcome, None, None));
    }
}

#[test]
fn the_same_code_is_that_in_any_program_and_shares_no_alpha() {
    let measured = record(entry("a", 1, equal), 1, [-1.0, 1.0]);
    let same = record(entry("a", 1, equal).alpha(0.02), 2, [0.0, 0.0]).with(|figures| {
        figures.outcome = Outcome::Pass;
        (figures.same_code, figures.p_fail, figures.p_pass) = (Some(true), Some(1.0), Some(0.0));
        (figures.ln_e_fail, figures.ln_e_pass) = (None, None);
    });
    let same = PairRecord { program: Some("fedcba9876543210".to_owned()), ..same };
    let both = joined(&[measured, same]).unwrap();
    assert_eq!(both.outcome(), Outcome::Pass);
    // The alpha of the run in which more pairs share it.
    assert_eq!(both.gate.unwrap().alpha, 0.01);
}

/// The outcome of runs of which each counted these allocations of the candidate beside two of the baseline,
/// and the count in their record.
fn with_allocations(runs: &[Option<u64>]) -> (Outcome, Option<u64>) {
    let of = |calls| FunctionAllocations { calls, bytes: 8, most_calls: calls, most_bytes: 8, peak: 8 };
    let counted = |(seed, calls): (u64, &Option<u64>)| {
        record(entry("a", 1, equal), seed, [-5.0, 3.0]).with_allocations(calls.map(|calls| {
            AllocationsRecord { max: Some(0.0), counted: 2, candidate: of(calls), baseline: of(2) }
        }))
    };
    let records: Vec<PairRecord> = (1..).zip(runs).map(counted).collect();
    let record = joined(&records).unwrap();
    (record.outcome(), record.of().allocations.map(|allocations| allocations.candidate.calls))
}

#[test]
fn one_run_that_breaks_the_gate_on_allocations_is_enough() {
    assert_eq!(with_allocations(&[Some(2), Some(2)]), (Outcome::Pass, Some(2)));
    assert_eq!(with_allocations(&[Some(2), Some(3), Some(4)]), (Outcome::Fail, Some(3)));
}
