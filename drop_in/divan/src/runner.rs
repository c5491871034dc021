//! Runs a bench from its `main`.

use std::env;
use std::panic;
use std::process::{self, ExitCode};
use std::time::Duration;

use bench_diff_harness::front_end::{self, Mode};

use crate::counter::{BytesCount, BytesFormat, CharsCount, CyclesCount, IntoCounter, ItemsCount};
use crate::filter::Skip;
use crate::options::IntoThreads;
use crate::registry::{OfBench, RunIgnored, registered};

/// Runs the benchmarks of this target, following the arguments of the process.
///
/// Ends the process unless its exit code is 0.
pub fn main() {
    Divan::from_args().main();
}

/// Runs the benchmarks of a target.
#[derive(Debug, Default)]
pub struct Divan {
    settings: OfBench,
}

impl Divan {
    /// A runner that follows the arguments of the process.
    #[must_use]
    pub fn from_args() -> Self {
        Self::default()
    }

    /// Has no effect: the arguments always apply.
    #[must_use]
    pub fn config_with_args(self) -> Self {
        self
    }

    /// Runs the benchmarks; see [`main`].
    pub fn main(&self) {
        self.run(None);
    }

    /// Measures the benchmarks, even if the arguments ask for a test or a list. Ends the process unless its
    /// exit code is 0.
    pub fn run_benches(&self) {
        self.run(Some(Mode::Measure));
    }

    /// Calls each benchmark once. Ends the process unless its exit code is 0.
    pub fn test_benches(&self) {
        self.run(Some(Mode::Test));
    }

    /// Lists the benchmarks. Ends the process unless its exit code is 0.
    pub fn list_benches(&self) {
        self.run(Some(Mode::List));
    }

    fn run(&self, mode: Option<Mode>) {
        // A panic must not look like a failed gate, which has its exit code.
        let code = match panic::catch_unwind(|| registered(&self.settings)) {
            Ok(Some((target, entries))) => front_end::run_in_mode(mode, target, entries),
            Ok(None) => without_benchmarks(),
            Err(_) => front_end::cannot_run("an option of a benchmark or a group panicked"),
        };
        // An `ExitCode` does not reveal its number.
        if let Some(number) = (1..=u8::MAX).find(|number| ExitCode::from(*number) == code) {
            process::exit(number.into());
        }
    }

    /// Runs ignored benchmarks as well.
    #[must_use]
    pub fn run_ignored(mut self) -> Self {
        self.settings.run_ignored = RunIgnored::All;
        self
    }

    /// Runs only ignored benchmarks.
    #[must_use]
    pub fn run_only_ignored(mut self) -> Self {
        self.settings.run_ignored = RunIgnored::Only;
        self
    }

    /// Skips the benchmark with this path, which includes the crate but no args or types.
    #[must_use]
    pub fn skip_exact(mut self, path: impl Into<String>) -> Self {
        self.settings.skipped.push(Skip::Exact(path.into()));
        self
    }

    /// Skips benchmarks by their paths, which include the crate but no args or types. The pattern is a text,
    /// optionally with `^` before and `$` after it. Any other regular expression ends the process with an
    /// error.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "as in divan")]
    pub fn skip_regex(mut self, pattern: impl ToString) -> Self {
        match Skip::pattern(&pattern.to_string()) {
            Ok(skip) => self.settings.skipped.push(skip),
            Err(reason) => {
                eprintln!("error: {reason}");
                process::exit(USAGE);
            }
        }
        self
    }

    /// Sets the numbers of threads of all benchmarks, which replace those of their attributes. 0 is the
    /// parallelism of the machine.
    #[must_use]
    pub fn threads(mut self, threads: impl IntoIterator<Item = usize>) -> Self {
        // This happens once for a bench, and the numbers are needed until the process ends.
        self.settings.threads = Some(IntoThreads::into_threads(threads).leak());
        self
    }
}

/// The exit code of wrong usage.
const USAGE: i32 = 2;

/// Runs a target without benchmarks, whose name is unknown.
fn without_benchmarks() -> ExitCode {
    eprintln!("error: there is no `#[divan::bench]` in this target, so there is nothing to measure");
    ExitCode::from(if env::args_os().any(|argument| argument == "--list") { 0 } else { 3 })
}

macro_rules! without_effect {
    ($($setting:ident $(<$C:ident: $bound:path>)?($value:ty);)*) => {
        /// Settings of samples, time and output. They have no effect.
        impl Divan {
            $(
                /// Has no effect.
                #[must_use]
                pub fn $setting $(<$C: $bound>)? (self, _: $value) -> Self {
                    self
                }
            )*
        }
    };
}

without_effect! {
    sample_count(u32);
    sample_size(u32);
    min_time(Duration);
    max_time(Duration);
    skip_ext_time(bool);
    color(impl Into<Option<bool>>);
    bytes_format(BytesFormat);
    counter<C: IntoCounter>(C);
    bytes_count(impl Into<BytesCount>);
    chars_count(impl Into<CharsCount>);
    cycles_count(impl Into<CyclesCount>);
    items_count(impl Into<ItemsCount>);
}
