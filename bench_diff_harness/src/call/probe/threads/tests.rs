//! Tests of several threads on the clock of the leading one.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use std::time::Duration;

use bench_diff_core::Measurement;

use crate::call::panics;
use crate::call::probe::tests::{assert_pure, measured};
use crate::call::probe::{Check, OnTeam, Probe, work_on};
use crate::call::value::{ByClone, Never};
use crate::fixture::{CLOCK, same};

const THREADS: u64 = 3;

/// Measures ten duos of a pair on three threads, on the clock of the leading thread.
fn measured_on_three(pair: impl Fn(&mut Probe<'_>)) -> (Result<Check, String>, Measurement) {
    CLOCK.with(|clock| {
        measured(clock, |probe| {
            probe.set_threads(3, Some(OnTeam::ROUTINE));
            pair(probe);
        })
    })
}

/// Takes 1000 ns, if called on the leading thread.
fn pass() {
    CLOCK.with(|clock| clock.advance(Duration::from_nanos(1000)));
}

#[test]
fn every_thread_makes_the_calls_of_a_slot() {
    let (calls, on_leader) = (AtomicU64::new(0), AtomicU64::new(0));
    let leader = thread::current().id();
    let function = |()| {
        calls.fetch_add(1, Ordering::Relaxed);
        if thread::current().id() == leader {
            on_leader.fetch_add(1, Ordering::Relaxed);
        }
        pass();
        Ok(())
    };
    let (check, measurement) =
        measured_on_three(|probe| probe.on_threads().compare_1(function, function, || (), same));
    assert_eq!(check, Ok(Check::None));
    assert_pure(&measurement);
    let in_check = 2;
    let [calls, on_leader] = [&calls, &on_leader].map(|count| count.load(Ordering::Relaxed) - in_check);
    assert_eq!(calls, THREADS * on_leader, "in the check, only this thread calls them");
}

/// Counts its values, all of which have to be dropped in the end.
#[derive(Default)]
struct Nursery {
    born: AtomicU64,
    alive: AtomicU64,
}

struct Child<'a> {
    nursery: &'a Nursery,
    is_used: AtomicBool,
}

impl Nursery {
    fn bear(&self) -> Child<'_> {
        pass();
        self.born.fetch_add(1, Ordering::Relaxed);
        self.alive.fetch_add(1, Ordering::Relaxed);
        Child { nursery: self, is_used: AtomicBool::new(false) }
    }
}

impl Child<'_> {
    /// Requires that no other call got this input before.
    fn used(&self) {
        assert!(!self.is_used.swap(true, Ordering::Relaxed));
        pass();
    }
}

impl Clone for Child<'_> {
    fn clone(&self) -> Self {
        self.nursery.bear()
    }
}

impl Drop for Child<'_> {
    fn drop(&mut self) {
        pass();
        self.nursery.alive.fetch_sub(1, Ordering::Relaxed);
    }
}

#[test]
fn every_call_of_every_thread_has_its_own_input() {
    #[expect(clippy::unnecessary_wraps, reason = "functions may fail")]
    fn returned(child: Child<'_>) -> Result<Child<'_>, String> {
        child.used();
        Ok(child)
    }
    fn unknown<V>(_: &V, _: &V) -> crate::call::value::Compared {
        crate::call::value::Compared::Unknown
    }
    let nursery = Nursery::default();
    let measurements = [
        measured_on_three(|probe| {
            let make = || nursery.bear();
            probe.on_threads().by_value(returned, returned, make, |_| ByClone, unknown);
        }),
        measured_on_three(|probe| {
            let make = || nursery.bear();
            probe.on_threads().by_value(returned, returned, make, |_| Never, unknown);
        }),
        measured_on_three(|probe| {
            let (make, function) = (
                || nursery.bear(),
                |child: &mut Child<'_>| {
                    child.used();
                    Ok(())
                },
            );
            let mut probe = probe.on_threads();
            probe.by_mut(function, function, make, |_| ByClone, |input| input, unknown, unknown);
        }),
    ];
    for (check, measurement) in measurements {
        assert_eq!(check, Ok(Check::None));
        assert_pure(&measurement);
    }
    assert_eq!(nursery.alive.load(Ordering::Relaxed), 0);
    // Three kinds of input, ten duos of four slots, and sixteen calls in each thread.
    assert!(nursery.born.load(Ordering::Relaxed) > 3 * 10 * 4 * 16 * THREADS);
}

#[test]
fn borrowed_inputs_are_shared() {
    let (made, calls) = (AtomicU64::new(0), AtomicU64::new(0));
    let function = |input: &u64| {
        calls.fetch_add(1, Ordering::Relaxed);
        pass();
        Ok(input.to_string())
    };
    let (check, measurement) = measured_on_three(|probe| {
        probe.by_ref(
            || made.fetch_add(1, Ordering::Relaxed),
            |input, probe| probe.on_threads().compare_1(function, function, || input, same),
        );
    });
    assert_eq!(check, Ok(Check::Equal));
    assert_pure(&measurement);
    let [made, calls] = [&made, &calls].map(|count| count.load(Ordering::Relaxed));
    assert!(made < calls / 16, "{made} for {calls} calls, with 192 in each duo");
}

#[test]
fn a_panic_of_one_thread_ends_the_measurement_with_its_message() {
    let leader = thread::current().id();
    for on_leader in [false, true] {
        let calls = AtomicU64::new(0);
        let function = |()| {
            let is_late = calls.fetch_add(1, Ordering::Relaxed) > 500;
            assert!(!is_late || on_leader != (thread::current().id() == leader), "out of {on_leader}");
            pass();
            Ok(())
        };
        let error = panics::catch(|| {
            measured_on_three(|probe| probe.on_threads().compare_1(function, function, || (), same))
        });
        let error = error.unwrap_err();
        assert!(
            error.contains("threads/tests.rs:") && error.ends_with(&format!("out of {on_leader}")),
            "{error}"
        );
    }
}

#[test]
fn an_err_in_any_thread_is_recorded() {
    let leader = thread::current().id();
    let function = |()| {
        if thread::current().id() == leader { Ok(()) } else { Err("no luck".to_owned()) }
    };
    let on_three = |probe: &mut Probe<'_>| {
        probe.set_threads(3, Some(OnTeam::ROUTINE));
        probe.on_threads().compare_1(function, function, || (), same);
    };
    let error = work_on(on_three, |pair| {
        pair.with_functions(&mut |functions| {
            let hooks = functions.candidate.hooks.unwrap();
            hooks.make_room(7);
            functions.candidate.call.call();
            functions.candidate.rest.unwrap().call();
            hooks.after_slot();
        });
        pair.take_error()
    });
    assert_eq!(error.flatten().unwrap(), "the candidate returned an error: no luck");
}

#[test]
fn a_routine_gets_inputs_that_its_thread_made() {
    /// Makes the calls of one slot. Returns the most calls that a slot may have.
    fn slot(run: impl FnOnce(&mut Probe<'_>)) -> u64 {
        let on_three = |probe: &mut Probe<'_>| {
            probe.set_threads(3, Some(OnTeam::ROUTINE));
            run(probe);
        };
        let made = work_on(on_three, |pair| {
            let mut most_calls = 0;
            assert!(!pair.has_baseline() && pair.entries().is_some());
            pair.with_functions(&mut |functions| {
                let hooks = functions.candidate.hooks.unwrap();
                most_calls = hooks.most_calls();
                hooks.make_inputs(7);
                hooks.make_room(7);
                functions.candidate.call.call();
                functions.candidate.rest.unwrap().call();
                hooks.after_slot();
            });
            most_calls
        });
        made.unwrap()
    }
    let nursery = Nursery::default();
    let calls = AtomicU64::new(0);
    // An `Rc` cannot leave its thread.
    let make = || (Rc::new(thread::current().id()), nursery.bear());
    let used = |(maker, child): &(Rc<ThreadId>, Child<'_>)| {
        assert_eq!(**maker, thread::current().id());
        child.used();
        calls.fetch_add(1, Ordering::Relaxed);
    };
    let returned = |input| {
        used(&input);
        input
    };
    let by_value = slot(|probe| probe.on_threads().iter_batched(make, returned, 7));
    let by_ref = slot(|probe| probe.on_threads().iter_batched_ref(make, |input| used(input), 9));
    assert_eq!([by_value, by_ref], [7, 9]);
    assert_eq!(calls.load(Ordering::Relaxed), 2 * 7 * THREADS);
    slot(|probe| probe.on_threads().iter_with_large_drop(|| nursery.bear()));
    let [born, alive] = [&nursery.born, &nursery.alive].map(|count| count.load(Ordering::Relaxed));
    assert_eq!((born, alive), (3 * 7 * THREADS, 0));
}
