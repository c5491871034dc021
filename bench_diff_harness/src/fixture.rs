//! Pairs on a manual clock, which drive the whole harness in tests.

use std::cell::Cell;
use std::ffi::OsString;
use std::io;
use std::time::Duration;

use bench_diff_core::{JudgeKind, ManualClock, Seed};

use crate::cli;
use crate::config::Config;
use crate::entry::{PairEntry, Place};
use crate::environment::Environment;
use crate::plan::{RunPlan, plan};
use crate::probe::Probe;
use crate::registry::Registry;
use crate::target::Target;

thread_local! {
    pub(crate) static CLOCK: ManualClock = ManualClock::new();
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

/// A latency with a little spread, the same in every test.
fn pass(nanoseconds: u64) {
    let call = CALLS.get();
    CALLS.set(call + 1);
    let spread = nanoseconds / 1000 * (call * 7919 % 13);
    CLOCK.with(|clock| clock.advance(Duration::from_nanos(nanoseconds + spread)));
}

pub(crate) fn equal(probe: &mut Probe<'_>) {
    probe.compare(|| pass(20_000), || pass(20_000));
}

pub(crate) fn slower(probe: &mut Probe<'_>) {
    probe.compare(|| pass(21_000), || pass(20_000));
}

pub(crate) fn owned(probe: &mut Probe<'_>) {
    let make = || {
        pass(20_000);
        vec![1]
    };
    probe.compare(make, make);
}

pub(crate) fn panicking(probe: &mut Probe<'_>) {
    probe.compare(|| panic!("out of order"), || pass(20_000));
}

pub(crate) fn timeless(probe: &mut Probe<'_>) {
    probe.compare(|| (), || ());
}

pub(crate) fn unsettled(probe: &mut Probe<'_>) {
    let erratic = || pass(20_000 + CALLS.get() * 7919 % 17 * 20_000);
    probe.compare(erratic, erratic);
}

/// An entry at this line of one file.
pub(crate) fn entry(function: &'static str, line: u32, run: fn(&mut Probe<'_>)) -> PairEntry {
    let place = Place { module: "sorting", file: "benches/sorting.rs", line, column: 1 };
    PairEntry::new(place, function, run).judge(JudgeKind::Welch).warmup(0).exec_count(200)
}

pub(crate) const TARGET: Target =
    Target { package: "my_package", crate_name: "sorting", file: "benches/sorting.rs", debug: false };

pub(crate) fn config(line: &str) -> Config {
    let typed = cli::parse(line.split_whitespace().map(OsString::from)).unwrap();
    Config::new(typed, &Environment::default()).unwrap()
}

/// The plan for these entries under this command line, with the seed 1.
pub(crate) fn planned(line: &str, entries: &[PairEntry]) -> RunPlan {
    let registry = Registry::new(entries.iter().copied()).unwrap();
    plan(&registry, &config(line), &TARGET, Seed(1))
}

/// A writer to which nothing can be written, for this reason.
pub(crate) struct Broken(pub(crate) io::ErrorKind);

impl io::Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
