//! The rounds and the table.

use std::error::Error;

use clap::{Arg, Command};

use crate::measured::{self, Figures};

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let number = |name: &'static str, default: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_parser(clap::value_parser!(u64).range(1..))
            .default_value(default)
            .help(help)
    };
    let command = Command::new("progress")
        .arg(number("rounds", "30", "Runs with the bar, and as many without"))
        .arg(number("slots", "20000", "Slots of each function in a run"));
    let matches = command.get_matches_from(std::env::args().filter(|argument| argument != "--bench"));
    let number = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or(1);
    let (rounds, slots) = (number("rounds"), number("slots"));

    let folder = tempfile::tempdir()?;
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        // Whoever comes first in one round comes second in the next.
        for with_bar in [round % 2 == 0, round % 2 == 1] {
            let figures = measured::run(folder.path(), slots, with_bar)?;
            if with_bar { with.push(figures) } else { without.push(figures) }
        }
    }
    println!(
        "{rounds} runs each, {slots} slots of each function; medians of the runs, with half their interquartile range\n"
    );
    println!("| of a run | with the bar | without | ratio |");
    println!("|---|---|---|---|");
    row("median latency", &with, &without, |figures| figures.median);
    row("mean latency", &with, &without, |figures| figures.mean);
    row("p99 of the latencies", &with, &without, |figures| figures.p99);
    row("between two slots", &with, &without, |figures| figures.gap);
    Ok(())
}

fn row(name: &str, with: &[Figures], without: &[Figures], figure: fn(&Figures) -> f64) {
    let [with, without] = [with, without].map(|runs| Spread::of(runs.iter().map(figure).collect()));
    println!("| {name} | {} | {} | {:.4} |", with.text(), without.text(), with.median / without.median);
}

struct Spread {
    median: f64,
    half_range: f64,
}

impl Spread {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
        Self { median: at(0.5), half_range: (at(0.75) - at(0.25)) / 2.0 }
    }

    fn text(&self) -> String {
        format!("{:.1} ns (+/- {:.1})", self.median, self.half_range)
    }
}
