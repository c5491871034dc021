//! What the process of a run and the process of a round say to each other.
//!
//! The one writes a request into a file, the other reads it, takes the file away, and adds a line to a second
//! file whenever it begins a pair and whenever it has found something of it. Standard input and output belong
//! to the functions. Each line has the word of this process, which no output has by chance.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;

use bench_diff_core::{
    Bounds, ClockCost, ClockPolicy, Clocks, Instruments, JudgeKind, OrderPolicy, Plan, SelfTest, Zone,
};

use super::one_pair::{Finding, Task};
use crate::call::allocations::Allocations;
use crate::call::probe::Check;
use crate::call::work::Work;
use crate::record::json::Word;
use crate::record::{RawRecord, json, nanoseconds};
use crate::settings::grammar;
use crate::system::exit::Exit;
use crate::system::input;

/// The largest request that is read, in bytes: some hundred thousand pairs.
const LARGEST: u64 = 1 << 30;

/// The longest line of an answer that is read, in bytes: a pair of some million slots.
const LONGEST_LINE: usize = 256 << 20;

/// The file of an answer, in the folder of its request.
const ANSWER: &str = "answer";

/// What a process is asked for.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(super) struct Request {
    /// What every line of the answer has.
    pub(super) word: String,
    pub(super) costs: CostsRequest,
    pub(super) pairs: Vec<PairRequest>,
}

/// What its clocks cost, which the process of the run has measured.
#[derive(Clone, Copy, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(super) struct CostsRequest {
    wall: CostRequest,
    cpu: Option<CostRequest>,
    empty_call_ns: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
struct CostRequest {
    resolution_ns: u64,
    reading_ns: u64,
}

/// A pair that is asked for.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(super) struct PairRequest {
    pub(super) name: String,
    /// Whether nothing is to be called.
    compare: bool,
    /// None where nothing is to be measured.
    plan: Option<PlanRequest>,
    /// The number of the round from 0, and its duos; none where all is measured in this process.
    round: Option<usize>,
    duos: Option<usize>,
    /// Whether that round counts allocations.
    counts: bool,
}

/// A plan, with times in nanoseconds.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
struct PlanRequest {
    /// The bounds of the zone, four where both directions break the gate.
    zone: Vec<f64>,
    judge: Word<JudgeKind>,
    alpha: f64,
    beta: f64,
    slots: u64,
    max_time_ns: u64,
    warmup_ns: u64,
    max_rounds: Option<usize>,
    max_tail: Option<f64>,
    self_test_ratio: Option<f64>,
    self_test_share: Option<f64>,
    ignore_below_ns: Option<f64>,
    clock: Word<ClockPolicy>,
    control: bool,
    order: Word<OrderPolicy>,
    seed: String,
}

/// A line of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Line {
    /// The pair of this place in the request is going to be called; so many bytes were printed before.
    Begun { pair: usize, startup: Duration, printed: u64 },
    /// What was found of it, or why nothing was.
    Found { pair: usize, found: Box<Result<Finding, String>> },
    /// Nothing more is to come.
    End,
}

/// All that a line may hold.
#[derive(Default, miniserde::Deserialize, miniserde::Serialize)]
struct LineRecord {
    /// First, so that whose line it is can be told before it is parsed.
    word: String,
    event: String,
    pair: Option<usize>,
    /// The time from the start of the process to its first pair.
    startup_ns: Option<u64>,
    /// The bytes of output before it.
    printed: Option<u64>,
    check: Option<Check>,
    is_one_function: Option<bool>,
    allocations: Option<Allocations>,
    /// What one call works on.
    bytes: Option<u64>,
    items: Option<u64>,
    raw: Option<RawRecord>,
    call_notes: Option<Vec<String>>,
    reason: Option<String>,
}

impl CostsRequest {
    pub(super) fn of(instruments: &Instruments<'_, impl Clocks>) -> Self {
        let cost = |ClockCost { resolution, reading }| CostRequest {
            resolution_ns: resolution,
            reading_ns: reading,
        };
        Self {
            wall: cost(instruments.wall()),
            cpu: instruments.cpu().map(cost),
            empty_call_ns: instruments.empty_call(),
        }
    }

    pub(super) fn instruments<'c, C: Clocks>(&self, clocks: &'c C) -> Instruments<'c, C> {
        let cost = |CostRequest { resolution_ns, reading_ns }| ClockCost {
            resolution: resolution_ns,
            reading: reading_ns,
        };
        Instruments::measured_before(clocks, cost(self.wall), self.cpu.map(cost), self.empty_call_ns)
    }
}

impl PairRequest {
    pub(super) fn new(name: &str, task: Task) -> Self {
        let (plan, round, duos, counts) = match task {
            Task::Check | Task::Compare => (None, None, None, false),
            Task::Round { plan, number, duos, counts } => (Some(plan), Some(number), Some(duos), counts),
            Task::Whole { plan } => (Some(plan), None, None, false),
        };
        let (name, compare) = (name.to_owned(), task == Task::Compare);
        Self { name, compare, plan: plan.as_ref().map(PlanRequest::from), round, duos, counts }
    }

    pub(super) fn task(&self) -> Result<Task, String> {
        let Some(plan) = &self.plan else {
            return Ok(if self.compare { Task::Compare } else { Task::Check });
        };
        let plan = plan.plan()?;
        Ok(match (self.round, self.duos) {
            (Some(number), Some(duos)) => Task::Round { plan, number, duos, counts: self.counts },
            _ => Task::Whole { plan },
        })
    }
}

impl From<&Plan> for PlanRequest {
    fn from(plan: &Plan) -> Self {
        let bounds = plan.zone.iter().flat_map(|zone| [Some(zone.slower), zone.faster]).flatten();
        Self {
            zone: bounds.flat_map(|Bounds { lo, hi }| [lo, hi]).collect(),
            judge: Word(plan.judge),
            alpha: plan.alpha,
            beta: plan.beta,
            slots: plan.slots,
            max_time_ns: nanoseconds(plan.max_time),
            warmup_ns: nanoseconds(plan.warmup),
            max_rounds: plan.max_rounds,
            max_tail: plan.max_tail,
            self_test_ratio: plan.self_test.map(|test| test.ratio),
            self_test_share: plan.self_test.map(|test| test.share),
            ignore_below_ns: plan.ignore_below,
            clock: Word(plan.clock),
            control: plan.control,
            order: Word(plan.order),
            seed: plan.seed.to_string(),
        }
    }
}

impl PlanRequest {
    fn plan(&self) -> Result<Plan, String> {
        let bounds = |lo: f64, hi: f64| Bounds { lo, hi };
        Ok(Plan {
            zone: match self.zone[..] {
                [lo, hi] => Some(Zone { slower: bounds(lo, hi), faster: None }),
                [lo, hi, lo2, hi2] => Some(Zone { slower: bounds(lo, hi), faster: Some(bounds(lo2, hi2)) }),
                _ => None,
            },
            judge: self.judge.0,
            alpha: self.alpha,
            beta: self.beta,
            slots: self.slots,
            max_time: Duration::from_nanos(self.max_time_ns),
            warmup: Duration::from_nanos(self.warmup_ns),
            max_rounds: self.max_rounds,
            max_tail: self.max_tail,
            self_test: self
                .self_test_ratio
                .zip(self.self_test_share)
                .map(|(ratio, share)| SelfTest { ratio, share }),
            ignore_below: self.ignore_below_ns,
            clock: self.clock.0,
            control: self.control,
            order: self.order.0,
            seed: grammar::seed(&self.seed)?,
        })
    }
}

impl Request {
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        File::create_new(path)?.write_all(json::to_string(self).as_bytes())
    }

    /// Reads a request and takes its file away, so that no function finds the word in it.
    pub(super) fn take(path: &Path) -> Result<Self, String> {
        let cannot = |error: &dyn std::fmt::Display| format!("cannot read {}: {error}", path.display());
        let bytes = input::read(path, LARGEST).map_err(|error| cannot(&error))?;
        // Whoever asked removes the folder.
        let _ = fs::remove_file(path);
        json::from_str(&String::from_utf8_lossy(&bytes)).map_err(|error| cannot(&error))
    }
}

/// Where the answer to a request goes.
pub(super) struct Answer {
    path: PathBuf,
    word: String,
    /// The process that was asked.
    process: u32,
}

impl Answer {
    /// Beside the request.
    pub(super) fn to(path: &Path, request: &Request) -> Self {
        Self { path: path.with_file_name(ANSWER), word: request.word.clone(), process: process::id() }
    }

    /// Adds a line. The file is opened for it, since a function may close what is open, and may have put
    /// something else in its place.
    ///
    /// A process that a function forked, and that came back from it, ends here: nobody asked it.
    pub(super) fn emit(&self, line: Line) -> io::Result<()> {
        if process::id() != self.process {
            Exit::Error.leave();
        }
        let mut text = json::to_string(&line.record(&self.word));
        text.push('\n');
        let mut file = input::without_waiting(OpenOptions::new().append(true)).open(&self.path)?;
        input::require_regular(&file)?;
        file.write_all(text.as_bytes())
    }
}

impl Line {
    fn record(self, word: &str) -> LineRecord {
        let mut record =
            LineRecord { word: word.to_owned(), event: "end".to_owned(), ..LineRecord::default() };
        match self {
            Self::End => {}
            Self::Begun { pair, startup, printed } => {
                record.event = "begun".to_owned();
                record.pair = Some(pair);
                record.startup_ns = Some(nanoseconds(startup));
                record.printed = Some(printed);
            }
            Self::Found { pair, found } => {
                record.event = "found".to_owned();
                record.pair = Some(pair);
                match *found {
                    Ok(Finding { check, is_one_function, work, allocations, recording, call_notes }) => {
                        record.check = Some(check);
                        record.is_one_function = Some(is_one_function);
                        (record.bytes, record.items) = (work.bytes, work.items);
                        record.allocations = allocations;
                        record.raw = recording.as_ref().map(RawRecord::from);
                        record.call_notes = Some(call_notes);
                    }
                    Err(reason) => record.reason = Some(reason),
                }
            }
        }
        record
    }

    /// How each line of the process begins that has this word.
    fn start(word: &str) -> String {
        format!("{{\"word\":{},", json::to_string(word))
    }

    fn read(text: &str) -> Result<Self, String> {
        let record: LineRecord = json::from_str(text)?;
        let pair = || record.pair.ok_or_else(|| "it names no pair".to_owned());
        match record.event.as_str() {
            "end" => Ok(Self::End),
            "begun" => {
                let startup = Duration::from_nanos(record.startup_ns.unwrap_or_default());
                Ok(Self::Begun { pair: pair()?, startup, printed: record.printed.unwrap_or_default() })
            }
            "found" => {
                let found = match (record.reason, record.check) {
                    (Some(reason), _) => Err(reason),
                    (None, None) => return Err("it neither has a check nor a reason".to_owned()),
                    (None, Some(check)) => Ok(Finding {
                        check,
                        is_one_function: record.is_one_function.unwrap_or_default(),
                        allocations: record.allocations,
                        work: Work { bytes: record.bytes, items: record.items },
                        recording: record.raw.map(|raw| raw.recording()).transpose()?,
                        call_notes: record.call_notes.unwrap_or_default(),
                    }),
                };
                Ok(Self::Found { pair: pair()?, found: Box::new(found) })
            }
            event => Err(format!("the event '{event}' is unknown")),
        }
    }
}

/// Reads an answer while it is written.
pub(super) struct Listener {
    file: BufReader<File>,
    /// How each line begins.
    start: String,
    /// The beginning of a line whose end is still to come.
    rest: Vec<u8>,
}

impl Listener {
    /// Makes the file of the answer to the request in this file.
    pub(super) fn to(request: &Path, word: &str) -> io::Result<Self> {
        let path = request.with_file_name(ANSWER);
        let file = OpenOptions::new().read(true).append(true).create_new(true).open(path)?;
        Ok(Self { file: BufReader::new(file), start: Line::start(word), rest: Vec::new() })
    }

    /// The next line; none where it is still to come.
    pub(super) fn line(&mut self) -> Option<Result<Line, String>> {
        let room = LONGEST_LINE + 1 - self.rest.len();
        if let Err(error) = (&mut self.file).take(room as u64).read_until(b'\n', &mut self.rest) {
            return Some(Err(error.to_string()));
        }
        let line = match self.rest.strip_suffix(b"\n") {
            Some(line) if line.starts_with(self.start.as_bytes()) => {
                Line::read(&String::from_utf8_lossy(line))
            }
            Some(_) => Err("it is not of this process".to_owned()),
            None if self.rest.len() > LONGEST_LINE => {
                Err(format!("it has a line of more than {} MiB", LONGEST_LINE >> 20))
            }
            None => return None,
        };
        self.rest.clear();
        Some(line)
    }
}
