//! A pair that is not decided yet, with its rounds so far and their judge.

use std::time::Duration;

use bench_diff_binary::PROGRAMS;
use bench_diff_core::{CACHE_LINE, Duo, Measurement, Places, Recording, Rounds};
use bench_diff_report::record::{Doubt, DoubtKind, End, Facts, FinishedPair};
use bench_diff_system::order::{sort_by, sort_by_key};
use bench_diff_system::text::counted;

use super::one_pair::{AS_LINKED, Finding, Share};
use super::{RoundPair, Task};
use crate::call::allocations::Allocations;
use crate::plan::{PairPlan, Relinking, RunPlan};
use crate::recorded;

/// The number of void rounds that are allowed, in addition to the number of counted rounds.
pub(super) const MOST_VOID: usize = 8;

/// The recordings of the processes of a round.
type Round = Vec<Recording>;

/// From this time of a slot on, in nanoseconds, one layout is a round.
const LONG_SLOT: u64 = 20_000_000;

/// The duos of functions with the same machine code. They show the latency, and decide nothing.
const DUOS_OF_PROVEN: usize = 1;

pub(super) struct OpenPair<'p> {
    pub(super) index: usize,
    pub(super) pair: &'p PairPlan,
    /// `None` if one process measures the whole pair.
    judge: Option<Rounds>,
    rounds: Vec<Round>,
    /// The number of rounds that do not count, since the functions were not at all their possible offsets.
    void: usize,
    /// The recordings of the current round.
    round: Round,
    /// True if it is measured in random layouts, after one measurement in the binary as linked.
    has_layouts: bool,
    /// The measurement in the binary as linked, in addition to rounds in random layouts.
    linked: Option<Recording>,
    /// What the first process found, without its slots.
    first: Option<Finding>,
}

impl<'p> OpenPair<'p> {
    pub(super) fn new(run: &RunPlan, index: usize, pair: &'p PairPlan) -> Self {
        let judge = pair.plan.max_rounds.map(|_| Rounds::new(&pair.plan));
        let can_have_layouts = matches!(run.relinking, Relinking::Possible { .. });
        Self {
            index,
            pair,
            judge,
            rounds: Vec::new(),
            void: 0,
            round: Vec::new(),
            has_layouts: can_have_layouts && pair.wants_layouts(),
            linked: None,
            first: None,
        }
    }

    pub(super) fn for_next_round(&self) -> RoundPair<'p> {
        let layouts = if self.linked.is_some() { self.processes() } else { 0 };
        let number = match layouts {
            0 if self.is_unknown_as_linked() => AS_LINKED,
            0 => self.rounds.len(),
            // A round of one layout takes the first of four.
            _ => self.rounds.len() * PROGRAMS,
        };
        let mut plan = self.pair.plan;
        // The judge has decided if it wants no more duos.
        let mut duos = self.judge.as_ref().and_then(Rounds::next);
        if self.pair.is_proven() {
            (plan.warmup, duos) = (Duration::ZERO, duos.map(|_| DUOS_OF_PROVEN));
        }
        let (iterations, is_first) = (self.iterations(), self.first.is_none());
        let round = duos.map(|duos| Share { number, duos, iterations, is_first, is_of_four: false });
        let task = Task::Measure { plan, round };
        let has_equal_heaps = self.first.as_ref().is_some_and(|first| first.has_equal_heaps);
        let Self { index, pair, .. } = *self;
        RoundPair { index, pair, key: pair.listed.key, task, layouts, has_equal_heaps }
    }

    /// The time of the next round, if its processes are like the last ones; zero before the first.
    pub(super) fn time_of_next(&self) -> Duration {
        let last = self.rounds.last().map_or(self.linked.as_slice(), Vec::as_slice);
        let time: Duration = last.iter().map(|process| process.preparing + process.elapsed).sum();
        time * self.processes() as u32 / last.len().max(1) as u32
    }

    /// The time until it is decided, if its rounds go on like those so far.
    pub(super) fn time_to_decide(&self) -> Duration {
        let rounds = self.judge.as_ref().map_or(1, Rounds::left);
        self.time_of_next() * rounds as u32
    }

    /// The calls per slot that were enough in the last process; 1 if there was none.
    fn iterations(&self) -> u64 {
        let last = self.rounds.last().and_then(|round| round.last());
        last.or(self.linked.as_ref()).map_or(1, |recording| recording.warmup.iterations)
    }

    /// Returns whether the next round is the one in the binary as linked, before those in layouts.
    fn is_unknown_as_linked(&self) -> bool {
        self.has_layouts && self.linked.is_none()
    }

    /// The number of processes in the next round: one for each layout.
    fn processes(&self) -> usize {
        match &self.linked {
            Some(linked) if !is_long(linked) => PROGRAMS,
            _ => 1,
        }
    }

    /// Takes the finding of a process of a round. Returns the record of the pair if that completes the round
    /// and decides it.
    ///
    /// # Errors
    ///
    /// If there can be no verdict.
    pub(super) fn take(&mut self, run: &RunPlan, finding: Finding) -> Result<Option<FinishedPair>, String> {
        let Some(round) = self.gather(run, finding)? else { return Ok(None) };
        if self.is_unknown_as_linked() && round.iter().any(|process| process.is_one_function) {
            // If both functions share one address in this binary, they do so in every layout.
            self.has_layouts = false;
        }
        self.judged(round)?.map(|measurement| self.finished(run, measurement)).transpose()
    }

    /// Takes the finding of a process of a round. Returns the measurements of all processes with the last
    /// one, unless the round is void.
    fn gather(&mut self, run: &RunPlan, mut finding: Finding) -> Result<Option<Round>, String> {
        let mut recording = finding.recording.take().ok_or("its process measured nothing")?.recording();
        recording.is_one_function |= self.pair.is_proven();
        if self.first.is_none() {
            let has_gate = self.pair.max_allocations.is_some();
            if has_gate && finding.allocations.is_none() && !finding.lacks_counts_in_old {
                return Err(NO_COUNTS.into());
            }
            self.first = Some(finding);
        }
        self.round.push(recording);
        if self.round.len() < self.processes() {
            return Ok(None);
        }
        let round = std::mem::take(&mut self.round);
        let lacks_places = matches!(run.relinking, Relinking::Possible { has_wide }
            if !has_all_places(&round, has_wide));
        if round.len() < PROGRAMS || !lacks_places {
            return Ok(Some(round));
        }
        self.void += 1;
        if self.void <= MOST_VOID + self.rounds.len() {
            return Ok(None);
        }
        Err(format!("{}; `--layouts linked` measures the binary as it is", void(self.void)))
    }

    fn judged(&mut self, round: Round) -> Result<Option<Measurement>, String> {
        if self.is_unknown_as_linked() {
            self.linked = round.into_iter().next();
            return Ok(None);
        }
        self.judge.iter_mut().try_for_each(|judge| judge.add(&round))?;
        self.rounds.push(round);
        if self.judge.as_ref().and_then(Rounds::next).is_some() {
            return Ok(None);
        }
        Ok(Some(Measurement::of(&self.pair.plan, std::mem::take(&mut self.rounds))?))
    }

    /// The pair as far as its rounds go, when the budget of the run is spent.
    pub(super) fn over_budget(mut self, run: &RunPlan) -> FinishedPair {
        let pair = self.pair;
        let unmeasured = |end| recorded::unmeasured(run, pair, end).into();
        // The first round of a slow function is too little for its figures.
        let Ok(mut measurement) = Measurement::of(&pair.plan, std::mem::take(&mut self.rounds)) else {
            // Equal code does not show how much it allocates, and is no faster than its baseline.
            let is_enough = run.against.is_some() && pair.max_allocations.is_none();
            let same_code = pair.is_proven() && is_enough;
            return unmeasured(End::Unmeasured { same_code });
        };
        // More rounds, or another limit, may not be needed.
        measurement.judgement.notes.retain(|note| !note.says_what_is_needed());
        match self.finished(run, measurement) {
            Ok(FinishedPair { record, rounds }) => FinishedPair { record: record.over_budget(), rounds },
            Err(reason) => unmeasured(End::Error { reason, output: None }),
        }
    }

    fn finished(&mut self, run: &RunPlan, measurement: Measurement) -> Result<FinishedPair, String> {
        let Finding { check, allocations, work, call_note, lacks_counts_in_old, is_renamed, .. } =
            self.first.take().ok_or("its process measured nothing")?;
        let mut record = recorded::unmeasured(run, self.pair, End::default());
        if is_renamed {
            // The next run knows no pair of this name.
            record.repeat = run.repetition.command(None, run.seed);
        }
        let remarks = call_note.into_iter().chain(self.pair.unproven());
        let remarks = remarks.chain((self.void > 0).then(|| void(self.void))).collect();
        let linked = self.linked.take();
        let max = self.pair.max_allocations;
        let facts = Facts {
            unjudged: run.unjudged,
            remarks,
            check: Some(check),
            bytes: work.bytes,
            items: work.items,
            differs: self.pair.proof.differs.clone(),
            linked: linked.as_ref(),
            doubt: self.doubt(run),
            allocations: allocations.map(|found| Allocations { max, ..found }),
            lacks_counts_in_old: lacks_counts_in_old && max.is_some(),
        };
        let record = if !self.pair.listed.is_compared() {
            record.timed(&measurement, &facts)?
        } else if run.config.surroundings.ci {
            record.judged(&measurement, facts)?.in_ci()?
        } else {
            record.judged(&measurement, facts)?
        };
        Ok(FinishedPair { record, rounds: measurement.rounds })
    }

    /// The doubt about a failure of the pair.
    fn doubt(&self, run: &RunPlan) -> Option<Doubt> {
        let other_work = run.against.as_ref().and_then(|side| side.other_work.as_deref());
        if let Some(why) = other_work {
            return Some(Doubt::new(DoubtKind::OtherWork, why));
        }
        match &run.relinking {
            Relinking::Impossible(why) if self.pair.wants_layouts() => {
                Some(Doubt::new(DoubtKind::Place, why))
            }
            _ => None,
        }
    }
}

/// The pairs of the next round: all that are open, or as many of them as can probably be decided in the time
/// that is left, the fastest first. The others wait, and what no longer has time for a round waits for good.
pub(super) fn next_round<'p>(open: &[OpenPair<'p>], left: Option<Duration>) -> Vec<RoundPair<'p>> {
    let Some(left) = left else { return open.iter().map(OpenPair::for_next_round).collect() };
    let fits = |pair: &&OpenPair<'_>| !left.is_zero() && pair.time_of_next() <= left;
    let mut pairs: Vec<&OpenPair<'_>> = open.iter().filter(fits).collect();
    sort_by_key(&mut pairs, |pair| pair.time_to_decide());
    let mut together = Duration::ZERO;
    let can_be_decided = |pair: &&&OpenPair<'_>| {
        together = together.saturating_add(pair.time_to_decide());
        together <= left
    };
    let decided = pairs.iter().take_while(can_be_decided).count();
    pairs.truncate(decided.max(1));
    // Processes find pairs faster in the order of the source. The only round of a proven pair is short.
    sort_by_key(&mut pairs, |pair| (!pair.pair.is_proven(), pair.index));
    pairs.into_iter().map(OpenPair::for_next_round).collect()
}

/// The time until all of these are decided, or the budget is spent, if their rounds go on like those so far.
pub(super) fn left(open: &[OpenPair<'_>], budget: Option<Duration>) -> Duration {
    let to_decide = open.iter().map(OpenPair::time_to_decide).fold(Duration::ZERO, Duration::saturating_add);
    budget.map_or(to_decide, |left| left.min(to_decide))
}

/// Returns whether calls take so long that one layout is a round.
fn is_long(process: &Recording) -> bool {
    let is_long = |duo: &Duo| duo.total() >= LONG_SLOT * if duo.order.is_half() { 2 } else { 4 };
    process.duos.first().is_some_and(|first| first.order.is_half()) && process.duos.iter().all(is_long)
}

/// Returns whether each function was at all offsets in the cache line that it can have: four, or two or one
/// if some code has a wider alignment.
pub(super) fn has_all_places(round: &[Recording], has_wide: bool) -> bool {
    const HALF: u8 = (CACHE_LINE / 2) as u8;
    let are_all = |place: fn(Places) -> u8| {
        let mut places: Vec<u8> = round.iter().filter_map(|process| process.places.map(place)).collect();
        sort_by(&mut places, u8::cmp);
        match places[..] {
            [0, 0, 0, 0] | [0, 0, HALF, HALF] => has_wide,
            [one, two, three, four] => one < two && two < three && three < four,
            _ => false,
        }
    };
    are_all(|places| places.candidate) && are_all(|places| places.baseline)
}

fn void(count: usize) -> String {
    format!(
        "{} not counted: in their binaries, the functions were not at four offsets of the cache line",
        counted(count, "round")
    )
}

const NO_COUNTS: &str = "`max_allocations` needs an allocator that counts; add to the file of the bench:\n    \
    #[global_allocator]\n    \
    static ALLOCATOR: bench_diff_harness::CountingAllocator = bench_diff_harness::CountingAllocator::system();";
