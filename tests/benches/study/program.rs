//! The program of a study: flags in, a table out.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use bench_diff_core::Seed;
use clap::{Arg, ArgMatches};

use super::options::{self, Options};
use super::processes;

/// The cells of a study, or what is wrong with its flags.
type Cells<C> = Result<Vec<C>, Box<dyn Error>>;

/// A study with cells of this kind.
pub(crate) struct Study<'a, C> {
    /// Its name, and the flags that only it has.
    pub(crate) name: &'static str,
    pub(crate) own: &'a [Arg],
    /// The head of its table.
    pub(crate) header: &'a str,
    pub(crate) cells: fn(&Options, &ArgMatches) -> Cells<C>,
    /// Measures a cell once and says in a line what came out.
    pub(crate) run: fn(&C, Duration, Seed) -> String,
    /// Makes a row of the lines of a cell and the seconds that it took.
    pub(crate) row: fn(&C, &[String], f64) -> Option<String>,
}

impl<C> Study<'_, C> {
    /// Does what the arguments of the process say.
    pub(crate) fn run(&self) -> ExitCode {
        match self.study() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::from(3)
            }
        }
    }

    fn study(&self) -> Result<(), Box<dyn Error>> {
        let arguments = std::env::args().filter(|argument| argument != "--bench");
        let command = options::command(self.name, self.own.iter().cloned());
        let matches = command.get_matches_from(arguments);
        let options = Options::new(&matches)?;
        let cells = (self.cells)(&options, &matches)?;
        if options.child.is_none() {
            let Options { warmup, processes, .. } = &options;
            println!("warm-up {} ms, up to {processes} processes a cell\n", warmup.as_millis());
            println!("{}", self.header);
        }
        processes::spread(&options, &cells, |cell, seed| (self.run)(cell, options.warmup, seed), self.row)
    }
}
