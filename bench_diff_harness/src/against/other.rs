//! The other side of a run: found by the name that the user gives it, and built.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::build::{Bench, Built, Program};
use super::cargo_call::CargoCall;
use super::checkout::{Checkout, remove_former};
use super::git::Git;
use super::revision::Revision;
use super::search::Variables;
use crate::layout::RustcCall;
use crate::plan::{OtherSide, Uncompared};
use crate::settings::Target;
use crate::system::file_lock;
use crate::system::text::cannot;

/// The other side of a run.
pub(crate) struct Other {
    /// As it was asked for.
    asked: String,
    place: Place,
    /// The variables of its build alone.
    variables: Vec<(String, String)>,
}

#[derive(Debug)]
enum Place {
    Revision(Revision),
    /// A folder with another checkout, or this one.
    Folder {
        path: PathBuf,
        is_here: bool,
        /// The words of git, which knows no revision of this name.
        no_revision: String,
    },
    /// A program that was built before.
    Program(PathBuf),
}

/// The other side, built.
pub(crate) struct Side {
    pub(crate) built: Built,
    /// The folder for further files about this bench; `None` of a program that was built before, which is as
    /// it is.
    pub(crate) folder: Option<PathBuf>,
    /// Its files, which stay for as long as this lives.
    pub(crate) files: Option<Checkout>,
}

/// The folder of this harness.
pub(crate) const HARNESS: &str = env!("CARGO_MANIFEST_DIR");

impl Other {
    /// Finds the side of this name: `base`, a revision, or a folder or a program by its path from the root of
    /// the package.
    ///
    /// # Errors
    ///
    /// That there is no such thing, with what helps.
    pub(crate) fn find(
        name: &str,
        built_with: &[(String, String)],
        target: &Target,
        root: &Path,
        variables: Variables<'_>,
    ) -> Result<Self, String> {
        // A package may have a repository in that of its workspace.
        let workspace = RustcCall::of(target.rustc_call).map_or_else(|| root.to_owned(), |call| call.folder);
        let revision = Git::of(&workspace).and_then(|git| Revision::resolve(&git, name, variables));
        let path = root.join(name);
        let path = path.canonicalize().unwrap_or(path);
        let place = match revision {
            Err(why) if name == "base" => return Err(why),
            Err(no_revision) if path.is_dir() => {
                let here = [&*workspace, root].map(|here| here.canonicalize().ok());
                Place::Folder { is_here: here.contains(&Some(path.clone())), path, no_revision }
            }
            Err(_) if path.is_file() => Place::Program(path),
            // Git would be asked to fetch it.
            Err(_) if Path::new(name).is_absolute() || name.starts_with('.') => {
                return Err(format!("`{name}` is neither a revision nor a folder nor a program"));
            }
            revision => Place::Revision(revision?),
        };
        Ok(Self { asked: name.to_owned(), place, variables: built_with.to_vec() })
    }

    /// Returns whether both sides are one tree, which is built alike.
    pub(crate) fn is_same(&self) -> bool {
        let is_one_tree = match &self.place {
            Place::Revision(revision) => revision.is_same,
            Place::Folder { is_here, .. } => *is_here,
            Place::Program(_) => false,
        };
        is_one_tree && self.variables.is_empty()
    }

    /// The description of it for reports.
    pub(crate) fn told(&self) -> OtherSide {
        let revision = if let Place::Revision(revision) = &self.place { Some(revision) } else { None };
        OtherSide {
            asked: self.asked.clone(),
            name: revision.map_or("other", |revision| &revision.short).to_owned(),
            id: revision.map(|revision| revision.id.clone()),
            subject: revision.map(|revision| revision.subject.clone()),
            told: vec![self.to_string()],
            ..OtherSide::default()
        }
    }

    /// Builds a bench there as this call of cargo did, if that is known, with this harness, below this folder
    /// of the target directory.
    ///
    /// # Errors
    ///
    /// If it cannot be checked out or built; the text says why, and what helps.
    pub(crate) fn build(
        &self,
        target: &Target,
        cargo_call: Option<&CargoCall>,
        against: &Path,
        harness: &Path,
    ) -> Result<Side, String> {
        if let Place::Program(path) = &self.place {
            let built = Built::Program(Program::built_before(path)?);
            return Ok(Side { built, folder: None, files: None });
        }
        let call = RustcCall::of(target.rustc_call).ok_or("it is not known how this bench was compiled")?;
        let git = Git::of(&call.folder);
        let top = git.as_ref().map_or(&call.folder, |git| &git.top).clone();
        let (name, variables) = (target.bench(), &self.variables);
        let bench = Bench { package: target.package, name, call, cargo_call, top: &top, harness, variables };
        // One at a time, since the benches of a package have one tree and one target directory.
        fs::create_dir_all(against).map_err(|error| cannot("make", against, error))?;
        let _locked =
            file_lock::lock(&against.join("lock"), "waiting for another process, which builds another side")?;
        let checkout = match &self.place {
            Place::Revision(revision) => Checkout::of(git?, revision, against)?,
            Place::Folder { is_here: true, .. } => Checkout::elsewhere(&top, against)?,
            // It may be a package of what was checked out.
            Place::Folder { path, .. } | Place::Program(path) => {
                let root = Git::of(path).map(|git| git.top);
                // One in this repository, or in one of other things, is a copy that was unpacked there.
                let is_checkout = |root: &PathBuf| *root != top && manifest(&bench, target, root).is_some();
                let root = root.ok().filter(is_checkout).unwrap_or_else(|| path.clone());
                Checkout::elsewhere(&root, against)?
            }
        };
        remove_former(against, &checkout.folder);
        let built = match (manifest(&bench, target, &checkout.tree), &self.place) {
            (None, Place::Folder { path, no_revision, .. })
                if !Git::of(path).is_ok_and(|git| git.top == *path) =>
            {
                let (asked, path) = (&self.asked, path.display());
                return Err(format!(
                    "`{asked}` is no revision ({no_revision}), and {path} is no checkout of this package"
                ));
            }
            (None, _) => Built::Missing(Uncompared::NoPackage),
            (Some(manifest), _) => {
                checkout.fit(&manifest, bench.top)?;
                bench.build(&checkout, &manifest)?
            }
        };
        let built = match (built, &self.place) {
            (Built::Missing(Uncompared::NoPackage | Uncompared::NoBench), Place::Revision(revision))
                if revision.is_older_than(&Git::of(&top)?, &bench.call.folder.join(target.file)) =>
            {
                Built::Missing(Uncompared::NewBench)
            }
            (built, _) => built,
        };
        let folder = checkout.folder.join(bench.package).join(&bench.name);
        Ok(Side { built, folder: Some(folder), files: Some(checkout) })
    }
}

/// `against 3f2c9e1 "parser: borrow keys", where this branch left main (main is 4 commits further)`
impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Revision(revision) => write!(f, "against {revision}"),
            Place::Folder { .. } => write!(f, "against {}", self.asked),
            Place::Program(_) => write!(f, "against {}, which was built before", self.asked),
        }?;
        for (name, value) in &self.variables {
            write!(f, ", with {name}={value}")?;
        }
        if self.is_same() { f.write_str(": nothing has changed since") } else { Ok(()) }
    }
}

/// The manifest in a tree that stands where that of the workspace or the package does today, or at its root;
/// the workspace may be newer than a revision.
fn manifest(bench: &Bench<'_>, target: &Target, tree: &Path) -> Option<PathBuf> {
    let today = [&*bench.call.folder, Path::new(target.manifest_dir), bench.top];
    let inside = today.into_iter().filter_map(|folder| folder.strip_prefix(bench.top).ok());
    let mut manifests = inside.map(|folder| tree.join(folder).join("Cargo.toml"));
    manifests.find(|manifest| manifest.is_file())
}

#[cfg(test)]
mod tests;
