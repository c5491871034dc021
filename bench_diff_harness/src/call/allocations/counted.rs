//! Calls both functions of a pair on equal inputs and counts their allocations.

use bench_diff_core::{Functions, Order, Side};
pub(crate) use bench_diff_report::record::AllocationsRecord as Allocations;
use bench_diff_report::record::FunctionAllocations;

use crate::call::probe::{Comparison, call_in};

/// Calls a function once and counts what the program allocates during the call; `None` if nothing counts
/// allocations.
pub(crate) type Count = fn(&mut dyn FnMut()) -> Option<Counts>;

/// The allocations of the program during one call of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// The number of requests for memory.
    pub(crate) calls: u64,
    /// The number of requested bytes.
    pub(crate) bytes: u64,
    /// The most memory that was in use at once, beyond what was in use before the call.
    pub(crate) peak: u64,
}

/// The number of calls of each function that are counted at first. They are enough if the counts agree and
/// the candidate allocates no more than the baseline.
pub(crate) const FEW: usize = 2;

/// The number of calls of each function that are counted otherwise. If the allocations of both functions vary
/// in the same way, all counts of one exceed all counts of the other in only one of 12870 runs.
pub(crate) const MANY: usize = 8;

/// Counts what both functions allocate in at least `fewest` calls; `None` if nothing counts allocations. A
/// single function stands for both. Each function has been called before, so one-time allocations are already
/// made.
pub(crate) fn counted(
    pair: &mut dyn Comparison,
    order: Order,
    fewest: usize,
    count: Count,
) -> Option<Allocations> {
    // If nothing counts allocations, no input is made for the calls.
    count(&mut || ())?;
    let mut found = None;
    pair.with_functions(&mut |functions| found = of_functions(functions, order, fewest, count));
    found
}

fn of_functions(functions: Functions<'_>, order: Order, fewest: usize, count: Count) -> Option<Allocations> {
    let Functions { mut candidate, mut baseline, .. } = functions;
    // The threads of a team are new, and make their one-time allocations in this call.
    let sides = [Some(&mut candidate), baseline.as_mut()].into_iter().flatten();
    for side in sides.filter(|side| side.rest.is_some()) {
        around_call(side, |call| call());
    }
    let mut turn = |number: usize| {
        let order = if number.is_multiple_of(2) { order } else { order.reversed() };
        let Some(baseline) = &mut baseline else {
            return around_call(&mut candidate, |call| count(call)).map(|counts| (counts, counts));
        };
        let (candidate, baseline) = call_in(
            order,
            || around_call(&mut candidate, |call| count(call)),
            || around_call(baseline, |call| count(call)),
        );
        candidate.zip(baseline)
    };
    let mut all = Vec::with_capacity(MANY);
    for number in 0..MANY {
        all.push(turn(number)?);
        if all.len() == fewest && !needs_more(&of_calls(&all)) {
            break;
        }
    }
    Some(of_calls(&all))
}

/// Makes the inputs of a call, runs the call, and drops its outputs.
fn around_call<T>(side: &mut Side<'_>, around: impl FnOnce(&mut dyn FnMut()) -> T) -> T {
    if let Some(hooks) = &mut side.hooks {
        hooks.make_inputs(1);
        hooks.make_room(1);
    }
    let result = around(&mut || {
        side.call.call();
        if let Some(rest) = &mut side.rest {
            rest.call();
        }
    });
    if let Some(hooks) = &mut side.hooks {
        hooks.after_slot();
    }
    result
}

/// Collects the allocations of these calls of candidate and baseline.
fn of_calls(calls: &[(Counts, Counts)]) -> Allocations {
    Allocations {
        max: None,
        counted: calls.len(),
        candidate: of_function(calls, |(candidate, _)| candidate),
        baseline: of_function(calls, |(_, baseline)| baseline),
    }
}

fn needs_more(Allocations { candidate, baseline, .. }: &Allocations) -> bool {
    let vary = candidate.vary() || baseline.vary();
    vary || candidate.calls > baseline.calls || candidate.bytes > baseline.bytes
}

/// Collects the counts of one of both functions in these calls.
fn of_function(
    calls: &[(Counts, Counts)],
    function: fn(&(Counts, Counts)) -> &Counts,
) -> FunctionAllocations {
    let calls = || calls.iter().map(function);
    let least = |count: fn(&Counts) -> u64| calls().map(count).min().unwrap_or_default();
    let most = |count: fn(&Counts) -> u64| calls().map(count).max().unwrap_or_default();
    FunctionAllocations {
        calls: least(|counts| counts.calls),
        bytes: least(|counts| counts.bytes),
        most_calls: most(|counts| counts.calls),
        most_bytes: most(|counts| counts.bytes),
        peak: most(|counts| counts.peak),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;
    use crate::call::probe::{Probe, work_on};
    use crate::call::value::ByClone;
    use crate::fixture::{Allocator, allocate, count, ok, same};

    /// Counts as a measuring process does.
    fn counts(pair: impl Fn(&mut Probe<'_>)) -> Option<Allocations> {
        work_on(pair, |pair| counted(pair, Order::BaselineFirst, FEW, count)).flatten()
    }

    /// Two functions that allocate these numbers of times in turn, with their counts and the order of calls.
    fn called(candidate: &[u64], baseline: &[u64]) -> (Option<Allocations>, String) {
        let order = RefCell::new(String::new());
        let function = |name: char, counts: &[u64]| {
            let calls = order.borrow().chars().filter(|called| *called == name).count();
            order.borrow_mut().push(name);
            allocate(counts[calls % counts.len()], 8);
        };
        let found = counts(|probe| {
            probe.compare_0(ok(|| function('c', candidate)), ok(|| function('b', baseline)), same);
        });
        (found, order.into_inner())
    }

    #[test]
    fn calls_are_counted_until_it_is_clear() {
        let _allocator = Allocator::new();
        for (candidate, baseline, expected) in [
            (&[3][..], &[3][..], "bccb"),
            (&[2], &[3], "bccb"),
            (&[4], &[3], "bccbbccbbccbbccb"),
            (&[3, 4], &[9], "bccbbccbbccbbccb"),
            (&[3], &[9, 8], "bccbbccbbccbbccb"),
        ] {
            let (found, order) = called(candidate, baseline);
            assert_eq!(order, expected, "{candidate:?} {baseline:?}");
            let Some(Allocations { counted, candidate: of_candidate, .. }) = found else { panic!("counted") };
            assert_eq!(2 * counted, order.len());
            let ends = [candidate.iter().min(), candidate.iter().max()].map(Option::unwrap);
            assert_eq!(ends, [&of_candidate.calls, &of_candidate.most_calls]);
        }
    }

    #[test]
    fn without_a_counting_allocator_nothing_is_called_or_made() {
        assert_eq!(called(&[1], &[1]), (None, String::new()));
        let make = || -> Costly { unreachable!("no input is needed") };
        let found = counts(|probe| probe.by_value(drops, drops, make, |_| ByClone, same));
        assert_eq!(found, None);
    }

    /// Allocates when it is made, when it is cloned and when it is dropped.
    struct Costly;

    #[expect(clippy::unnecessary_wraps, reason = "functions may fail")]
    fn drops(input: Costly) -> Result<(), String> {
        drop(input);
        Ok(())
    }

    impl Clone for Costly {
        fn clone(&self) -> Self {
            allocate(100, 100);
            Self
        }
    }

    impl Drop for Costly {
        fn drop(&mut self) {
            allocate(1_000, 1_000);
        }
    }

    #[test]
    fn neither_inputs_nor_outputs_count() {
        let _allocator = Allocator::new();
        let seen = Cell::new(0);
        let function = |input: Costly| {
            seen.set(seen.get() + 1);
            allocate(1, 16);
            Ok(input)
        };
        let unknown = |_: &Costly, _: &Costly| crate::call::value::Compared::Unknown;
        let found = counts(|probe| {
            let make = || {
                allocate(10, 10);
                Costly
            };
            probe.by_value(function, function, make, |_| ByClone, unknown);
        });
        let one = FunctionAllocations { calls: 1, bytes: 16, most_calls: 1, most_bytes: 16, peak: 16 };
        assert_eq!(found, Some(Allocations { max: None, counted: 2, candidate: one, baseline: one }));
        assert_eq!(seen.get(), 4);
    }

    #[test]
    fn dropping_an_input_is_part_of_the_work() {
        let _allocator = Allocator::new();
        let found = counts(|probe| {
            probe.by_value(drops, drops, || Costly, |_| ByClone, same);
        });
        assert_eq!(found.unwrap().candidate.calls, 1_000);
    }
}
