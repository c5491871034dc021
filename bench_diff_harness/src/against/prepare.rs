//! Prepares another tree for cargo: with the running harness, stand-ins, and a lock file that contains both.

use std::fs;
use std::path::Path;

use super::bench::{Bench, BuildError, There};
use super::cargo::{Cargo, Package, Workspace};
use super::cargo_call::CargoCall;
use super::checkout::Checkout;
use super::lock_file::{OF_HARNESS, completed, harness, moved, raised};
use super::locked::{Locked, Today};
use super::overlay::manifest::Manifests;
use super::overlay::manifest_in;
use super::renamed::Renames;
use super::stand_in::{FrontEnd, Replaced, StandIn, has_library};
use super::toml::document;

/// The lock file next to the manifest of a workspace.
const LOCK: &str = "Cargo.lock";

/// The folder for stand-ins, in the folder of a tree.
const STAND_INS: &str = "stand_ins";

/// A tree that cargo can build.
pub(super) struct Prepared {
    /// The original lock file of the tree, if it has one, and the working tree's.
    pub(super) before: Option<String>,
    pub(super) today: String,
    /// The arguments that make cargo use the running harness and the stand-ins.
    pub(super) patch: Vec<String>,
    /// True if the tree gets any stand-ins.
    pub(super) has_stand_ins: bool,
    /// What the benches of the package need and what replaces it, if anything does.
    pub(super) replaced: Option<Replaced>,
}

/// The lock file in the root folder of a workspace.
pub(super) fn lock_in(root: &Path) -> Option<String> {
    Some(fs::read_to_string(root.join(LOCK)).ok()?.replace("\r\n", "\n"))
}

impl Bench<'_> {
    /// Prepares a tree with this manifest for the build of this bench. Returns `None` if the package has its
    /// benches for another harness.
    ///
    /// # Errors
    ///
    /// If cargo cannot complete the lock file, or a file cannot be written.
    pub(super) fn prepare(
        &self,
        cargo: &Cargo<'_>,
        checkout: &Checkout,
        (manifest, members): (&Path, &Workspace),
        (there, package): (&There, &Package),
    ) -> Result<Option<Prepared>, BuildError> {
        let root = manifest.parent().unwrap_or(&checkout.tree);
        let (before, today) = (lock_in(root), lock_in(&self.call.folder).unwrap_or_default());
        // A folder of the user is never changed.
        let may_change = checkout.git.is_some();
        let front_ends = if may_change { FrontEnd::all_of(&self.call) } else { Vec::new() };
        let replaced = Replaced::of(package, before.as_deref(), &front_ends);
        let manifests = (manifest, Path::new(&package.manifest_path));
        let renamed = self.renamed(cargo, checkout, manifests, &front_ends)?;
        let members = renamed.as_ref().unwrap_or(members);
        let stand_ins = match renamed {
            None if replaced.is_some() || !there.is_laid_over => {
                StandIn::needed(members, before.as_deref(), &front_ends)
            }
            _ => Vec::new(),
        };
        let is_replaced = (renamed.is_some() || !stand_ins.is_empty()) && !there.is_laid_over;
        let replaced = replaced.filter(|_| is_replaced);
        let has_stand_ins = !stand_ins.is_empty();
        let needed = members.harness();
        if may_change && before.is_none() && needed.is_none() && !has_stand_ins && has_library(members) {
            return Ok(None);
        }
        // Without a lock file, cargo would take the newest versions of everything.
        let lock = before.as_ref().unwrap_or(&today);
        let of_today = Today { lock: &today, harness: self.harness, front_ends: &front_ends };
        let Some(Locked { text, mut patch, is_stale }) = Locked::new(lock, of_today, needed, &stand_ins)
        else {
            return Ok(None);
        };
        for (index, stand_in) in stand_ins.iter().enumerate() {
            let others = stand_ins[..index].iter().filter(|other| other.name() == stand_in.name()).count();
            patch.extend(stand_in.placed(&checkout.folder.join(STAND_INS), others)?);
        }
        let lock = if there.is_laid_over { completed(&text, &today) } else { text };
        if before.as_ref() != Some(&lock) {
            checkout.edit(&root.join(LOCK), &lock)?;
        }
        // The working tree's lock file may contain a harness that this tree does not need.
        let is_unknown = before.is_none() && needed.is_none();
        if is_stale || is_unknown || there.is_laid_over {
            let for_all: Vec<&str> = OF_HARNESS.into_iter().chain([self.package]).collect();
            let mut locks = vec![lock.clone()];
            if may_change {
                locks.extend([&OF_HARNESS[..], &for_all].map(|needed_by| raised(&lock, &today, needed_by)));
            }
            locks.dedup();
            if let Err(words) = self.complete(cargo, checkout, root, &locks, &patch) {
                let reason =
                    format!("its {LOCK} lacks what its manifest needs, and cargo cannot add it:\n{words}");
                return Err(BuildError { replaced, ..reason.into() });
            }
            let lock = lock_in(root).unwrap_or_default();
            if harness(&lock).is_none() || stand_ins.iter().any(|stand_in| stand_in.is_ignored_in(&lock)) {
                return Ok(None);
            }
        }
        Ok(Some(Prepared { before, today, patch, has_stand_ins, replaced }))
    }

    /// Makes the manifests of a workspace and of its package name the same front ends as in the working tree.
    /// Returns the changed workspace, if anything changes.
    fn renamed(
        &self,
        cargo: &Cargo<'_>,
        checkout: &Checkout,
        (workspace, package): (&Path, &Path),
        front_ends: &[FrontEnd],
    ) -> Result<Option<Workspace>, String> {
        if front_ends.is_empty() {
            return Ok(None);
        }
        let [today, of_workspace] = [manifest_in(self.folder)?, manifest_in(&self.call.folder)?];
        let today = Manifests {
            package: &today,
            workspace: &of_workspace,
            package_folder: self.folder,
            workspace_folder: &self.call.folder,
        };
        let renames = Renames::of(today, front_ends);
        let mut manifests = vec![workspace, package];
        manifests.dedup();
        let mut is_renamed = false;
        for manifest in manifests {
            let old = manifest_in(manifest.parent().unwrap_or(manifest))?;
            if let Some(changed) = renames.applied(&old) {
                checkout.edit(manifest, document(&changed))?;
                is_renamed = true;
            }
        }
        is_renamed.then(|| cargo.workspace(workspace)).transpose()
    }

    /// Makes cargo complete the lock file of this workspace, offline if possible. The candidates in `locks`
    /// are tried one after another: each raises more versions than the one before it, which may lock too old
    /// versions of needed crates.
    fn complete(
        &self,
        cargo: &Cargo<'_>,
        checkout: &Checkout,
        root: &Path,
        locks: &[String],
        patch: &[String],
    ) -> Result<(), String> {
        let settings: Vec<String> =
            self.cargo_call.into_iter().flat_map(CargoCall::settings).chain(patch).cloned().collect();
        let mut written = locks.first();
        let mut failed = Ok(());
        for how in [&["--offline".to_owned()][..], &[]] {
            for lock in locks {
                if written != Some(lock) {
                    checkout.edit(&root.join(LOCK), lock)?;
                    written = Some(lock);
                }
                failed = cargo.complete_lock(&root.join("Cargo.toml"), &[&settings, how].concat());
                // If one locked version is too old, cargo may update all packages.
                let keeps_versions = || lock_in(root).is_some_and(|after| moved(lock, &after).is_empty());
                if failed.is_ok() && (Some(lock) == locks.last() || how.is_empty() || keeps_versions()) {
                    return Ok(());
                }
            }
        }
        failed
    }
}
