//! The runner of a routine whose input borrows from what the benchmark keeps, as in criterion2.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Measures the part of a call that counts; see
/// [`Bencher::iter_with_setup_wrapper`](crate::Bencher::iter_with_setup_wrapper).
#[derive(Debug)]
pub struct WrapperRunner {
    time: Option<Duration>,
}

impl WrapperRunner {
    /// The time of the one routine that this call runs.
    ///
    /// # Panics
    ///
    /// If it runs none.
    pub(crate) fn time_of(call: impl FnOnce(&mut Self)) -> Duration {
        let mut runner = Self { time: None };
        call(&mut runner);
        runner.time.expect("each call has to run a routine: `runner.run(..)`")
    }

    /// Measures a routine, without the drop of its output. Each call has to run exactly one.
    ///
    /// # Panics
    ///
    /// If this call has run one.
    pub fn run<O, R: FnOnce() -> O>(&mut self, routine: R) -> O {
        assert!(self.time.is_none(), "each call has to run a single routine");
        let start = Instant::now();
        let output = black_box(routine());
        self.time = Some(start.elapsed());
        output
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn only_the_routine_is_timed() {
        let (start, pause) = (Instant::now(), Duration::from_millis(50));
        let time = WrapperRunner::time_of(|runner| {
            thread::sleep(pause);
            assert_eq!(runner.run(|| 7), 7);
        });
        assert!(time + pause <= start.elapsed(), "{time:?}");
    }

    #[test]
    #[should_panic(expected = "has to run a routine")]
    fn a_call_without_a_routine_is_refused() {
        WrapperRunner::time_of(|_| ());
    }

    #[test]
    #[should_panic(expected = "a single routine")]
    fn a_second_routine_is_refused() {
        WrapperRunner::time_of(|runner| (0..2).for_each(|_| runner.run(|| ())));
    }
}
