//! A pair that is not decided yet: its rounds so far, and their judge.

use bench_diff_core::{Measurement, Recording, Rejudged, Rounds, judge_again};

use super::inbox::FindingResult;
use super::one_pair::{AS_LINKED, Finding, Share};
use super::{Asked, Task};
use crate::call::work::Work;
use crate::layout::PROGRAMS;
use crate::plan::{PairPlan, Relinking, RunPlan};
use crate::record::{
    AllocationsOfOne, AllocationsRecord, End, FinishedPair, HAS_CHANGED, Measured, PairRecord, notes,
};
use crate::system::text::counted;

/// So many more rounds than are judged may be void.
pub(super) const MOST_VOID: usize = 8;

/// The recordings of the processes of a round.
type Round = Vec<Recording>;

pub(super) struct OpenPair<'p> {
    pub(super) index: usize,
    pub(super) pair: &'p PairPlan,
    /// None where one process measures all of it.
    judge: Option<Rounds>,
    rounds: Vec<Round>,
    /// The rounds in which the functions did not lie at four places, and which are not judged.
    void: usize,
    /// The recordings of the current round.
    round: Round,
    linked: AsLinked,
    /// True if a round has to have its functions at four places.
    is_balanced: bool,
    /// The finding of its first process, besides slots.
    first: Option<Finding>,
}

/// The measurement of the program as linked, beside rounds in random layouts.
enum AsLinked {
    /// It is what is judged.
    Judged,
    Unknown,
    Known(Recording),
}

impl<'p> OpenPair<'p> {
    pub(super) fn new(run: &RunPlan, index: usize, pair: &'p PairPlan) -> Self {
        let judge = pair.plan.max_rounds.map(|_| Rounds::new(&pair.plan));
        let (has_layouts, is_balanced) = match run.relinking {
            Relinking::Possible { balanced, .. } => (pair.wants_layouts(), balanced),
            _ => (false, false),
        };
        let linked = if has_layouts { AsLinked::Unknown } else { AsLinked::Judged };
        Self {
            index,
            pair,
            judge,
            rounds: Vec::new(),
            void: 0,
            round: Vec::new(),
            linked,
            is_balanced,
            first: None,
        }
    }

    pub(super) fn asked(&self) -> Asked<'p> {
        let number = match self.linked {
            AsLinked::Unknown => AS_LINKED,
            _ => (self.rounds.len() + self.void) * self.processes(),
        };
        // The first process that measures it does.
        let counts = self.first.is_none();
        // A judge that wants nothing more has decided.
        let duos = self.judge.as_ref().and_then(Rounds::next);
        let round = duos.map(|duos| Share { number, duos, iterations: self.iterations(), counts });
        let task = Task::Measure { plan: self.pair.plan, round };
        Asked { index: self.index, pair: self.pair, task, in_layout: self.is_in_layout() }
    }

    /// The calls of a slot that were enough in the last process; 1 where there was none.
    fn iterations(&self) -> u64 {
        let last = self.rounds.last().and_then(|round| round.last());
        let linked = || match &self.linked {
            AsLinked::Known(recording) => Some(recording),
            AsLinked::Judged | AsLinked::Unknown => None,
        };
        last.or_else(linked).map_or(1, |recording| recording.warmup.iterations)
    }

    /// Returns whether the next round is one in random layouts.
    pub(super) fn is_in_layout(&self) -> bool {
        matches!(self.linked, AsLinked::Known(_))
    }

    /// The processes of the round that is asked for.
    fn processes(&self) -> usize {
        if self.is_in_layout() { PROGRAMS } else { 1 }
    }

    /// The number of the round that measured this: from 1, 0 of the program as linked that is not judged. Of
    /// one piece of code it is judged.
    pub(super) fn number_of(&self, round: &[Recording]) -> usize {
        let is_judged = !matches!(self.linked, AsLinked::Unknown) || is_one_function(round);
        if is_judged { self.rounds.len() + 1 } else { 0 }
    }

    /// Takes what a process of a round found. What all of them measured comes back with the last one, unless
    /// the round is void.
    ///
    /// # Errors
    ///
    /// If the pair cannot be judged; the text says why.
    pub(super) fn gather(&mut self, found: FindingResult) -> Result<Option<Round>, String> {
        let mut finding = found?;
        let mut recording = finding.recording.take().ok_or("its process measured nothing")?.recording()?;
        recording.is_one_function |= self.pair.is_proven();
        match &self.first {
            Some(first) => finding.allocations = first.allocations,
            None if finding.allocations.is_none() && self.pair.max_allocations.is_some() => {
                return Err(NO_COUNTS.to_owned());
            }
            None => {}
        }
        if self.rounds.is_empty() && self.round.is_empty() {
            finding.call_notes.extend(self.pair.unproven());
            self.first = Some(finding);
        }
        self.round.push(recording);
        if self.round.len() < self.processes() {
            return Ok(None);
        }
        let round = std::mem::take(&mut self.round);
        if self.is_in_layout() && self.is_balanced && !has_four_places(&round) {
            self.void += 1;
            let is_rare = self.void <= MOST_VOID + self.rounds.len();
            return if is_rare { Ok(None) } else { Err(never_balanced(self.void)) };
        }
        Ok(Some(round))
    }

    /// Adds a round. What is said of the pair comes back where that decides it.
    pub(super) fn add(&mut self, run: &RunPlan, round: Result<Round, String>) -> Option<FinishedPair> {
        let decided = round.and_then(|round| self.judged(round)).transpose()?;
        let decided = decided.and_then(|measurement| self.finished(run, measurement));
        Some(decided.unwrap_or_else(|reason| {
            PairRecord::unmeasured(run, self.pair, End::Error { reason, output: None }).into()
        }))
    }

    fn judged(&mut self, round: Round) -> Result<Option<Measurement>, String> {
        if matches!(self.linked, AsLinked::Unknown) {
            // One function is one in any layout.
            self.linked = match round.into_iter().next() {
                Some(recording) if !recording.is_one_function => AsLinked::Known(recording),
                Some(recording) => {
                    self.linked = AsLinked::Judged;
                    return self.judged(vec![recording]);
                }
                None => AsLinked::Unknown,
            };
            return Ok(None);
        }
        let Some(judge) = &mut self.judge else {
            let rejudged = judge_again(&self.pair.plan, vec![round]);
            return rejudged
                .map(|Rejudged { measurement, .. }| Some(measurement))
                .map_err(|error| error.to_string());
        };
        judge.add(&round).map_err(|error| error.to_string())?;
        self.rounds.push(round);
        if judge.next().is_some() {
            return Ok(None);
        }
        let rounds = std::mem::take(&mut self.rounds);
        judge.measurement(rounds).map(Some).map_err(|error| error.to_string())
    }

    fn finished(&mut self, run: &RunPlan, measurement: Measurement) -> Result<FinishedPair, String> {
        let Finding { check, allocations, work: Work { bytes, items }, call_notes, .. } =
            self.first.take().ok_or("its process measured nothing")?;
        let record = PairRecord::unmeasured(run, self.pair, End::default());
        let mut notes = notes(&measurement, &call_notes);
        notes.remarks.extend((self.void > 0).then(|| void(self.void)));
        let linked = match std::mem::replace(&mut self.linked, AsLinked::Judged) {
            AsLinked::Known(linked) => Some(linked),
            AsLinked::Judged | AsLinked::Unknown => None,
        };
        if !self.pair.listed.is_compared {
            let record =
                record.timed(&measurement, notes, linked.as_ref()).map_err(|error| error.to_string())?;
            let record = record.with_timing(|timing| {
                (timing.bytes, timing.items) = (bytes, items);
                timing.allocations = allocations.map(AllocationsOfOne::from);
            });
            return Ok(self.with_slots(record, measurement, linked, call_notes));
        }
        let why = match &run.relinking {
            Relinking::Possible { limitation, .. } => *limitation,
            Relinking::Impossible(why) => Some(why.as_str()),
            Relinking::NotTried => None,
        };
        let why = why.filter(|_| self.pair.wants_layouts());
        let why = if self.pair.listed.has_changed { Some(HAS_CHANGED) } else { why };
        let max = self.pair.max_allocations;
        let allocations = allocations.map(|allocations| AllocationsRecord::new(allocations, max));
        let record = record
            .measured(run.unjudged, &measurement, notes)
            .map_err(|error| error.to_string())?
            .with(|figures| {
                figures.check = Some(check);
                (figures.bytes, figures.items) = (bytes, items);
                figures.differs = self.pair.differs().filter(|_| !figures.is_one_code()).cloned();
            })
            .in_layouts(linked.as_ref(), &measurement.rounds, self.is_balanced)
            .in_its_place(why)
            .with_allocations(allocations);
        let record = if run.in_ci { record.in_ci()? } else { record };
        Ok(self.with_slots(record, measurement, linked, call_notes))
    }

    fn with_slots(
        &self,
        record: PairRecord,
        measurement: Measurement,
        linked: Option<Recording>,
        call_notes: Vec<String>,
    ) -> FinishedPair {
        let (plan, layouts, rounds) = (self.pair.plan, self.pair.layouts, measurement.rounds);
        FinishedPair { record, measured: Some(Measured { plan, layouts, rounds, linked, call_notes }) }
    }
}

fn is_one_function(round: &[Recording]) -> bool {
    round.iter().any(|process| process.is_one_function)
}

/// Returns whether both functions lay at four places of the cache line.
fn has_four_places(round: &[Recording]) -> bool {
    let differ = |place: fn(&Recording) -> Option<u8>| {
        let mut places: Vec<Option<u8>> = round.iter().map(place).collect();
        places.sort_unstable();
        places.dedup();
        places.len() == PROGRAMS
    };
    differ(|process| Some(process.places?.candidate)) && differ(|process| Some(process.places?.baseline))
}

fn void(count: usize) -> String {
    format!(
        "{} not judged: the programs did not have both functions at four places of the cache line",
        counted(count, "round")
    )
}

fn never_balanced(count: usize) -> String {
    format!("{}; `--layouts linked` judges the program as it is linked", void(count))
}

const NO_COUNTS: &str = "`max_allocations` takes an allocator that counts; write in the file of the bench:\n    \
    #[global_allocator]\n    \
    static ALLOCATOR: bench_diff_harness::CountingAllocator = bench_diff_harness::CountingAllocator::system();";
