//! Comparisons of a tree with a revision of it.

use std::error::Error;
use std::fmt;
use std::path::Path;

use crate::bench::Bench;
use crate::edit::{Edit, Sources, turns_of_5_percent};
use crate::ends::{Ends, Rows};
use crate::git::git;
use crate::history::Commit;
use crate::more;

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
        Self { tree, target, flags, runs, rows: Rows::new("comparison") }
    }

    /// Adds comments to every file and `more` benchmarks to the bench, and compares that with the commit.
    pub(crate) fn with_comments(&mut self, bench: &Bench, more: usize) -> Result<(), Box<dyn Error>> {
        sources(bench)?.edited(Edit::Comment).ok_or("no sources")?.write()?;
        let mut name = format!("`{}`: comments", bench.name);
        if more > 0 {
            more::add(&bench.file, more)?;
            name += &format!(", {more} benchmarks more");
        }
        for _ in 0..self.runs {
            let ends = self.ends(bench, "HEAD");
            self.rows.add_result(&name, ends);
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
        let slower =
            |loops| sources.edited(Edit::Slower { function, loops }).ok_or("there is no such function");
        let loops = turns_of_5_percent(|loops| -> Result<f64, Box<dyn Error>> {
            slower(loops)?.write()?;
            let trial = self.ends(bench, "HEAD")?;
            Ok(trial.ratio(gains).ok_or_else(|| format!("`{gains}` has no ratio"))?)
        })?;
        slower(loops)?.write()?;
        for _ in 0..self.runs {
            let ends = self.ends(bench, "HEAD");
            self.rows.add_result(&format!("`{}`: {gains} by 5 %", bench.name), ends);
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
                let ends = self.ends(bench, "HEAD~1");
                self.rows.add_result(&format!("`{id}` {subject}: {}", bench.name), ends);
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
