//! The ways in which a function gets its input out of a batch.

use std::hint::black_box;

use super::batch::Batch;
use super::results::Results;

/// How functions of inputs `I` are called.
pub(super) trait Passing<I>: Copy {
    /// Whether there is an input.
    const HAS_INPUT: bool = true;

    /// What a call does with its input where the function does nothing; it may leave the input behind.
    fn empty(batch: &Batch<I>) -> Option<I>;
}

/// A function `F` that can be called so, and returns a `V`.
pub(super) trait Calls<F, I, V>: Passing<I> {
    fn call(function: &F, batch: &Batch<I>) -> Result<V, String>;
}

/// What a slot calls: one of the functions, with what becomes of its input and its output.
///
/// It is the same for both functions of a pair, so that functions of equal machine code are called by equal
/// machine code. Nothing else calls them: the compiler inlines a function that is called in one place where
/// it leaves one that is called in two.
pub(super) fn timed<'a, P: Calls<F, I, V>, F, I, V>(
    _: P,
    function: &'a F,
    batch: &'a Batch<I>,
    results: &'a Results<V>,
) -> impl FnMut() + use<'a, P, F, I, V> {
    move || results.keep(P::call(function, batch))
}

/// What a slot calls to know what is left of a call where the function does nothing.
pub(super) fn timed_empty<'a, P: Passing<I>, E: Fn(), I, V>(
    _: P,
    empty: &'a E,
    batch: &'a Batch<I>,
    left_behind: &'a Results<I>,
    results: &'a Results<V>,
) -> impl FnMut() + use<'a, P, E, I, V> {
    move || {
        empty();
        if let Some(input) = P::empty(batch) {
            left_behind.keep(Ok(input));
        }
        results.keep_nothing();
    }
}

/// Functions that get what they need by themselves.
#[derive(Clone, Copy)]
pub(super) struct Nothing;

impl Passing<()> for Nothing {
    const HAS_INPUT: bool = false;

    #[inline]
    fn empty(_: &Batch<()>) -> Option<()> {
        None
    }
}

impl<F: Fn() -> Result<V, String>, V> Calls<F, (), V> for Nothing {
    #[inline]
    fn call(function: &F, _: &Batch<()>) -> Result<V, String> {
        function()
    }
}

/// Functions that take an input for good.
#[derive(Clone, Copy)]
pub(super) struct ByValue;

impl<I> Passing<I> for ByValue {
    fn empty(batch: &Batch<I>) -> Option<I> {
        Some(black_box(batch.take()))
    }
}

impl<F: Fn(I) -> Result<V, String>, I, V> Calls<F, I, V> for ByValue {
    #[inline]
    fn call(function: &F, batch: &Batch<I>) -> Result<V, String> {
        function(black_box(batch.take()))
    }
}

/// Functions that change an input.
#[derive(Clone, Copy)]
pub(super) struct ByMut;

impl<I> Passing<I> for ByMut {
    fn empty(batch: &Batch<I>) -> Option<I> {
        batch.with_next(|input| _ = black_box(input));
        None
    }
}

impl<F: Fn(&mut I) -> Result<V, String>, I, V> Calls<F, I, V> for ByMut {
    #[inline]
    fn call(function: &F, batch: &Batch<I>) -> Result<V, String> {
        batch.with_next(function)
    }
}
