//! The plan of a measurement: everything that is decided before the first slot.

use std::time::Duration;

use crate::clock::ClockPolicy;
use crate::coin::{OrderPolicy, Seed};
use crate::gate::Zone;
use crate::judge::JudgeKind;

/// How a pair is measured and judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The bounds that the candidate is held to: those of a [`Gate`](crate::Gate). None where nothing is decided.
    pub zone: Option<Zone>,
    /// Who decides.
    pub judge: JudgeKind,
    /// The probability of a false failure, between 0 and 1/2: of this pair, not of the run that it belongs to.
    pub alpha: f64,
    /// The probability of a false pass, between 0 and 1/2.
    pub beta: f64,
    /// The slots of each function that [`JudgeKind::Welch`] measures, at least 2; an odd number is rounded up, since
    /// a duo holds two of each.
    pub exec_count: u64,
    /// The time after which [`JudgeKind::Sequential`] leaves a pair undecided, counted from the first duo that counts.
    ///
    /// A soft limit: no pair ends before the duos that a plain slowdown takes to be proven, nor while every duo so far
    /// says the same, and a block that was begun is finished. A pair that would take ten times as long is
    /// [`MeasureError::TooSlow`](crate::MeasureError::TooSlow).
    pub max_time: Duration,
    /// The time for which the functions run before anything counts.
    pub warmup: Duration,
    /// What the slots are timed with.
    pub clock: ClockPolicy,
    /// Whether the baseline is measured against itself as well, with as many duos and in between those of the pair.
    pub control: bool,
    /// How the order of the duos is drawn.
    pub order: OrderPolicy,
    /// The seed of this pair's coin.
    pub seed: Seed,
}
