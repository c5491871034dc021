//! How the runs of one mode end.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::ratios::Ratios;
use crate::share::share;

/// The title of the rows.
pub(crate) const HEADER: &str = "\
| `--layouts` | numbers, old and new | runs | red runs | pairs failed | pairs passed | pairs open | rounds of a verdict | seconds of a run |
|---|---|---|---|---|---|---|---|---|";

/// The title of the rows of functions.
pub(crate) const HEADER_OF_FUNCTIONS: &str = "\
| function | `--layouts` | numbers, old and new | spread over layouts | failed | passed | open |
|---|---|---|---|---|---|---|";

/// The title of the rows of kinds of functions.
pub(crate) const HEADER_OF_KINDS: &str = "\
| kind of function | `--layouts` | numbers, old and new | gates | failed | passed | open | seconds of a pair: median (95 %) |
|---|---|---|---|---|---|---|---|";

/// What the functions mostly do.
const KINDS: [(&str, &[&str]); 6] = [
    ("registers", &["bits", "collatz", "crc", "fnv", "xorshift"]),
    ("memory", &["binary", "hex", "matrix", "sieve", "states", "sum"]),
    ("allocation", &["btree", "hash"]),
    ("branches on data", &["bubble", "insertion", "lev", "rle", "sort"]),
    ("floats", &["dot"]),
    ("strings", &["fmt", "parse", "tokens", "utf8", "words"]),
];

/// All runs of a mode with so many numbers.
pub(crate) struct Count<'a> {
    mode: &'a str,
    pub(crate) numbers: &'a str,
    red: usize,
    functions: BTreeMap<String, Function>,
    rounds: Vec<u64>,
    times: Vec<Duration>,
    ratios: Ratios,
}

/// The verdicts of one function over all runs.
#[derive(Default)]
struct Function {
    /// Failed, passed, open.
    outcomes: [usize; 3],
    /// The standard deviation of its contrasts over layouts, in each run that had layouts.
    spreads: Vec<f64>,
    /// The time that its rounds took, in each run.
    seconds: Vec<f64>,
}

impl<'a> Count<'a> {
    pub(crate) fn new(mode: &'a str, numbers: &'a str) -> Self {
        let (rounds, times, ratios) = (Vec::new(), Vec::new(), Ratios::default());
        Self { mode, numbers, red: 0, functions: BTreeMap::new(), rounds, times, ratios }
    }

    pub(crate) fn name(&self) -> String {
        format!("{} with {} numbers", self.mode, self.numbers)
    }

    /// Adds so many runs of the program of this build. How many of them were red comes back.
    pub(crate) fn add(&mut self, build: usize, program: &Path, runs: usize) -> Result<usize, Box<dyn Error>> {
        let before = self.red;
        // The first run in layouts compiles, once for each build.
        self.run(program)?;
        for _ in 0..runs {
            let start = Instant::now();
            let records = self.run(program)?;
            self.times.push(start.elapsed());
            self.take(build, &records)?;
        }
        Ok(self.red - before)
    }

    fn run(&self, program: &Path) -> Result<Vec<Value>, Box<dyn Error>> {
        let mut command = Command::new(program);
        // The rates are those of the judge, of what is the same code as well.
        command.args(["--bench", "--format", "json", "--no-proof", "--layouts", self.mode]);
        command.env("CARGO_TARGET_DIR", target_of(program));
        let output = command.output()?;
        let text = String::from_utf8(output.stdout)?;
        let records: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
        Ok(records?.into_iter().filter(|record: &Value| record["event"] == "pair").collect())
    }

    fn take(&mut self, build: usize, records: &[Value]) -> Result<(), Box<dyn Error>> {
        let mut failed = 0;
        for record in records {
            let place = match record["outcome"].as_str() {
                Some("fail") => 0,
                Some("pass") => 1,
                Some("inconclusive") => 2,
                _ => return Err(format!("{}: {}", record["name"], record["reason"]).into()),
            };
            let name = record["name"].as_str().unwrap_or_default();
            let name = name.trim_end_matches("::candidate");
            self.ratios.take(build, name, record);
            let function = self.functions.entry(name.to_owned()).or_default();
            function.outcomes[place] += 1;
            function
                .spreads
                .extend(record["rounds"]["spread"].as_f64().filter(|_| record["layouts"].is_object()));
            function.seconds.extend(record["elapsed_s"].as_f64());
            failed += usize::from(place == 0);
            self.rounds.extend(record["rounds"]["n"].as_u64().filter(|_| place < 2));
        }
        self.red += usize::from(failed > 0);
        Ok(())
    }

    pub(crate) fn row(&self) -> String {
        let Self { mode, numbers, red, functions, rounds, times, .. } = self;
        let [failed, passed, open] = functions
            .values()
            .fold([0; 3], |sums, function| [0, 1, 2].map(|place| sums[place] + function.outcomes[place]));
        let (runs, rounds, time) =
            (times.len(), median(rounds).unwrap_or_default(), median(times).unwrap_or_default());
        format!(
            "| `{mode}` | 1000, {numbers} | {runs} | {red} | {failed} | {passed} | {open} | {rounds} | {:.2} |",
            time.as_secs_f64()
        )
    }

    /// A table of ratios, by function and build.
    pub(crate) fn table_of_ratios(&self) -> String {
        self.ratios.table(self.mode, self.numbers)
    }

    /// A row for each ratio that is not 1 where both sides have the same work.
    pub(crate) fn rows_of_far(&self) -> impl Iterator<Item = String> {
        self.ratios.rows_of_far(self.mode).filter(|_| self.numbers == "1000")
    }

    /// How pairs end whose rounds do not spread far.
    pub(crate) fn row_of_calm(&self) -> String {
        self.ratios.row_of_calm(self.mode, self.numbers)
    }

    /// A row for each kind of function: its verdicts, failures with their bounds, and the time that they took.
    pub(crate) fn rows_of_kinds(&self) -> impl Iterator<Item = String> {
        KINDS.iter().map(|(kind, names)| {
            let functions = || names.iter().filter_map(|name| self.functions.get(*name));
            let [failed, passed, open] =
                [0, 1, 2].map(|place| functions().map(|function| function.outcomes[place]).sum::<usize>());
            let gates = failed + passed + open;
            let mut seconds: Vec<f64> =
                functions().flat_map(|function| function.seconds.iter().copied()).collect();
            seconds.sort_unstable_by(f64::total_cmp);
            let quantile = |share: f64| {
                let place = (seconds.len() as f64 * share).ceil() as usize;
                seconds.get(place.max(1) - 1).copied().unwrap_or_default()
            };
            format!(
                "| {kind} | `{}` | 1000, {} | {gates} | {} | {} | {} | {:.2} ({:.2}) |",
                self.mode,
                self.numbers,
                share(failed as u64, gates as u64),
                share(passed as u64, gates as u64),
                share(open as u64, gates as u64),
                quantile(0.5),
                quantile(0.95),
            )
        })
    }

    /// A row for each function: how far its layouts lie apart, and its verdicts.
    pub(crate) fn rows_of_functions(&self) -> impl Iterator<Item = String> {
        self.functions.iter().map(|(name, function)| {
            let mut spreads = function.spreads.clone();
            spreads.sort_unstable_by(f64::total_cmp);
            let spread = spreads
                .get(spreads.len() / 2)
                .map_or_else(|| "-".to_owned(), |spread| format!("{:.1} %", 100.0 * spread));
            let [failed, passed, open] = function.outcomes;
            format!(
                "| {name} | `{}` | 1000, {} | {spread} | {failed} | {passed} | {open} |",
                self.mode, self.numbers
            )
        })
    }
}

/// The target directory of a program in its folder of the profile.
pub(crate) fn target_of(program: &Path) -> &Path {
    program.parent().and_then(Path::parent).unwrap_or(program)
}

fn median<T: Copy + Ord>(values: &[T]) -> Option<T> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied()
}
