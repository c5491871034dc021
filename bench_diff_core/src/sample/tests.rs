//! The sampler on a manual clock.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use super::*;
use crate::clock::ManualClock;
use crate::coin::{Chance, Coin, OrderPolicy, Seed};
use crate::duo::Order;

const SEED: Seed = Seed(3);

fn block(clock: &ManualClock, pair: &mut dyn Pair, has_empty_slots: bool, length: usize) -> Samples {
    let mut samples = Samples::default();
    let mut sampler = Sampler::new(clock, pair);
    sampler.set_empty_slots(has_empty_slots);
    sampler.block(&mut Chance::new(OrderPolicy::Coin, SEED), length, &mut samples);
    samples
}

#[test]
fn duos_are_palindromes_in_the_order_of_the_coin() {
    let (clock, calls) = (ManualClock::new(), RefCell::new(String::new()));
    let call = |name, nanoseconds| {
        calls.borrow_mut().push(name);
        clock.advance(Duration::from_nanos(nanoseconds));
    };
    let mut pair = Closures::new(|| call('C', 7), || call('B', 5));
    let duos = block(&clock, &mut pair, false, BLOCK).duos;

    let mut expected = Coin::new(OrderPolicy::Coin, SEED);
    for (duo, called) in duos.iter().zip(calls.borrow().as_bytes().chunks(4)) {
        assert_eq!(duo.order, expected.flip());
        assert_eq!(called, if duo.order == Order::BaselineFirst { b"BCCB" } else { b"CBBC" });
        assert_eq!((duo.candidate, duo.baseline), ([7, 7], [5, 5]));
    }
    assert_eq!(duos.len(), BLOCK);
}

#[test]
fn half_a_duo_is_its_first_two_slots() {
    let (clock, calls) = (ManualClock::new(), RefCell::new(String::new()));
    let call = |name, nanoseconds| {
        calls.borrow_mut().push(name);
        clock.advance(Duration::from_nanos(nanoseconds));
    };
    let mut pair = Closures::new(|| call('C', 7), || call('B', 5));
    let mut sampler = Sampler::new(&clock, &mut pair).with_iterations(2);
    let mut chance = Chance::new(OrderPolicy::Coin, SEED);
    let mut expected = Coin::new(OrderPolicy::Coin, SEED);
    for _ in 0..20 {
        calls.borrow_mut().clear();
        assert_eq!(sampler.half_duo(&mut chance), [14, 10]);
        let first = expected.flip();
        assert_eq!(*calls.borrow(), if first == Order::BaselineFirst { "BBCC" } else { "CCBB" });
    }
}

#[test]
fn a_linear_drift_cancels_in_every_duo() {
    let (clock, slots) = (ManualClock::new(), Cell::new(0));
    let call = || {
        slots.set(slots.get() + 1);
        clock.advance(Duration::from_nanos(1_000_000 + 100 * slots.get()));
    };
    for duo in block(&clock, &mut Closures::new(call, call), false, BLOCK).duos {
        // One step of the drift is 1e-4 of a slot.
        assert!(duo.contrast().abs() < 1e-7, "{}", duo.contrast());
    }
}

/// Logs what happens around the slots and each time the functions are lent. None of it may be timed.
struct Log<'a>(&'a RefCell<String>, &'a ManualClock);

impl Log<'_> {
    fn log(&self, what: &str) {
        self.0.borrow_mut().push_str(what);
        self.1.advance(Duration::from_millis(1));
    }
}

impl Hooks for Log<'_> {
    fn make_room(&mut self, iterations: u64) {
        self.log(&format!("<{iterations}"));
    }
    fn after_slot(&mut self) {
        self.log(">");
    }
    fn note(&self) -> &'static str {
        "logged"
    }
}

struct Logged<'a> {
    log: Log<'a>,
    fresh: bool,
}

impl Pair for Logged<'_> {
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        let Log(log, clock) = self.log;
        let call = |name| {
            move || {
                log.borrow_mut().push(name);
                clock.advance(Duration::from_nanos(9));
            }
        };
        self.log.log("(");
        measure(Functions {
            candidate: Side::with_hooks(&mut call('.'), &mut Log(log, clock)),
            baseline: Some(Side::with_hooks(&mut call('.'), &mut Log(log, clock))),
            empty: Side::plain(&mut call('e')),
        });
        self.log.log(")");
    }

    fn has_fresh_inputs(&self) -> bool {
        self.fresh
    }
}

#[test]
fn hooks_and_inputs_are_not_timed() {
    for (fresh, expected) in
        [(false, "(<1.><1.><1.><1.><1.><1.><1.><1.>)"), (true, "(<1.><1.><1.><1.>)(<1.><1.><1.><1.>)")]
    {
        let (clock, log) = (ManualClock::new(), RefCell::new(String::new()));
        let mut pair = Logged { log: Log(&log, &clock), fresh };
        let duos = block(&clock, &mut pair, false, 2).duos;
        assert_eq!(*log.borrow(), expected);
        assert!(duos.iter().all(|duo| (duo.candidate, duo.baseline) == ([9, 9], [9, 9])));
    }
}

#[test]
fn an_empty_slot_follows_the_duos_and_uses_the_last_input() {
    for (fresh, ends) in [(false, "e)"), (true, ">e)")] {
        let (clock, log) = (ManualClock::new(), RefCell::new(String::new()));
        let mut pair = Logged { log: Log(&log, &clock), fresh };
        let samples = block(&clock, &mut pair, true, 3);
        assert_eq!((samples.duos.len(), samples.empty), (3, vec![9]));
        let log = log.borrow();
        assert!(log.ends_with(ends) && log.matches('e').count() == 1, "{log}");
        assert_eq!(log.matches('(').count(), if fresh { 3 } else { 1 }, "{log}");
    }
}

#[test]
fn empty_slots_do_not_move_the_coin() {
    let clock = ManualClock::new();
    let call = || clock.advance(Duration::from_nanos(9));
    let orders = |has_empty_slots| {
        let duos = block(&clock, &mut Closures::new(call, call), has_empty_slots, BLOCK).duos;
        duos.iter().map(|duo| duo.order).collect::<Vec<_>>()
    };
    assert_eq!(orders(false), orders(true));
}
