//! The interface for crates that declare benchmarks in other ways than `#[bench_diff]`. It is not stable:
//! such a crate depends on one exact version of this one.
//!
//! A front end does three things.
//!
//! 1. It makes one [`PairEntry`] for each piece of code that registers benchmarks: for `#[bench_diff]` one
//!    function, for Criterion one target of `criterion_group!`. An entry has a source location, a name, and a
//!    function that registers.
//! 2. It passes all entries to [`run`]. They may come from `inventory` ([`submitted`]) or from elsewhere.
//! 3. It registers when asked. Processes of the run call the function of an entry, which adds its benchmarks
//!    to [`Cases`] one after the other. Most processes only list them. A process that measures passes a
//!    [`Probe`] to the closure of a benchmark while it is being added, so closures may borrow whatever exists
//!    at that moment. After the last requested benchmark, [`Cases::add`] and [`Cases::add_arg`] leave the
//!    function by unwinding, while [`Cases::add_named`] returns, and the function runs to its end. With
//!    `--against`, a process is forked at each benchmark: the fork measures it and ends without unwinding,
//!    and the process goes on.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use bench_diff_harness::front_end::{self, Cases, PairEntry};
//! use bench_diff_harness::{__bench_diff_place as place, __bench_diff_target as target};
//!
//! fn register(cases: &mut Cases<'_>) {
//!     cases.add(|probe| probe.iter(|| std::hint::black_box(7_u64).pow(3)));
//! }
//!
//! fn main() -> ExitCode {
//!     front_end::run(target!(), vec![PairEntry::new(place!(), "cube", register)])
//! }
//! ```
//!
//! # Names
//!
//! An entry that adds no benchmark is an error, unless it is made with [`PairEntry::may_be_empty`]. Equal
//! names within an entry get `#2`, `#3`. So do equal names of different entries, if they come from
//! [`Cases::add_named`] or from entries with [`PairEntry::may_share_names`]; others are an error.
//!
//! # What the proof needs
//!
//! With `--against`, bench_diff walks through the machine code of the timed function and of everything that
//! registers it. If one entry registers several benchmarks, give each a function that its closure alone calls
//! and the compiler does not inline, and pass its address to [`Cases::add_named`]: the proof of one benchmark
//! then skips those of the others. Keep no state in a `static` that the front end writes while it registers,
//! since the proof does not hold if other code may write to a variable that the benchmark uses. For the same
//! reason, print nothing there: [`cannot_run`] ends the process with a message, by the C library alone.

pub use bench_diff_binary::symbol;
pub use bench_diff_system::exit::{Exit, cannot_run};

pub use crate::call::probe::Probe;
pub use crate::register::{Cases, Location, PairEntry, submitted};
pub use crate::settings::{Mode, Target};
pub use crate::start::{run, run_by_hand, run_in_mode};
