//! Comparisons of a tree with a revision of it.

use std::error::Error;
use std::fmt;
use std::path::Path;

use crate::bench::Bench;
use crate::edit::{Sources, turns_of_5_percent};
use crate::ends::{Ends, Rows};
use crate::git::git;
use crate::more;

/// A revision and, for a commit of the history, its subject.
pub(crate) struct Commit {
    pub(crate) id: String,
    pub(crate) subject: String,
}

/// The newest commits that changed sources, benches or manifests in this folder, the oldest of them first. Of a
/// merge, only its result counts.
pub(crate) fn newest(folder: &Path, count: usize) -> Result<Vec<Commit>, Box<dyn Error>> {
    let count = format!("--max-count={count}");
    let log = git(
        folder,
        ["log", "--first-parent", &count, "--format=%h %s", "HEAD", "--", "*.rs", "*Cargo.toml"],
    )?;
    let commit = |line: &str| {
        let (id, subject) = line.split_once(' ').unwrap_or((line, ""));
        Commit { id: id.to_owned(), subject: subject.to_owned() }
    };
    Ok(log.lines().rev().map(commit).collect())
}

/// The comparisons so far.
pub(crate) struct Compared<'a> {
    tree: &'a Path,
    target: &'a Path,
    flags: &'a str,
    runs: usize,
    rows: Rows,
}

impl<'a> Compared<'a> {
    /// None, before each is made `runs` times with these flags.
    pub(crate) fn new(tree: &'a Path, target: &'a Path, flags: &'a str, runs: usize) -> Self {
        Self { tree, target, flags, runs, rows: Rows::default() }
    }

    /// Adds comments to every file and `more` benchmarks to the bench, or an allocation, and compares that with
    /// the commit.
    pub(crate) fn with_comments(
        &mut self,
        bench: &Bench,
        more: usize,
        allocates: bool,
    ) -> Result<(), Box<dyn Error>> {
        sources(bench)?.comment()?;
        let mut name = format!("`{}`: comments", bench.name);
        if allocates {
            more::allocate(&bench.file)?;
            name += ", 64 bytes more on the heap";
        }
        if more > 0 {
            more::add(&bench.file, more)?;
            name += &format!(", {more} benchmarks more");
        }
        for _ in 0..self.runs {
            self.rows.add(&name, self.ends(bench, "HEAD"));
        }
        self.undo()
    }

    /// Compares a tree in which a function makes this benchmark 5 % slower with what is committed.
    pub(crate) fn with_slowdown(
        &mut self,
        bench: &Bench,
        function: &str,
        gains: &str,
    ) -> Result<(), Box<dyn Error>> {
        let sources = sources(bench)?;
        let slower = |turns| match sources.slow(function, turns) {
            Ok(true) => Ok(()),
            Ok(false) => Err(format!("there is no function {function}").into()),
            Err(error) => Err(Box::<dyn Error>::from(error)),
        };
        let turns = turns_of_5_percent(|turns| -> Result<f64, Box<dyn Error>> {
            slower(turns)?;
            let trial = self.ends(bench, "HEAD")?;
            Ok(trial.ratio(gains).ok_or_else(|| format!("`{gains}` has no ratio"))?)
        })?;
        slower(turns)?;
        for _ in 0..self.runs {
            self.rows.add(&format!("`{}`: {gains} by 5 %", bench.name), self.ends(bench, "HEAD"));
        }
        self.undo()
    }

    /// Compares each of these revisions with the one before. `make_ready` changes what is checked out.
    pub(crate) fn revisions(
        &mut self,
        benches: &[Bench],
        make_ready: &impl Fn() -> Result<Vec<Bench>, Box<dyn Error>>,
        revisions: &[Commit],
    ) -> Result<(), Box<dyn Error>> {
        for (index, Commit { id, subject }) in revisions.iter().enumerate() {
            git(self.tree, ["read-tree", "--reset", "-u", id])?;
            make_ready()?;
            git(self.tree, ["add", "--all"])?;
            git(self.tree, ["commit", "--quiet", "--allow-empty", "--message", id])?;
            for bench in benches.iter().filter(|_| index > 0) {
                self.rows.add(&format!("`{id}` {subject}: {}", bench.name), self.ends(bench, "HEAD~1"));
            }
        }
        Ok(())
    }

    fn ends(&self, bench: &Bench, revision: &str) -> Result<Ends, Box<dyn Error>> {
        let arguments = format!("--against {revision} --format json {}", self.flags);
        Ends::of(&mut bench.command(self.target, &arguments))
    }

    fn undo(&self) -> Result<(), Box<dyn Error>> {
        git(self.tree, ["checkout", "--quiet", "."]).map(drop)
    }
}

/// The files of the library of this bench.
fn sources(bench: &Bench) -> Result<Sources, Box<dyn Error>> {
    Ok(Sources::read(&bench.package.join("src"))?)
}

impl fmt::Display for Compared<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.fmt(f)
    }
}
