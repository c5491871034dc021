//! Only for generated code; not public API.

use std::any::Any;
use std::borrow::Cow;

pub use bench_diff_harness::__private::{Shown, fallback, place, target, type_text};
pub use bench_diff_harness::front_end::Cases;
pub use {core, inventory};

use crate::bencher::Bencher;
pub use crate::options::{IntoThreads, Settings};
pub use crate::registry::{Benchmark, Group};

/// Adds a benchmark without args.
pub fn add(cases: &mut Cases<'_>, settings: &Settings, mut bench: impl FnMut(Bencher<'_, '_>)) {
    let (counts, most_inputs) = settings.in_groups(cases);
    cases.add(|probe| Bencher::serve(probe, counts, most_inputs, &mut bench));
}

/// Adds a benchmark for each arg.
pub fn add_args<I: IntoIterator>(
    cases: &mut Cases<'_>,
    settings: &Settings,
    make: impl FnOnce() -> I,
    label: impl Fn(&I::Item) -> String,
    mut bench: impl FnMut(Bencher<'_, '_>, &I::Item),
) where
    I::Item: Any + Send + Sync,
{
    let (counts, most_inputs) = settings.in_groups(cases);
    for arg in make() {
        cases.add_arg(label(&arg), |probe| {
            Bencher::serve(probe, counts, most_inputs, |bencher| bench(bencher, &arg));
        });
    }
}

/// Converts an item of `args` to the parameter of a function: the item itself, or the value that it refers
/// to.
pub trait Arg<T> {
    /// Converts the item.
    fn get(this: Self) -> T;
}

impl<T> Arg<T> for T {
    fn get(this: Self) -> T {
        this
    }
}

impl<'a, T: ToOwned + ?Sized> Arg<&'a T> for &'a Cow<'a, T> {
    fn get(this: Self) -> &'a T {
        this
    }
}

impl<'a> Arg<&'a str> for &'a String {
    fn get(this: Self) -> &'a str {
        this
    }
}

impl<T: Copy> Arg<T> for &T {
    fn get(this: Self) -> T {
        *this
    }
}

impl<T: Copy> Arg<T> for &&T {
    fn get(this: Self) -> T {
        **this
    }
}

impl<T: Copy> Arg<T> for &&&T {
    fn get(this: Self) -> T {
        ***this
    }
}
