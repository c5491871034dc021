//! Pairs whose true ratio is known from the instructions that they are made of.

use std::hint::black_box;

use bench_diff_core::{Closures, Pair};

/// A pair of a known ratio.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// The true ratio of the work; none where there is no work.
    pub(crate) truth: Option<f64>,
    pub(crate) pair: Box<dyn Pair>,
}

/// Every case, made anew.
pub(crate) fn cases() -> Vec<Case> {
    let case = |name, truth, pair| Case { name, truth, pair };
    vec![
        case("`x + 2` and `x + 1`", Some(1.0), stateful(|x| x.wrapping_add(2), |x| x.wrapping_add(1))),
        case("5 and 4 multiplications", Some(1.25), stateful(powers::<5>, powers::<4>)),
        case("11 and 10 multiplications", Some(1.1), stateful(powers::<11>, powers::<10>)),
        case("110 and 100 multiplications", Some(1.1), stateful(powers::<110>, powers::<100>)),
        case("nothing and nothing", None, stateful(|x| x, |x| x)),
        case("work that grows with its calls", Some(1.0), Box::new(Closures::new(growing(), growing()))),
    ]
}

/// `N` multiplications, each waiting for the one before it: nothing that the compiler could fold or reorder.
#[inline(always)]
fn powers<const N: usize>(x: u64) -> u64 {
    (0..N).fold(x, |x, _| x.wrapping_mul(x))
}

/// Functions that go on where their last call ended, so that no call starts before the last one is done.
///
/// The empty call hands its state to the black box as the others do.
fn stateful(
    candidate: impl Fn(u64) -> u64 + 'static,
    baseline: impl Fn(u64) -> u64 + 'static,
) -> Box<dyn Pair> {
    fn step(function: impl Fn(u64) -> u64) -> impl FnMut() {
        let mut state = 3;
        move || state = function(black_box(state))
    }
    Box::new(Closures::new(step(candidate), step(baseline)).with_empty(step(|x| x)))
}

/// A function that takes a little longer with every call.
fn growing() -> impl FnMut() {
    let mut calls = 0_u64;
    move || {
        calls += 1;
        black_box((0..black_box(1_000 + calls / 100)).fold(3, |x: u64, _| x.wrapping_mul(x)));
    }
}
