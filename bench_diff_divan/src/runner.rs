//! What `main` of a bench calls.

use std::env;
use std::process::{self, ExitCode};
use std::time::Duration;

use bench_diff_harness::front_end;

use crate::counter::{BytesCount, BytesFormat, CharsCount, CyclesCount, IntoCounter, ItemsCount};
use crate::registry::{RunIgnored, registered};

/// Runs the benchmarks of this target as the arguments of the process say.
///
/// Ends the process unless its exit code is 0.
pub fn main() {
    Divan::from_args().main();
}

/// Runs the benchmarks of a target.
#[derive(Debug, Default)]
pub struct Divan {
    run_ignored: RunIgnored,
}

impl Divan {
    /// As the arguments of the process say.
    #[must_use]
    pub fn from_args() -> Self {
        Self::default()
    }

    /// No effect: the arguments always count.
    #[must_use]
    pub fn config_with_args(self) -> Self {
        self
    }

    /// Runs the benchmarks; see [`main`].
    pub fn main(&self) {
        let code = match registered(self.run_ignored) {
            Some((target, entries)) => front_end::run(target, entries),
            None => without_benchmarks(),
        };
        // An `ExitCode` does not tell its number.
        if let Some(number) = (1..=u8::MAX).find(|number| ExitCode::from(*number) == code) {
            process::exit(number.into());
        }
    }

    /// Runs ignored benchmarks as well.
    #[must_use]
    pub fn run_ignored(mut self) -> Self {
        self.run_ignored = RunIgnored::All;
        self
    }

    /// Runs ignored benchmarks alone.
    #[must_use]
    pub fn run_only_ignored(mut self) -> Self {
        self.run_ignored = RunIgnored::Only;
        self
    }
}

/// What runs where no attribute stands in the target, whose name is not known then.
fn without_benchmarks() -> ExitCode {
    eprintln!("error: there is no `#[divan::bench]` in this target, so there is nothing to measure");
    ExitCode::from(if env::args_os().any(|argument| argument == "--list") { 0 } else { 3 })
}

macro_rules! without_effect {
    ($($setting:ident $(<$C:ident: $bound:path>)?($value:ty);)*) => {
        /// Settings of samples, time and output, which have no effect.
        impl Divan {
            $(
                /// No effect.
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
