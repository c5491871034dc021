//! The bench of a revision: the working tree's, copied into the old tree, or else the tree's own.
//!
//! 1. [`OldTree::find`] finds the revision's checkout, and the file of the bench in it.
//! 2. [`OldTree::new_bench`] builds the bench of the working tree in it.
//! 3. [`OldTree::own_instead`] falls back to the tree's own bench where the compiler or cargo refuses that.
//!
//! [`Attempt::into_side`] says to the user what came of it.

use std::path::{Path, PathBuf};

use bench_diff_git::{Checkout, Git, Revision, remove_former};

use super::bench::{Benches, Build, OldPackage};
use super::bench_files::{Differences, of_bench};
use super::cargo_output::BuildError;
use super::manifest::{MANIFEST, PackageManifest};
use super::overlay::Overlay;
use super::program::{Missing, Program};
use super::side::BuiltSide;

/// The tree of a revision, in which the bench is to run.
pub(super) struct OldTree<'a> {
    build: &'a Build<'a>,
    /// The name of the package there, if the user gives one.
    package: Option<&'a str>,
    git: &'a Git,
    revision: &'a Revision,
    against: &'a Path,
    /// The path of the bench's file in the tree; `None` if it came later.
    bench_file: Option<String>,
}

/// A build of the bench in a tree, and which bench that is.
pub(super) struct Attempt {
    checkout: Checkout,
    program: Result<Program, Missing>,
    /// The benches that it runs: its own or those of the working tree.
    benches: Benches,
    /// The reason if it runs its own because the compiler or cargo refuses those of the working tree.
    refusal: Option<String>,
    /// The files of the bench that differ between the sides.
    differences: Differences,
    /// The files of the working tree that were copied into the tree.
    laid_over: Vec<String>,
}

impl<'a> OldTree<'a> {
    /// The first step: makes the checkout of a revision below `against`, and finds the file of the bench.
    pub(super) fn find(
        build: &'a Build<'a>,
        package: Option<&'a str>,
        (git, revision): (&'a Git, &'a Revision),
        against: &'a Path,
    ) -> Result<Self, BuildError> {
        let bench_file = revision.path_of(git, &build.call.folder.join(build.bench.file))?;
        Ok(Self { build, package, git, revision, against, bench_file })
    }

    /// Builds the bench that the user asks for, or the one that the tree allows.
    pub(super) fn built(&self, benches: Benches) -> Result<Attempt, BuildError> {
        let checkout = self.checkout()?;
        remove_former(self.against, &checkout.folder);
        if benches == Benches::Own {
            return self.own_bench(checkout);
        }
        match self.new_bench(checkout) {
            Err(error) if error.refusal.is_some() => self.own_instead(benches, error),
            built => built,
        }
    }

    /// The second step: builds the bench of the working tree. An error with a refusal means that the tree's
    /// own bench may run instead.
    fn new_bench(&self, checkout: Checkout) -> Result<Attempt, BuildError> {
        let build = self.build;
        let Some(old) = build.old_package(&checkout, self.package, self.bench_file.as_deref())? else {
            return Ok(Attempt::without(checkout, Missing::NoPackage));
        };
        let overlay = Overlay::of(self.git, build)?;
        let differences = old.differences(build, &checkout.tree);
        let is_in = overlay.is_in(&checkout, &old.manifest);
        build.fit(&checkout)?;
        let (mut old, mut laid_over) = (old, Vec::new());
        if !is_in {
            laid_over = overlay.lay(&checkout, &old.manifest)?;
            old = OldPackage { bench: None, is_laid_over: true, ..old };
        }
        // If its own bench is the same, no other one could run instead.
        let program = build.program(&checkout, &old);
        let program =
            program.map_err(|error| BuildError { refusal: error.refusal.filter(|_| !is_in), ..error })?;
        Ok(Attempt { checkout, program, benches: Benches::Now, refusal: None, differences, laid_over })
    }

    /// The third step: builds the tree's own bench, unless the user wants no other than the new one, which
    /// failed with this error.
    fn own_instead(&self, benches: Benches, error: BuildError) -> Result<Attempt, BuildError> {
        let refusal = error.refusal.clone();
        let own = if benches == Benches::Now { Err(error) } else { self.own_bench(self.checkout()?) };
        let attempt = match own {
            // If the bench is not new, the old library should compile.
            Err(error) if error.is_of_bench || self.is_bench_new() => {
                Attempt::without(self.checkout()?, Missing::Uncompilable)
            }
            own => own?,
        };
        Ok(Attempt { refusal, ..attempt })
    }

    fn own_bench(&self, checkout: Checkout) -> Result<Attempt, BuildError> {
        Attempt::own(self.build, self.package, checkout, self.bench_file.as_deref())
    }

    /// The files of the revision, without any that were copied into them.
    fn checkout(&self) -> Result<Checkout, String> {
        Checkout::of(self.git.clone(), self.revision, self.against)
    }

    /// Returns whether the bench came later than the revision.
    pub(super) fn is_bench_new(&self) -> bool {
        self.bench_file.is_none()
    }
}

impl Attempt {
    /// Builds the own bench of a tree. `package` is the name of its package there, if the user gives one, and
    /// `bench_file` the path of the bench in that tree, if git knows it.
    pub(super) fn own(
        build: &Build<'_>,
        package: Option<&str>,
        checkout: Checkout,
        bench_file: Option<&str>,
    ) -> Result<Self, BuildError> {
        let Some(old) = build.old_package(&checkout, package, bench_file)? else {
            return Ok(Self::without(checkout, Missing::NoPackage));
        };
        let differences = old.differences(build, &checkout.tree);
        build.fit(&checkout)?;
        let program = build.program(&checkout, &old)?;
        let (benches, refusal) = (Benches::Own, None);
        Ok(Self { checkout, program, benches, refusal, differences, laid_over: Vec::new() })
    }

    fn without(checkout: Checkout, why: Missing) -> Self {
        let (benches, differences) = (Benches::Own, Differences::default());
        Self { checkout, program: Err(why), benches, refusal: None, differences, laid_over: Vec::new() }
    }

    /// The built side, with what the user has to know of it. `short` is the id of the revision;
    /// `is_bench_new` says that git shows the bench to be newer than it, whatever else is missing.
    pub(super) fn into_side(self, build: &Build<'_>, short: &str, is_bench_new: bool) -> BuiltSide {
        use Missing::{NewBench, NoBench, NoPackage, Uncompilable};

        let is_instead = self.refusal.is_some();
        BuiltSide {
            folder: build.folder(&self.checkout).join(build.bench.package).join(&build.bench.name),
            trees: None,
            lines: self.line(short).into_iter().collect(),
            other_work: self.other_work(short),
            benches: self.benches,
            program: self.program.map_err(|why| match why {
                NoPackage | NoBench | Uncompilable if is_bench_new => NewBench,
                NoBench if is_instead => Uncompilable,
                why => why,
            }),
            checkout: self.checkout,
            laid_over: self.laid_over,
        }
    }

    /// A line on the benches that it runs, if the sides differ in them.
    fn line(&self, short: &str) -> Option<String> {
        if let Some(refusal) = &self.refusal {
            let way_out = "put what is newer behind `#[cfg(...)]`, or compare with a later revision";
            let end = match (&self.program, self.differences.only_gained) {
                (Err(_), _) => way_out.to_owned(),
                (Ok(_), true) => format!("{short} runs its own, to which today's only added items"),
                (Ok(_), false) => format!("{short} runs its own, which may do other work"),
            };
            return Some(format!("today's benchmarks do not build in {short}:\n{refusal}\n{end}"));
        }
        let files = self.differences.named()?;
        Some(match self.benches {
            Benches::Own => format!("each side runs its own {files}, and the two differ"),
            _ => format!(
                "both sides run today's {files}, not that of {short}: code in it is judged by \
                 `--against-benches own`"
            ),
        })
    }

    /// The reason if it may do other work: its own bench runs instead of the new one, and more than new items
    /// lies between them, or it is built in another way.
    fn other_work(&self, short: &str) -> Option<String> {
        let program = self.program.as_ref().ok()?;
        if self.refusal.is_some() && !self.differences.only_gained {
            return Some(format!(
                "today's benchmarks do not build in {short}, and its own may do other work: \
                 `--against-benches own` judges them all the same"
            ));
        }
        let unexplained = program.unexplained.as_deref()?;
        Some(format!("one side alone has this, and no file of the two trees explains it: {unexplained}"))
    }
}

impl Build<'_> {
    /// The bench's package in a checkout, where it may be in another folder or have another name.
    fn old_package(
        &self,
        checkout: &Checkout,
        given_name: Option<&str>,
        bench_file: Option<&str>,
    ) -> Result<Option<OldPackage>, String> {
        let tree = &checkout.tree;
        let bench = bench_file.map(|file| tree.join(file));
        let inside = self.place_in(Path::new(""), self.bench.folder).unwrap_or_default();
        let manifests = checkout.files(&format!("*{MANIFEST}"))?;
        let all_old: Vec<_> =
            manifests.into_iter().filter_map(|file| PackageManifest::read(tree, file.into())).collect();
        let new = PackageManifest::read(self.top, inside.join(MANIFEST));
        let found = new.and_then(|new| new.found_in(&all_old, given_name));
        let found = found.map(|old| (old.name.clone(), tree.join(&old.manifest)));
        // A package in a submodule or in a folder is found by its name and place in the working tree.
        let by_place = || Some((given_name.unwrap_or(self.bench.package).to_owned(), manifest(self, tree)?));
        let found = found.or_else(by_place);
        Ok(found.map(|(name, manifest)| OldPackage { name, manifest, bench, is_laid_over: false }))
    }
}

impl OldPackage {
    /// How the files of the bench differ in this tree.
    fn differences(&self, build: &Build<'_>, tree: &Path) -> Differences {
        let package = self.manifest.parent().unwrap_or(tree);
        let root = build.call.folder.join(build.bench.file);
        let mut pairs = Vec::new();
        for file in of_bench(build) {
            let new = build.top.join(&file);
            let own = self.bench.clone().filter(|_| new == root);
            let in_package = || Some(package.join(new.strip_prefix(build.bench.folder).ok()?));
            let old = own.or_else(in_package).unwrap_or_else(|| tree.join(&file));
            pairs.push((old, new));
        }
        Differences::of(build.top, &pairs)
    }
}

/// The manifest in a tree, in the folder that the workspace or the package has in the working tree, or at the
/// root: the first that exists, since the workspace may be newer than the revision.
pub(super) fn manifest(build: &Build<'_>, tree: &Path) -> Option<PathBuf> {
    let new = [build.root(), build.bench.folder, build.top];
    let mut manifests =
        new.into_iter().filter_map(|folder| Some(build.place_in(tree, folder)?.join(MANIFEST)));
    manifests.find(|manifest| manifest.is_file())
}
