//! Inputs and outputs on a manual clock: what is timed, what is shared, and when values are dropped.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use bench_diff_core::{Duo, Instruments, ManualClock, Measurement, Order, measure};

use super::*;
use crate::call::value::{ByClone, ByCopy, Never, Shown, accepted, discard};
use crate::fixture::{entry, equal, ok, planned, same};

/// Checks and measures ten duos of a pair.
pub(super) fn measured(
    clock: &ManualClock,
    pair: impl Fn(&mut Probe<'_>),
) -> (Result<Check, String>, Measurement) {
    let plan = planned("", &[entry("a", 1, equal).slots(20)]).pairs[0].plan;
    let measured = work_on(pair, |pair| {
        let check = pair.check(&FirstCalls::new(Order::CandidateFirst, &|| Duration::ZERO));
        (check, measure(&Instruments::new(clock), pair, &plan).unwrap())
    });
    measured.unwrap()
}

/// Counts its values. Making or dropping one takes time on the clock.
#[derive(Default)]
struct Nursery {
    clock: ManualClock,
    calls: Cell<u64>,
    born: Cell<u64>,
    alive: Cell<u64>,
    most_alive: Cell<u64>,
}

impl Nursery {
    fn bear(&self) -> Child<'_> {
        self.clock.advance(Duration::from_nanos(70));
        self.born.set(self.born.get() + 1);
        self.alive.set(self.alive.get() + 1);
        self.most_alive.set(self.most_alive.get().max(self.alive.get()));
        Child { nursery: self, age: 0 }
    }

    fn call(&self) {
        self.calls.set(self.calls.get() + 1);
        self.clock.advance(Duration::from_nanos(1000));
    }

    /// All values were dropped, and there were never more of them than two slots need.
    fn is_orderly(&self, iterations: u64) -> bool {
        self.alive.get() == 0 && self.most_alive.get() <= 2 * iterations + 2
    }
}

struct Child<'a> {
    nursery: &'a Nursery,
    age: u64,
}

impl Clone for Child<'_> {
    fn clone(&self) -> Self {
        let mut clone = self.nursery.bear();
        clone.age = self.age;
        clone
    }
}

impl Drop for Child<'_> {
    fn drop(&mut self) {
        self.nursery.clock.advance(Duration::from_nanos(70));
        self.nursery.alive.set(self.nursery.alive.get() - 1);
    }
}

#[expect(clippy::unnecessary_wraps, reason = "functions may fail")]
fn returned(child: Child<'_>) -> Result<Child<'_>, String> {
    child.nursery.call();
    Ok(child)
}

fn unknown<V>(_: &V, _: &V) -> Compared {
    Compared::Unknown
}

/// Requires slots of 16 calls of 1000 ns, and nothing else.
#[track_caller]
pub(super) fn assert_pure(measurement: &Measurement) {
    assert_eq!(measurement.rounds[0][0].warmup.iterations, 16);
    let is_pure = |duo: &Duo| [duo.candidate, duo.baseline] == [[16_000; 2]; 2];
    assert!(measurement.rounds[0][0].duos.iter().all(is_pure), "{:?}", measurement.rounds[0][0].duos);
    assert!(
        measurement.rounds[0][0].empty.iter().all(|slot| *slot == 0),
        "{:?}",
        measurement.rounds[0][0].empty
    );
    // Ten duos, or a block that compares a function with itself.
    assert!([10, 8].contains(&measurement.rounds[0][0].duos.len()));
}

#[test]
fn an_input_by_value_is_made_before_the_slot_and_the_output_dropped_after_it() {
    let nursery = Nursery::default();
    let (check, measurement) = measured(&nursery.clock, |probe| {
        probe.by_value(returned, returned, || nursery.bear(), |_| ByClone, unknown);
    });
    assert_eq!(check, Ok(Check::None));
    assert_pure(&measurement);
    assert!(nursery.is_orderly(16), "{}", nursery.most_alive.get());
}

#[test]
fn an_input_that_is_not_clone_is_made_for_every_call() {
    let nursery = Nursery::default();
    let (_, measurement) = measured(&nursery.clock, |probe| {
        probe.by_value(returned, returned, || nursery.bear(), |_| Never, unknown);
    });
    assert_pure(&measurement);
    assert!(nursery.is_orderly(16));
    assert!(nursery.born.get() >= nursery.calls.get());
}

#[test]
fn a_changed_input_is_fresh_for_every_call() {
    let nursery = Nursery::default();
    let function = |child: &mut Child<'_>| {
        nursery.call();
        child.age += 1;
        assert_eq!(child.age, 1, "no earlier call has changed it");
        Ok(())
    };
    let same_age = |a: &Child<'_>, b: &Child<'_>| same(&a.age, &b.age);
    let (check, measurement) = measured(&nursery.clock, |probe| {
        probe.by_mut(function, function, || nursery.bear(), |_| ByClone, |input| input, same, same_age);
    });
    assert_eq!(check, Ok(Check::Equal), "the ages after the call");
    assert_pure(&measurement);
    assert!(nursery.is_orderly(16));
}

#[test]
fn a_discarded_output_does_not_count_as_equal() {
    let clock = ManualClock::new();
    let add = |amount| {
        let clock = &clock;
        move |input: &mut u64| {
            clock.advance(Duration::from_micros(20));
            *input += amount;
            Ok(discard(input))
        }
    };
    let check = |candidate, baseline| {
        measured(&clock, |probe| {
            let (candidate, baseline) = (add(candidate), add(baseline));
            probe.by_mut(candidate, baseline, || 0, |_| ByCopy, |input| input, unknown, same);
        })
        .0
    };
    assert_eq!(check(1, 1), Ok(Check::None));
    assert!(check(1, 2).unwrap_err().starts_with("the inputs differ"));
}

#[test]
fn a_borrowed_input_is_made_once_per_duo_and_outlives_its_borrowers() {
    let nursery = Nursery::default();
    struct Borrowing<'a, 'b>(&'a Child<'b>);
    impl Drop for Borrowing<'_, '_> {
        fn drop(&mut self) {
            self.0.nursery.clock.advance(Duration::from_nanos(70));
        }
    }
    let (_, measurement) = measured(&nursery.clock, |probe| {
        probe.by_ref(
            || nursery.bear(),
            |child, probe| {
                let function = |child| {
                    nursery.call();
                    Ok(Borrowing(child))
                };
                probe.compare_1(function, function, || child, unknown);
            },
        );
    });
    assert_pure(&measurement);
    assert!(nursery.is_orderly(16));
    // Empty slots have an input as well.
    let duos = (measurement.rounds[0][0].duos.len() + measurement.rounds[0][0].warmup.duos.len()) as u64;
    assert!(nursery.born.get() < 3 * duos, "{}", nursery.born.get());
}

/// Measures `pair` with a setup that never returns the same value twice, and returns the values that slots of
/// one call received.
fn seen(pair: impl Fn(&mut Probe<'_>, &dyn Fn() -> u64, &dyn Fn(u64) -> Result<(), String>)) -> Vec<u64> {
    let (clock, next, seen) = (ManualClock::new(), Cell::new(0), RefCell::new(Vec::new()));
    let _ = measured(&clock, |probe| {
        let setup = || {
            next.set(next.get() + 1);
            next.get()
        };
        let see = |value| {
            clock.advance(Duration::from_micros(20));
            seen.borrow_mut().push(value);
            Ok(())
        };
        pair(probe, &setup, &see);
    });
    seen.into_inner()
}

#[test]
fn a_random_setup_gives_both_functions_the_same_value() {
    let all = [
        seen(|probe, setup, see| probe.by_value(see, see, setup, |_| ByCopy, same)),
        seen(|probe, setup, see| probe.by_value(see, see, setup, |_| ByClone, same)),
        seen(|probe, setup, see| {
            let see = |value: &mut u64| see(*value);
            probe.by_mut(see, see, setup, |_| ByCopy, |input| input, same, same);
        }),
        seen(|probe, setup, see| {
            probe.by_ref(setup, |value, probe| {
                probe.compare_1(|value: &u64| see(*value), |value: &u64| see(*value), || value, same);
            });
        }),
    ];
    for seen in all {
        assert_eq!(seen[0], seen[1], "in the check");
        let duos: Vec<&[u64]> = seen[2..].chunks(4).collect();
        assert!(duos.len() > 20);
        assert!(duos.iter().all(|duo| duo.iter().all(|value| *value == duo[0])), "{seen:?}");
        assert!(duos.windows(2).all(|duos| duos[0][0] != duos[1][0]), "fresh in every duo: {seen:?}");
    }
}

#[test]
fn a_small_copy_needs_no_hooks() {
    fn of<I: Copy + Default>() -> Option<bool> {
        let mut has_hooks = None;
        work_on(
            |probe| probe.by_value(|_: I| Ok(()), |_: I| Ok(()), I::default, |_| ByCopy, same),
            |pair| {
                pair.with_functions(&mut |functions| has_hooks = Some(functions.candidate.hooks.is_some()));
            },
        );
        has_hooks
    }
    assert_eq!(of::<[u64; 8]>(), Some(false));
    assert_eq!(of::<[u64; 9]>(), Some(true), "copied before the slot");
}

#[test]
fn differences_are_reported() {
    let clock = ManualClock::new();
    let (check, _) = measured(&clock, |probe| {
        let of = |output: u64| {
            let clock = &clock;
            move || {
                clock.advance(Duration::from_micros(20));
                Ok(output)
            }
        };
        probe.compare_0(of(1), of(2), same);
    });
    assert_eq!(check.unwrap_err(), "the outputs differ\n  candidate: 1\n  baseline:  2");
    let (check, _) = measured(&clock, |probe| {
        let one = ok(|| clock.advance(Duration::from_micros(20)));
        probe.compare_0(&one, &one, |a, b| accepted(false, || [a, b].map(|output| Shown(output).text())));
    });
    assert_eq!(check.unwrap_err(), "the outputs differ\n  candidate: ()\n  baseline:  ()");
}
