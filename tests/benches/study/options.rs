//! The flags that both studies have.

use std::error::Error;
use std::time::Duration;

use bench_diff_core::Seed;
use clap::{Arg, ArgMatches, Command};

use super::scale::{SCALES, Scale};

/// The options of both studies.
pub(crate) struct Options {
    /// The runs of each cell.
    pub(crate) runs: u64,
    /// The fresh processes that they are spread over.
    pub(crate) processes: u64,
    pub(crate) scales: Vec<Scale>,
    pub(crate) warmup: Duration,
    pub(crate) seed: Seed,
    /// The cell and the index of this process, unless it is the first of all.
    pub(crate) child: Option<(usize, u64)>,
}

/// A study with these flags and its own.
pub(crate) fn command(name: &'static str, own: impl IntoIterator<Item = Arg>) -> Command {
    Command::new(name)
        .arg(one("runs", "100", "Runs of each cell"))
        .arg(one("processes", "20", "Fresh processes to spread them over"))
        .arg(list("scales", SCALES.map(|scale| scale.name).join(","), "Scales"))
        .arg(one("warmup-ms", "50", "Milliseconds of warm-up of every measurement, 3000 in the original"))
        .arg(one("seed", "1", "Seed of the coins and of the work"))
        .args(own)
        .arg(Arg::new("child").long("child").hide(true))
}

fn one(name: &'static str, default: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).default_value(default).help(help)
}

/// A flag with a list of values.
pub(crate) fn list(name: &'static str, default: String, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_delimiter(',').default_value(default).help(help)
}

/// The words of a list.
pub(crate) fn words(matches: &ArgMatches, name: &str) -> Vec<String> {
    matches.get_many::<String>(name).into_iter().flatten().cloned().collect()
}

impl Options {
    pub(crate) fn new(matches: &ArgMatches) -> Result<Self, Box<dyn Error>> {
        let one = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
        let scale = |name: &String| Scale::named(name).ok_or_else(|| format!("no scale is called {name}"));
        let child = |words: &String| -> Result<(usize, u64), Box<dyn Error>> {
            let (cell, index) = words.split_once(',').ok_or("--child CELL,INDEX")?;
            Ok((cell.parse()?, index.parse()?))
        };
        let processes: u64 = one("processes").parse()?;
        Ok(Self {
            runs: one("runs").parse()?,
            processes: processes.max(1),
            scales: words(matches, "scales").iter().map(scale).collect::<Result<_, _>>()?,
            warmup: Duration::from_millis(one("warmup-ms").parse()?),
            seed: Seed(one("seed").parse()?),
            child: matches.get_one("child").map(child).transpose()?,
        })
    }
}
