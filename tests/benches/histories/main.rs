//! The history of a repository, commit by commit: how many functions are the same machine code as in the commit
//! before, which are red, and how long each answer takes. Prints markdown tables:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench histories -- --repository ../httparse
//! cargo bench -p bench_diff_tests --bench histories -- --repository ../semver --commits 100 --dir kept
//! cargo bench -p bench_diff_tests --bench histories -- --repository ../itoa --revisions "1.0.15 1.0.16 1.0.17"
//! ```
//!
//! A crate in a temporary folder, or in the one of `--dir`, has a repository of its own, in which each commit holds
//! the library as it was in one of the history, and the same bench of it, which runs with `--against HEAD~1`. The
//! functions are those of the bench `releases` for the crate of this name.
//!
//! With `--revisions`, these commits of the repository itself are compared, each with the one before. None of them
//! has the bench: it is added to the newer one and laid over the older one. It is left out of a plain `cargo bench`.

#[path = "../command_line.rs"]
mod command_line;
#[path = "../ends.rs"]
mod ends;
#[path = "../git.rs"]
mod git;
mod history;
#[path = "../user_cargo.rs"]
mod user_cargo;
mod user_repository;
mod without_bench;

use std::error::Error;
use std::path::{Path, absolute};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::ends::{Ends, Rows};
use crate::history::History;
use crate::user_repository::UserRepository;
use crate::without_bench::WithoutBench;

fn main() -> ExitCode {
    let command = Command::new("histories")
        .arg(Arg::new("repository").long("repository").required(true).help("Repository of the library"))
        .arg(
            Arg::new("commits")
                .long("commits")
                .value_parser(value_parser!(usize))
                .default_value("50")
                .help("The newest commits that changed the library"),
        )
        .arg(
            Arg::new("crate").long("crate").help("Name of the library; that of the repository's folder else"),
        )
        .arg(
            Arg::new("revisions")
                .long("revisions")
                .help("Compare these revisions, which lack the bench, each with the one before"),
        )
        .arg(command_line::dir());
    command_line::main(command, study)
}

fn study(matches: &ArgMatches) -> Result<(), Box<dyn Error>> {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let temporary = tempfile::tempdir()?;
    let folder = command_line::folder(matches, &temporary)?;
    let repository = Path::new(text("repository").unwrap_or_default());
    let history = History::open(repository)?;
    let name = text("crate").unwrap_or(history.name());
    let mut rows = Rows::new("commit");
    match text("revisions") {
        Some(revisions) => {
            let user = WithoutBench::clone(&absolute(repository)?, &folder.join(name), name)?;
            let revisions: Vec<&str> = revisions.split(' ').collect();
            for before_and_after in revisions.windows(2) {
                let &[before, after] = before_and_after else { continue };
                user.check_out(after)?;
                rows.add_result(&format!("{name} {before} -> {after}"), Ends::of(&mut user.against(before)));
            }
        }
        None => {
            let user = UserRepository::create(&folder.join(name), name)?;
            let count: usize = matches.get_one("commits").copied().unwrap_or_default();
            // One more, with which the first of them is compared.
            for (index, commit) in history.newest(count + 1)?.iter().enumerate() {
                history.check_out(commit, &user.library())?;
                user.commit(commit)?;
                if index > 0 {
                    let name = format!("`{}` {}", commit.id, commit.subject);
                    rows.add_result(&name, Ends::of(&mut user.against("HEAD~1")));
                }
            }
        }
    }
    println!("{rows}");
    Ok(())
}
