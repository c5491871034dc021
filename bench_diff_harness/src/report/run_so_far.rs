//! A run as far as it was told: what a whole document is made of.

use super::numbers;
use crate::record::{Event, Measured, Outcome, PairRecord, PlanOrder, RunRecord, StartRecord};

/// Draws the next pair, for a document of the run so far.
type Draw = fn(&RunSoFar, &PairRecord, Option<&Measured>) -> String;

#[derive(Clone, Debug, Default)]
pub(super) struct RunSoFar {
    pub(super) start: StartRecord,
    order: PlanOrder,
    /// In the order of the plan.
    pub(super) pairs: Vec<PairRecord>,
    /// The plots of each of them, drawn as soon as its slots are told, if there is something that draws.
    pub(super) plots: Vec<String>,
    draw: Option<Draw>,
    /// None while the run goes on.
    pub(super) end: Option<RunRecord>,
}

impl RunSoFar {
    /// A run whose pairs are drawn by this.
    pub(super) fn drawn_by(draw: Draw) -> Self {
        Self { draw: Some(draw), ..Self::default() }
    }

    pub(super) fn add(&mut self, event: &Event<'_>) {
        match event {
            Event::RunStarted(start) => {
                self.order = PlanOrder::of(start);
                self.start = (*start).clone();
            }
            Event::PairFinished { record, measured } => {
                let place = |record: &PairRecord| self.order.of_pair(&record.name);
                let before = self.pairs.partition_point(|pair| place(pair) <= place(record));
                if let Some(draw) = self.draw {
                    self.plots.insert(before, draw(self, record, *measured));
                }
                self.pairs.insert(before, (*record).clone());
            }
            Event::RunFinished(end) => self.end = Some((*end).clone()),
            _ => {}
        }
    }

    /// The counts, also while the run goes on.
    pub(super) fn counts(&self) -> RunRecord {
        if let Some(end) = &self.end {
            return end.clone();
        }
        let outcomes: Vec<Outcome> = self.pairs.iter().map(PairRecord::outcome).collect();
        let elapsed_s = self.pairs.iter().map(PairRecord::elapsed_s).fold(0.0, |all, one| all + one);
        RunRecord::of(&self.start, &outcomes, elapsed_s)
    }

    /// The facts about the run as a whole: its time, its seed, its machine, the reason if nothing is judged.
    pub(super) fn facts(&self) -> Vec<String> {
        let StartRecord { seed, machine, unjudged, .. } = &self.start;
        let mut facts = Vec::new();
        facts.extend(self.end.as_ref().map(|end| format!("finished in {}", numbers::seconds(end.elapsed_s))));
        facts.extend(seed.as_ref().map(|seed| format!("seed {seed}")));
        facts.extend(machine.line());
        facts.extend(unjudged.as_ref().map(|reason| format!("not judged: {reason}")));
        facts
    }

    /// The names of the binaries, also of one without pairs.
    pub(super) fn titles(&self) -> Vec<String> {
        let of_pairs: Vec<String> = self.binaries().into_iter().map(|(binary, _)| binary).collect();
        let StartRecord { package, bench, .. } = &self.start;
        if of_pairs.is_empty() { vec![format!("{package}::{bench}")] } else { of_pairs }
    }

    /// The pairs of each binary, in the order in which the binaries appear: several where their records were
    /// joined.
    pub(super) fn binaries(&self) -> Vec<(String, Vec<&PairRecord>)> {
        let mut binaries: Vec<(String, Vec<&PairRecord>)> = Vec::new();
        for pair in &self.pairs {
            let name = format!("{}::{}", pair.package, pair.bench);
            match binaries.iter_mut().find(|(binary, _)| *binary == name) {
                Some((_, pairs)) => pairs.push(pair),
                None => binaries.push((name, vec![pair])),
            }
        }
        binaries
    }
}
