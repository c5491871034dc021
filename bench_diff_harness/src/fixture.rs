//! Pairs on a manual clock, which drive the whole harness in tests.

use std::cell::Cell;
use std::ffi::OsString;
use std::fmt::Debug;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use bench_diff_core::{ClockKind, Duo, Instruments, JudgeKind, ManualClock, Recording, Seed, Warmup};
use bench_diff_report::record::{Event, Figures, Machine, PairRecord, RunRecord};
use bench_diff_system::exit::{Exit, Misuse};

use crate::call::allocations::Counts;
use crate::call::probe::{Probe, no_baseline, not_compared};
use crate::call::value::{Compared, Shown, accepted};
use crate::plan::{ListedPair, Listing, OtherPair, Repetition, RunPlan, plan};
use crate::register::{Cases, Location, PairEntry, in_order_of_source};
use crate::run::here::{Here, listed};
use crate::run::run;
use crate::settings::{Config, Environment, Target, cli};

thread_local! {
    pub(crate) static CLOCK: ManualClock = ManualClock::new();
    static CALLS: Cell<u64> = const { Cell::new(0) };
    /// The allocations so far; `None` if they are not counted.
    static ALLOCATED: Cell<Option<Counts>> = const { Cell::new(None) };
}

/// The figures of a pair that was measured.
pub(crate) fn figures(record: &PairRecord) -> &Figures {
    record.figures().unwrap()
}

/// While this value lives, the functions of this thread count as allocating what they report.
pub(crate) struct Allocator(());

impl Allocator {
    pub(crate) fn new() -> Self {
        ALLOCATED.set(Some(Counts::default()));
        Self(())
    }
}

impl Drop for Allocator {
    fn drop(&mut self) {
        ALLOCATED.set(None);
    }
}

/// Reports allocations of this size, which live at the same time.
pub(crate) fn allocate(calls: u64, bytes: u64) {
    let so_far = ALLOCATED.get();
    ALLOCATED.set(so_far.map(|so_far| Counts {
        calls: so_far.calls + calls,
        bytes: so_far.bytes + bytes,
        peak: so_far.peak.max(bytes),
    }));
}

/// The allocations of a call; `None` if they are not counted.
pub(crate) fn count(call: &mut dyn FnMut()) -> Option<Counts> {
    ALLOCATED.get()?;
    ALLOCATED.set(Some(Counts::default()));
    call();
    ALLOCATED.get()
}

/// Lets a latency with a little spread pass, the same in every test.
pub(crate) fn pass(nanoseconds: u64) {
    let call = CALLS.get();
    CALLS.set(call + 1);
    let spread = nanoseconds / 1000 * (call * 7919 % 13);
    CLOCK.with(|clock| clock.advance(Duration::from_nanos(nanoseconds + spread)));
}

/// Adds a pair of functions without inputs.
pub(crate) fn add<T: PartialEq + Debug + 'static>(
    cases: &mut Cases<'_>,
    candidate: impl Fn() -> T + 'static,
    baseline: impl Fn() -> T + 'static,
) {
    // Two closures, even if both call the same function: a single closure would be the same code.
    cases.add(move |probe| probe.compare_0(|| Ok(candidate()), || Ok(baseline()), same));
}

impl Probe<'_> {
    /// Functions without a parameter.
    pub(crate) fn compare_0<V, W>(
        &mut self,
        candidate: impl Fn() -> Result<V, String>,
        baseline: impl Fn() -> Result<W, String>,
        compare: impl Fn(&V, &W) -> Compared,
    ) {
        self.compare_1(|()| candidate(), |()| baseline(), || (), compare);
    }
}

/// A function that never returns `Err`.
pub(crate) fn ok<T>(function: impl Fn() -> T) -> impl Fn() -> Result<T, String> {
    move || Ok(function())
}

pub(crate) fn same<T: PartialEq + Debug>(candidate: &T, baseline: &T) -> Compared {
    accepted(candidate == baseline, || [candidate, baseline].map(|output| Shown(output).text()))
}

pub(crate) fn equal(cases: &mut Cases<'_>) {
    add(cases, || pass(20_000), || pass(20_000));
}

/// The candidate makes one more allocation.
pub(crate) fn allocating(cases: &mut Cases<'_>) {
    let with = |calls| {
        move || {
            allocate(calls, 64 * calls);
            pass(20_000);
        }
    };
    add(cases, with(11), with(10));
}

pub(crate) fn slower(cases: &mut Cases<'_>) {
    add(cases, || pass(21_000), || pass(20_000));
}

pub(crate) fn owned(cases: &mut Cases<'_>) {
    let make = || {
        pass(20_000);
        vec![1]
    };
    add(cases, make, make);
}

pub(crate) fn panicking(cases: &mut Cases<'_>) {
    add(cases, || panic!("out of order"), || pass(20_000));
}

pub(crate) fn timeless(cases: &mut Cases<'_>) {
    add(cases, || (), || ());
}

/// Latencies between one and seventeen times 20 us.
pub(crate) fn undecided_latency() {
    pass(20_000 + CALLS.get() * 7919 % 17 * 20_000);
}

pub(crate) fn undecided(cases: &mut Cases<'_>) {
    add(cases, undecided_latency, undecided_latency);
}

/// Pairs of one instance for three args, two of which are shown alike.
pub(crate) fn three(cases: &mut Cases<'_>) {
    cases.instance(&["u8".to_owned(), "4".to_owned()]);
    for arg in ["1", "2", "1"] {
        cases.add_arg(arg.to_owned(), |_| {});
    }
}

/// A function without a baseline.
pub(crate) fn alone(cases: &mut Cases<'_>) {
    cases.add(|probe| {
        probe.without_baseline();
        probe.compare_0(ok(|| pass(20_000)), no_baseline, not_compared);
    });
}

/// An entry for a function without a baseline.
pub(crate) fn entry_alone(function: &'static str, line: u32) -> PairEntry {
    PairEntry { baseline: None, ..entry(function, line, alone) }
}

/// An entry at this line of one file.
pub(crate) fn entry(function: &'static str, line: u32, cases: fn(&mut Cases<'_>)) -> PairEntry {
    let location = Location { module: "sorting", file: "benches/sorting.rs", line, column: 1 };
    let pair = PairEntry::new(location, function, cases).baseline(function).judge(JudgeKind::Welch);
    pair.warmup(Duration::from_nanos(0)).slots(200)
}

pub(crate) const TARGET: Target = Target::EXAMPLE;

pub(crate) fn config(line: &str) -> Config {
    config_in(line, &[]).unwrap()
}

/// The configuration of a command line in an environment with these variables.
pub(crate) fn config_in(line: &str, variables: &[(&str, &str)]) -> Result<Config, Misuse> {
    let typed = cli::parse(line.split_whitespace().map(OsString::from))?;
    let variables = variables.iter().map(|&(name, value)| (name.into(), value.into()));
    Config::new(typed, &Environment::new(variables))
}

/// The pairs of these entries, as a process of the binary lists them.
pub(crate) fn listing(entries: &[PairEntry]) -> Listing {
    let entries = in_order_of_source(entries.to_vec());
    let pairs = entries.iter().flat_map(listed);
    Listing { pairs: pairs.collect(), ..Listing::default() }
}

/// The same pairs, as an old binary lists them.
pub(crate) fn there(listing: &Listing) -> Vec<OtherPair> {
    let pair = |pair: &ListedPair| OtherPair {
        name: pair.name.clone(),
        label: pair.label.clone(),
        key: pair.key,
        ..OtherPair::default()
    };
    listing.pairs.iter().map(pair).collect()
}

/// The plan for these entries under this command line, with the seed 1.
pub(crate) fn planned(line: &str, entries: &[PairEntry]) -> RunPlan {
    plan(&listing(entries), &config(line), &TARGET, Seed(1), None, Repetition::of(&TARGET))
}

/// Runs these entries under this command line.
pub(crate) fn ran(line: &str, entries: &[PairEntry]) -> (Exit, Vec<PairRecord>, RunRecord) {
    let plan = planned(line, entries);
    let (mut pairs, mut end) = (Vec::new(), RunRecord::default());
    let exit = run_pairs(&plan, entries, &Machine::default(), &mut |event| match event {
        Event::PairFinished { record, .. } => pairs.push((*record).clone()),
        Event::RunFinished(record) => end = (*record).clone(),
        _ => {}
    });
    (exit, pairs, end)
}

/// Runs a plan of these entries in this process, on the manual clock.
pub(crate) fn run_pairs(
    plan: &RunPlan,
    entries: &[PairEntry],
    machine: &Machine,
    emit: &mut dyn FnMut(&Event<'_>),
) -> Exit {
    CLOCK.with(|clock| {
        let mut here = Here { entries, instruments: Instruments::new(clock), count };
        run(plan, machine, &mut here, None, emit)
    })
}

/// A writer that fails with this kind of error.
pub(crate) struct Broken(pub(crate) io::ErrorKind);

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The recording of a process in which only these duos matter: slots of one call, without a warm-up.
pub(crate) fn recording(duos: Vec<Duo>) -> Recording {
    let warmup =
        Warmup { duos: Vec::new(), empty: Vec::new(), iterations: 1, clock: ClockKind::Wall, resolution: 1 };
    Recording::of(warmup, duos)
}

/// Compares a text with a file of the sources. If UPDATE_EXPECTED is 1, the file is written first.
#[track_caller]
pub(crate) fn is_expected(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(path);
    if std::env::var_os("UPDATE_EXPECTED").is_some_and(|update| update == "1") {
        fs::write(&file, text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(file).unwrap(), "{path}");
}
