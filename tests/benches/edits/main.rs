//! Edits on top of the commits of a history: a comment line in every file, another name for a local variable, a
//! function that moves into a module, and a slowdown of 5 %. Each runs with `--against HEAD`: how many functions
//! are proven unchanged, which are red, and how long the answer takes. Prints markdown tables:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench edits -- --repository ../strsim --slow generic_levenshtein --gains levenshtein
//! cargo bench -p bench_diff_tests --bench edits -- --repository ../itoa --only comment --reads-data
//! ```
//!
//! The crate and its functions are those of the bench `histories`. The slowdown is a loop at the start of the
//! function `--slow`, as long as makes the benchmark `--gains` 5 % slower. It is left out of a plain `cargo bench`.

#[path = "../command_line.rs"]
mod command_line;
mod edit;
#[path = "../ends.rs"]
mod ends;
#[path = "../git.rs"]
mod git;
#[path = "../histories/history.rs"]
mod history;
#[path = "../user_cargo.rs"]
mod user_cargo;
#[path = "../histories/user_repository.rs"]
mod user_repository;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::edit::{Edit, Sources, turns_of_5_percent};
use crate::ends::{Ends, Rows};
use crate::git::git;
use crate::history::History;
use crate::user_repository::UserRepository;

fn main() -> ExitCode {
    let text = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
    let command = Command::new("edits")
        .arg(text("repository", "Repository of the library").required(true))
        .arg(
            text("commits", "The newest commits that changed the library")
                .value_parser(value_parser!(usize))
                .default_value("10"),
        )
        .arg(text("crate", "Name of the library; that of the repository's folder else"))
        .arg(text("only", "One of the edits: comment, local, moved or slower"))
        .arg(text("slow", "The function of the library that becomes slower").requires("gains"))
        .arg(text("gains", "The benchmark that becomes 5 % slower by it"))
        .arg(
            text("reads-data", "Inputs read a file below the path of their crate").action(ArgAction::SetTrue),
        )
        .arg(command_line::dir());
    command_line::main(command, study)
}

fn study(matches: &ArgMatches) -> Result<(), Box<dyn Error>> {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let temporary = tempfile::tempdir()?;
    let folder = command_line::folder(matches, &temporary)?;
    let history = History::open(Path::new(text("repository").unwrap_or_default()))?;
    let name = text("crate").unwrap_or(history.name());
    let user = UserRepository::create(&folder.join(name), name)?;
    if matches.get_flag("reads-data") {
        user.read_data()?;
    }
    let slowdown = text("slow").zip(text("gains"));
    let is_asked = |edit: &Edit<'_>| text("only").is_none_or(|only| only == edit.name());
    let count: usize = matches.get_one("commits").copied().unwrap_or_default();
    let (mut rows, mut loops) = (Rows::new("commit and edit"), None);
    for commit in &history.newest(count)? {
        history.check_out(commit, &user.library())?;
        user.commit(commit)?;
        let sources = Sources::read(&user.library().join("src"))?;
        if let (Some((function, gains)), None) = (slowdown, loops) {
            loops = Some(loops_of_5_percent(&user, &sources, function, gains)?);
        }
        let slower = slowdown.zip(loops).map(|((function, _), loops)| Edit::Slower { function, loops });
        for edit in [Edit::Comment, Edit::Local, Edit::Moved].into_iter().chain(slower).filter(is_asked) {
            let name = format!("`{}` {}: {}", commit.id, commit.subject, edit.name());
            rows.add_result(&name, run(&user, &sources, edit));
        }
    }
    println!("{rows}");
    Ok(())
}

/// Runs against the commit with this edit in the working tree, which is undone afterwards.
fn run(user: &UserRepository, sources: &Sources, edit: Edit<'_>) -> Result<Ends, Box<dyn Error>> {
    let edited = sources.edited(edit).ok_or_else(|| format!("no place for the edit {}", edit.name()))?;
    edited.write()?;
    let ends = Ends::of(&mut user.against("HEAD"));
    git(&user.library(), ["checkout", "--quiet", "."])?;
    ends
}

/// How often the loop has to run so that this benchmark gets 5 % slower.
fn loops_of_5_percent(
    user: &UserRepository,
    sources: &Sources,
    function: &str,
    gains: &str,
) -> Result<u32, Box<dyn Error>> {
    turns_of_5_percent(|loops| {
        let ends = run(user, sources, Edit::Slower { function, loops })?;
        Ok(ends.ratio(gains).ok_or_else(|| format!("`{gains}` has no ratio"))?)
    })
}
