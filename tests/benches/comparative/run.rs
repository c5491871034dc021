//! One run: two functions of a known difference, measured one way or the other.

use std::time::{Duration, Instant};

use bench_diff_core::{OrderPolicy, Seed};
use bench_diff_original::stats_types::{AltHyp, Hyp};
use bench_diff_original::{DiffPlan, bench_utils};
use clap::ArgMatches;

use crate::command_line::words;
use crate::original;
use crate::original::scale::Scale;
use crate::original::work::Work;
use crate::study::Cells;

/// The method by which two functions are measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// All executions of one function after those of the other.
    Traditional,
    Duos,
}

pub(crate) const METHODS: [(&str, Method); 2] =
    [("traditional", Method::Traditional), ("duos", Method::Duos)];

/// A cell of the study.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) scale: Scale,
    warmup: Duration,
    /// By how much more work f1 does.
    pub(crate) per_mille: u64,
    pub(crate) method: Method,
}

impl Cell {
    pub(crate) fn all(matches: &ArgMatches) -> Cells<Self> {
        let (scales, warmup) = original::read(matches)?;
        let mut cells = Vec::new();
        for scale in scales {
            for difference in words(matches, "differences") {
                for method in words(matches, "methods") {
                    let known = METHODS.into_iter().find(|(name, _)| *name == method);
                    let (_, method) = known.ok_or_else(|| format!("no method is called {method}"))?;
                    cells.push(Self { scale, warmup, per_mille: difference.parse()?, method });
                }
            }
        }
        Ok(cells)
    }

    /// The true difference, as a share of f2.
    pub(crate) fn difference(&self) -> f64 {
        self.per_mille as f64 / 1000.0
    }

    /// f1 and f2.
    fn work(&self) -> [Work; 2] {
        let turns = self.scale.turns;
        [turns + turns * self.per_mille / 1000, turns].map(|turns| Work::new(turns, None))
    }
}

/// The measurement of a run.
pub(crate) struct Outcome {
    /// The ratios of the medians and of the means, f1 over f2.
    ratios: [f64; 2],
    /// The answer of the t-test to "is f1 slower?"; of duos only.
    t_test: Option<bool>,
}

impl Outcome {
    /// `ratio-of-medians ratio-of-means t-test`
    pub(crate) fn line(&self) -> String {
        let [medians, means] = self.ratios;
        let t_test = self.t_test.map_or("none".to_owned(), |passed| passed.to_string());
        format!("{medians} {means} {t_test}")
    }

    pub(crate) fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let ratios = [words.next()?.parse().ok()?, words.next()?.parse().ok()?];
        let t_test = match words.next()? {
            "none" => None,
            passed => Some(passed.parse().ok()?),
        };
        Some(Self { ratios, t_test })
    }

    /// The median or the mean of f2 is above that of f1.
    pub(crate) fn is_reversed(&self) -> bool {
        self.ratios.iter().any(|ratio| *ratio < 1.0)
    }

    /// The difference of the medians or of the means is off by more than 40 % of the true one.
    pub(crate) fn is_anomalous(&self, difference: f64) -> bool {
        self.ratios.iter().any(|ratio| (ratio - 1.0 - difference).abs() > 0.4 * difference)
    }

    /// By how much the difference of the medians is off.
    pub(crate) fn error(&self, difference: f64) -> f64 {
        (self.ratios[0] - 1.0 - difference).abs()
    }

    pub(crate) fn t_test(&self) -> Option<bool> {
        self.t_test
    }
}

pub(crate) fn run(cell: &Cell, seed: Seed) -> Outcome {
    let warmup = cell.warmup;
    let [mut f1, mut f2] = cell.work();
    let Scale { unit, exec_count, .. } = cell.scale;
    match cell.method {
        Method::Duos => {
            let plan = DiffPlan { unit, exec_count, warmup, order: OrderPolicy::Coin, seed };
            let out = plan.run(|| f1.run(), || f2.run());
            let accepted = out.welch_ln_test(AltHyp::Gt, 0.05).accepted();
            Outcome {
                ratios: [out.ratio_medians_f1_f2(), out.mean_f1() / out.mean_f2()],
                t_test: Some(accepted == Hyp::Alt(AltHyp::Gt)),
            }
        }
        Method::Traditional => {
            let [f1, f2] = [f1, f2].map(|mut work| alone(&mut work, exec_count, warmup));
            Outcome { ratios: [f1.0 / f2.0, f1.1 / f2.1], t_test: None }
        }
    }
}

/// Median and mean of the latencies of a function that is measured alone.
fn alone(work: &mut Work, exec_count: usize, warmup: Duration) -> (f64, f64) {
    let start = Instant::now();
    while start.elapsed() < warmup {
        work.run();
    }
    let latency = |_| bench_utils::latency(|| work.run()).as_nanos() as f64;
    let mut latencies: Vec<f64> = (0..exec_count).map(latency).collect();
    latencies.sort_by(f64::total_cmp);
    let mean = latencies.iter().sum::<f64>() / exec_count as f64;
    (latencies[exec_count.div_ceil(2) - 1], mean)
}
