//! The room that the plots of a pair have on a page.

use crate::report::whole_run::WholeRun;

/// The room for the plots of a pair. With many pairs it is less, so that a browser opens the page at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// The dots of duos.
    pub(super) duos: usize,
    /// The corners of a curve.
    pub(super) corners: usize,
}

impl Room {
    /// The size of a page, in bytes.
    const PAGE: usize = 2_850_000;
    /// The size of a pair besides its plots, and that of plots without their points.
    const TEXT: usize = 1_200;
    const AXES: usize = 1_400;
    /// A point of a path.
    const POINT: usize = 7;
    /// Fewer make no picture, and more cannot be distinguished.
    pub(super) const DUOS: [usize; 2] = [16, 600];
    pub(super) const CORNERS: [usize; 2] = [8, 128];

    /// The room of the next pair, if all later ones get as much.
    pub(super) fn of_next(run: &WholeRun) -> Self {
        let used: usize = run.drawn.iter().map(|plots| plots.len() + Self::TEXT).sum();
        let left = run.start.pairs.len().saturating_sub(run.drawn.len()).max(1);
        Self::of(Self::PAGE.saturating_sub(used) / left)
    }

    /// The room in this many bytes.
    pub(super) fn of(bytes: usize) -> Self {
        let points = bytes.saturating_sub(Self::TEXT + Self::AXES) / Self::POINT;
        let within = |points: usize, [fewest, most]: [usize; 2]| points.clamp(fewest, most);
        Self { duos: within(points / 2, Self::DUOS), corners: within(points / 8, Self::CORNERS) }
    }
}
