//! A finished run, from which documents are made.

use bench_diff_core::Recording;

use super::numbers;
use crate::plan::no_verdicts;
use crate::record::{Event, PairRecord, PlanOrder, RunRecord, StartRecord};

/// Draws the next pair of a run, for documents that show its slots.
type Draw = fn(&WholeRun, &PairRecord, &[Vec<Recording>]) -> String;

#[derive(Clone, Debug, Default)]
pub(super) struct WholeRun {
    pub(super) start: StartRecord,
    order: PlanOrder,
    /// In the order of the plan.
    pub(super) pairs: Vec<PairRecord>,
    /// The drawing of each pair, made when it ended because slots are not kept. Empty without `draw`.
    pub(super) drawn: Vec<String>,
    draw: Option<Draw>,
    pub(super) end: RunRecord,
}

impl WholeRun {
    /// A run that draws its pairs with this function.
    pub(super) fn drawn_by(draw: Draw) -> Self {
        Self { draw: Some(draw), ..Self::default() }
    }

    pub(super) fn add(&mut self, event: &Event<'_>) {
        match event {
            Event::RunStarted(start) => {
                self.order = PlanOrder::of(start);
                self.start = (*start).clone();
            }
            Event::PairFinished { record, rounds } => {
                let place = |record: &PairRecord| self.order.of_pair(&record.name);
                let before = self.pairs.partition_point(|pair| place(pair) <= place(record));
                if let Some(draw) = self.draw {
                    self.drawn.insert(before, draw(self, record, rounds));
                }
                self.pairs.insert(before, (*record).clone());
            }
            Event::RunFinished(end) => self.end = (*end).clone(),
            _ => {}
        }
    }

    /// The reason if nothing is judged.
    pub(super) fn unjudged(&self) -> Option<String> {
        self.start.unjudged.as_deref().map(no_verdicts)
    }

    /// The facts about the run as a whole: its time, its seed, its machine.
    pub(super) fn facts(&self) -> Vec<String> {
        let StartRecord { seed, machine, .. } = &self.start;
        let mut facts = vec![format!("finished in {}", numbers::seconds(self.end.elapsed_s))];
        facts.push(format!("seed {seed}"));
        facts.extend(machine.line());
        facts
    }

    /// The name of the binary.
    pub(super) fn title(&self) -> String {
        let StartRecord { package, bench, .. } = &self.start;
        format!("{package}::{bench}")
    }
}
