//! The verdicts of the runs of one mode.

use std::collections::BTreeMap;
use std::error::Error;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::median::median;
use crate::ratios::{self, Ratios};
use crate::records::{place, records};

/// The titles of the columns of runs, after those of what differs.
const OF_RUNS: &str =
    "runs | red runs | pairs failed | pairs passed | pairs open | rounds of a verdict | seconds of a run |
|---|---|---|---|---|---|---|---|---|";

/// The titles of the columns of functions.
const OF_FUNCTIONS: &str = "spread over layouts | failed | passed | open | rounds above 1 % |
|---|---|---|---|---|---|---|---|";

/// All runs of a mode with so many numbers.
pub(crate) struct Count<'a> {
    pub(crate) mode: &'a str,
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
    /// The rounds that found it more than 1 % slower, and all.
    rounds: [usize; 2],
}

impl<'a> Count<'a> {
    pub(crate) fn new(mode: &'a str, numbers: &'a str) -> Self {
        let (rounds, times, ratios) = (Vec::new(), Vec::new(), Ratios::default());
        Self { mode, numbers, red: 0, functions: BTreeMap::new(), rounds, times, ratios }
    }

    pub(crate) fn name(&self) -> String {
        format!("{} with {} numbers", self.mode, self.numbers)
    }

    /// Adds so many runs of this command on a build. How many of them were red comes back.
    pub(crate) fn add(
        &mut self,
        build: usize,
        command: &mut Command,
        runs: usize,
    ) -> Result<usize, Box<dyn Error>> {
        let before = self.red;
        for _ in 0..runs {
            let start = Instant::now();
            let records = records(command)?;
            self.times.push(start.elapsed());
            self.take(build, &records)?;
        }
        Ok(self.red - before)
    }

    fn take(&mut self, build: usize, records: &[Value]) -> Result<(), Box<dyn Error>> {
        let mut failed = 0;
        for record in records {
            let place = place(record)?;
            let name = record["name"].as_str().unwrap_or_default();
            let name = name.trim_end_matches("::candidate");
            self.ratios.take(build, name, record);
            let function = self.functions.entry(name.to_owned()).or_default();
            function.outcomes[place] += 1;
            function
                .spreads
                .extend(record["rounds"]["spread"].as_f64().filter(|_| record["layouts"].is_object()));
            let contrasts = record["rounds"]["contrasts"].as_array().into_iter().flatten();
            for contrast in contrasts.filter_map(Value::as_f64) {
                function.rounds[0] += usize::from(contrast > f64::ln_1p(0.01));
                function.rounds[1] += 1;
            }
            failed += usize::from(place == 0);
            if place == 0 && self.numbers == "1000" {
                eprintln!("red: {name} {} {}", record["seed"], record["rounds"]);
            }
            self.rounds.extend(record["rounds"]["n"].as_u64().filter(|_| place < 2));
        }
        self.red += usize::from(failed > 0);
        Ok(())
    }

    fn row(&self) -> String {
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

    /// A row for each ratio that is not 1 where both sides have the same work.
    fn rows_of_far(&self) -> impl Iterator<Item = String> {
        self.ratios.rows_of_far(self.mode).filter(|_| self.numbers == "1000")
    }

    /// A row for each function: how far its layouts lie apart, and its verdicts.
    fn rows_of_functions(&self) -> impl Iterator<Item = String> {
        self.functions.iter().map(|(name, function)| {
            let spread = median(&function.spreads)
                .map_or_else(|| "-".to_owned(), |spread| format!("{:.1} %", 100.0 * spread));
            let ([failed, passed, open], [above, all]) = (function.outcomes, function.rounds);
            format!(
                "| {name} | `{}` | 1000, {} | {spread} | {failed} | {passed} | {open} | {above} of {all} |",
                self.mode, self.numbers
            )
        })
    }
}

/// Prints a table of runs and one of functions, with this title above the modes. For changed code, a third one
/// has the ratios that are far from 1.
pub(crate) fn print(title: &str, counts: &[Count<'_>], is_changed: bool) {
    println!("| {title} | numbers, old and new | {OF_RUNS}");
    counts.iter().for_each(|count| println!("{}", count.row()));
    println!("\n| function | {title} | numbers, old and new | {OF_FUNCTIONS}");
    counts.iter().flat_map(Count::rows_of_functions).for_each(|row| println!("{row}"));
    if is_changed {
        println!("\nFurther from 1 than 1 % and three standard errors, where both sides have the same work:");
        println!("\n| function | {title} | {}", ratios::OF_FAR);
        counts.iter().flat_map(Count::rows_of_far).for_each(|row| println!("{row}"));
    }
}
