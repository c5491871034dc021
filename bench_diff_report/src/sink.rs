//! The receivers of the events of a run, and the run as a whole for those that write at its end.

use std::collections::HashMap;
use std::io::{self, Write};

use bench_diff_core::Recording;

use crate::record::{Event, PairRecord, RunRecord, StartRecord, no_verdicts};
use crate::text::{numbers, overall};

/// A report: it shows the events of a run in one form.
pub(crate) trait Sink {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()>;
}

/// A sink with its name for errors.
pub(crate) struct Channel<'a> {
    pub(crate) name: String,
    pub(crate) sink: Box<dyn Sink + 'a>,
    pub(crate) reader: Reader,
}

/// The readers of the output of a sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// People get texts that are safe to show.
    People,
    /// Programs get records as they are.
    Programs,
}

impl<'a> Channel<'a> {
    pub(crate) fn new(name: &str, reader: Reader, sink: impl Sink + 'a) -> Self {
        Self { name: name.to_owned(), sink: Box::new(sink), reader }
    }
}

/// The name of the printed output.
pub(crate) const REPORT: &str = "the report";

/// The text that an event adds.
type Addition = fn(&Event<'_>) -> String;

/// Text that is added to a stream.
pub(crate) struct Added<W>(pub(crate) W, pub(crate) Addition);

impl<W: Write> Sink for Added<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        // One write, so that other output cannot split it.
        self.0.write_all((self.1)(event).as_bytes())?;
        self.0.flush()
    }
}

/// Draws the next pair of a run, for documents that show its slots.
type Draw = fn(&WholeRun, &PairRecord, &[Vec<Recording>]) -> String;

/// A run so far, as its documents get it.
#[derive(Clone, Debug, Default)]
pub(crate) struct WholeRun {
    pub(crate) start: StartRecord,
    places: HashMap<String, usize>,
    /// In the order of the plan.
    pub(crate) pairs: Vec<PairRecord>,
    /// The drawing of each pair, made when it ended because slots are not kept. Empty without `draw`.
    pub(crate) drawn: Vec<String>,
    draw: Option<Draw>,
    pub(crate) end: RunRecord,
}

impl WholeRun {
    /// A run that draws its pairs with this function.
    pub(crate) fn drawn_by(draw: Draw) -> Self {
        Self { draw: Some(draw), ..Self::default() }
    }

    pub(crate) fn add(&mut self, event: &Event<'_>) {
        match event {
            Event::RunStarted(start) => {
                self.places = start.places();
                self.start = (*start).clone();
            }
            Event::PairFinished { record, rounds } => {
                let place = |record: &PairRecord| self.places.get(&record.name);
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

    /// The line about a run in which nothing is judged.
    pub(crate) fn unjudged(&self) -> Option<String> {
        self.start.unjudged.as_deref().map(no_verdicts)
    }

    /// The facts about the run as a whole: its time, its seed, its machine.
    pub(crate) fn facts(&self) -> Vec<String> {
        let StartRecord { seed, machine, .. } = &self.start;
        let finished = format!("finished in {}", numbers::seconds(self.end.elapsed_s));
        [finished, format!("seed {seed}")].into_iter().chain(machine.line()).collect()
    }

    /// The last line: the counts, also of pairs that were not run.
    pub(crate) fn counts(&self) -> String {
        Vec::from_iter([overall::counts(&self.end)].into_iter().chain(overall::left(&self.end))).join(", ")
    }

    /// The name of the binary.
    pub(crate) fn title(&self) -> String {
        let StartRecord { package, bench, .. } = &self.start;
        format!("{package}::{bench}")
    }
}

/// The text of a whole run.
pub(crate) type Document = fn(&WholeRun) -> String;
