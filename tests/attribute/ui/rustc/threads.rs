//! Values that several threads cannot share, or take from another thread.

use std::cell::Cell;
use std::rc::Rc;

use bench_diff_harness::bench_diff;

fn rc() -> Rc<u8> {
    Rc::new(1)
}

fn cell() -> Cell<u8> {
    Cell::new(1)
}

fn of_rc(_: Rc<u8>) {}

fn of_cell(_: &Cell<u8>) {}

fn of_mut(_: &mut Rc<u8>) {}

fn one() -> u8 {
    1
}

fn of_two(_: &Cell<u8>, _: u8) {}

#[bench_diff(baseline = of_cell, threads = 2, setup_once = cell)] //~ E0277 cell
fn state(_: &Cell<u8>) {}

#[bench_diff(baseline = of_two, threads = 2, setup_once = cell, setup = number)] //~ E0277 cell
fn state_and_input(_: &Cell<u8>, _: u8) {}

fn number(_: &Cell<u8>) -> u8 {
    one()
}

#[bench_diff(baseline = of_cell, threads = 2, setup = cell)] //~ E0277 cell
fn borrowed(_: &Cell<u8>) {}

#[bench_diff(baseline = of_rc, threads = 2, setup = rc)] //~ E0277 rc
fn by_value(_: Rc<u8>) {}

#[bench_diff(baseline = of_mut, threads = 2, setup = rc)] //~ E0277 rc
fn changed(_: &mut Rc<u8>) {}

#[bench_diff(baseline = of_cell, threads = 2, args = [Cell::new(1)])] //~ E0277 [Cell::new(1)]
fn arg(_: &Cell<u8>) {}

#[bench_diff(baseline = of_rc, setup = rc)]
fn without_threads(_: Rc<u8>) {}

fn main() {}
