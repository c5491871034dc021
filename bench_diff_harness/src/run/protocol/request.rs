//! The request to a process.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use bench_diff_core::{
    Bounds, ClockCost, ClockPolicy, Clocks, Instruments, JudgeKind, Plan, Seed, Zone, saturating_nanoseconds,
};
use bench_diff_system::json;

use crate::plan::PairKey;
use crate::run::one_pair::{Share, Task};
use crate::settings::grammar;

/// The largest request that is read, in bytes. It is enough for some hundred thousand pairs.
const LARGEST: u64 = 1 << 30;

/// The request to a process.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(in crate::run) struct Request {
    /// The process of the run.
    pub(in crate::run) run: u32,
    /// The attributes whose pairs are not listed, by their positions.
    pub(in crate::run) without: Vec<usize>,
    /// The round to measure; `None` if the process has to list the pairs.
    pub(in crate::run) round: Option<RoundRequest>,
    /// True if it takes turns with another process. Its standard input is then a channel.
    pub(in crate::run) takes_turns: bool,
}

/// The round to measure.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(in crate::run) struct RoundRequest {
    pub(in crate::run) costs: CostsRequest,
    pub(in crate::run) start: StartRequest,
    pub(in crate::run) pairs: Vec<PairRequest>,
}

/// The beginning of the memory of the process.
#[derive(Clone, Copy, Debug, Default, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(in crate::run) struct StartRequest {
    /// The size of the first block on the heap, in bytes.
    pub(in crate::run) heap: usize,
    /// The place of the stack in its cache line, in grains of 16 bytes; random if `None`.
    pub(in crate::run) stack: Option<u8>,
}

/// The costs of the clocks, which the process of the run has measured.
#[derive(Clone, Copy, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(in crate::run) struct CostsRequest {
    /// The smallest step of the clock, and the time of reading it, in nanoseconds.
    wall: (u64, u64),
    pub(in crate::run) cpu: Option<(u64, u64)>,
}

/// A requested pair.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(in crate::run) struct PairRequest {
    pub(in crate::run) key: PairKey,
    /// True if its functions are to be compared. Otherwise they are checked or measured.
    compares: bool,
    /// `None` if nothing is measured.
    plan: Option<PlanRequest>,
    /// The part that this process measures; `None` if it measures everything.
    round: Option<Share>,
}

/// The plan of a pair. JSON may lose the last digit of a number, and the run judges by its own plan.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
struct PlanRequest {
    /// The bounds of the zone, for two directions if both break the gate.
    zone: Vec<(f64, f64)>,
    is_welch: bool,
    alpha: f64,
    beta: f64,
    slots: u64,
    max_rounds: Option<usize>,
    ignore_below_ns: Option<f64>,
    max_time_ns: u64,
    warmup_ns: u64,
    clock: String,
    seed: u64,
}

impl From<&Plan> for PlanRequest {
    fn from(plan: &Plan) -> Self {
        let bounds = plan.zone.iter().flat_map(|zone| [Some(zone.slower), zone.faster]).flatten();
        Self {
            zone: bounds.map(|Bounds { lo, hi }| (lo, hi)).collect(),
            is_welch: plan.judge == JudgeKind::Welch,
            alpha: plan.alpha,
            beta: plan.beta,
            slots: plan.slots,
            max_rounds: plan.max_rounds,
            ignore_below_ns: plan.ignore_below,
            max_time_ns: saturating_nanoseconds(plan.max_time),
            warmup_ns: saturating_nanoseconds(plan.warmup),
            clock: plan.clock.name().to_owned(),
            seed: plan.seed.0,
        }
    }
}

impl PlanRequest {
    fn plan(&self) -> Plan {
        let mut bounds = self.zone.iter().map(|&(lo, hi)| Bounds { lo, hi });
        Plan {
            zone: bounds.next().map(|slower| Zone { slower, faster: bounds.next() }),
            judge: if self.is_welch { JudgeKind::Welch } else { JudgeKind::Sequential },
            alpha: self.alpha,
            beta: self.beta,
            slots: self.slots,
            max_rounds: self.max_rounds,
            ignore_below: self.ignore_below_ns,
            max_time: Duration::from_nanos(self.max_time_ns),
            warmup: Duration::from_nanos(self.warmup_ns),
            clock: grammar::clock(&self.clock).unwrap_or(ClockPolicy::Auto),
            seed: Seed(self.seed),
        }
    }
}

impl CostsRequest {
    pub(in crate::run) fn of(instruments: &Instruments<'_>) -> Self {
        let cost = |ClockCost { resolution, reading }| (resolution, reading);
        Self { wall: cost(instruments.wall), cpu: instruments.cpu.map(cost) }
    }

    pub(in crate::run) fn instruments<'c>(&self, clocks: &'c dyn Clocks) -> Instruments<'c> {
        let cost = |(resolution, reading)| ClockCost { resolution, reading };
        // Only the process of the run reports the time of an empty call.
        Instruments { clocks, wall: cost(self.wall), cpu: self.cpu.map(cost), empty_call: 0.0 }
    }
}

impl PairRequest {
    pub(in crate::run) fn new(key: PairKey, task: Task) -> Self {
        let unmeasured = Self { key, compares: task == Task::Compare, plan: None, round: None };
        let Task::Measure { plan, round } = task else { return unmeasured };
        Self { plan: Some(PlanRequest::from(&plan)), round, ..unmeasured }
    }

    pub(in crate::run) fn task(&self) -> Task {
        match &self.plan {
            Some(plan) => Task::Measure { plan: plan.plan(), round: self.round },
            None if self.compares => Task::Compare,
            None => Task::Check,
        }
    }
}

impl Request {
    pub(in crate::run) fn write(&self, path: &Path) -> io::Result<()> {
        File::create_new(path)?.write_all(json::to_string(self).as_bytes())
    }

    /// Takes the request in this file. If the program starts itself again, the new one finds none.
    pub(in crate::run) fn take(path: &Path) -> Result<Self, String> {
        let request = json::read(path, LARGEST);
        let _ = fs::remove_file(path);
        request
    }
}
