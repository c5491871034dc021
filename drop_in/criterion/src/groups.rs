//! The groups of `criterion_main!`, as entries of the harness.

use std::mem;

use bench_diff_harness::front_end::PairEntry;

use crate::registering::not_run_by_criterion_main;

/// The targets of a group made by `criterion_group!`. Only `criterion_main!` runs them. If they are dropped
/// elsewhere, as in a hand-written `main`, the process ends with an error.
#[derive(Debug)]
pub struct Targets(pub Vec<PairEntry>);

impl Drop for Targets {
    fn drop(&mut self) {
        if !self.0.is_empty() {
            not_run_by_criterion_main();
        }
    }
}

/// The return type of the functions that `criterion_main!` names.
pub trait OfGroup: Sized {
    /// The entries of the group. `whole` makes a single entry that runs all of it.
    fn entries(group: fn() -> Self, whole: impl FnOnce() -> PairEntry) -> Vec<PairEntry>;
}

impl OfGroup for Targets {
    fn entries(group: fn() -> Self, _: impl FnOnce() -> PairEntry) -> Vec<PairEntry> {
        mem::take(&mut group().0)
    }
}

/// A hand-written group makes a `Criterion` and passes it to its targets.
impl OfGroup for () {
    fn entries(_: fn(), whole: impl FnOnce() -> PairEntry) -> Vec<PairEntry> {
        vec![whole()]
    }
}
