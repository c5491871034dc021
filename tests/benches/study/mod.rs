//! A study in cells, each of which is measured many times in fresh processes: flags in, a table out.

use std::error::Error;
use std::process::ExitCode;

use bench_diff_core::Seed;
use clap::{Arg, ArgMatches, Command};

use crate::command_line::{self, flag, number, one};
use crate::load::with_load;

mod processes;

/// The cells of a study, or what is wrong with its flags.
pub(crate) type Cells<C> = Result<Vec<C>, Box<dyn Error>>;

/// A study with cells of this kind.
pub(crate) struct Study<'a, C> {
    /// Its name, and the flags that only it has.
    pub(crate) name: &'static str,
    pub(crate) own: &'a [Arg],
    /// The head of its table.
    pub(crate) header: &'a str,
    pub(crate) cells: fn(&ArgMatches) -> Cells<C>,
    /// Measures a cell once and says in a line what came out.
    pub(crate) run: fn(&C, Seed) -> String,
    /// Makes a row of the lines of a cell and the seconds that it took.
    pub(crate) row: fn(&C, &[String], f64) -> Option<String>,
}

/// The options that every such study has.
struct Options {
    /// The runs of each cell.
    runs: u64,
    /// The fresh processes that they are spread over.
    processes: u64,
    seed: Seed,
    /// The cell and the index of this process, unless it is the first of all.
    child: Option<(usize, u64)>,
}

impl Options {
    fn new(matches: &ArgMatches) -> Result<Self, Box<dyn Error>> {
        let child = |words: &String| -> Result<(usize, u64), Box<dyn Error>> {
            let (cell, index) = words.split_once(',').ok_or("--child CELL,INDEX")?;
            Ok((cell.parse()?, index.parse()?))
        };
        Ok(Self {
            runs: number(matches, "runs")?,
            processes: number::<u64>(matches, "processes")?.max(1),
            seed: Seed(number(matches, "seed")?),
            child: matches.get_one("child").map(child).transpose()?,
        })
    }
}

impl<C> Study<'_, C> {
    /// Does what the arguments of the process say.
    pub(crate) fn run(&self) -> ExitCode {
        let command = Command::new(self.name)
            .arg(one("runs", "100", "Runs of each cell").alias("gates"))
            .arg(one("processes", "20", "Fresh processes to spread them over"))
            .arg(one("seed", "1", "Seed of the coins and of the work"))
            .arg(flag("load", "Keep every core busy"))
            .args(self.own)
            .arg(Arg::new("child").long("child").hide(true));
        command_line::main(command, |matches| self.study(matches))
    }

    fn study(&self, matches: &ArgMatches) -> Result<(), Box<dyn Error>> {
        let options = Options::new(matches)?;
        let cells = (self.cells)(matches)?;
        if let Some((cell, index)) = options.child {
            processes::share(&options, cell, index, |seed| (self.run)(&cells[cell], seed));
            return Ok(());
        }
        let load = matches.get_flag("load");
        let state = if load { "a busy loop on every core" } else { "idle" };
        println!("{state}, up to {} processes a cell\n\n{}", options.processes, self.header);
        with_load(load, || processes::tabulate(&options, &cells, self.row))
    }
}
