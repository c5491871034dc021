//! A page for people: one file that loads nothing, with a table that is a forest plot and the plots of each pair.
//!
//! The page is whole without its script: the table, the plots and the links to each pair are there. The script sorts, filters
//! and listens to keys.

mod anchor;
mod detail;
mod duos;
mod ecdf;
mod escape;
mod evidence;
mod forest;
mod page;
mod rounds;
mod summary;
mod svg;
mod table;
#[cfg(test)]
mod tests;
mod ticks;

use std::io;

use super::told::{Draft, Told};
use crate::event::Event;

/// What was told of a run, and the plots of each pair, which are drawn as soon as its slots are told.
#[derive(Debug, Default)]
pub(super) struct Html {
    told: Told,
    /// In the order of the pairs.
    plots: Vec<String>,
}

impl Draft for Html {
    fn hear(&mut self, event: &Event<'_>) {
        let place = self.told.hear(event);
        if let (Some(place), Event::PairFinished { record, measured }) = (place, event) {
            let room = Room::of(self.told.start.pairs.len());
            self.plots.insert(place, detail::plots(record, *measured, room));
        }
    }

    fn document(&self) -> io::Result<String> {
        Ok(page::document(&self.told, &self.plots))
    }
}

/// How much a plot may show: with many pairs less, so that a page stays one that a browser opens at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Room {
    /// The dots or corners of all the plots of a pair.
    points: usize,
}

impl Room {
    /// What a page may take, and what a pair takes without its points, in bytes.
    const PAGE: usize = 2_900_000;
    const PAIR: usize = 2_450;
    /// A point of a path.
    const POINT: usize = 6;
    /// More are not told apart, fewer are no picture.
    const MOST: usize = 1_200;
    const FEWEST: usize = 64;

    fn of(pairs: usize) -> Self {
        let bytes = (Self::PAGE / pairs.max(1)).saturating_sub(Self::PAIR);
        Self { points: (bytes / Self::POINT).clamp(Self::FEWEST, Self::MOST) }
    }

    /// A part of it, in sixteenths.
    fn part(self, sixteenths: usize) -> usize {
        self.points * sixteenths / 16
    }
}
