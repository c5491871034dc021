//! Runs benchmarks that were written for [divan](https://docs.rs/divan) as a regression gate, unchanged.
//!
//! Only one line of the manifest changes; the bench files stay as they are:
//!
//! ```toml
//! [dev-dependencies]
//! divan = { package = "bench_diff_divan", path = "../bench_diff/drop_in/divan" }
//! ```
//!
//! `cargo bench` shows the time of each benchmark. `cargo bench -- --against main` compares each with itself
//! in another revision and fails if one became slower. `cargo bench -- --help` lists the flags, and
//! [`bench_diff_harness`] describes verdicts and exit codes.
//!
//! # What is different
//!
//! - `sample_count`, `min_time`, `max_time` and `skip_ext_time` have no effect: bench_diff decides how long
//!   it measures.
//! - `sample_size` limits how many inputs are made at a time. With 1, each input is made right before its
//!   call. A benchmark without inputs ignores it, and [`Divan::sample_size`] has no effect.
//! - A [`counter`] is the work of one call. Chars are shown as items unless there are items as well, and
//!   cycles are not shown. [`Bencher::input_counter`] is called once, with its own input. The counters of
//!   [`Divan`] have no effect.
//! - The name of a benchmark is the path of its function without the crate, then `<types,consts>`, `/arg` and
//!   `/threads=4`.
//! - [`AllocProfiler`] counts the allocations of a few calls before anything is timed.
//! - [`main`] ends the process unless the exit code is 0. What precedes it in your `main` runs in every
//!   process. What follows it runs once, at the end of the run, and values that your `main` holds are dropped
//!   only then.
//! - An `Err` that a benchmark returns is an output like any other.
//! - A function that does not use its [`Bencher`], perhaps for one of its args, ends with an error. Leave out
//!   that arg, or `ignore` the function.
//! - [`Divan::skip_exact`] and [`Divan::skip_regex`] skip functions with all of their args and types.
//!   `skip_regex` accepts only texts, not real regular expressions.
//! - [`Divan`] within a `#[test]` ends the process of all tests with an error.
//! - Random inputs differ from process to process, so times vary: fix the seed.
//! - Benchmarks with the same name get `#2`, `#3`.
//! - If a name differs from process to process, as with the time in an arg, the benchmark is found by its
//!   order. Neither `--exact` nor nextest can select it.
//! - With `--against`, each benchmark starts in a new process, so it can't use what another benchmark has
//!   prepared, such as a map.
//! - With `--against`, the processes of both sides run at the same time in the same folder. If a benchmark
//!   opens a port, a lock file or a database, give each process its own: put the process id in the path, for
//!   example.

mod bencher;
pub mod counter;
mod filter;
mod options;
mod registry;
mod runner;
mod work;

/// Only for generated code; not public API.
#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use std::hint::black_box;

#[doc(inline)]
pub use bench_diff_divan_macros::{bench, bench_group};
#[doc(no_inline)]
pub use bench_diff_harness::CountingAllocator as AllocProfiler;

pub use crate::bencher::{Bencher, BencherConfig, NoInput};
pub use crate::runner::{Divan, main};

/// The names that most bench files use.
pub mod prelude {
    #[doc(no_inline)]
    pub use crate::{AllocProfiler, Bencher, Divan, bench, bench_group, black_box, black_box_drop};
}

/// Passes a value to [`black_box`] and drops it.
#[inline]
pub fn black_box_drop<T>(value: T) {
    drop(black_box(value));
}
