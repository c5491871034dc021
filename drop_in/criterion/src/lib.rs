//! Runs benchmarks that were written for [Criterion](https://docs.rs/criterion) with bench_diff, unchanged.
//!
//! Only one line of the manifest changes; the files of the benchmarks stay as they are:
//!
//! ```toml
//! [dev-dependencies]
//! criterion = { package = "bench_diff_criterion", path = "../bench_diff/drop_in/criterion" }
//! ```
//!
//! ```console
//! $ cargo bench                       # shows the latency of each benchmark
//! $ cargo bench -- --against main     # fails if one is slower than in another revision
//! ```
//!
//! The interface is that of Criterion 0.3 to 0.8, and benchmarks keep the names that Criterion shows. `cargo
//! bench -- --help` lists the flags of bench_diff. If you use a flag of Criterion, an error names its
//! counterpart.
//!
//! # Settings without effect
//!
//! bench_diff decides how often and how long it measures, and has its own reports. It accepts settings for
//! samples, times, statistics, plots, profilers, filters and saved baselines, but ignores them.
//!
//! # Differences
//!
//! | item | bench_diff |
//! |---|---|
//! | [`Bencher::iter`] | as in Criterion, the output is dropped within the measured time |
//! | an `Err` | is an output like any other, as in Criterion |
//! | [`BatchSize`] | limits the calls in a row: `PerIteration` 1, `LargeInput` 64, `SmallInput` 65536 |
//! | inputs | fewer are made at a time, so they are more often in the cache |
//! | [`Bencher::iter_custom`] | is measured by the time that it returns, for enough calls to take 0.2 ms |
//! | [`Bencher::iter_with_setup_wrapper`] | of criterion2; reads the clock in each call: for 10 us and more |
//! | [`AsyncBencher`] | is measured like `iter_custom`; allocations include those of inputs; reads the clock in each batch |
//! | [`Throughput`] | is shown as a rate in decimal units |
//! | `config` of [`criterion_group!`] | is evaluated once for each target: they share no [`Criterion`] |
//! | random inputs | differ from process to process, so times vary: fix the seed |
//! | a filter on the command line | is a part of the name, not a regular expression |
//!
//! A run calls the functions that register benchmarks many times, each time to their end: once in each
//! process, and with `--against` once for each binary that it links. So put work of more than some
//! milliseconds, such as reading a large file, into the closure of the benchmark that needs it.
//!
//! If a name differs from process to process, as with the time in it, the benchmark is found by its order.
//! Neither `--exact` nor nextest can select it.
//!
//! Processes that measure a benchmark don't call functions that register none. So such a function can't
//! prepare or clean up anything; a note names it. Processes that list benchmarks call none, so code between
//! benchmarks can't use their results. With `--against`, each benchmark starts in a new process, so it can't
//! use what another benchmark has prepared, such as a map. The processes of both sides run at the same time
//! in the same folder. If a benchmark opens a port, a lock file or a database, give each process its own: put
//! the process id in the path, for example.
//!
//! A `main` that is written by hand may make a [`Criterion`] or call groups. Do so in its first line, since
//! each process of a run runs everything before it. The run itself runs nothing after it, and
//! [`Criterion::final_summary`] ends every process; with musl, `main` has to call it. If `main` panics or
//! returns an `Err`, that is an error. Only cargo can start such a bench, and after each change it is
//! compiled twice. `--against` needs Linux then. The names of its benchmarks must not differ from process to
//! process.
//!
//! # What does not run
//!
//! - A benchmark with a [measurement](measurement::Measurement) other than
//!   [`WallTime`](measurement::WallTime) ends with an error that says so. The other benchmarks run.
//! - Measurements and async executors of other crates implement traits of the real Criterion, so they do
//!   not compile. A `match` on [`Throughput`] needs a `_` arm: versions of Criterion differ in its variants.
//! - With `--against`, a benchmark that calls `iter` or another such method twice ends with an error.
//! - [`Criterion::retain_baseline`] has two arguments, as since Criterion 0.4, and not one as in 0.3.
//! - `fn main() { benches() }` does not compile: a group returns a value. Write `benches();`.
//! - A [`Criterion`] within a `#[test]` ends the process of all tests with an error.
//! - There is no `BenchmarkFilter`, no `criterion::runner` for custom test frameworks, and no `#[criterion]`.

mod async_bencher;
pub mod async_executor;
mod batch_size;
mod bencher;
mod benchmark_definition;
mod benchmark_group;
mod benchmark_id;
mod criterion;
mod entry;
mod groups;
mod macros;
#[cfg(all(unix, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod main_by_hand;
#[cfg(not(all(unix, any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[path = "main_by_macro.rs"]
mod main_by_hand;
pub mod measurement;
pub mod profiler;
mod registering;
mod settings;
mod throughput;
mod wrapper_runner;

/// Only for generated code; not public API.
#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use std::hint::black_box;

pub use crate::async_bencher::AsyncBencher;
pub use crate::batch_size::BatchSize;
pub use crate::bencher::Bencher;
pub use crate::benchmark_definition::{Benchmark, BenchmarkDefinition, Fun, ParameterizedBenchmark};
pub use crate::benchmark_group::BenchmarkGroup;
pub use crate::benchmark_id::{BenchmarkId, IntoBenchmarkId};
pub use crate::criterion::Criterion;
pub use crate::settings::{AxisScale, PlotConfiguration, PlottingBackend, SamplingMode};
pub use crate::throughput::Throughput;
pub use crate::wrapper_runner::WrapperRunner;
