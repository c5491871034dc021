//! A page for people: one file that loads nothing, with a table that is a forest plot and the plots of each
//! pair.
//!
//! The page is whole without its script: the table, the plots and the links to each pair are there. The
//! script sorts, filters and listens to keys.

mod anchor;
mod detail;
mod duos;
mod ecdf;
mod evidence;
mod forest;
mod page;
mod places;
mod rounds;
mod summary;
mod svg;
mod table;
#[cfg(test)]
mod tests;
mod ticks;

use super::run_so_far::{Draft, RunSoFar};
use crate::record::Event;
use crate::settings::defaults;

/// What was told of a run, and the plots of each pair, which are drawn as soon as its slots are told.
#[derive(Debug, Default)]
pub(super) struct Html {
    so_far: RunSoFar,
    /// In the order of the pairs.
    plots: Vec<String>,
    /// What the pairs so far take of the page, in bytes.
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
    /// What the next pair has, if those after it have as much.
    fn room(&self) -> Room {
        let left = self.so_far.start.pairs.len().saturating_sub(self.plots.len()).max(1);
        Room::of(Room::PAGE.saturating_sub(self.used) / left)
    }
}

/// How much the plots of a pair may show: with many pairs less, so that a page stays one that a browser opens
/// at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Room {
    /// The dots of rounds: all of them, unless somebody asked for more than the default.
    rounds: usize,
    /// The dots of duos.
    duos: usize,
    /// The corners of a curve.
    corners: usize,
}

impl Room {
    /// What a page may take, in bytes.
    const PAGE: usize = 2_850_000;
    /// What a pair takes besides its plots, and what these take without their points.
    const TEXT: usize = 1_050;
    const AXES: usize = 1_400;
    /// A point of a path.
    const POINT: usize = 7;
    /// Fewer are no picture, more are not told apart.
    const DUOS: [usize; 2] = [16, 600];
    const CORNERS: [usize; 2] = [8, 128];

    /// The room in so many bytes.
    fn of(bytes: usize) -> Self {
        let points = bytes.saturating_sub(Self::TEXT + Self::AXES) / Self::POINT;
        let within = |points: usize, [fewest, most]: [usize; 2]| points.clamp(fewest, most);
        let duos = within(points / 2, Self::DUOS);
        Self {
            rounds: defaults::plan().max_rounds.unwrap_or_default(),
            duos,
            corners: within(points / 8, Self::CORNERS),
        }
    }

    /// Whether there is some for what a page can do without.
    fn is_plenty(self) -> bool {
        self.duos == Self::DUOS[1]
    }
}
