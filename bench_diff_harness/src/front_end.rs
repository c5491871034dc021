//! The interface for crates that declare benchmarks in another way than `#[bench_diff]` does. It is not
//! stable: such a crate depends on one exact version of this one.
//!
//! A front end makes one [`PairEntry`] for each piece of code that registers benchmarks, and hands all of
//! them to [`run`]. Processes of the run call the function of an entry, which adds its benchmarks to
//! [`Cases`]: most processes list them, and one that measures has one benchmark hand its function to a
//! [`Probe`]. After that it leaves the entry by unwinding, unless it is a fork of one that goes on.
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

pub use crate::call::probe::Probe;
pub use crate::register::{Cases, Location, PairEntry, submitted};
pub use crate::settings::{Mode, Target};
pub use crate::start::{run, run_in_mode};
