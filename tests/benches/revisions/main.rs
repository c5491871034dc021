//! `--against` on a repository of two commits: how many runs are red where nothing has changed, or nothing
//! that any of the measured functions knows of; how changed code ends; and how long a run takes. Prints
//! markdown tables:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench revisions -- --runs 5
//! cargo bench -p bench_diff_tests --bench revisions -- --runs 1 --load
//! cargo bench -p bench_diff_tests --bench revisions -- --runs 2 --differences none --numbers 1050
//! cargo bench -p bench_diff_tests --bench revisions -- --runs 10 --builds 1 --differences code-64,heap-2048
//! cargo bench -p bench_diff_tests --bench revisions -- --runs 5 --changed 20
//! cargo bench -p bench_diff_tests --bench revisions -- --runs 11 --seconds
//! ```
//!
//! The package has the twenty-four functions of the study `layouts`, none of which has a baseline, in a
//! temporary folder or in the one of `--dir`. Runs are those of a user, `cargo bench -- --against HEAD~1`,
//! but without the proof, which would leave nothing to measure. The study is left out of a plain `cargo bench`.
//!
//! `--differences` names what one of the sides has and the other one lacks:
//!
//! - `none`: nothing.
//! - `functions`: twenty functions, which the new side has in every other build, and the old side in the rest.
//! - `code-64`: 64 bytes of unused code in the new side.
//! - `heap-64`: 64 bytes that the new side allocates before the numbers, and never frees.
//!
//! With `--changed 20`, the new side has each of twenty variants of the functions instead. They cost nothing.
//! `--load` keeps every core busy meanwhile. `--seconds` has functions of its own.

#[path = "../layouts/changes.rs"]
mod changes;
#[path = "../command_line.rs"]
mod command_line;
#[path = "../layouts/count.rs"]
mod count;
#[path = "../git.rs"]
mod git;
#[path = "../load.rs"]
mod load;
#[path = "../median.rs"]
mod median;
#[path = "../layouts/ratios.rs"]
mod ratios;
#[path = "../records.rs"]
mod records;
mod repository;
mod seconds;
mod source;
#[path = "../user_cargo.rs"]
mod user_cargo;
#[path = "../ways.rs"]
mod ways;

use std::error::Error;
use std::process::ExitCode;

use clap::builder::ArgPredicate::IsPresent;
use clap::{Arg, ArgMatches, Command};

use crate::changes::changed;
use crate::command_line::{flag, list, number, one, words};
use crate::count::Count;
use crate::load::with_load;
use crate::records::records;
use crate::repository::Repository;
use crate::source::Source;
use crate::ways::Way;

fn main() -> ExitCode {
    let command = Command::new("revisions")
        .arg(one("runs", "5", "Runs of each build, difference and amount of work"))
        .arg(one("builds", "10", "Builds of each difference, at most 10"))
        .arg(
            list("differences", "none,functions", "What one of the sides has and the other one has not")
                .value_parser([&["none", "functions"], &SHIFTS[..]].concat()),
        )
        .arg(
            Arg::new("changed").long("changed").help("Variants of the new functions, instead of differences"),
        )
        .arg(
            list("numbers", "1000", "Numbers that the new functions work on; the old ones have 1000")
                .default_value_if("changed", IsPresent, "1000,1050"),
        )
        .arg(flag("seconds", "How long runs take of one and of twenty-two changed functions"))
        .arg(flag("load", "Keep every core busy"))
        .arg(command_line::dir());
    command_line::main(command, |matches| with_load(matches.get_flag("load"), || study(matches)))
}

fn study(matches: &ArgMatches) -> Result<(), Box<dyn Error>> {
    let temporary = tempfile::tempdir()?;
    let repository = Repository::new(&command_line::folder(matches, &temporary)?)?;
    let runs = number(matches, "runs")?;
    if matches.get_flag("seconds") {
        return seconds::study(&repository, runs);
    }
    let is_changed = matches.contains_id("changed");
    let differences = if is_changed { vec!["changed"] } else { words(matches, "differences") };
    let ways: Vec<Way> = match is_changed {
        true => (1..=number(matches, "changed")?).map(Way::of_variant).collect(),
        false => Way::ALL.into_iter().take(number(matches, "builds")?).collect(),
    };
    let mut counts = Vec::new();
    for difference in differences {
        for numbers in words(matches, "numbers") {
            let mut count = Count::new(difference, numbers);
            for (index, way) in ways.iter().enumerate() {
                commit(&repository, &sides(difference, index, *way, numbers))?;
                // One function is enough to have all compiled.
                records(&mut repository.bench(&format!("{AGAINST} --no-proof --exact sum")))?;
                let mut command = repository.bench(&format!("{AGAINST} --no-proof"));
                let red = count.add(index, &mut command, runs)?;
                eprintln!(
                    "build {} of {} ({way}), {}: {red} of {runs} runs red",
                    index + 1,
                    ways.len(),
                    count.name()
                );
            }
            counts.push(count);
        }
    }
    count::print("what differs", &counts, is_changed);
    Ok(())
}

/// Bytes that only the new side has, and that move what lies behind them.
const SHIFTS: [&str; 6] = ["code-64", "code-1024", "code-2048", "heap-64", "heap-1024", "heap-2048"];

/// Compares the last two commits.
const AGAINST: &str = "--against HEAD~1";

/// Commits these revisions, one after the other.
fn commit(repository: &Repository, revisions: &[Source]) -> Result<(), Box<dyn Error>> {
    revisions.iter().try_for_each(|revision| repository.commit(revision.files()))
}

/// The sources of the old revision and of the new one. `numbers` is how much work the new functions do.
fn sides(difference: &str, index: usize, way: Way, numbers: &str) -> [Source; 2] {
    let [mut old, mut new] = ["1000", numbers].map(|numbers| Source::new(way, numbers));
    match difference {
        "changed" => new.library = changed(index as u64 + 1),
        "functions" if index.is_multiple_of(2) => new.library += &twenty_functions(),
        "functions" => old.library += &twenty_functions(),
        _ => match difference.split_once('-') {
            Some(("code", bytes)) => new.library += &code(bytes),
            Some((_, bytes)) => {
                new.library = new.library.replacen(NUMBERS, &(NUMBERS.to_owned() + &heap(bytes)), 1);
            }
            None => {}
        },
    }
    [old, new]
}

/// The head of the function that makes the numbers.
const NUMBERS: &str = "pub fn numbers(count: usize) -> Vec<u64> {\n";

/// A statement that allocates this many bytes and never frees them.
fn heap(bytes: &str) -> String {
    format!("    std::mem::forget(std::hint::black_box(vec![1_u8; {bytes}]));\n")
}

/// An unused function of this many bytes. `#[used]` makes the linker keep it.
fn code(bytes: &str) -> String {
    format!(
        "\nfn shift() {{\n    // SAFETY: nobody calls it.\n    unsafe {{ std::arch::asm!(\".skip {bytes}\") }}\n}}\n\n\
         #[used]\nstatic SHIFT: fn() = shift;\n"
    )
}

/// Unused functions that the linker keeps.
fn twenty_functions() -> String {
    let function = |number: usize| {
        format!(
            "\nfn other_{number}(numbers: &[u64]) -> u64 {{\n    \
             numbers.iter().fold({number}, |sum, number| (sum ^ number).rotate_left({}))\n}}\n",
            number % 60 + 1
        )
    };
    let names: Vec<String> = (0..20).map(|number| format!("other_{number}")).collect();
    let kept = format!("\n#[used]\nstatic OTHERS: [fn(&[u64]) -> u64; 20] = [{}];\n", names.join(", "));
    (0..20).map(function).chain([kept]).collect()
}
