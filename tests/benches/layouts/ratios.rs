//! The distance from 1 of the ratios of unequal code, by function and variant.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;

use serde_json::Value;

/// The titles of the columns of ratios that are not 1.
pub(crate) const OF_FAR: &str = "variant | ratio, median | standard error |
|---|---|---|---|---|";

/// The ratios of each function in each build, from its runs.
#[derive(Default)]
pub(crate) struct Ratios {
    by_function: BTreeMap<String, BTreeMap<usize, Vec<Run>>>,
}

struct Run {
    contrast: f64,
    /// The square of its standard error.
    variance: f64,
}

impl Ratios {
    /// Takes what a run of a build said about a function, unless it has no ratio.
    pub(crate) fn take(&mut self, build: usize, function: &str, record: &Value) {
        let rounds = &record["rounds"];
        let figures = (record["ratio"].as_f64(), rounds["spread"].as_f64(), rounds["n"].as_f64());
        let (Some(ratio), Some(spread), Some(n)) = figures else { return };
        // The error of a median is so much larger than that of a mean.
        let run = Run { contrast: ratio.ln(), variance: FRAC_PI_2 * spread * spread / n };
        self.by_function.entry(function.to_owned()).or_default().entry(build).or_default().push(run);
    }

    /// A row for each ratio that is further from 1 than 1 % and three standard errors.
    pub(crate) fn rows_of_far(&self, mode: &str) -> impl Iterator<Item = String> {
        let all = self.by_function.iter().flat_map(|(function, by_build)| {
            by_build.iter().map(move |(build, runs)| (function, build, middle(runs)))
        });
        all.filter(|(.., (contrast, error))| contrast.abs() > 0.01 + 3.0 * error).map(
            move |(function, build, (contrast, error))| {
                let (ratio, error) = (percent(contrast), 100.0 * error);
                format!("| {function} | `{mode}` | {} | {ratio} | {error:.2} % |", build + 1)
            },
        )
    }
}

/// The median contrast of runs, and its standard error.
fn middle(runs: &[Run]) -> (f64, f64) {
    let mut contrasts: Vec<f64> = runs.iter().map(|run| run.contrast).collect();
    contrasts.sort_unstable_by(f64::total_cmp);
    let n = contrasts.len();
    let median = f64::midpoint(contrasts[(n - 1) / 2], contrasts[n / 2]);
    let variance: f64 = runs.iter().map(|run| run.variance).sum();
    (median, variance.sqrt() / n as f64)
}

fn percent(contrast: f64) -> String {
    format!("{:+.2} %", 100.0 * contrast.exp_m1())
}
