//! The other side of `--against`: another revision of this repository, found, checked out and built beside
//! the working tree, of which nothing is touched.
//!
//! Each revision has a folder of its own below the target directory, named after its tree. Its files are
//! written by git with an index of its own, so no index, hook or list of worktrees of the user knows of it
//! (`git worktree add` runs hooks and leaves an entry; `git archive` leaves files out). What is built of it
//! has a target directory of its own: cargo names what it builds by paths inside of a workspace, so in a
//! shared one either side would pass for the other.
//!
//! What nothing here can see is the same on both sides or left to the user: variables such as `RUSTFLAGS` and
//! `RUSTC_WORKSPACE_WRAPPER` are those of the run; features that other members of a workspace turned on are
//! not known; a harness that is a member of the same workspace is that of the revision; and a repository
//! where git does not look, as some of jj, takes a folder with another checkout.

mod base;
mod build;
mod call;
mod cargo;
mod checkout;
#[cfg(test)]
mod fixture;
mod git;
mod lock_file;
mod manifest;
mod revision;
mod search;
mod seed;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use self::build::Bench;
pub(crate) use self::build::{Built, CALL_FLAG, call_text};
use self::call::Call;
use self::checkout::{Checkout, open, remove_former};
use self::git::Git;
pub(crate) use self::revision::Revision;
pub(crate) use self::search::Variables;
use crate::settings::Target;

/// What a run is compared with.
pub(crate) enum Other {
    Revision(Revision),
    /// A folder with another checkout, or this one.
    Folder(PathBuf),
}

/// The other side, built. Its files stay for as long as this lives.
pub(crate) struct Side {
    pub(crate) built: Built,
    /// What a reader should know.
    pub(crate) note: Option<String>,
    _checkout: Checkout,
}

/// The folder of this harness.
pub(crate) const HARNESS: &str = env!("CARGO_MANIFEST_DIR");

impl Other {
    /// What the user of this bench calls so: `base`, a revision, or a folder by its path from the root of the
    /// package.
    ///
    /// # Errors
    ///
    /// That there is no such thing, with what helps.
    pub(crate) fn find(
        name: &str,
        target: &Target,
        root: &Path,
        variables: Variables<'_>,
    ) -> Result<Self, String> {
        // A package may have a repository in that of its workspace.
        let workspace = Call::of(target.rustc_call).map_or_else(|| root.to_owned(), |call| call.folder);
        let revision = Git::of(&workspace).and_then(|git| Revision::resolve(&git, name, variables));
        let folder = root.join(name);
        match revision {
            Err(_) if folder.is_dir() => Ok(Self::Folder(folder.canonicalize().unwrap_or(folder))),
            revision => revision.map(Self::Revision),
        }
    }

    /// Builds a bench there, with this harness and these variables, below this folder of the target
    /// directory.
    ///
    /// # Errors
    ///
    /// Why it cannot be checked out or built, with what helps.
    pub(crate) fn build(
        &self,
        target: &Target,
        against: &Path,
        harness: &Path,
        variables: &[(String, String)],
    ) -> Result<Side, String> {
        let call = Call::of(target.rustc_call).ok_or("it is not known how this bench was compiled")?;
        let git = Git::of(&call.folder);
        let top = git.as_ref().map_or(&call.folder, |git| &git.top).clone();
        let bench =
            Bench { package: target.package, name: target.bench(), call, top: &top, harness, variables };
        // One at a time, since the benches of a package have one tree and one target directory.
        let locked = fs::create_dir_all(against).and_then(|()| open(&against.join("lock")));
        let _locked = locked
            .and_then(|file| file.lock().map(|()| file))
            .map_err(|error| format!("cannot write to {}: {error}", against.display()))?;
        let checkout = match self {
            Self::Folder(tree) => Checkout::elsewhere(tree, against)?,
            Self::Revision(revision) => Checkout::of(git?, revision, against)?,
        };
        remove_former(against, &checkout.folder);
        let built = match manifest(&bench, target, &checkout.tree) {
            None => Built::New(format!("it has no package {}", target.package)),
            Some(manifest) => {
                checkout.fit(&manifest, bench.top)?;
                bench.build(&checkout, &manifest)?
            }
        };
        Ok(Side { built, note: checkout.note(), _checkout: checkout })
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
