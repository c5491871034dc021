//! Finds the old side of a run by the name that the user gives, and builds it.

use std::fmt;
use std::path::{Path, PathBuf};

use super::bench::{Bench, Benches, OldPackage, Target};
use super::bench_files::{Differences, of_bench};
use super::build_error::BuildError;
use super::cargo_call::CargoCall;
use super::checkout::{Checkout, remove_former};
use super::contents::contents;
use super::git::{Git, GitError};
use super::manifest::MANIFEST;
use super::outside;
use super::overlay::Overlay;
use super::package::Package;
use super::program::{Built, Missing};
use super::revision::Revision;
use super::search::Variables;
use super::trees::{Trees, trees};
use bench_diff_system::executable::Executable;
use bench_diff_system::file_lock::{FileLock, LONGEST_BUILD};
use bench_diff_system::files::{canonical, make_folder};
use bench_diff_system::rustc_call::RustcCall;

/// The old side of a run.
#[derive(Clone)]
pub struct Other {
    /// The name that the user gave.
    given_name: String,
    named: Named,
    benches: Benches,
    /// The name of the package in the old side, if the user gives one.
    package: Option<String>,
    /// True if each crate of its workspace is to be compiled as one codegen unit.
    has_one_unit: bool,
}

/// What the name stands for.
#[derive(Clone, Debug)]
enum Named {
    Revision(Revision),
    /// A folder with another checkout, or the working tree.
    Folder {
        path: PathBuf,
        is_working_tree: bool,
        /// The error of git, which knows no revision of this name.
        no_revision: String,
    },
}

/// The old side, built.
pub struct Side {
    /// Its bench binary, or the reason why there is none.
    pub built: Built,
    /// The folder for further files about this bench.
    pub folder: PathBuf,
    /// The trees of both sides, if they are known and differ.
    pub trees: Option<Trees>,
    /// The checkout. Its files stay as long as this value lives.
    pub files: Checkout,
    /// Lines on the benches that it runs.
    pub lines: Vec<String>,
    /// The files of the working tree that were copied into it.
    pub laid_over: Vec<String>,
    /// The reason if its benchmarks may do other work than today's.
    pub other_work: Option<String>,
    /// The benches that it runs: its own or those of the working tree.
    pub benches: Benches,
}

/// The result of building today's bench in an old tree.
#[allow(clippy::large_enum_variant, reason = "a run has one")]
enum Todays {
    Built(Side),
    /// The compiler or cargo refuses it.
    Refused(BuildError),
}

impl Other {
    /// Finds the side of this name: `base`, a revision, or a folder by its path relative to `root`.
    ///
    /// # Errors
    ///
    /// If nothing has this name; the text says what to do.
    pub fn find(
        name: &str,
        target: &Target<'_>,
        root: &Path,
        variables: Variables<'_>,
    ) -> Result<Self, String> {
        // A package may have its own repository inside the workspace's.
        let workspace = RustcCall::of(target.rustc_call).map_or_else(|| root.to_owned(), |call| call.folder);
        let program = Executable::this()?.path;
        let revision = Git::of(&workspace)
            .and_then(|git| Revision::resolve(&git, name, variables)?.built_into(&git, &program));
        let path = root.join(name);
        let path = canonical(&path).unwrap_or(path);
        let named = match revision {
            Err(why) if name == "base" || why.is_no_answer() => return Err(why.into()),
            Err(no_revision) if path.is_dir() => {
                let is_working_tree =
                    [&*workspace, root].iter().any(|folder| canonical(folder).is_ok_and(|it| it == path));
                Named::Folder { path, is_working_tree, no_revision: no_revision.to_string() }
            }
            // Git would try to fetch such a name.
            Err(_) if Path::new(name).is_absolute() || name.starts_with('.') => {
                return Err(format!("`{name}` is neither a revision nor a folder"));
            }
            revision => Named::Revision(revision?),
        };
        Ok(Self::new(name, named))
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
        let working_tree =
            Named::Folder { path: PathBuf::new(), is_working_tree: true, no_revision: String::new() };
        [Self::new(".", working_tree), self.clone()].map(|side| Self { has_one_unit: true, ..side })
    }

    /// The same side with these benches of this package.
    pub fn running(self, benches: Benches, package: Option<String>) -> Self {
        Self { benches, package, ..self }
    }

    /// Returns whether both sides are the same tree.
    pub fn is_same(&self) -> bool {
        match &self.named {
            Named::Revision(revision) => revision.is_same,
            Named::Folder { is_working_tree, .. } => *is_working_tree,
        }
    }

    /// A line about what both sides have from outside of the repository, if anything.
    ///
    /// # Errors
    ///
    /// If git does not list the manifests.
    pub fn outside(&self, target: &Target<'_>) -> Result<Option<String>, String> {
        let call = RustcCall::of(target.rustc_call).filter(|_| matches!(self.named, Named::Revision(_)));
        let Some(call) = call else { return Ok(None) };
        Ok(outside::line(&Git::of(&call.folder)?, target.harness)?)
    }

    /// The name that the user gave.
    pub fn given_name(&self) -> &str {
        &self.given_name
    }

    /// The commit of this side; `None` for a folder.
    pub fn revision(&self) -> Option<&Revision> {
        if let Named::Revision(revision) = &self.named { Some(revision) } else { None }
    }

    /// Builds the bench of this side, its own or the working tree's copied into it, in the folder `against`
    /// of the target directory. The build uses this harness, and the arguments of the cargo call if that is
    /// known.
    ///
    /// # Errors
    ///
    /// If it cannot be checked out or built; the text says why and what to do.
    pub fn build(
        &self,
        target: &Target<'_>,
        cargo_call: Option<&CargoCall>,
        against: &Path,
    ) -> Result<Side, String> {
        let call = RustcCall::of(target.rustc_call).ok_or("it is not known how this bench was compiled")?;
        let git = Git::of(&call.folder);
        let top = git.as_ref().map_or(&call.folder, |git| &git.top).clone();
        let bench = Bench {
            package: target.package,
            name: target.bench.to_owned(),
            folder: Path::new(target.manifest_dir),
            call,
            cargo_call,
            top: &top,
            harness: target.harness,
            front_end: target.front_end,
            has_one_unit: self.has_one_unit,
        };
        // One at a time, since all benches of a package share a tree and a target directory.
        make_folder(against)?;
        let _locked =
            FileLock::wait(&against.join("lock"), "builds the side to compare with", LONGEST_BUILD)?;
        let side = match &self.named {
            Named::Revision(revision) => self.of_revision(&bench, target, (git?, revision), against),
            _ if self.benches == Benches::Now => Err(format!(
                "--against-benches now needs a revision: bench_diff changes nothing in `{}`",
                self.given_name
            )
            .into()),
            Named::Folder { path, is_working_tree: false, no_revision } => {
                self.of_folder(&bench, target, (path, no_revision), against)
            }
            _ => self.own(&bench, target, Checkout::elsewhere(&top, against, None)?, None).map(|own| own.0),
        }?;
        Ok(Side { trees: self.trees(&side, target, &top), ..side })
    }

    /// The trees of both sides.
    fn trees(&self, side: &Side, target: &Target<'_>, top: &Path) -> Option<Trees> {
        let (Built::Program(program), checkout) = (&side.built, &side.files) else { return None };
        let changed = match &self.named {
            Named::Revision(revision) => checkout.changed_files(revision),
            Named::Folder { .. } => None,
        };
        let packages = [Path::new(target.manifest_dir), &program.package];
        trees(packages, [top, &checkout.tree], changed.as_deref(), program.moved_variables.clone())
    }

    /// The bench in another folder; `no_revision` is git's error about the name as a revision.
    fn of_folder(
        &self,
        bench: &Bench<'_>,
        target: &Target<'_>,
        (path, no_revision): (&Path, &str),
        against: &Path,
    ) -> Result<Side, BuildError> {
        // The folder may be a package of a checkout.
        let root = Git::of(path).map(|git| git.top);
        let is_root = root.as_ref().is_ok_and(|root| *root == path);
        // Otherwise the folder is an unpacked copy, in this repository or in a repository of something
        // else.
        let is_checkout = |root: &PathBuf| *root != bench.top && manifest(bench, target, root).is_some();
        let root = root.ok().filter(is_checkout).unwrap_or_else(|| path.to_owned());
        if manifest(bench, target, &root).is_none() && !is_root {
            let (given_name, path) = (&self.given_name, path.display());
            return Err(format!(
                "`{given_name}` is no revision ({no_revision}), and {path} is no checkout of this package"
            )
            .into());
        }
        let checkout = Checkout::elsewhere(&root, against, Some(contents(&root)))?;
        remove_former(against, &checkout.folder);
        Ok(self.own(bench, target, checkout, None)?.0)
    }

    /// The bench of a revision: today's, or its own where today's does not build.
    fn of_revision(
        &self,
        bench: &Bench<'_>,
        target: &Target<'_>,
        (git, revision): (Git, &Revision),
        against: &Path,
    ) -> Result<Side, BuildError> {
        let former = revision.path_of(&git, &bench.call.folder.join(target.file));
        let former = former.map_err(|error| revision.maybe_promised(&git, error.to_string()))?;
        let former = former.as_deref();
        let checkout = || Checkout::of(git.clone(), revision, against);
        let first = checkout()?;
        remove_former(against, &first.folder);
        let side = if self.benches == Benches::Own {
            self.own(bench, target, first, former)?.0
        } else {
            match self.todays(bench, target, first, (&git, revision), former)? {
                Todays::Built(side) => side,
                Todays::Refused(error) => {
                    self.own_instead(bench, target, checkout, (revision, former), error)?
                }
            }
        };
        Ok(side.new_by_git(former.is_none()))
    }

    /// The own bench of a revision, if it may run in place of today's, which does not build there because of
    /// this error.
    fn own_instead(
        &self,
        bench: &Bench<'_>,
        target: &Target<'_>,
        checkout: impl Fn() -> Result<Checkout, String>,
        (revision, former): (&Revision, Option<&str>),
        error: BuildError,
    ) -> Result<Side, BuildError> {
        let refusal = error.refusal.clone().unwrap_or_default();
        let own = match self.benches {
            Benches::Now => Err(error),
            _ => self.own(bench, target, checkout()?, former),
        };
        let (side, only_gained) = match own {
            // If the bench is not new, the old library should compile.
            Err(error) if error.is_of_bench || former.is_none() => {
                (Side::without(bench, checkout()?, Missing::Uncompilable), false)
            }
            own => own?,
        };
        Ok(side.in_place_of_todays(&revision.short, &refusal, only_gained))
    }

    /// Today's bench in the tree of a revision. `former` is the path of the bench file in that tree, if git
    /// knows it.
    fn todays(
        &self,
        bench: &Bench<'_>,
        target: &Target<'_>,
        checkout: Checkout,
        (git, revision): (&Git, &Revision),
        former: Option<&str>,
    ) -> Result<Todays, BuildError> {
        let Some(old) = self.old_package(bench, target, &checkout, former)? else {
            return Ok(Todays::Built(Side::without(bench, checkout, Missing::NoPackage)));
        };
        if old.has_other_library && self.benches == Benches::Auto {
            return Ok(Todays::Refused(BuildError::refused("its library has another name")));
        }
        let overlay = Overlay::of(git, &bench.call, target)?;
        let differences = old.differences(bench, target, &checkout.tree);
        let is_in = overlay.is_in(&checkout, &old.manifest);
        checkout.fit(&old.manifest, bench.top)?;
        let (laid_over, old) = if is_in {
            (Vec::new(), old)
        } else {
            let laid_over = overlay.lay(&checkout, &old.manifest, bench.harness)?;
            (laid_over, OldPackage { bench: None, is_laid_over: true, ..old })
        };
        let built = match bench.build(&checkout, &old) {
            Err(error) if old.is_laid_over && error.refusal.is_some() => return Ok(Todays::Refused(error)),
            built => built?,
        };
        let lines = differences.line(|files| {
            let short = &revision.short;
            format!(
                "both sides run today's {files}, not that of {short}: code in it is judged by `--against-benches own`"
            )
        });
        let side = Side::of(bench, checkout, built);
        Ok(Todays::Built(Side { lines, laid_over, ..side }))
    }

    /// The side's own bench, and whether today's only gained items since.
    fn own(
        &self,
        bench: &Bench<'_>,
        target: &Target<'_>,
        checkout: Checkout,
        former: Option<&str>,
    ) -> Result<(Side, bool), BuildError> {
        let Some(old) = self.old_package(bench, target, &checkout, former)? else {
            return Ok((Side::without(bench, checkout, Missing::NoPackage), false));
        };
        let differences = old.differences(bench, target, &checkout.tree);
        checkout.fit(&old.manifest, bench.top)?;
        let built = bench.build(&checkout, &old)?;
        let lines = differences.line(|files| format!("each side runs its own {files}, and the two differ"));
        let side = Side { lines, benches: Benches::Own, ..Side::of(bench, checkout, built) };
        Ok((side, differences.only_gained))
    }

    /// The bench's package in a checkout, where it may be in another folder or have another name.
    fn old_package(
        &self,
        bench: &Bench<'_>,
        target: &Target<'_>,
        checkout: &Checkout,
        former: Option<&str>,
    ) -> Result<Option<OldPackage>, GitError> {
        let tree = &checkout.tree;
        let inside = Path::new(target.manifest_dir).strip_prefix(bench.top).unwrap_or(Path::new(""));
        let new = Package::read(bench.top, inside.join(MANIFEST));
        let manifests = checkout.files(&format!("*{MANIFEST}"))?;
        let all_old: Vec<Package> =
            manifests.into_iter().filter_map(|file| Package::read(tree, file.into())).collect();
        let found = new.and_then(|new| {
            let old = new.found_in(&all_old, self.package.as_deref())?;
            Some((tree.join(&old.manifest), old.name.clone(), old.library != new.library))
        });
        // A package in a submodule or in a folder is found by its present name and place.
        let by_name = || {
            let package = self.package.clone().unwrap_or(target.package.to_owned());
            Some((manifest(bench, target, tree)?, package, false))
        };
        let package = |(manifest, name, has_other_library)| OldPackage {
            name,
            manifest,
            bench: former.map(|file| tree.join(file)),
            has_other_library,
            is_laid_over: false,
        };
        Ok(found.or_else(by_name).map(package))
    }
}

impl OldPackage {
    /// How the files of the bench differ in this tree.
    fn differences(&self, bench: &Bench<'_>, target: &Target<'_>, tree: &Path) -> Differences {
        let package = self.manifest.parent().unwrap_or(tree);
        let root = bench.call.folder.join(target.file);
        let pair = |file: PathBuf| {
            let new = bench.top.join(file);
            let own = self.bench.clone().filter(|_| new == root);
            let in_package = || Some(package.join(new.strip_prefix(bench.folder).ok()?));
            let in_tree = || Some(tree.join(new.strip_prefix(bench.top).ok()?));
            let old = own.or_else(in_package).or_else(in_tree).unwrap_or_else(|| new.clone());
            (old, new)
        };
        let pairs: Vec<_> = of_bench(bench.top, &bench.call, target).into_iter().map(pair).collect();
        Differences::of(bench.top, &pairs)
    }
}

impl Side {
    fn of(bench: &Bench<'_>, checkout: Checkout, built: Built) -> Self {
        let folder = bench.folder(&checkout).join(bench.package).join(&bench.name);
        Self {
            built,
            folder,
            trees: None,
            files: checkout,
            lines: Vec::new(),
            laid_over: Vec::new(),
            other_work: None,
            benches: Benches::Now,
        }
    }

    fn without(bench: &Bench<'_>, checkout: Checkout, why: Missing) -> Self {
        Self::of(bench, checkout, Built::Missing(why))
    }

    /// The tree's own bench, where today's does not build for this reason. Unless today's only gained items,
    /// the two may do different work.
    fn in_place_of_todays(self, short: &str, refusal: &str, only_gained: bool) -> Self {
        let built = match self.built {
            Built::Missing(Missing::NoBench) => Built::Missing(Missing::Uncompilable),
            built => built,
        };
        let start = format!("today's benchmarks do not build in {short}");
        let end = match built {
            Built::Program(_) if only_gained => {
                format!("{short} runs its own, to which today's only added items")
            }
            Built::Program(_) => format!("{short} runs its own, which may do other work"),
            Built::Missing(_) => {
                "put what is newer behind `#[cfg(...)]`, or compare with a later revision".to_owned()
            }
        };
        let other_work = matches!(built, Built::Program(_)) && !only_gained;
        Self {
            built,
            lines: vec![format!("{start}:\n{refusal}\n{end}")],
            other_work: other_work.then(|| {
                format!(
                    "{start}, and its own may do other work: `--against-benches own` judges them all the same"
                )
            }),
            ..self
        }
    }

    /// If git says that the bench came with the change, the bench is new, whatever else is missing.
    fn new_by_git(self, is_new: bool) -> Self {
        use Missing::{NewBench, NoBench, NoPackage, Uncompilable};

        let built = match self.built {
            Built::Missing(NoPackage | NoBench | Uncompilable) if is_new => Built::Missing(NewBench),
            built => built,
        };
        Self { built, ..self }
    }
}

/// `against 3f2c9e1 "parser: borrow keys", where this branch left main (main is 4 commits further)`
impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.named {
            Named::Revision(revision) => write!(f, "against {revision}"),
            Named::Folder { .. } => write!(f, "against {}", self.given_name),
        }?;
        if self.is_same() { f.write_str(": nothing has changed since") } else { Ok(()) }
    }
}

/// The manifest in a tree, in the folder that the workspace or the package has in the working tree, or at the
/// root: the first that exists, since the workspace may be newer than the revision.
fn manifest(bench: &Bench<'_>, target: &Target<'_>, tree: &Path) -> Option<PathBuf> {
    let new = [&*bench.call.folder, Path::new(target.manifest_dir), bench.top];
    let inside = new.into_iter().filter_map(|folder| folder.strip_prefix(bench.top).ok());
    let mut manifests = inside.map(|folder| tree.join(folder).join(MANIFEST));
    manifests.find(|manifest| manifest.is_file())
}

#[cfg(test)]
mod tests;
