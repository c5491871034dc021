//! The plan of a measurement: everything that is decided before the first slot.

use std::time::Duration;

use crate::coin::{OrderPolicy, Seed};
use crate::gate::Gate;
use crate::judge::JudgeKind;

/// How a pair is measured and judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The promise that the candidate is held to.
    pub gate: Gate,
    /// Who decides.
    pub judge: JudgeKind,
    /// The probability of a false failure, between 0 and 1/2: of this pair, not of the run that it belongs to.
    pub alpha: f64,
    /// The probability of a false pass, between 0 and 1/2.
    pub beta: f64,
    /// The slots of each function that [`JudgeKind::Welch`] measures, at least 2; an odd number is rounded up, since
    /// a duo holds two of each.
    pub exec_count: u64,
    /// The time for which the functions run before anything counts.
    pub warmup: Duration,
    /// How the order of the duos is drawn.
    pub order: OrderPolicy,
    /// The seed of this pair's coin.
    pub seed: Seed,
}
