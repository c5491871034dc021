//! A run as far as it was told: what a whole document is made of.

use std::io::{self, Write};

use super::sink::Sink;
use crate::record::{Event, PairRecord, PlanOrder, RunRecord, StartRecord};

#[derive(Clone, Debug, Default)]
pub(super) struct RunSoFar {
    pub(super) start: StartRecord,
    order: PlanOrder,
    /// In the order of the plan.
    pub(super) pairs: Vec<PairRecord>,
    /// None while the run goes on.
    pub(super) end: Option<RunRecord>,
}

/// A report that is made of a run as a whole.
pub(super) type Document = fn(&RunSoFar) -> String;

/// A run that becomes a document, as far as it has got.
pub(super) trait Draft {
    fn add(&mut self, event: &Event<'_>);

    fn document(&self) -> String;
}

impl RunSoFar {
    /// Of a pair its place among the others comes back.
    pub(super) fn add(&mut self, event: &Event<'_>) -> Option<usize> {
        match event {
            Event::RunStarted(start) => {
                self.order = PlanOrder::of(start);
                self.start = (*start).clone();
            }
            Event::PairFinished { record, .. } => {
                let place = |record: &PairRecord| self.order.of_pair(&record.name);
                let before = self.pairs.partition_point(|pair| place(pair) <= place(record));
                self.pairs.insert(before, (*record).clone());
                return Some(before);
            }
            Event::RunFinished(end) => self.end = Some((*end).clone()),
            _ => {}
        }
        None
    }

    /// The counts, also while the run goes on.
    pub(super) fn counts(&self) -> RunRecord {
        if let Some(end) = &self.end {
            return end.clone();
        }
        let (mut outcomes, mut elapsed_s) = (Vec::new(), 0.0);
        for pair in &self.pairs {
            outcomes.push(pair.outcome());
            elapsed_s += pair.elapsed_s();
        }
        RunRecord::of(&self.start, &outcomes, elapsed_s)
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

/// A document that is printed when the run is over.
pub(super) struct AtEnd<W> {
    out: W,
    document: Document,
    so_far: RunSoFar,
}

impl<W: Write> AtEnd<W> {
    pub(super) fn new(out: W, document: Document) -> Self {
        Self { out, document, so_far: RunSoFar::default() }
    }
}

impl<W: Write> Sink for AtEnd<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.so_far.add(event);
        if let Event::RunFinished(_) = event {
            self.out.write_all((self.document)(&self.so_far).as_bytes())?;
            self.out.flush()?;
        }
        Ok(())
    }
}
