//! Outputs that may be futures.

use std::marker::PhantomData;

/// An output that may be a future.
#[derive(Debug)]
pub struct Finish<T>(pub T);

impl<F: Future> Finish<F> {
    /// Runs a future to its end and returns its output. An output that is not a future is returned unchanged.
    pub fn finish(self) -> F::Output
    where
        F: RunToEnd,
    {
        self.0.run_to_end()
    }
}

/// The output type of a function.
#[derive(Debug)]
pub struct OutputOf<T>(PhantomData<T>);

impl<T> OutputOf<T> {
    /// Gives a variable this type, in code that never runs.
    ///
    /// # Panics
    ///
    /// Always.
    #[must_use]
    pub fn unreachable_output(&self) -> T {
        unreachable!("this code only names a type")
    }
}

impl<F: Future> OutputOf<F> {
    /// Returns whether it is a future.
    #[must_use]
    pub fn is_future(&self) -> bool {
        true
    }
}

/// An output that is not a future.
pub trait FinishedOutput<T> {
    /// See [`Finish::finish`].
    fn finish(self) -> T;
}

impl<T> FinishedOutput<T> for Finish<T> {
    fn finish(self) -> T {
        self.0
    }
}

/// The type of an output that is not a future.
pub trait FinishedKind {
    /// See [`OutputOf::is_future`].
    fn is_future(&self) -> bool;
}

impl<T> FinishedKind for OutputOf<T> {
    fn is_future(&self) -> bool {
        false
    }
}

/// The output type of a function without parameters.
pub fn output_0<T>(_: &impl Fn() -> T) -> OutputOf<T> {
    OutputOf(PhantomData)
}

/// The output type of a function of one parameter.
pub fn output_1<A, T>(_: &impl Fn(A) -> T) -> OutputOf<T> {
    OutputOf(PhantomData)
}

/// The output type of a function of a state and one more parameter.
pub fn output_2<S, A, T>(_: &impl Fn(S, A) -> T) -> OutputOf<T> {
    OutputOf(PhantomData)
}

/// A future that the runtime can run.
#[diagnostic::on_unimplemented(
    message = "a function that returns a future is measured with the feature `tokio` of `bench_diff_harness`",
    label = "returns a future",
    note = "turn the feature on with `cargo add --dev bench_diff_harness --features tokio`"
)]
pub trait RunToEnd: Future + Sized {
    /// Polls it until it is ready.
    fn run_to_end(self) -> Self::Output;
}

#[cfg(feature = "tokio")]
mod runtime {
    use std::future::ready;

    use tokio::runtime::{Builder, Runtime};

    use super::RunToEnd;

    thread_local! {
        static RUNTIME: Runtime =
            Builder::new_current_thread().enable_all().build().expect("the system has what a runtime needs");
    }

    impl<F: Future> RunToEnd for F {
        fn run_to_end(self) -> F::Output {
            RUNTIME.with(|runtime| runtime.block_on(self))
        }
    }

    /// Runs a future that is ready immediately. The first call creates the runtime of this thread.
    #[inline]
    pub(crate) fn run_nothing() {
        ready(()).run_to_end();
    }
}

#[cfg(not(feature = "tokio"))]
mod runtime {
    /// Does nothing, since there are no futures to run.
    #[inline]
    pub(crate) fn run_nothing() {}
}

pub(crate) use runtime::run_nothing;

#[cfg(all(test, feature = "tokio"))]
mod tests {
    use std::future::ready;
    use std::pin::Pin;

    use super::*;

    #[test]
    fn a_future_is_run_and_anything_else_stays_as_it_is() {
        assert_eq!(Finish(async { 7 }).finish(), 7);
        assert_eq!(Finish(Box::pin(ready(7)) as Pin<Box<dyn Future<Output = i32>>>).finish(), 7);
        assert_eq!(Finish(7).finish(), 7);
        assert_eq!(Finish(Some(ready(7))).finish().map(|inner| Finish(inner).finish()), Some(7));
    }

    #[test]
    fn futures_are_recognized_by_the_output_type() {
        async fn length(text: &str) -> usize {
            text.len()
        }
        assert!(output_1(&length).is_future());
        assert!(output_0(&|| ready(())).is_future());
        assert!(!output_2(&|a: u8, b: u8| a + b).is_future());
    }
}
