//! Literals of runs and of measurements, for the tests of records and reports.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::{env, fs};

use bench_diff_core::{
    ClockKind, Duo, Gate, JudgeKind, Measurement, Order, Plan, Recording, Rounds, Verdict, Warmup,
};

use crate::record::{
    End, Facts, Figures, GateRecord, Machine, OtherSide, Outcome, PairRecord, PlannedRecord, StartRecord,
};

const SEED: &str = "0000000000008f3a";

/// A pair of a planned run, at a line of one file.
#[derive(Clone)]
pub(crate) struct Entry {
    name: &'static str,
    line: u32,
    baseline: Option<&'static str>,
    is_of_group: bool,
    gate: Gate,
}

/// A pair whose baseline has no name, with the default gate.
pub(crate) fn entry(name: &'static str, line: u32) -> Entry {
    Entry { name, line, baseline: None, is_of_group: false, gate: Gate::MaxSlowdown(0.02) }
}

impl Entry {
    pub(crate) fn baseline(self, baseline: &'static str) -> Self {
        Self { baseline: Some(baseline), ..self }
    }

    /// Shares this baseline with other pairs.
    pub(crate) fn of_group(self, baseline: &'static str) -> Self {
        Self { is_of_group: true, ..self.baseline(baseline) }
    }

    pub(crate) fn gate(self, gate: Gate) -> Self {
        Self { gate, ..self }
    }
}

/// A run before it starts: its first record, and the records of its pairs without an end.
#[derive(Clone)]
pub(crate) struct Planned {
    pub(crate) start: StartRecord,
    pub(crate) pairs: Vec<PairRecord>,
}

/// A run of these pairs, which these flags repeat.
pub(crate) fn planned(flags: &str, entries: &[Entry]) -> Planned {
    let pair = |entry: &Entry| {
        let name = entry.name.to_owned();
        let plan = Plan { zone: entry.gate.zone(), alpha: 0.01 / entries.len() as f64, ..Plan::default() };
        let baseline = entry.baseline.map(str::to_owned);
        PairRecord {
            package: "my_package".to_owned(),
            bench: "sorting".to_owned(),
            repeat: format!(
                "cargo bench -p my_package@1.2.0 --bench sorting -- --exact {name} {flags}--seed {SEED}"
            ),
            name,
            file: "benches/sorting.rs".to_owned(),
            line: entry.line,
            group: baseline.clone().filter(|_| entry.is_of_group),
            against: baseline,
            judge: JudgeKind::Welch,
            gate: GateRecord::of(entry.gate, &plan),
            seed: SEED.to_owned(),
            ..PairRecord::default()
        }
    };
    let pairs: Vec<PairRecord> = entries.iter().map(pair).collect();
    let planned = |pair: &PairRecord| PlannedRecord {
        name: pair.name.clone(),
        group: pair.group.clone(),
        is_compared: pair.against.is_some(),
    };
    let start = StartRecord {
        package: "my_package".to_owned(),
        bench: "sorting".to_owned(),
        seed: SEED.to_owned(),
        pairs: pairs.iter().map(planned).collect(),
        ..StartRecord::default()
    };
    Planned { start, pairs }
}

impl Planned {
    /// The first record of the run on this machine.
    pub(crate) fn started(&self, machine: Machine) -> StartRecord {
        StartRecord { machine, ..self.start.clone() }
    }

    /// The run if its functions are compared with those of this side.
    pub(crate) fn against(mut self, side: OtherSide) -> Self {
        for (pair, planned) in self.pairs.iter_mut().zip(&mut self.start.pairs) {
            (pair.against, pair.group) = (Some(side.name.clone()), None);
            planned.is_compared = true;
        }
        self.start.against = Some(side);
        self
    }
}

/// The verdict with this outcome.
pub(crate) fn verdict(outcome: Outcome) -> Option<Verdict> {
    match outcome {
        Outcome::Pass => Some(Verdict::Pass),
        Outcome::Fail => Some(Verdict::Fail),
        Outcome::Inconclusive => Some(Verdict::Inconclusive),
        _ => None,
    }
}

impl PairRecord {
    /// The record of the pair with this outcome.
    pub(crate) fn ended(&self, outcome: Outcome, reason: Option<String>) -> Self {
        let end = match outcome {
            Outcome::Ignored => End::Ignored { reason, fails_in_old: false },
            Outcome::Error => End::Error { reason: reason.unwrap_or_default(), output: None },
            _ => Figures { verdict: verdict(outcome), reason, ..Figures::default() }.into(),
        };
        Self { end, ..self.clone() }
    }

    /// The figures of a pair that was measured.
    pub(crate) fn of(&self) -> &Figures {
        self.figures().unwrap()
    }
}

impl From<Figures> for PairRecord {
    fn from(figures: Figures) -> Self {
        Self { end: figures.into(), ..Self::default() }
    }
}

impl From<Figures> for End {
    fn from(figures: Figures) -> Self {
        Self::Measured(Arc::new(figures))
    }
}

/// The recording of a process in which only these duos matter: slots of one call, without a warm-up.
pub(crate) fn recording(duos: Vec<Duo>) -> Recording {
    let warmup =
        Warmup { duos: Vec::new(), empty: Vec::new(), iterations: 1, clock: ClockKind::Wall, resolution: 1 };
    Recording::of(warmup, duos)
}

/// A process with some duos, whose functions take these times in nanoseconds and a little more.
fn process([candidate, baseline]: [u64; 2]) -> Recording {
    let duo = |number: u64| {
        let slots = |first: u64, time: u64| [first, first + 7].map(|slot| time + 20 * (slot * 7919 % 13));
        let order = if number.is_multiple_of(2) { Order::BaselineFirst } else { Order::CandidateFirst };
        Duo { order, candidate: slots(2 * number, candidate), baseline: slots(2 * number + 1, baseline) }
    };
    let plain = recording((0..8).map(duo).collect());
    let warmup = Warmup { duos: plain.duos.clone(), empty: vec![400; 8], ..plain.warmup.clone() };
    Recording { warmup, ..plain }
}

/// The rounds of equal processes that decide a plan.
pub(crate) fn in_rounds(plan: &Plan, process: &Recording) -> Measurement {
    let mut judge = Rounds::new(plan);
    let mut rounds = Vec::new();
    while judge.next().is_some() {
        let round = vec![process.clone()];
        judge.add(&round).unwrap();
        rounds.push(round);
    }
    Measurement::of(plan, rounds).unwrap()
}

/// The record of a pair whose functions take these times, if a difference below this one counts as none.
pub(crate) fn judged(pair: &PairRecord, times: [u64; 2], ignore_below: Option<f64>) -> PairRecord {
    let zone = pair.gate.as_ref().and_then(|gate| gate.zone(None));
    let plan = Plan { zone, ignore_below, ..Plan::default() };
    let record = pair.ended(Outcome::Measured, None);
    record.judged(&in_rounds(&plan, &process(times)), Facts::default()).unwrap()
}

/// A run of one function without a baseline, which takes some 20 us.
pub(crate) fn alone() -> (StartRecord, PairRecord, Vec<Vec<Recording>>) {
    let Planned { start, pairs } = planned("", &[entry("alone", 1).gate(Gate::ReportOnly)]);
    let plan = Plan { zone: None, ..Plan::default() };
    let process = Recording { has_baseline: false, ..process([20_000; 2]) };
    let measurement = in_rounds(&plan, &process);
    let record = pairs[0]
        .ended(Outcome::Measured, None)
        .timed(&measurement, &Facts { items: Some(1_000), ..Facts::default() })
        .unwrap();
    (start, record, measurement.rounds)
}

/// A writer that fails with this kind of error.
pub(crate) struct Broken(pub(crate) io::ErrorKind);

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Compares a text with a file of the sources. If UPDATE_EXPECTED is 1, the file is written first.
#[track_caller]
pub(crate) fn is_expected(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(path);
    if env::var_os("UPDATE_EXPECTED").is_some_and(|update| update == "1") {
        fs::write(&file, text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(file).unwrap(), "{path}");
}
