//! A side of the comparison: found by the name that the user gives, and built.

use std::fmt;
use std::path::{Path, PathBuf};

use bench_diff_git::{Checkout, Git, Revision, contents, remove_former};
use bench_diff_system::executable::Executable;
use bench_diff_system::file_lock::{FileLock, LONGEST_BUILD};
use bench_diff_system::files::{canonical, make_folder, without_links};
use bench_diff_system::rustc_call::RustcCall;
use bench_diff_system::rustc_call::Trees;

use super::bench::{Bench, Benches, Build, value_of};
use super::cargo_call::CargoCall;
use super::manifest::{MANIFEST, resolved};
use super::of_revision::{Attempt, OldTree, manifest};
use super::outside::compiled;
use super::program::{Missing, Program};
use super::trees::{is_shown, trees};
use super::workspace::Workspace;

/// A side of the comparison: a revision, a folder with another checkout, or the working tree.
#[derive(Clone, Debug)]
pub struct Side {
    /// The name that the user gave.
    given_name: String,
    named: Named,
    benches: Benches,
    /// The name of the package in this side, if the user gives one.
    package: Option<String>,
    /// True if each crate of its workspace is to be compiled as one codegen unit.
    has_one_unit: bool,
}

/// What the name stands for.
#[derive(Clone, Debug)]
enum Named {
    Revision(Revision),
    WorkingTree,
    /// A folder with another checkout.
    Folder(PathBuf),
}

/// A side, built.
#[derive(Debug)]
pub struct BuiltSide {
    /// Its bench binary, or the reason why there is none.
    pub program: Result<Program, Missing>,
    /// The folder for further files about this bench.
    pub folder: PathBuf,
    /// The trees of both sides, if they are known and differ.
    pub trees: Option<Trees>,
    /// The checkout. Its files stay as long as this value lives.
    pub checkout: Checkout,
    /// Lines on the benches that it runs.
    pub lines: Vec<String>,
    /// The files of the working tree that were copied into it.
    pub laid_over: Vec<String>,
    /// The reason if its benchmarks may do other work than those of the working tree.
    pub other_work: Option<String>,
    /// The benches that it runs: its own or those of the working tree.
    pub benches: Benches,
}

impl Side {
    /// Finds the side of this name: `base`, a revision, or a folder by its path relative to `root`.
    ///
    /// # Errors
    ///
    /// If nothing has this name; the text says what to do.
    pub fn find(name: &str, bench: &Bench<'_>, root: &Path) -> Result<Self, String> {
        // A package may have its own repository inside the workspace's.
        let workspace = RustcCall::of(bench.rustc_call).map_or_else(|| root.to_owned(), |call| call.folder);
        let program = Executable::this()?.path;
        let variable = |name: &str| value_of(&bench.variables, name)?.to_str().map(str::to_owned);
        let revision = Git::of(&workspace)
            .and_then(|git| Revision::resolve(&git, name, &variable)?.built_into(&git, &program));
        let error = match revision {
            Ok(revision) => return Ok(Self::new(name, Named::Revision(revision))),
            Err(error) => error,
        };
        if name == "base" {
            return Err(error.into());
        }
        let path = root.join(name);
        let path = canonical(&path).unwrap_or(path);
        if path.is_dir() {
            let is_same = |folder: &Path| canonical(folder).is_ok_and(|folder| folder == path);
            return Ok(match is_same(&workspace) || is_same(root) {
                true => Self::new(name, Named::WorkingTree),
                false => Self::new(name, Named::Folder(path)),
            });
        }
        // Git would try to fetch such a name.
        if Path::new(name).is_absolute() || name.starts_with('.') {
            return Err(format!("`{name}` is neither a revision nor a folder"));
        }
        Err(error.into())
    }

    fn new(given_name: &str, named: Named) -> Self {
        Self {
            given_name: given_name.to_owned(),
            named,
            benches: Benches::Auto,
            package: None,
            has_one_unit: false,
        }
    }

    /// The working tree and this side, both with each crate of their workspaces compiled as one codegen unit.
    pub fn both_of_one_unit(&self) -> [Self; 2] {
        [Self::new(".", Named::WorkingTree), self.clone()].map(|side| Self { has_one_unit: true, ..side })
    }

    /// The same side with these benches of the package that has this name there, if the user gives one.
    pub fn running(self, benches: Benches, package: Option<String>) -> Self {
        Self { benches, package, ..self }
    }

    /// Returns whether it has the same files as the working tree.
    pub fn is_same(&self) -> bool {
        match &self.named {
            Named::Revision(revision) => revision.is_same,
            Named::WorkingTree => true,
            Named::Folder(_) => false,
        }
    }

    /// The name that the user gave.
    pub fn given_name(&self) -> &str {
        &self.given_name
    }

    /// The commit of this side; `None` for a folder.
    pub fn revision(&self) -> Option<&Revision> {
        if let Named::Revision(revision) = &self.named { Some(revision) } else { None }
    }

    /// Builds the bench of this side, its own or the working tree's copied into it, below the folder
    /// `against`. The build uses the harness of this bench, and the arguments of its cargo call if that is
    /// known.
    ///
    /// # Errors
    ///
    /// If it cannot be checked out or built; the text says why and what to do.
    pub fn build(&self, bench: &Bench<'_>, against: &Path) -> Result<BuiltSide, String> {
        let call = RustcCall::of(bench.rustc_call).ok_or("it is not known how this bench was compiled")?;
        let git = Git::of(&call.folder);
        let top = &git.as_ref().map_or_else(|_| call.folder.clone(), |git| git.top.clone());
        let known = bench.cargo_call.clone();
        let mut build = Build {
            cargo_call: known.unwrap_or_else(|| CargoCall::of_rustc(bench, &call, top)),
            bench,
            call,
            top,
            workspace: Workspace::default(),
            has_one_unit: self.has_one_unit,
        };
        build.workspace = build.cargo(top).workspace(&bench.folder.join(MANIFEST))?;
        // One at a time, since all benches of a package share a tree and a target directory.
        make_folder(against)?;
        // Cargo compares the folders above its own with the root of the tree.
        let against = &without_links(against);
        let _locked =
            FileLock::wait(&against.join("lock"), "builds the side to compare with", LONGEST_BUILD)?;
        let package = self.package.as_deref();
        let side = match &self.named {
            Named::Revision(revision) => {
                let git = git?;
                let old = OldTree::find(&build, package, (&git, revision), against)?;
                let attempt = old.built(self.benches)?;
                attempt.into_side(&build, &revision.short, old.is_bench_new())
            }
            _ if self.benches == Benches::Now => {
                return Err(format!(
                    "--against-benches now needs a revision: bench_diff changes nothing in `{}`",
                    self.given_name
                ));
            }
            Named::Folder(path) => {
                let checkout = self.folder(&build, path, against)?;
                remove_former(against, &checkout.folder);
                Attempt::own(&build, package, checkout, None)?.into_side(&build, "", false)
            }
            Named::WorkingTree => {
                let checkout = Checkout::elsewhere(top, against, None)?;
                Attempt::own(&build, package, checkout, None)?.into_side(&build, "", false)
            }
        };
        Ok(BuiltSide { trees: self.trees(&side, &build), ..side })
    }

    /// The trees of both sides.
    fn trees(&self, side: &BuiltSide, build: &Build<'_>) -> Option<Trees> {
        let program = side.program.as_ref().ok()?;
        let mut changed = self.revision().and_then(|revision| side.checkout.changed_files(revision));
        let sources = compiled(&build.call).into_iter().map(|path| resolved(&build.call.folder.join(path)));
        let known = sources.chain(build.workspace.files().map(|file| without_links(&file))).collect();
        changed.iter_mut().for_each(|files| files.retain(|file| !is_shown(&build.top.join(file), &known)));
        let packages = [build.bench.folder, &program.package];
        let roots = [build.top, &side.checkout.tree];
        trees(packages, roots, changed.as_deref(), program.moved_variables.clone())
    }

    /// The checkout in another folder.
    fn folder(&self, build: &Build<'_>, path: &Path, against: &Path) -> Result<Checkout, String> {
        // The folder may be a package of a checkout. Otherwise it is an unpacked copy, in this repository or
        // in a repository of something else.
        let is_checkout = |root: &PathBuf| *root != build.top && manifest(build, root).is_some();
        let root = Git::of(path).map(|git| git.top).ok().filter(is_checkout);
        let root = root.unwrap_or_else(|| path.to_owned());
        if manifest(build, &root).is_none() {
            return Err(format!("`{}` is no checkout of this package", self.given_name));
        }
        Checkout::elsewhere(&root, against, Some(contents(&root)))
    }
}

/// `against 3f2c9e1 "parser: borrow keys", where this branch left main (main is 4 commits further)`
impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.revision() {
            Some(revision) => write!(f, "against {revision}"),
            None => write!(f, "against {}", self.given_name),
        }?;
        if self.is_same() { f.write_str(": nothing has changed since") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests;
