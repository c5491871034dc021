//! The groups of `criterion_main!`, as entries of the harness.

use std::mem::{self, ManuallyDrop};

use bench_diff_harness::front_end::PairEntry;

use crate::registering::{begin_in_main, with_cases};

/// The targets of a group made by `criterion_group!`. `criterion_main!` takes them out. Where they are
/// dropped instead, as in a `main` that calls the group, they register their benchmarks.
#[derive(Debug)]
pub struct Targets(pub Vec<PairEntry>);

impl Drop for Targets {
    // A bench that drops none must not contain it: it uses a variable of the registration.
    #[inline]
    fn drop(&mut self) {
        for entry in &self.0 {
            begin_in_main(entry.location());
            with_cases(|cases| entry.register(cases));
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
        mem::take(&mut ManuallyDrop::new(group()).0)
    }
}

/// A hand-written group makes a `Criterion` and passes it to its targets.
impl OfGroup for () {
    fn entries(_: fn(), whole: impl FnOnce() -> PairEntry) -> Vec<PairEntry> {
        vec![whole()]
    }
}
