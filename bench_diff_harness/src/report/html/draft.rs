//! A page that grows while a run goes on.

use super::{Room, detail, page};
use crate::record::Event;
use crate::report::run_so_far::{Draft, RunSoFar};

/// The run so far, and the plots of each pair, which are drawn as soon as its slots are told.
#[derive(Debug, Default)]
pub(in crate::report) struct Html {
    so_far: RunSoFar,
    /// In the order of the pairs.
    plots: Vec<String>,
    /// The size of the pairs so far on the page, in bytes.
    used: usize,
}

impl Draft for Html {
    fn add(&mut self, event: &Event<'_>) {
        let place = self.so_far.add(event);
        if let (Some(place), Event::PairFinished { record, measured }) = (place, event) {
            let plots = detail::plots(record, *measured, self.room());
            self.used += plots.len() + Room::TEXT;
            self.plots.insert(place, plots);
        }
    }

    fn document(&self) -> String {
        page::document(&self.so_far, &self.plots)
    }
}

impl Html {
    /// The room of the next pair, if those after it have as much.
    fn room(&self) -> Room {
        let left = self.so_far.start.pairs.len().saturating_sub(self.plots.len()).max(1);
        Room::of(Room::PAGE.saturating_sub(self.used) / left)
    }
}
