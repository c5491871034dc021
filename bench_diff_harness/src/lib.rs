//! `cargo bench` as a regression gate: the run fails when a function became slower than its older self or its
//! baseline, and not when only its address changed.
//!
//! ```no_run
//! # #[cfg(any())] fn main() {} // Else rustdoc would write one around it all.
//! // benches/digits.rs, with `harness = false` in its [[bench]] section
//! use std::hint::black_box;
//!
//! use bench_diff_harness::bench_diff;
//!
//! fn by_text() -> usize {
//!     (0..1_000_u64).map(|number| black_box(number).to_string().len()).sum()
//! }
//!
//! #[bench_diff(baseline = by_text)]
//! fn by_logarithm() -> usize {
//!     (0..1_000_u64).map(|number| black_box(number).max(1).ilog10() as usize + 1).sum()
//! }
//!
//! bench_diff_harness::main!();
//! ```
//!
//! ```console
//! $ cargo bench                          # compares with the baseline
//! $ BENCH_DIFF_AGAINST=main cargo bench  # compares with the commit where the branch left `main`
//! ```
//!
//! [`macro@bench_diff`] is the manual of the options. `cargo bench -- --help` lists the flags.
//! [`bench_diff_core`] describes how pairs are measured and what decides their verdicts. The crates
//! `bench_diff_criterion` and `bench_diff_divan` run existing benches of Criterion and divan.
//!
//! # Verdicts
//!
//! A limit of 2 % has a grey zone from 1 % to 3 %: a *fail* proves that the candidate is more than 1 %
//! slower, a *pass* that it is less than 3 % slower, and a pair is *inconclusive* if neither can be proven.
//! `alpha` (1 %) is the highest probability that any pair of the binary fails wrongly in a run. Pairs with
//! unchanged machine code pass without a test and take no share of `alpha`.
//!
//! # Exit codes
//!
//! | code | when |
//! |---|---|
//! | 0 | no function failed; without `--strict` even if some are inconclusive |
//! | 101 | a function failed; with `--strict` also if one is inconclusive; with `--test` any error |
//! | 2 | an invalid flag or value |
//! | 3 | something could not be measured, built or written, or no benchmark is declared |
//!
//! Without `--test`, 3 wins over 101. With `--strict`, a run with `--against` that could compare nothing ends
//! with 3 too. With `--no-fail-fast`, cargo itself turns 2 and 3 into 101.
//!
//! A function that panics, crashes or ends its process is reported as an error, and the others run, since
//! each round is measured in new processes. `--timeout` ends a function that does not return.
//!
//! # Rounds and layouts
//!
//! A pair is measured in rounds. If the bench binary can be linked again, each round is four new processes,
//! with functions and data in one random order at four offsets of the cache line. So a verdict is about the
//! source, and not about the address that the linker chose. `--layouts` selects other ways.
//!
//! # Allocations
//!
//! With [`CountingAllocator`] as the global allocator of a bench, `-v` and reports show what a call of
//! either function allocates, and `max_allocations = "0%"` is a limit on that, beside the limit on time.
//!
//! # The machine
//!
//! A run shows what it knows about the machine, warns of sources of noise, and waits while another run
//! measures. None of this changes a verdict.
//!
//! # Records
//!
//! `--json PATH` writes the record of each function when it is decided, so a run that is killed leaves those
//! that it had. Under nextest the processes of a run share the file.
//!
//! # Features
//!
//! - `tokio`: functions that are `async` or return a future, which run on a tokio runtime of the current
//!   thread. To use timers or sockets in them, depend on `tokio` with those features.
//!
//! # Stability
//!
//! Versions follow [semantic versioning](https://semver.org): before 1.0, only a minor version may break what
//! works. This covers the attributes and macros, the flags with their environment variables, the exit codes,
//! and the fields of the JSON records, to which any version may add some. It does not cover the text of
//! reports, [`front_end`], or the other crates of bench_diff that a bench is built with, such as
//! `bench_diff_core`, each of which belongs to exactly one version of the harness.
//!
//! The oldest supported compiler is Rust 1.89. A minor version may raise it, a patch does not.

mod call;
#[cfg(test)]
mod fixture;
pub mod front_end;
/// For the fuzz targets of this project only: nothing in here is public API.
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzz;
mod machine;
mod main_macro;
mod origin;
mod other_side;
mod plan;
mod program;
mod recorded;
mod recorder;
mod register;
mod run;
mod settings;
mod start;

/// Used by generated code only: nothing in here is public API.
#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

#[doc(inline)]
pub use bench_diff_macros::bench_diff;

pub use crate::call::allocations::CountingAllocator;
