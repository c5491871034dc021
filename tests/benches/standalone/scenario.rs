//! The pairs of functions, and what is true of them.

use std::time::Duration;

use bench_diff_core::Seed;
use bench_diff_original::noise_model::Beta;
use bench_diff_original::stats_types::{AltHyp, Hyp};
use clap::ArgMatches;

use crate::command_line::words;
use crate::original;
use crate::original::scale::Scale;
use crate::original::work::Work;
use crate::study::Cells;

/// The spread of the latencies of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spread {
    No,
    Low,
    High,
}

/// A function: its median in percent above the base, and its spread.
#[derive(Clone, Copy)]
struct Function(u64, Spread);

/// f1 and f2.
#[derive(Clone, Copy)]
pub(crate) struct Scenario(Function, Function);

use Spread::{High, Low, No};

/// The scenarios of the original.
pub(crate) const SCENARIOS: [Scenario; 14] = [
    Scenario(Function(0, No), Function(0, No)),
    Scenario(Function(0, No), Function(1, No)),
    Scenario(Function(0, No), Function(10, No)),
    Scenario(Function(0, No), Function(25, No)),
    Scenario(Function(1, No), Function(0, No)),
    Scenario(Function(0, Low), Function(0, Low)),
    Scenario(Function(0, Low), Function(0, High)),
    Scenario(Function(0, High), Function(0, Low)),
    Scenario(Function(0, Low), Function(1, Low)),
    Scenario(Function(0, Low), Function(10, Low)),
    Scenario(Function(0, Low), Function(25, Low)),
    Scenario(Function(0, Low), Function(1, High)),
    Scenario(Function(0, Low), Function(10, High)),
    Scenario(Function(0, Low), Function(25, High)),
];

impl Scenario {
    /// Both functions by name.
    pub(crate) fn name(self) -> String {
        let name = |Function(percent, spread): Function| {
            let median = if percent == 0 { "base".to_owned() } else { format!("hi_{percent}pct") };
            let spread = match spread {
                No => "no",
                Low => "lo",
                High => "hi",
            };
            format!("{median}_{spread}")
        };
        format!("{}/{}", name(self.0), name(self.1))
    }

    /// The hypothesis that a test should accept.
    pub(crate) fn truth(self) -> Hyp {
        let Self(Function(f1, _), Function(f2, _)) = self;
        match f1.cmp(&f2) {
            std::cmp::Ordering::Less => Hyp::Alt(AltHyp::Lt),
            std::cmp::Ordering::Equal => Hyp::Null,
            std::cmp::Ordering::Greater => Hyp::Alt(AltHyp::Gt),
        }
    }

    /// The functions, of this base amount.
    pub(crate) fn work(self, turns: u64, seed: Seed) -> [Work; 2] {
        let Self(f1, f2) = self;
        let work = |Function(percent, spread): Function, name: &str| {
            let turns = turns + turns * percent / 100;
            // The standard deviations of the logarithm of the original: factors of 1.095 and 1.55 at one of
            // them.
            let sigma = match spread {
                No => None,
                Low => Some(1.2_f64.ln() / 2.0),
                High => Some(2.4_f64.ln() / 2.0),
            };
            Work::new(turns, sigma.map(|sigma| Beta::new(sigma, seed.for_pair(name))))
        };
        [work(f1, "f1"), work(f2, "f2")]
    }
}

/// A cell of the study.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) scale: Scale,
    pub(crate) warmup: Duration,
    pub(crate) scenario: Scenario,
}

impl Cell {
    pub(crate) fn all(matches: &ArgMatches) -> Cells<Self> {
        let (scales, warmup) = original::read(matches)?;
        let mut cells = Vec::new();
        for scale in scales {
            for name in words(matches, "scenarios") {
                let known = SCENARIOS.into_iter().find(|scenario| scenario.name() == name);
                let scenario = known.ok_or_else(|| format!("no scenario is called {name}"))?;
                cells.push(Self { scale, warmup, scenario });
            }
        }
        Ok(cells)
    }
}
