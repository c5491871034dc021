//! Runs whose processes are scripts: the findings are scripted, and the tests check the outcome.

use std::cell::Cell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::time::Duration;

use bench_diff_core::{CACHE_LINE, ClockKind, Duo, JudgeKind, Order, Places, Recording, Seed, Warmup};
use bench_diff_report::record::{
    AllowedRecord, Differs, DoubtKind, FunctionAllocations, OtherSide, PairRecord, Uncompared,
};

use super::fault::Fault;
use super::inbox::FindingResult;
use super::one_pair::{Finding, Share};
use super::open::{MOST_VOID, has_all_places};
use super::raw::RawRecord;
use super::*;
use crate::call::allocations::Allocations;
use crate::call::probe::{Check, no_baseline, not_compared};
use crate::call::value::Never;
use crate::call::work::Work;
use crate::fixture::{
    Allocator, CLOCK, TARGET, add, allocate, allocating, config, entry, entry_alone, equal, figures, listing,
    ok, owned, panicking, pass, planned, ran, recording, run_pairs, same, slower, there, timeless, undecided,
};
use crate::plan::{Proof, Relinking, Repetition, plan};
use crate::register::{Cases, PairEntry};
use crate::settings::Layouts;

fn outcomes(line: &str, entries: &[PairEntry]) -> (Exit, Vec<Outcome>) {
    let (exit, records, _) = ran(line, entries);
    (exit, records.iter().map(PairRecord::outcome).collect())
}

fn sequential(function: &'static str, line: u32, cases: fn(&mut Cases<'_>)) -> PairEntry {
    entry(function, line, cases).judge(JudgeKind::Sequential)
}

fn much_slower(cases: &mut Cases<'_>) {
    add(cases, || pass(22_000), || pass(20_000));
}

#[test]
fn outcomes_decide_the_exit_code() {
    use Outcome::{Error, Fail, Ignored, Inconclusive, Measured, Pass};
    let fair = entry("fair", 1, equal);
    let slow = entry("slow", 2, slower);
    let open = entry("open", 3, undecided).alpha(1e-9).beta(1e-9);
    let broken = entry("broken", 4, panicking);
    let after = entry("after", 9, equal);
    let left_out = entry("left_out", 5, slower).ignore("");
    let reported = entry("reported", 6, slower).report_only(true);

    assert_eq!(outcomes("", &[fair]), (Exit::Success, vec![Pass]));
    assert_eq!(outcomes("", &[fair, slow]), (Exit::Failure, vec![Pass, Fail]));
    assert_eq!(outcomes("", &[open]), (Exit::Success, vec![Inconclusive]));
    assert_eq!(outcomes("--strict", &[open]), (Exit::Failure, vec![Inconclusive]));
    assert_eq!(outcomes("", &[left_out, reported]), (Exit::Success, vec![Ignored, Measured]));
    assert_eq!(outcomes("", &[fair, slow, broken]), (Exit::Error, vec![Pass, Fail, Error]), "3 wins");
    assert_eq!(outcomes("", &[broken, after]), (Exit::Error, vec![Error, Pass]), "the rest goes on");
    assert_eq!(outcomes("nothing", &[slow]), (Exit::Success, vec![]));
}

#[test]
fn a_slowdown_that_the_change_allows_passes_and_is_counted() {
    let entries = [entry("equal", 1, equal), entry("five", 2, slower), entry("ten", 3, much_slower)];
    let mut listing = listing(&entries);
    for pair in &mut listing.pairs {
        pair.allowed = Some(AllowedRecord { slowdown: 0.05, by: "3f2c9e1".to_owned() });
    }
    let plan = plan(&listing, &config(""), &TARGET, Seed(1), None, Repetition::of(&TARGET));
    let (mut outcomes, mut allowed) = (Vec::new(), 0);
    let exit = run_pairs(&plan, &entries, &Machine::default(), &mut |event| match event {
        Event::PairFinished { record, .. } => {
            assert_eq!(record.gate.as_ref().unwrap().allowed, plan.pairs[0].allowed);
            outcomes.push(record.outcome());
        }
        Event::RunFinished(end) => allowed = end.allowed,
        _ => {}
    });
    assert_eq!(
        (exit, outcomes, allowed),
        (Exit::Failure, vec![Outcome::Pass, Outcome::Pass, Outcome::Fail], 1)
    );
}

#[test]
fn a_difference_that_takes_too_little_time_is_none() {
    let pairs = [
        sequential("ignored", 1, slower).ignore_below(5_000.0),
        sequential("both_ways", 2, slower).max_difference(0.02).ignore_below(5_000.0),
        sequential("counted", 3, slower).ignore_below(100.0),
        sequential("welch", 4, slower).judge(JudgeKind::Welch).ignore_below(5_000.0),
        sequential("speedup", 5, slower).min_speedup(1.5).ignore_below(5_000.0),
    ];
    let (exit, mut records, _) = ran("", &pairs);
    assert_eq!(exit, Exit::Failure);
    records.sort_by_key(|record| record.line);
    let outcomes: Vec<_> = records.iter().map(PairRecord::outcome).collect();
    assert_eq!(outcomes, [Outcome::Pass, Outcome::Pass, Outcome::Fail, Outcome::Pass, Outcome::Fail]);
    let decided: Vec<_> =
        records.iter().map(|record| record.ignored.is_some_and(|ignored| ignored.decided)).collect();
    assert_eq!(decided, [true, true, false, true, false]);
    let gate = records[0].gate.as_ref().unwrap();
    assert!((gate.lo - 1.25_f64.ln()).abs() < 1e-2 && (gate.margin, gate.lo2) == (0.02, None), "{gate:?}");
    assert!((records[1].gate.as_ref().unwrap().lo2.unwrap() - 0.75_f64.ln()).abs() < 1e-2);
    assert_eq!(records[4].ignored, None);
}

#[test]
fn fail_fast_stops_after_what_does_not_pass() {
    let pairs = [entry("a", 1, equal), entry("b", 2, slower), entry("c", 3, equal)];
    assert_eq!(outcomes("--fail-fast", &pairs), (Exit::Failure, vec![Outcome::Pass, Outcome::Fail]));
    let open = [entry("a", 1, undecided).alpha(1e-9).beta(1e-9), entry("b", 2, equal)];
    assert_eq!(outcomes("--fail-fast", &open).1.len(), 2);
    assert_eq!(outcomes("--fail-fast --strict", &open).1.len(), 1);
}

#[test]
fn a_function_without_a_baseline_is_timed_whatever_options_pairs_have() {
    for (line, rounds) in [
        ("", 5),
        ("--layouts none", 1),
        ("--max-rounds 2", 2),
        ("--judge welch --max-allocations 0% --ignore-below 1us", 5),
    ] {
        let (exit, mut records, end) = ran(line, &[entry_alone("alone", 1).max_slowdown(0.05)]);
        let record = records.remove(0);
        assert_eq!((exit, end.measured, record.outcome()), (Exit::Success, 1, Outcome::Measured), "{line}");
        assert!(record.figures().is_none() && record.gate.is_none() && record.against.is_none());
        let timing = record.timing().unwrap();
        assert!((timing.latency.ns / 20e3 - 1.0).abs() < 0.02, "{line}: {timing:?}");
        assert_eq!(
            (timing.latency.rounds, timing.slots.candidate.n),
            (rounds, 4 * timing.slots.duos as u64),
            "{line}"
        );
    }
    let _allocator = Allocator::new();
    let cases = |cases: &mut Cases<'_>| {
        cases.add(|probe| {
            probe.without_baseline();
            let call = || {
                allocate(3, 64);
                pass(20_000);
            };
            probe.compare_0(ok(call), no_baseline, not_compared);
        });
    };
    let record = ran("", &[PairEntry { cases, ..entry_alone("allocating", 1) }]).1.remove(0);
    let allocations = record.timing().unwrap().allocations.unwrap();
    assert_eq!((allocations.counted, allocations.candidate.calls, allocations.candidate.bytes), (2, 3, 64));
}

#[test]
fn errors_say_what_happened() {
    let (_, records, _) = ran(
        "",
        &[entry("a", 1, panicking), entry("b", 2, timeless), entry("c", 3, |cases| cases.add(|_| {}))],
    );
    let reasons: Vec<String> = records.iter().map(|record| record.reason().unwrap()).collect();
    assert!(reasons[0].contains("fixture.rs") && reasons[0].ends_with("out of order"), "{}", reasons[0]);
    assert!(reasons[1].contains("the clock sees no time pass"), "{}", reasons[1]);
    assert!(reasons[2].contains("measures nothing"), "{}", reasons[2]);
    assert!(records.iter().all(|record| record.figures().is_none()));
}

#[test]
fn a_record_holds_what_was_measured() {
    let (_, records, end) = ran("--seed 8f3a", &[entry("a", 7, slower)]);
    let record = &records[0];
    assert_eq!((record.name.as_str(), record.line), ("a", 7));
    assert_eq!(record.file, "benches/sorting.rs");
    assert!((figures(record).ratio - 1.05).abs() < 0.002, "{record:?}");
    assert_eq!((figures(record).slots.duos, figures(record).slots.iterations), (100, 1));
    assert_eq!(
        (record.judge, figures(record).slots.clock, figures(record).check),
        (JudgeKind::Welch, ClockKind::Wall, Some(Check::None))
    );
    assert_eq!(record.seed, "0000000000008f3a");
    let (candidate, baseline) = (figures(record).slots.candidate, figures(record).baseline);
    assert_eq!((candidate.n, baseline.n), (200, 200));
    assert!((candidate.median / baseline.median - 1.05).abs() < 0.005);
    assert!(figures(record).p_fail.unwrap() < 1e-6 && figures(record).p_pass.unwrap() > 0.99);
    assert_eq!(figures(record).rounds, None);
    let overhead = figures(record).overhead.unwrap();
    assert!(overhead.share < 1e-3 && overhead.net_ratio.is_none(), "{overhead:?}");
    assert_eq!((end.failed, end.passed), (1, 0));
}

#[test]
fn a_sequential_record_holds_its_rounds() {
    let (_, records, _) = ran("", &[sequential("a", 7, slower)]);
    let record = &records[0];
    assert_eq!((record.outcome(), record.judge), (Outcome::Fail, JudgeKind::Sequential));
    let rounds = figures(record).rounds.as_ref().unwrap();
    // The fewest rounds that may prove a failure.
    assert_eq!((rounds.n, rounds.df, rounds.contrasts.len()), (9, 8, 9));
    assert!((figures(record).ratio - 1.05).abs() < 0.002, "{record:?}");
    assert!(rounds.t.unwrap() > 10.0 && rounds.p.unwrap() < 1e-3, "{rounds:?}");
    let interval = figures(record).interval;
    assert!((interval.level - 0.9).abs() < 1e-12 && interval.low.unwrap() > 1.01, "{interval:?}");
    assert_eq!(figures(record).slots.duos, 9 * 8);
}

/// The reasons of these pairs, which all end in errors.
fn reasons(entries: &[PairEntry]) -> Vec<String> {
    let (exit, records, _) = ran("", entries);
    assert_eq!(exit, Exit::Error);
    records.into_iter().map(|record| record.reason().unwrap()).collect()
}

#[test]
fn an_inconclusive_pair_has_the_cause_as_its_reason() {
    let reason = |entry: PairEntry| {
        let (_, records, _) = ran("", &[entry.alpha(1e-9).beta(1e-9)]);
        assert_eq!(records[0].outcome(), Outcome::Inconclusive, "{:?}", records[0]);
        records[0].reason().unwrap()
    };
    let open = || sequential("open", 1, undecided);
    let by_duos = reason(open().layouts(Layouts::None).max_time(Duration::from_nanos(100_000_000)));
    assert!(by_duos.contains(" measurements: 90 % of them measured between "), "{by_duos}");
    let by_rounds = reason(open());
    assert!(by_rounds.contains(" rounds: 90 % of them measured between "), "{by_rounds}");
}

#[test]
fn an_err_is_never_timed_silently() {
    /// Fails from the call after this number on.
    fn failing(cases: &mut Cases<'_>, after: u64) {
        let calls = Cell::new(0);
        let function = move || {
            pass(20_000);
            calls.set(calls.get() + 1);
            if calls.get() > after { Err(format!("no {}", calls.get())) } else { Ok(()) }
        };
        cases.add(move |probe| probe.compare_0(&function, || Ok(()), same));
    }
    fn at_once(cases: &mut Cases<'_>) {
        failing(cases, 0);
    }
    fn later(cases: &mut Cases<'_>) {
        failing(cases, 100);
    }
    let reasons = reasons(&[entry("a", 1, at_once), entry("b", 2, later), sequential("c", 3, later)]);
    assert_eq!(
        reasons,
        [
            "the candidate returned an error: no 1",
            "the candidate returned an error: no 101",
            "the candidate returned an error: no 101"
        ]
    );
}

#[test]
fn inputs_that_limit_the_slots_are_noted() {
    fn costly(cases: &mut Cases<'_>) {
        #[derive(Clone, PartialEq, Debug)]
        struct Costly(Vec<u8>);
        let make = || {
            CLOCK.with(|clock| clock.advance(Duration::from_millis(1)));
            Costly(Vec::new())
        };
        let function = |_: Costly| {
            pass(1_000);
            Ok(())
        };
        cases.add(move |probe| probe.by_value(function, function, make, |_| Never, same));
    }
    let (_, records, _) = ran("", &[entry("a", 1, costly)]);
    assert_eq!(figures(&records[0]).slots.iterations, 8);
    let notes: Vec<&str> = records[0].notes.iter().map(String::as_str).collect();
    assert!(notes.contains(&"inputs are made before each slot, untimed"), "{notes:?}");
    let limited =
        "a slot has 8 calls, because preparing more takes over 10 ms or 64 MiB, or exceeds the batch size";
    assert!(notes.contains(&limited), "{notes:?}");
}

#[test]
fn the_work_of_a_call_is_what_the_first_round_says() {
    let round_of = |bytes| round(0.1).map(|found| Finding { work: Work { bytes, items: Some(7) }, ..found });
    let rounds = [Some(100), Some(200), None].into_iter().chain([Some(300); 6]).map(round_of);
    let (exit, records, _) = scripted("", vec![rounds.collect()]);
    assert_eq!((exit, records[0].outcome()), (Exit::Failure, Outcome::Fail));
    assert_eq!((figures(&records[0]).slots.bytes, figures(&records[0]).slots.items), (Some(100), Some(7)));
}

#[test]
fn outputs_that_need_a_drop_are_noted() {
    let (_, records, _) = ran("", &[entry("a", 1, owned), entry("b", 2, equal)]);
    assert_eq!(records[0].notes, ["outputs are dropped after each slot, untimed"]);
    let checks = [&records[0], &records[1]].map(|record| figures(record).check);
    assert_eq!(checks, [Check::Equal, Check::None].map(Some));
}

/// Processes whose findings are scripted: for each pair, round by round.
#[derive(Default)]
struct Script {
    found: Vec<VecDeque<FindingResult>>,
    /// The pairs of each round, and the duos of the first of them.
    rounds: Vec<(Vec<usize>, Option<usize>)>,
    /// For each round, in how many random layouts it was.
    layouts: Vec<usize>,
    /// The numbers of the first processes of rounds.
    numbers: Vec<usize>,
    /// The time of the processes so far.
    elapsed: Rc<Cell<Duration>>,
}

/// The finding of a round with this contrast; the number of duos doesn't matter.
fn round(contrast: f64) -> FindingResult {
    let slot = |delta: f64| (1e9 * delta.exp()).round() as u64;
    let duo = Duo { order: Order::BaselineFirst, candidate: [slot(contrast); 2], baseline: [slot(0.0); 2] };
    let plain = recording(vec![duo]);
    let recording = Recording {
        warmup: Warmup { iterations: 1_000_000, clock: ClockKind::Cpu, ..plain.warmup },
        elapsed: Duration::from_millis(3),
        ..plain
    };
    Ok(Finding { check: Check::Equal, recording: Some(RawRecord::from(&recording)), ..Finding::default() })
}

/// The finding of a binary of a round in which both functions are at this offset, counted in quarters of a
/// line.
fn in_place(found: &FindingResult, place: u8) -> FindingResult {
    let mut found = found.clone();
    if let Ok(Finding { recording: Some(raw), .. }) = &mut found {
        let recording = raw.recording();
        let at = Places { candidate: 16 * place, baseline: 16 * place };
        *raw = RawRecord::from(&Recording { places: recording.places.or(Some(at)), ..recording });
    }
    found
}

fn crashed() -> FindingResult {
    Err(Fault::Crashed("SIGSEGV (signal 11)".to_owned()))
}

impl Processes for Script {
    fn round(
        &mut self,
        pairs: &[RoundPair<'_>],
        _: Option<Duration>,
        receive: Receive<'_>,
    ) -> ControlFlow<()> {
        let share = pairs.iter().find_map(|pair| match pair.task {
            Task::Measure { round, .. } => round,
            Task::Check | Task::Compare => None,
        });
        self.rounds.push((pairs.iter().map(|pair| pair.index).collect(), share.map(|share| share.duos)));
        self.layouts.extend(pairs.first().map(|pair| pair.layouts));
        self.numbers.extend(share.map(|share| share.number));
        pairs.iter().try_for_each(|pair| {
            let found = self.found[pair.index].pop_front().expect("the script goes on");
            if let Ok(Finding { recording: Some(raw), .. }) = &found {
                self.elapsed.set(self.elapsed.get() + raw.recording().elapsed);
            }
            if pair.layouts == 0 || found.is_err() {
                return receive(Message::found(pair.index, found));
            }
            let places = 0..pair.layouts as u8;
            places
                .into_iter()
                .try_for_each(|place| receive(Message::found(pair.index, in_place(&found, place))))
        })
    }
}

/// The records of pairs with these scripted rounds, in the order in which they are decided, and the script
/// with the processes that it ran.
fn scripted(line: &str, found: Vec<VecDeque<FindingResult>>) -> (Exit, Vec<PairRecord>, Script) {
    scripted_as(line, found, |plan| plan)
}

/// Runs the script with another plan.
fn scripted_as(
    line: &str,
    found: Vec<VecDeque<FindingResult>>,
    change: impl FnOnce(RunPlan) -> RunPlan,
) -> (Exit, Vec<PairRecord>, Script) {
    scripted_of(|entry| entry, line, found, change)
}

/// Runs the script with other entries.
fn scripted_of(
    entry_of: impl Fn(PairEntry) -> PairEntry,
    line: &str,
    found: Vec<VecDeque<FindingResult>>,
    change: impl FnOnce(RunPlan) -> RunPlan,
) -> (Exit, Vec<PairRecord>, Script) {
    let names = ["a", "b", "c"];
    let entries: Vec<PairEntry> = (1..)
        .zip(&names[..found.len()])
        .map(|(line, name)| entry_of(sequential(name, line, equal).max_time(Duration::from_nanos(u64::MAX))))
        .collect();
    run_script(&change(planned(line, &entries)), found, None)
}

/// Runs a script, with this judge of failures with one codegen unit.
fn run_script(
    plan: &RunPlan,
    found: Vec<VecDeque<FindingResult>>,
    one_unit: OneUnit<'_>,
) -> (Exit, Vec<PairRecord>, Script) {
    let (mut script, mut records) = (Script { found, ..Script::default() }, Vec::new());
    let time = Rc::clone(&script.elapsed);
    let elapsed = || time.get();
    let exit = run_by(plan, &Machine::default(), &mut script, one_unit, &elapsed, &mut |event| match event {
        Event::PairFinished { record, .. } => records.push((*record).clone()),
        Event::RunFinished(end) => {
            let over_budget = |record: &&PairRecord| {
                record.outcome() == Outcome::Inconclusive
                    && record.reason().is_some_and(|reason| reason.starts_with("the budget is spent"))
            };
            assert_eq!(end.over_budget, records.iter().filter(over_budget).count());
        }
        _ => {}
    });
    (exit, records, script)
}

/// Two pairs, `a` and `b`, with all the time that they need.
fn two_patient() -> [PairEntry; 2] {
    [("a", 1), ("b", 2)]
        .map(|(name, line)| sequential(name, line, equal).max_time(Duration::from_nanos(u64::MAX)))
}

/// Rounds with these contrasts, over and over.
fn always(contrasts: &[f64]) -> VecDeque<FindingResult> {
    contrasts.iter().cycle().take(150).map(|contrast| round(*contrast)).collect()
}

#[test]
fn every_open_pair_takes_part_in_a_round_until_it_is_decided() {
    let (exit, records, script) =
        scripted("", vec![always(&[0.05]), always(&[-0.3]), always(&[0.001, -0.001])]);
    assert_eq!(exit, Exit::Failure);
    let decided: Vec<(&str, Outcome, usize)> = records
        .iter()
        .map(|record| (record.name.as_str(), record.outcome(), figures(record).rounds.as_ref().unwrap().n))
        .collect();
    // Passes need fewer rounds than failures, since the three pairs share the error rate of failures.
    assert_eq!(decided, [("b", Outcome::Pass, 5), ("c", Outcome::Pass, 5), ("a", Outcome::Fail, 10)]);
    let pairs: Vec<Vec<usize>> = script.rounds.into_iter().map(|(pairs, _)| pairs).collect();
    assert_eq!(pairs[..5], vec![vec![0, 1, 2]; 5][..]);
    assert_eq!(pairs[5..], vec![vec![0]; 5][..]);
}

#[test]
fn a_process_that_crashes_in_round_4_is_an_error_of_one_pair_alone() {
    let mut crashes = always(&[0.05]);
    crashes[3] = crashed();
    let (exit, records, script) = scripted("", vec![always(&[0.05]), crashes, always(&[0.0])]);
    assert_eq!(exit, Exit::Error);
    assert_eq!((records[0].name.as_str(), records[0].outcome()), ("b", Outcome::Error));
    assert_eq!(records[0].reason().as_deref(), Some("its process was ended by SIGSEGV (signal 11)"));
    assert_eq!(records[0].figures(), None, "earlier findings don't count");
    assert_eq!((records[1].outcome(), records[2].outcome()), (Outcome::Pass, Outcome::Fail));
    assert_eq!(script.rounds[3].0, [0, 1, 2]);
    assert_eq!(script.rounds[4].0, [0, 2]);
}

/// A mode of one function or the other that lasts as long as a process: 30 % in every third process.
#[test]
fn a_mode_that_flips_with_the_process_is_no_slowdown() {
    let modes = [0.001, 0.3, -0.002, 0.0, -0.3, 0.001];
    let (_, records, _) = scripted("", vec![always(&modes)]);
    let rounds = figures(&records[0]).rounds.as_ref().unwrap();
    assert_eq!(records[0].outcome(), Outcome::Pass, "{rounds:?}");
    assert!(rounds.n > 5, "{rounds:?}");
    assert!((figures(&records[0]).ratio - 1.0).abs() < 0.01, "{:?}", figures(&records[0]).ratio);
    // On top of a slowdown, the same modes do not hide it.
    let slow: Vec<f64> = modes.iter().map(|mode| mode + 0.1).collect();
    assert_eq!(scripted("", vec![always(&slow)]).1[0].outcome(), Outcome::Fail);
}

#[test]
fn a_pair_whose_rounds_disagree_is_inconclusive() {
    let (exit, records, script) = scripted("", vec![always(&[0.0, 0.1])]);
    assert_eq!((exit, records[0].outcome()), (Exit::Success, Outcome::Inconclusive));
    assert!((40..120).contains(&script.rounds.len()), "{}", script.rounds.len());
    let reason = records[0].reason().unwrap();
    assert!(reason.ends_with("; more time may not decide, but a wider limit may"), "{reason}");
    let fewer = scripted("--max-rounds 12", vec![always(&[0.0, 0.1])]);
    assert_eq!((fewer.1[0].outcome(), fewer.2.rounds.len()), (Outcome::Inconclusive, 12));
}

/// A run whose first round, in the binary as linked, has one contrast, and whose other rounds have another.
fn in_layouts(linked: f64, contrast: f64) -> (PairRecord, Script) {
    in_layouts_of(linked, &[contrast])
}

fn in_layouts_of(linked: f64, contrasts: &[f64]) -> (PairRecord, Script) {
    let mut found = always(contrasts);
    found.push_front(round(linked));
    let with_layouts = |plan| RunPlan { relinking: Relinking::Possible { has_wide: false }, ..plan };
    let (_, mut records, script) = scripted_as("", vec![found], with_layouts);
    (records.remove(0), script)
}

#[test]
fn the_program_as_linked_is_measured_first_and_not_judged() {
    let (record, script) = in_layouts(0.3, 0.001);
    assert_eq!(record.outcome(), Outcome::Pass);
    let (layouts, rounds) =
        (figures(&record).layouts.as_ref().unwrap(), figures(&record).rounds.as_ref().unwrap());
    assert_eq!((layouts.programs.len(), rounds.n), (5, 5));
    assert!((layouts.linked.unwrap() - 0.3_f64.exp()).abs() < 1e-6 && layouts.balanced, "{layouts:?}");
    let note = "35.0 % slower in the binary as linked: that is its address, not the code";
    assert_eq!((record.advice(), record.notes.len()), ([note.to_owned()].as_slice(), 0));
    assert_eq!(script.layouts, [0, 4, 4, 4, 4, 4]);

    // A difference no larger than between layouts may come from the process or the moment.
    for (linked, is_noted) in [(0.05, false), (0.3, true)] {
        let (record, _) = in_layouts_of(linked, &[-0.025, 0.004, -0.012, 0.016, 0.0]);
        assert_eq!(
            (record.outcome(), record.advice().len()),
            (Outcome::Pass, usize::from(is_noted)),
            "{linked}"
        );
    }

    let (record, _) = in_layouts(0.0, 0.05);
    assert_eq!((record.outcome(), record.advice().len()), (Outcome::Fail, 0));
    assert_eq!(figures(&record).layouts.as_ref().unwrap().linked, Some(1.0));
}

#[test]
fn a_round_of_long_calls_is_one_layout() {
    // A slot is half of that.
    let half = |milliseconds: u64| {
        let duo = Duo {
            order: Order::CandidateOnce,
            candidate: [milliseconds * 1_000_000; 2],
            baseline: [20_000_000; 2],
        };
        let recording = RawRecord::from(&recording(vec![duo]));
        Ok(Finding { check: Check::Equal, recording: Some(recording), ..Finding::default() })
    };
    for (milliseconds, layouts) in [(20, 1), (19, 4)] {
        let mut found: VecDeque<FindingResult> = (0..40).map(|_| half(milliseconds)).collect();
        found.push_front(half(milliseconds));
        let with_layouts = |plan| RunPlan { relinking: Relinking::Possible { has_wide: false }, ..plan };
        let (_, records, script) = scripted_as("", vec![found], with_layouts);
        assert_eq!(records[0].outcome(), Outcome::Pass);
        assert_eq!(script.layouts, [0, layouts, layouts, layouts, layouts, layouts]);
        assert_eq!(script.numbers[1..], [0, 4, 8, 12, 16], "each has its own coin");
    }
}

/// A round of four binaries in which both functions are always at the same offset.
fn in_one_place(contrast: f64) -> FindingResult {
    in_place(&round(contrast), 1)
}

/// A run in layouts that measures this many void rounds, after a good one, and then good ones.
fn with_void_rounds(count: usize) -> (PairRecord, Script) {
    let mut found = always(&[0.001]);
    for _ in 0..count {
        // After the round as linked and a good one.
        found.insert(2, in_one_place(0.3));
    }
    let with_layouts = |plan| RunPlan { relinking: Relinking::Possible { has_wide: false }, ..plan };
    let (_, mut records, script) = scripted_as("", vec![found], with_layouts);
    (records.remove(0), script)
}

#[test]
fn an_unbalanced_round_is_reported_and_not_judged() {
    let (record, script) = with_void_rounds(2);
    assert_eq!(
        (record.outcome(), figures(&record).rounds.as_ref().unwrap().n),
        (Outcome::Pass, 5),
        "{record:?}"
    );
    let note =
        "2 rounds not counted: in their binaries, the functions were not at four offsets of the cache line";
    assert!(record.notes.iter().chain(record.advice()).any(|line| line == note), "{record:?}");
    assert_eq!(script.rounds.len(), 1 + 5 + 2);
    assert_eq!(script.numbers[1..], [0, 4, 4, 4, 8, 12, 16]);
}

#[test]
fn the_programs_of_a_round_share_its_duos_and_its_warm_up() {
    let plan = planned("", &[entry("a", 1, equal)]).pairs[0].plan;
    let round = Some(Share { number: 8, duos: 50, iterations: 1, is_first: false, is_of_four: false });
    let Task::Measure { plan: part, round: Some(share) } = Task::Measure { plan, round }.share_of(1) else {
        panic!("no share")
    };
    assert_eq!(part.warmup, plan.warmup / 4);
    assert_eq!((share.number, share.duos, share.is_of_four), (9, 13, true));
}

#[test]
fn a_function_with_a_wide_alignment_cannot_be_at_four_offsets() {
    let Ok(Finding { recording: Some(raw), .. }) = round(0.0) else { panic!("no recording") };
    let recording = raw.recording();
    let has_all_if = |has_wide, candidate: [u8; 4], baseline: [u8; 4]| {
        let places = candidate.into_iter().zip(baseline);
        let places = places.map(|(candidate, baseline)| Places { candidate, baseline });
        let process = |places| Recording { places: Some(places), ..recording.clone() };
        has_all_places(&places.map(process).collect::<Vec<_>>(), has_wide)
    };
    let has_all = |candidate, baseline| has_all_if(true, candidate, baseline);
    let all = [48, 16, 0, 32];
    let half = (CACHE_LINE / 2) as u8;
    assert!(has_all(all, all) && has_all([5, 21, 37, 53], all));
    assert!(has_all([half, 0, 0, half], all) && has_all(all, [0; 4]));
    assert!(has_all_if(false, all, all) && !has_all_if(false, [half, 0, 0, half], all));
    assert!(!has_all([32, 0, 0, 0], all) && !has_all(all, [16; 4]) && !has_all([16, 16, 48, 48], all));
}

#[test]
fn a_pair_that_is_hardly_ever_balanced_is_an_error() {
    let enough = MOST_VOID + 1;
    assert_eq!(with_void_rounds(enough).0.outcome(), Outcome::Pass, "with the good one before");
    let (record, script) = with_void_rounds(enough + 1);
    assert_eq!((record.outcome(), record.figures()), (Outcome::Error, None));
    let reason = record.reason().unwrap();
    assert!(
        reason.starts_with("10 rounds not counted: ") && reason.contains("`--layouts linked`"),
        "{reason}"
    );
    assert_eq!(script.rounds.len(), 1 + 1 + 10);
}

#[test]
fn functions_at_the_same_address_need_no_layouts() {
    let mut found = always(&[0.3]);
    if let Ok(finding) = &mut found[0] {
        let recording = finding.recording.take().unwrap().recording();
        finding.recording = Some(RawRecord::from(&Recording { is_one_function: true, ..recording }));
    }
    let with_layouts = |plan| RunPlan { relinking: Relinking::Possible { has_wide: false }, ..plan };
    let (_, records, script) = scripted_as("", vec![found], with_layouts);
    assert_eq!((records[0].outcome(), figures(&records[0]).ratio), (Outcome::Pass, 1.0));
    assert_eq!((script.rounds.len(), &figures(&records[0]).layouts), (1, &None));
}

#[test]
fn proven_equal_code_is_decided_by_the_first_round() {
    let found = || vec![always(&[0.3]), always(&[0.3])];
    let differs = || Differs {
        function: "f".to_owned(),
        baseline_bytes: 7,
        candidate_bytes: 8,
        why: "changed machine code".to_owned(),
    };
    let proofs = HashMap::from([
        ("a".to_owned(), Proof::same()),
        ("b".to_owned(), Proof { differs: Some(differs()), ..Proof::default() }),
    ]);
    for (min_speedup, outcome) in [(None, Outcome::Pass), (Some(1.5), Outcome::Fail)] {
        let with_proofs = |mut plan: RunPlan| {
            plan.prove(&proofs);
            plan.relinked(Relinking::Possible { has_wide: false })
        };
        let gate = |entry: PairEntry| min_speedup.map_or(entry, |times| entry.min_speedup(times));
        let (_, records, script) = scripted_of(gate, "", found(), with_proofs);
        let [same, other] = ["a", "b"].map(|name| records.iter().find(|it| it.name == name).unwrap());
        assert_eq!((same.outcome(), figures(same).ratio, figures(same).same_code), (outcome, 1.0, true));
        assert_eq!(
            (&figures(same).layouts, &figures(same).differs, &figures(same).doubt),
            (&None, &None, &None)
        );
        assert_eq!((figures(other).same_code, &figures(other).differs), (false, &Some(differs())));
        // The other pair gets all of alpha.
        assert_eq!(other.gate.as_ref().unwrap().alpha, 0.01);
        assert_eq!(script.rounds[0].0, [0, 1]);
        assert!(script.rounds[1..].iter().all(|(pairs, _)| pairs == &[1]));
    }
}

#[test]
fn a_failure_is_judged_again_with_one_unit_where_the_compiler_splits_crates() {
    let ends = |is_split, one_unit: Result<Outcome, String>| {
        let plan = RunPlan { against: Some(OtherSide::default()), ..planned("", &two_patient()) };
        let mut rebuilt = Vec::new();
        let judge = &mut |pairs: &[&PairPlan]| {
            rebuilt.extend(pairs.iter().map(|pair| pair.listed.name.clone()));
            one_unit.clone().map(|outcome| vec![outcome])
        };
        let one_unit: OneUnit<'_> = if is_split { Some(judge) } else { None };
        let found = vec![always(&[0.05]), always(&[0.0])];
        let (exit, records, _) = run_script(&plan, found, one_unit);
        assert_eq!(rebuilt.is_empty(), !is_split, "{rebuilt:?}");
        let record = |name: &str| records.iter().find(|record| record.name == name).unwrap();
        let doubt = |name: &str| record(name).doubt().map(|doubt| doubt.kind);
        assert_eq!(doubt("b"), None, "{records:?}");
        (exit, doubt("a"))
    };
    let (red, inconclusive) = ((Exit::Failure, None), (Exit::Success, Some(DoubtKind::Units)));
    assert_eq!(ends(false, Ok(Outcome::Pass)), red);
    assert_eq!(ends(true, Ok(Outcome::Fail)), red);
    assert_eq!(ends(true, Ok(Outcome::Error)), red);
    assert_eq!(ends(true, Err("it does not compile".to_owned())), red);
    assert_eq!(ends(true, Ok(Outcome::Inconclusive)), red);
    assert_eq!(ends(true, Ok(Outcome::Pass)), inconclusive);
}

#[test]
fn too_many_allocations_fail_however_crates_are_split() {
    let [entry, _] = two_patient();
    let of_call = |calls| FunctionAllocations { calls, bytes: 8, most_calls: calls, most_bytes: 8, peak: 8 };
    let mut found = always(&[0.05]);
    found[0].as_mut().unwrap().allocations =
        Some(Allocations { max: None, counted: 2, candidate: of_call(2), baseline: of_call(1) });
    let plan = planned("", &[entry.max_allocations(0.0)]);
    let (exit, records, _) = run_script(&plan, vec![found], Some(&mut |_| Ok(vec![Outcome::Pass])));
    let outcomes = (records[0].outcome(), records[0].outcome_of_time());
    assert_eq!((exit, outcomes), (Exit::Failure, (Outcome::Fail, Outcome::Inconclusive)));
}

#[test]
fn the_first_failure_that_holds_with_one_unit_breaks_a_run_off() {
    let plan = planned("--fail-fast", &two_patient());
    let ends = |outcome| {
        let found = vec![always(&[0.05]), always(&[0.05, -0.05])];
        let (_, records, _) = run_script(&plan, found, Some(&mut |_: &[&PairPlan]| Ok(vec![outcome])));
        records.into_iter().map(|record| (record.name.clone(), record.outcome())).collect::<Vec<_>>()
    };
    assert_eq!(ends(Outcome::Fail), [("a".to_owned(), Outcome::Fail)]);
    let both = ["a", "b"].map(|name| (name.to_owned(), Outcome::Inconclusive));
    assert_eq!(ends(Outcome::Pass), both);
}

#[test]
fn a_pair_without_a_gate_may_take_long() {
    let slow = |entry: PairEntry| entry.report_only(true).max_time(Duration::from_millis(100));
    let (exit, records, _) = scripted_of(slow, "", vec![always(&[0.0])], |plan| plan);
    assert_eq!((exit, records[0].outcome()), (Exit::Success, Outcome::Measured), "{records:?}");
}

/// Rounds with these contrasts, over and over, which take this long.
fn lasting(seconds: u64, contrasts: &[f64]) -> VecDeque<FindingResult> {
    let mut rounds = always(contrasts);
    for found in &mut rounds {
        let raw = found.as_mut().unwrap().recording.as_mut().unwrap();
        let recording = raw.recording();
        *raw = RawRecord::from(&Recording { elapsed: Duration::from_secs(seconds), ..recording });
    }
    rounds
}

/// For each pair its name, its outcome, its rounds and the reason.
fn ends(records: &[PairRecord]) -> Vec<(&str, Outcome, usize, Option<String>)> {
    let rounds = |record: &PairRecord| {
        let rounds = record.figures().and_then(|figures| figures.rounds.as_ref());
        rounds.map_or(0, |rounds| rounds.n)
    };
    records.iter().map(|it| (it.name.as_str(), it.outcome(), rounds(it), it.reason())).collect()
}

const SPENT: &str = "the budget is spent";

#[test]
fn a_budget_decides_the_fast_pairs_first() {
    let found = || vec![lasting(20, &[0.001]), lasting(1, &[0.05]), lasting(2, &[0.0])];
    let (exit, records, script) = scripted("--budget 100s", found());
    assert_eq!(exit, Exit::Failure);
    let slow = ("a", Outcome::Inconclusive, 4, Some(SPENT.to_owned()));
    assert_eq!(ends(&records), [("c", Outcome::Pass, 5, None), ("b", Outcome::Fail, 10, None), slow]);
    assert!((figures(&records[2]).ratio - 1.001).abs() < 1e-6, "{records:?}");
    assert_eq!(records[2].notes, [""; 0], "no advice on other limits");
    // One round of all, then those that can be decided, then the slow one as far as it gets.
    let pairs: Vec<&[usize]> = script.rounds.iter().map(|(pairs, _)| &pairs[..]).collect();
    assert_eq!(pairs[..2], [&[0, 1, 2][..], &[1, 2]]);
    assert_eq!(pairs[10..], [[0]; 3]);
    assert_eq!(script.elapsed.get().as_secs(), 100);
    let (_, _, script) = scripted("--budget 1000s", found());
    assert_eq!(script.rounds[4].0.len(), 3, "with enough time, all together");
}

#[test]
fn what_a_budget_leaves_unmeasured_is_said() {
    let found = || vec![lasting(3, &[0.05]), lasting(3, &[0.05]), lasting(3, &[0.05])];
    let (exit, records, script) = scripted("--budget 5s", found());
    let not_yet = Some(format!("{SPENT}: it was not measured yet"));
    let inconclusive = Outcome::Inconclusive;
    let spent = Some(SPENT.to_owned());
    assert_eq!(exit, Exit::Success);
    assert_eq!(
        ends(&records),
        [
            ("a", inconclusive, 1, spent.clone()),
            ("b", inconclusive, 1, spent),
            ("c", inconclusive, 0, not_yet)
        ]
    );
    assert_eq!(script.rounds.len(), 1);
    assert_eq!(scripted("--budget 5s --strict", found()).0, Exit::Failure);

    // Nothing is judged, so nothing is inconclusive.
    let (exit, records, _) = scripted("--budget 5s --strict --report-only", found());
    let outcomes: Vec<Outcome> = records.iter().map(PairRecord::outcome).collect();
    assert_eq!(
        (exit, outcomes),
        (Exit::Success, vec![Outcome::Measured, Outcome::Measured, Outcome::Ignored])
    );
    assert_eq!(records[0].advice(), [SPENT]);
    let against = Some(OtherSide::default());
    let beside = |plan| RunPlan { relinking: Relinking::Possible { has_wide: false }, against, ..plan };
    let (exit, records, _) = scripted_as("--budget 5s --strict --report-only", found(), beside);
    assert!(records.iter().all(|record| record.end == End::Unmeasured { same_code: false }), "{records:?}");
    assert_eq!(exit, Exit::Success, "not that nothing could be compared");
}

#[test]
fn a_proven_pair_needs_little_of_a_budget() {
    let proofs = HashMap::from([("b".to_owned(), Proof::same())]);
    let knowing = |mut plan: RunPlan| {
        plan.prove(&proofs);
        plan
    };
    let found = vec![lasting(20, &[0.05]), lasting(1, &[0.3])];
    let (_, records, _) = scripted_as("--budget 10s", found, knowing);
    assert_eq!(ends(&records)[0], ("b", Outcome::Pass, 1, None));
    // The same code as before passes unmeasured, but how much it allocates is not proven.
    let proofs = HashMap::from(["a", "b", "c"].map(|name| (name.to_owned(), Proof::same())));
    let knowing = |mut plan: RunPlan| {
        plan.prove(&proofs);
        plan.pairs[2].max_allocations = Some(0.0);
        plan
    };
    let outcomes = |against: Option<OtherSide>| {
        let found = vec![lasting(20, &[0.0]), lasting(20, &[0.0]), lasting(20, &[0.0])];
        let knowing = |plan| RunPlan { against: against.clone(), ..knowing(plan) };
        let (_, records, _) = scripted_as("--budget 10s", found, knowing);
        records.iter().map(PairRecord::outcome).collect::<Vec<_>>()
    };
    let (pass, open) = (Outcome::Pass, Outcome::Inconclusive);
    assert_eq!(outcomes(Some(OtherSide::default())), [pass, pass, open]);
    assert_eq!(outcomes(None), [pass, open, open], "of a pair, it may be to be faster");
}

#[test]
fn a_budget_that_ends_after_a_single_slot_is_no_error() {
    let mut found = lasting(20, &[0.0]);
    for found in &mut found {
        let raw = found.as_mut().unwrap().recording.as_mut().unwrap();
        let duos = vec![Duo { order: Order::BaselineOnce, candidate: [1_000; 2], baseline: [1_000; 2] }];
        *raw = RawRecord::from(&Recording { duos, ..raw.recording() });
    }
    let (exit, records, _) = scripted("--budget 10s", vec![found]);
    let not_yet = Some(format!("{SPENT}: it was not measured yet"));
    assert_eq!((exit, ends(&records)), (Exit::Success, vec![("a", Outcome::Inconclusive, 0, not_yet)]));
}

#[test]
fn a_process_of_nextest_has_no_budget() {
    let in_nextest = |mut plan: RunPlan| {
        plan.config.surroundings.nextest_run = Some("1".to_owned());
        let why = "--budget has no effect under nextest, which starts a process for each function";
        assert_eq!(plan.warnings(), [why]);
        plan
    };
    let (_, records, _) = scripted_as("--budget 1s", vec![lasting(20, &[0.0])], in_nextest);
    assert_eq!(ends(&records), [("a", Outcome::Pass, 5, None)]);
}

#[test]
fn gaps_in_the_proof_are_reported() {
    let unknown = |mut plan: RunPlan| {
        plan.prove(&HashMap::from([("a".to_owned(), Proof::unknown("no map".to_owned()))]));
        plan
    };
    let (_, records, _) = scripted_as("", vec![always(&[0.0])], unknown);
    assert!(!figures(&records[0]).same_code);
    assert_eq!(records[0].notes, ["not known whether both functions have identical machine code: no map"]);
}

#[test]
fn a_failure_at_a_single_address_is_inconclusive() {
    let unlinkable = |plan: RunPlan| plan.relinked(Relinking::Impossible("there is no linker".to_owned()));
    let (exit, records, _) = scripted_as("", vec![always(&[0.05]), always(&[0.0])], unlinkable);
    assert_eq!(exit, Exit::Success);
    let said = |index: usize| (records[index].outcome(), records[index].reason());
    assert_eq!(said(0), (Outcome::Pass, None));
    assert_eq!(
        said(1),
        (Outcome::Inconclusive, Some("code placement could be the cause: there is no linker".to_owned()))
    );
    assert!(
        records.iter().all(|record| record.doubt().is_some_and(|doubt| doubt.why == "there is no linker"))
    );
    let in_ci = |plan| {
        let mut plan = unlinkable(plan);
        plan.config.surroundings.ci = true;
        plan
    };
    let (exit, records, _) = scripted_as("", vec![always(&[0.05]), always(&[0.0])], in_ci);
    let outcomes: Vec<Outcome> = records.iter().map(PairRecord::outcome).collect();
    assert_eq!((exit, outcomes), (Exit::Error, vec![Outcome::Pass, Outcome::Error]));
    let reason = records[1].reason().unwrap();
    assert!(
        reason.contains(
            "code placement could be the cause: there is no linker; with CI set, this is reported as an error"
        ),
        "{reason}"
    );
    assert!(reason.contains("`--layouts linked`"), "{reason}");
    let linked = scripted_as("--layouts linked", vec![always(&[0.05])], in_ci);
    assert_eq!(linked.1[0].outcome(), Outcome::Fail);
    let linked = scripted_as("--layouts linked", vec![always(&[0.05])], unlinkable);
    assert_eq!((linked.1[0].outcome(), linked.1[0].doubt()), (Outcome::Fail, None));
    let all = scripted_as("--layouts all", vec![always(&[0.05])], unlinkable);
    let reason = "layouts = \"all\", and this bench binary cannot be linked again: there is no linker";
    assert_eq!((all.0, all.1[0].reason().as_deref()), (Exit::Error, Some(reason)));
}

/// A pair with eleven allocations against ten, and with equal times.
fn allocating_pair(line: &str, change: fn(PairEntry) -> PairEntry) -> (Exit, PairRecord) {
    let (exit, mut records, _) = ran(line, &[change(entry("a", 1, allocating))]);
    (exit, records.remove(0))
}

#[test]
fn a_pair_fails_for_its_allocations_in_every_kind_of_run() {
    let _allocator = Allocator::new();
    for line in [
        "",
        "--judge sequential",
        "--judge sequential --layouts none",
        "--judge sequential --max-slowdown 0.01%",
    ] {
        let (exit, record) = allocating_pair(line, |entry| entry.max_allocations(0.0));
        assert_eq!((exit, record.outcome()), (Exit::Failure, Outcome::Fail), "{line}");
        let reason = record.reason().unwrap();
        assert!(reason.starts_with("11 allocations (704 B) per call against 10 allocations (640 B)"));
        assert_ne!(record.outcome_of_time(), Outcome::Fail, "{line}");
        let allowed = allocating_pair(line, |entry| entry.max_allocations(0.1)).1;
        assert_eq!(allowed.outcome(), record.outcome_of_time(), "{line}");
    }
}

#[test]
fn a_pair_without_a_gate_does_not_fail_for_its_allocations() {
    let _allocator = Allocator::new();
    let (exit, record) = allocating_pair("--report-only", |entry| entry.max_allocations(0.0));
    assert_eq!((exit, record.outcome()), (Exit::Success, Outcome::Measured));
    assert_eq!(figures(&record).allocations.unwrap().candidate.calls, 11);
    let (exit, record) = allocating_pair("", |entry| entry);
    assert_eq!((exit, figures(&record).allocations.unwrap().max), (Exit::Success, None), "there is no limit");
}

#[test]
fn a_limit_without_an_allocator_is_an_error() {
    let (exit, record) = allocating_pair("--judge sequential", |entry| entry.max_allocations(0.0));
    assert_eq!((exit, record.outcome()), (Exit::Error, Outcome::Error));
    assert!(record.reason().unwrap().contains("#[global_allocator]"));
    let (exit, record) = allocating_pair("", |entry| entry);
    assert_eq!((exit, figures(&record).allocations), (Exit::Success, None));

    // A change may add the allocator together with the limit.
    for relinking in [Relinking::NotTried, Relinking::Possible { has_wide: false }] {
        let mut found = always(&[0.0]);
        found[0].as_mut().unwrap().lacks_counts_in_old = true;
        let in_layouts = |plan| RunPlan { relinking, ..plan };
        let (_, records, _) = scripted_of(|entry| entry.max_allocations(0.0), "", vec![found], in_layouts);
        assert_eq!((records[0].outcome(), figures(&records[0]).allocations), (Outcome::Pass, None));
        let said = "`max_allocations` is not checked: the old revision has no allocator that counts";
        assert_eq!(records[0].advice().last().unwrap(), said);
        assert_eq!(records[0].advice().iter().filter(|line| *line == said).count(), 1, "{records:?}");
    }
}

/// The records of functions that are compared with themselves in another revision, whose benchmarks may do
/// other work for this reason.
fn against(entries: &[PairEntry], other_work: Option<&str>) -> Vec<PairRecord> {
    let new = listing(entries);
    let others = there(&new);
    let (compared, _) = new.against(&others);
    let (name, other_work) = ("3f2c9e1".to_owned(), other_work.map(str::to_owned));
    let against = Some(OtherSide { id: Some(name.clone()), name, other_work, ..OtherSide::default() });
    let plan = plan(&compared, &config(""), &TARGET, Seed(1), None, Repetition::of(&TARGET));
    let mut records = Vec::new();
    run_pairs(&RunPlan { against, ..plan }, entries, &Machine::default(), &mut |event| {
        if let Event::PairFinished { record, .. } = event {
            records.push((*record).clone());
        }
    });
    records
}

/// The end of a run against a binary with functions of these names, or against one that is missing for this
/// reason.
fn compared(
    line: &str,
    in_nextest: bool,
    entries: &[PairEntry],
    others: &[&'static str],
    missing: Option<Uncompared>,
) -> (Exit, Option<Uncompared>) {
    let others: Vec<PairEntry> = (1..).zip(others).map(|(line, name)| entry(name, line, equal)).collect();
    let others = there(&listing(&others));
    let (listing, mut not_compared) = listing(entries).against(&others);
    let mut config = config(line);
    config.surroundings.nextest_run = in_nextest.then(|| "1".to_owned());
    not_compared.retain(|name| config.selection.selects(name) && !config.selection.skips(name));
    let against = Some(OtherSide { not_compared, uncompared: missing, ..OtherSide::default() });
    let plan =
        RunPlan { against, ..plan(&listing, &config, &TARGET, Seed(1), None, Repetition::of(&TARGET)) };
    let mut uncompared = None;
    let exit = run_pairs(&plan, entries, &Machine::default(), &mut |event| {
        if let Event::RunFinished(end) = event {
            uncompared = end.uncompared();
        }
    });
    (exit, uncompared)
}

#[test]
fn a_run_that_compared_nothing_is_an_error_where_it_is_strict() {
    use Exit::{Error, Success};
    let [a, b] = [entry("a", 1, equal), entry("b", 2, equal)];
    let no_function = Some(Uncompared::NoFunction);
    for (entries, others, missing, expected) in [
        (&[a, b][..], &["a", "b"][..], None, None),
        // New or renamed.
        (&[a, b], &["a"], None, None),
        (&[a, b], &["c"], None, no_function),
        (&[a, b.ignore("later")], &["b"], None, no_function),
        (&[a.ignore(""), b.ignore("later")], &["a", "b"], None, no_function),
        (&[a, b], &[], Some(Uncompared::OtherHarness), Some(Uncompared::OtherHarness)),
        (&[a, b], &[], Some(Uncompared::NotListed), Some(Uncompared::NotListed)),
        // If both sides are the same tree, there is nothing to compare.
        (&[], &[], None, None),
    ] {
        let of = |line| compared(line, false, entries, others, missing);
        assert_eq!(of(""), (Success, expected), "{others:?} {missing:?}");
        let strict = if expected.is_some() { Error } else { Success };
        assert_eq!(of("--strict"), (strict, expected), "{others:?} {missing:?}");
    }
    let broken = [entry("a", 1, panicking), b.ignore("later")];
    assert_eq!(compared("", false, &broken, &["a", "b"], None), (Error, None), "an error says enough");
    let (exit, why) = compared("--strict", false, &[a], &[], Some(Uncompared::NewBench));
    assert_eq!((exit, why), (Success, Some(Uncompared::NewBench)), "a change may bring a bench along");

    // The selected pairs count, unless other processes compare the rest.
    let strict = |in_nextest, others| compared("--strict --exact a", in_nextest, &[a, b], others, None).0;
    assert_eq!((strict(false, &["b"]), strict(true, &["b"]), strict(true, &["c"])), (Error, Success, Error));
}

#[test]
fn with_against_a_function_is_judged_with_or_without_a_baseline() {
    let alone = PairEntry { baseline: None, ..sequential("alone", 2, slower) };
    let records = against(&[sequential("pair", 1, slower).min_speedup(0.5), alone], None);
    for record in records {
        assert_eq!((record.outcome(), record.against.as_deref()), (Outcome::Fail, Some("3f2c9e1")));
    }
}

#[test]
fn a_benchmark_that_may_do_other_work_does_not_fail() {
    let _allocator = Allocator::new();
    let entries = [
        sequential("slower", 1, slower),
        sequential("equal", 2, equal),
        sequential("allocating", 3, allocating).max_allocations(0.0),
        entry("welch", 4, slower),
    ];
    let records = against(&entries, Some("its own may do other work"));
    let of = |name: &str| records.iter().find(|record| record.name == name).unwrap();
    let outcomes = ["slower", "equal", "allocating", "welch"].map(|name| of(name).outcome());
    let inconclusive = Outcome::Inconclusive;
    assert_eq!(outcomes, [inconclusive, Outcome::Pass, inconclusive, inconclusive]);
    assert_eq!(of("slower").reason().unwrap(), "its own may do other work");
    let reason = of("allocating").reason().unwrap();
    assert!(reason.contains("over the limit of +0 %\nits own may do other work"), "{reason}");
}
