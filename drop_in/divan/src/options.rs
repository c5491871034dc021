//! The settings of benchmarks and groups, and their conversions.

use std::borrow::Borrow;
use std::num::NonZeroUsize;
use std::thread;

use bench_diff_harness::front_end::{Cases, PairEntry};

use crate::counter::IntoCounter;
use crate::work::{Counts, Work as _};

type SetThreads = fn(&mut Cases<'_>, &[usize]);

/// The settings of an attribute that affect measuring.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The numbers of threads, if an attribute sets them, with the function that passes them on. A direct
    /// call of that function would use variables of the harness, which would prevent a proof that the
    /// benchmark is unchanged.
    threads: Option<(Vec<usize>, SetThreads)>,
    sample_size: Option<u64>,
    counts: Counts,
}

impl Settings {
    /// No options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// `threads = ..`
    #[must_use]
    pub fn threads(mut self, threads: Vec<usize>) -> Self {
        self.threads = Some((threads, |cases, threads| cases.threads(threads)));
        self
    }

    /// `sample_size = ..`
    #[must_use]
    pub fn sample_size(mut self, size: u32) -> Self {
        self.sample_size = Some(size.into());
        self
    }

    /// `counter = ..`, which replaces a counter of the same kind.
    #[must_use]
    pub fn counter(mut self, counter: impl IntoCounter) -> Self {
        self.counts = counter.into_counter().counts().or(self.counts);
        self
    }

    /// Sets the numbers of threads for the cases that are added after this.
    pub fn begin(&self, cases: &mut Cases<'_>) {
        if let Some((threads, set)) = &self.threads {
            set(cases, threads);
        }
    }

    /// These settings, completed by those of an outer group.
    pub(crate) fn or(self, outer: Self) -> Self {
        Self {
            threads: self.threads.or(outer.threads),
            sample_size: self.sample_size.or(outer.sample_size),
            counts: self.counts.or(outer.counts),
        }
    }

    /// The entry of a benchmark in a group with these settings, which its own settings override.
    pub(crate) fn apply(self, entry: PairEntry) -> PairEntry {
        let Counts { bytes, chars, items } = self.counts;
        let entry = entry.context([bytes, chars, items, self.sample_size]);
        match self.threads {
            // This happens once for each such benchmark, and the numbers are needed until the process ends.
            Some((threads, _)) => entry.default_threads(threads.leak()),
            None => entry,
        }
    }

    /// The work of a call of the cases that are added, and the most inputs to make at a time, each by these
    /// settings or else by those of their groups.
    pub(crate) fn in_groups(&self, cases: &Cases<'_>) -> (Counts, u64) {
        let [bytes, chars, items, sample_size] = cases.context();
        let counts = self.counts.or(Counts { bytes, chars, items });
        (counts, self.sample_size.or(sample_size).unwrap_or(u64::MAX))
    }
}

/// The values of `threads`: a number, a `bool` or a list. `M` distinguishes the implementations.
pub trait IntoThreads<const M: u8> {
    /// The numbers of threads in ascending order, each once.
    fn into_threads(self) -> Vec<usize>;
}

impl IntoThreads<0> for usize {
    fn into_threads(self) -> Vec<usize> {
        [self].into_threads()
    }
}

impl IntoThreads<0> for bool {
    fn into_threads(self) -> Vec<usize> {
        usize::from(!self).into_threads()
    }
}

impl<I: IntoIterator<Item: Borrow<usize>>> IntoThreads<1> for I {
    fn into_threads(self) -> Vec<usize> {
        let parallelism = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let number = |number: usize| if number == 0 { parallelism() } else { number };
        let mut numbers: Vec<usize> = self.into_iter().map(|item| number(*item.borrow())).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::{BytesCount, ItemsCount};

    #[test]
    fn threads_are_a_number_or_a_bool_or_a_list() {
        let parallelism = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        assert_eq!(IntoThreads::into_threads(4), [4]);
        assert_eq!(IntoThreads::into_threads(false), [1]);
        assert_eq!(IntoThreads::into_threads(true), [parallelism]);
        assert_eq!(IntoThreads::into_threads([9, 2, 9]), [2, 9]);
        assert_eq!(IntoThreads::into_threads(&[3_usize][..]), [3]);
        assert_eq!(IntoThreads::into_threads(2..=4), [2, 3, 4]);
    }

    #[test]
    fn the_innermost_settings_apply() {
        let outer =
            || Settings::new().counter(BytesCount::new(1_u8)).counter(2_u8).threads(vec![4]).sample_size(9);
        let inner =
            Settings::new().counter(ItemsCount::new(3_u8)).threads(vec![2]).sample_size(1).or(outer());
        assert_eq!((inner.counts.bytes, inner.counts.items), (Some(1), Some(3)));
        assert_eq!(inner.sample_size, Some(1));
        assert_eq!(inner.threads.unwrap().0, [2]);
        let outer = Settings::new().or(outer());
        assert_eq!(outer.sample_size, Some(9));
        assert_eq!(outer.threads.unwrap().0, [4]);
    }
}
