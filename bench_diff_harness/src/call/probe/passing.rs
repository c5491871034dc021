//! How a function gets its input from a batch.

use std::hint::black_box;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr;

use super::empty_call;
use super::results::Results;
use super::source::Batch;

/// A way to pass inputs `I` to functions.
pub(super) trait Passing<I> {
    /// Does what a call does with an input, but calls no function. The input stays in the batch.
    fn empty(&self, batch: &Batch<I>);
}

/// A way to call functions `F` that return a `V`.
pub(super) trait Calls<F, I, V>: Passing<I> {
    fn call(&self, function: &F, batch: &Batch<I>) -> Result<V, String>;
}

/// The timed call: one of the functions, with the handling of its input and its output.
///
/// It is the same for both functions of a pair, so that equal machine code is called by equal machine code.
/// Nothing else calls the functions: the compiler inlines a function with one caller in cases where it would
/// not inline one with two.
pub(super) fn timed<'a, P: Calls<F, I, V>, F, I, V>(
    passing: &'a P,
    function: &'a F,
    batch: &'a Batch<I>,
    results: &'a Results<V>,
) -> impl FnMut() + use<'a, P, F, I, V> {
    move || results.keep(passing.call(function, batch))
}

/// The timed call of an empty function, which measures the overhead of a call.
pub(super) fn timed_empty<'a, P: Passing<I>, I, V>(
    passing: &'a P,
    futures: bool,
    batch: &'a Batch<I>,
    results: &'a Results<V>,
) -> impl FnMut() + use<'a, P, I, V> {
    move || {
        empty_call(futures);
        passing.empty(batch);
        results.keep_nothing();
    }
}

/// Functions whose input this closure provides at no cost.
pub(super) struct Given<G>(pub(super) G);

impl<G: Fn() -> A, A> Passing<()> for Given<G> {
    #[inline]
    fn empty(&self, _: &Batch<()>) {
        drop(black_box((self.0)()));
    }
}

impl<G: Fn() -> A, F: Fn(A) -> Result<V, String>, A, V> Calls<F, (), V> for Given<G> {
    #[inline]
    fn call(&self, function: &F, _: &Batch<()>) -> Result<V, String> {
        function(black_box((self.0)()))
    }
}

/// Functions that take their input by value.
pub(super) struct ByValue;

impl<I> Passing<I> for ByValue {
    fn empty(&self, batch: &Batch<I>) {
        batch.with_next(|input| _ = black_box(bytes_of(input)));
    }
}

impl<F: Fn(I) -> Result<V, String>, I, V> Calls<F, I, V> for ByValue {
    #[inline]
    fn call(&self, function: &F, batch: &Batch<I>) -> Result<V, String> {
        function(black_box(batch.take()))
    }
}

/// The bytes of a value, moved as the value would be.
fn bytes_of<I>(value: &I) -> MaybeUninit<I> {
    #[expect(unsafe_code, reason = "the value itself stays where it is, for a call")]
    // SAFETY: Any bytes are a valid `MaybeUninit<I>`, which has the size and the alignment of `I`.
    unsafe {
        ptr::from_ref(value).cast::<MaybeUninit<I>>().read()
    }
}

/// Functions that take a `&mut A`, which the closure makes from an input.
pub(super) struct ByMut<D, A: ?Sized> {
    adapt: D,
    adapted: PhantomData<fn(&mut A)>,
}

impl<D, A: ?Sized> ByMut<D, A> {
    pub(super) fn new<I>(adapt: D) -> Self
    where
        D: Fn(&mut I) -> &mut A,
    {
        Self { adapt, adapted: PhantomData }
    }
}

impl<D: Fn(&mut I) -> &mut A, A: ?Sized, I> Passing<I> for ByMut<D, A> {
    fn empty(&self, batch: &Batch<I>) {
        batch.with_next(|input| _ = black_box(input));
    }
}

impl<D, F, A: ?Sized, I, V> Calls<F, I, V> for ByMut<D, A>
where
    D: Fn(&mut I) -> &mut A,
    F: Fn(&mut A) -> Result<V, String>,
{
    #[inline]
    fn call(&self, function: &F, batch: &Batch<I>) -> Result<V, String> {
        batch.with_next(|input| function(black_box((self.adapt)(input))))
    }
}
