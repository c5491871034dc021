//! A pair that is not decided yet: its rounds so far, and their judge.

use bench_diff_core::{Measurement, Next, Recording, Rejudged, Rounds, judge_again};

use super::inbox::Found;
use super::one_pair::{AS_LINKED, Finding};
use super::{Asked, Task};
use crate::call::allocations::Allocations;
use crate::call::probe::Check;
use crate::call::work::Work;
use crate::plan::{PairPlan, Relinking, RunPlan};
use crate::record::json::Word;
use crate::record::{AllocationsRecord, FinishedPair, Measured, Outcome, PairRecord, notes};

pub(super) struct OpenPair<'p> {
    pub(super) index: usize,
    pub(super) pair: &'p PairPlan,
    /// None where one process measures all of it.
    judge: Option<Rounds>,
    rounds: Vec<Recording>,
    linked: AsLinked,
    check: Check,
    /// What its functions allocate, by the first process that counted it.
    allocations: Option<Allocations>,
    /// As its first process says.
    work: Option<Work>,
    call_notes: Vec<String>,
}

/// What the program as linked says, beside rounds in random layouts.
enum AsLinked {
    /// It is what is judged.
    Judged,
    Unknown,
    Known(Box<Recording>),
}

impl<'p> OpenPair<'p> {
    pub(super) fn new(run: &RunPlan, index: usize, pair: &'p PairPlan) -> Self {
        let judge = pair.plan.max_rounds.map(|_| Rounds::new(&pair.plan));
        let has_layouts = matches!(run.relinking, Relinking::Possible { .. });
        let linked = if has_layouts && pair.wants_layouts() { AsLinked::Unknown } else { AsLinked::Judged };
        Self {
            index,
            pair,
            judge,
            rounds: Vec::new(),
            linked,
            check: Check::None,
            allocations: None,
            work: None,
            call_notes: Vec::new(),
        }
    }

    pub(super) fn asked(&self) -> Asked<'p> {
        let plan = self.pair.plan;
        let number = if matches!(self.linked, AsLinked::Unknown) { AS_LINKED } else { self.rounds.len() };
        // The first process that measures it does.
        let counts = self.rounds.is_empty() && self.allocations.is_none();
        let task = match self.judge.as_ref().map(Rounds::next) {
            Some(Next::Round { duos }) => Task::Round { plan, number, duos, counts },
            // A judge that wants nothing more has decided.
            Some(Next::Done) | None => Task::Whole { plan },
        };
        Asked { index: self.index, pair: self.pair, task, in_layout: self.is_in_layout() }
    }

    /// Whether the round that is asked for is one in a random layout.
    pub(super) fn is_in_layout(&self) -> bool {
        matches!(self.linked, AsLinked::Known(_))
    }

    /// The number of the round that measured this: from 1, 0 of the program as linked that is not judged. Of
    /// one piece of code it is judged.
    pub(super) fn number_of(&self, recording: &Recording) -> usize {
        let is_judged = !matches!(self.linked, AsLinked::Unknown) || recording.is_one_function;
        if is_judged { self.rounds.len() + 1 } else { 0 }
    }

    /// Adds what a process found. What is said of the pair comes back where that decides it.
    pub(super) fn add(&mut self, run: &RunPlan, found: Found) -> Option<FinishedPair> {
        let decided = found.and_then(|finding| self.add_finding(finding)).transpose()?;
        let decided = decided.and_then(|measurement| {
            let Work { bytes, items } = self.work.unwrap_or_default();
            let record = PairRecord {
                check: Some(Word(self.check)),
                bytes,
                items,
                ..PairRecord::unmeasured(run, self.pair, Outcome::Measured, None)
            };
            let notes = notes(&measurement, &self.call_notes);
            let linked = match std::mem::replace(&mut self.linked, AsLinked::Judged) {
                AsLinked::Known(linked) => Some(*linked),
                AsLinked::Judged | AsLinked::Unknown => None,
            };
            let (aligned, why) = match &run.relinking {
                Relinking::Possible { stays } => (stays.is_none(), *stays),
                Relinking::Impossible(why) => (false, Some(why.as_str())),
                Relinking::NotTried => (false, None),
            };
            let why = why.filter(|_| self.pair.wants_layouts());
            let max = self.pair.max_allocations;
            let allocations = self.allocations.map(|allocations| AllocationsRecord::new(allocations, max));
            let record = record
                .measured(run.unjudged, &measurement, notes)
                .map_err(|error| error.to_string())?
                .in_layouts(linked.as_ref(), aligned)
                .in_its_place(why)
                .with_allocations(allocations)
                .after(&run.last_run);
            let record = if run.in_ci { record.in_ci()? } else { record };
            let measured = Measured {
                plan: self.pair.plan,
                layouts: self.pair.layouts,
                rounds: measurement.rounds,
                linked,
                call_notes: std::mem::take(&mut self.call_notes),
            };
            Ok(FinishedPair { record, measured: Some(measured) })
        });
        Some(decided.unwrap_or_else(|reason| {
            PairRecord::unmeasured(run, self.pair, Outcome::Error, Some(reason)).into()
        }))
    }

    fn add_finding(&mut self, finding: Finding) -> Result<Option<Measurement>, String> {
        let Finding { check, work, allocations, recording, call_notes, .. } = finding;
        self.work.get_or_insert(work);
        let recording = recording.ok_or("its process measured nothing")?;
        self.allocations = self.allocations.or(allocations);
        if self.allocations.is_none() && self.pair.max_allocations.is_some() {
            return Err(NO_COUNTS.to_owned());
        }
        if self.rounds.is_empty() {
            (self.check, self.call_notes) = (check, call_notes);
        }
        self.judged(recording)
    }

    fn judged(&mut self, recording: Recording) -> Result<Option<Measurement>, String> {
        if matches!(self.linked, AsLinked::Unknown) {
            if !recording.is_one_function {
                self.linked = AsLinked::Known(Box::new(recording));
                return Ok(None);
            }
            // In any layout.
            self.linked = AsLinked::Judged;
        }
        let Some(judge) = &mut self.judge else {
            let rejudged = judge_again(&self.pair.plan, vec![recording]);
            return rejudged
                .map(|Rejudged { measurement, .. }| Some(measurement))
                .map_err(|error| error.to_string());
        };
        judge.add(&recording).map_err(|error| error.to_string())?;
        self.rounds.push(recording);
        if let Next::Round { .. } = judge.next() {
            return Ok(None);
        }
        judge.measurement(std::mem::take(&mut self.rounds)).map(Some).map_err(|error| error.to_string())
    }
}

const NO_COUNTS: &str = "`max_allocations` takes an allocator that counts; write in the file of the bench:\n    \
    #[global_allocator]\n    \
    static ALLOCATOR: bench_diff_harness::CountingAllocator = bench_diff_harness::CountingAllocator::system();";
