//! The frequency and the speed of the gate's decisions at known slowdowns, on this machine. Prints a markdown
//! table:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench power -- --gates 400
//! cargo bench -p bench_diff_tests --bench power -- --gates 400 --load
//! ```
//!
//! The gates of a cell are spread over fresh processes, since memory and code lie elsewhere in each. `--load`
//! keeps every core busy meanwhile. `--help` has the rest. It is left out of a plain `cargo bench`.

mod cells;
mod gates;
mod kernels;
#[path = "../load.rs"]
mod load;
#[path = "../share.rs"]
mod share;
mod table;

use std::error::Error;
use std::process::{Command, ExitCode};

use bench_diff_core::Seed;
use clap::{Arg, ArgAction, ArgMatches};

use crate::cells::Cell;
use crate::gates::ZONES;
use crate::kernels::KERNELS;
use crate::load::with_load;

fn main() -> ExitCode {
    let matches = arguments().get_matches_from(std::env::args().filter(|argument| argument != "--bench"));
    match Study::new(&matches).and_then(|study| study.run()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

fn arguments() -> clap::Command {
    let list = |name: &'static str, default: String, help: &'static str| {
        Arg::new(name).long(name).value_delimiter(',').default_value(default).help(help)
    };
    let one = |name: &'static str, default: &'static str, help: &'static str| {
        Arg::new(name).long(name).default_value(default).help(help)
    };
    let names = |names: &[&str]| names.join(",");
    clap::Command::new("power")
        .arg(one("gates", "100", "Gates of each cell"))
        .arg(one("processes", "20", "Fresh processes to spread them over"))
        .arg(list("kernels", names(&KERNELS.map(|kernel| kernel.name)), "Kernels"))
        .arg(list("slowdowns", "0,5,10,20,50".to_owned(), "True slowdowns, in per mille"))
        .arg(list("zones", names(&ZONES.map(|(name, ..)| name)), "Zones"))
        .arg(one("beta", "0.05", "Probability of a false pass"))
        .arg(one("seed", "1", "Seed of the coins"))
        .arg(Arg::new("load").long("load").action(ArgAction::SetTrue).help("Keep every core busy"))
        .arg(Arg::new("child").long("child").hide(true))
}

struct Study {
    cells: Vec<Cell>,
    gates: u64,
    processes: u64,
    beta: f64,
    seed: u64,
    load: bool,
    /// The index of this process, unless it is the first of all.
    child: Option<u64>,
}

impl Study {
    fn new(matches: &ArgMatches) -> Result<Self, Box<dyn Error>> {
        let one = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
        let list = |name: &str| -> Vec<String> {
            matches.get_many::<String>(name).into_iter().flatten().cloned().collect()
        };
        let mut cells = Vec::new();
        for kernel in list("kernels") {
            for slowdown in list("slowdowns") {
                let per_mille = slowdown.parse()?;
                for zone in list("zones") {
                    cells.push(Cell { kernel: kernel.clone(), per_mille, zone });
                }
            }
        }
        let study = Self {
            cells,
            gates: one("gates").parse()?,
            processes: one("processes").parse()?,
            beta: one("beta").parse()?,
            seed: one("seed").parse()?,
            load: matches.get_flag("load"),
            child: matches.get_one::<String>("child").map(|index| index.parse()).transpose()?,
        };
        if !study.cells.iter().all(|cell| cell.question(study.beta).is_some()) {
            return Err("a kernel or zone is unknown; --help lists them".into());
        }
        Ok(study)
    }

    fn run(&self) -> Result<(), Box<dyn Error>> {
        match self.child {
            Some(index) => self.ask(index),
            None => with_load(self.load, || self.tabulate()),
        }
    }

    /// This process's share of the gates, a line each.
    fn ask(&self, index: u64) -> Result<(), Box<dyn Error>> {
        let share = self.gates / self.processes + u64::from(index < self.gates % self.processes);
        for gate in 0..share {
            for (number, cell) in self.cells.iter().enumerate() {
                let question = cell.question(self.beta).ok_or("unknown cell")?;
                let seed = Seed(self.seed).for_pair(&format!("{number} {index} {gate}"));
                if let Some(answer) = gates::ask(&question, seed)? {
                    println!("{}", cells::line(number, &answer));
                }
            }
        }
        Ok(())
    }

    fn tabulate(&self) -> Result<(), Box<dyn Error>> {
        let mut answers: Vec<_> = self.cells.iter().map(|_| Vec::new()).collect();
        for index in 0..self.processes {
            let mut child = Command::new(std::env::current_exe()?);
            child.args(std::env::args().skip(1)).args(["--child", &index.to_string()]);
            let output = child.output()?;
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).into());
            }
            for line in String::from_utf8(output.stdout)?.lines() {
                let (cell, answer) = cells::read_line(line).ok_or("a process speaks another language")?;
                answers[cell].push(answer);
            }
        }
        println!(
            "{}, alpha 1 %, beta {} %, max_time 2 s, {} processes\n\n{}",
            if self.load { "a busy loop on every core" } else { "idle" },
            self.beta * 100.0,
            self.processes,
            table::HEADER
        );
        for (cell, answers) in self.cells.iter().zip(&answers).filter(|(_, answers)| !answers.is_empty()) {
            println!("{}", table::row(cell, answers));
        }
        Ok(())
    }
}
