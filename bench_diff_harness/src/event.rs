//! What happens in a run, for whoever tells it.

use bench_diff_core::Progress;

use crate::machine::Machine;
use crate::plan::{PairPlan, RunPlan};
use crate::record::{PairRecord, RunRecord};

/// Between running and telling.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(feature = "progress"),
    expect(dead_code, reason = "only a progress bar shows the way to a result")
)]
pub(crate) enum Event<'a> {
    RunStarted {
        plan: &'a RunPlan,
        machine: &'a Machine,
    },
    /// The pair of this index among those of the run, from 0.
    PairStarted(usize),
    /// Between two blocks of slots, never during one.
    Progress {
        pair: &'a PairPlan,
        progress: Progress,
    },
    PairFinished(&'a PairRecord),
    RunFinished(&'a RunRecord),
}
