//! Prepares another tree for cargo: with the running harness, and a lock file that contains it.

use std::fs;
use std::path::Path;

use super::bench::Bench;
use super::build_error::BuildError;
use super::cargo::{Cargo, Workspace};
use super::cargo_call::CargoCall;
use super::checkout::Checkout;
use super::lock_file::{Package, completed, harness, moved, packages, raised, without};
use super::locked::{Locked, Today};
use bench_diff_system::own_crates::OWN_CRATES;

/// The lock file next to the manifest of a workspace.
const LOCK: &str = "Cargo.lock";

/// A tree that cargo can build.
pub(super) struct Prepared {
    /// The original lock file of the tree, if it has one, and the working tree's.
    pub(super) before: Option<String>,
    pub(super) today: String,
    /// The arguments that make cargo use the running harness.
    pub(super) patch: Vec<String>,
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
        manifest: &Path,
        (members, is_laid_over): (&Workspace, bool),
    ) -> Result<Option<Prepared>, BuildError> {
        let root = manifest.parent().unwrap_or(&checkout.tree);
        let (before, today) = (lock_in(root), lock_in(&self.call.folder).unwrap_or_default());
        // A folder of the user is never changed.
        let may_change = checkout.git.is_some();
        let needed = members.harness();
        // Without a lock file, cargo would take the newest versions of everything.
        let lock = before.as_ref().unwrap_or(&today);
        let replaced = self.replaced(lock, &today);
        let names: Vec<&str> = replaced.iter().map(String::as_str).collect();
        let of_today = Today { lock: &today, harness: self.harness, front_end: self.front_end };
        let is_new = is_laid_over || !replaced.is_empty();
        let Some(Locked { text, patch, is_stale }) =
            Locked::new(&without(lock, &names), of_today, needed, is_new)
        else {
            return Ok(None);
        };
        let lock = if is_new { completed(&text, &today) } else { text };
        if before.as_ref() != Some(&lock) {
            checkout.edit(&root.join(LOCK), &lock)?;
        }
        // The working tree's lock file may contain a harness that this tree does not need.
        let is_unknown = before.is_none() && needed.is_none();
        if is_stale || is_unknown || is_new {
            let for_all: Vec<&str> = OWN_CRATES.into_iter().chain([self.package]).collect();
            let mut locks = vec![lock.clone()];
            if may_change {
                locks.extend([&OWN_CRATES[..], &for_all].map(|needed_by| raised(&lock, &today, needed_by)));
            }
            locks.dedup();
            let start = format!("its {LOCK} lacks what its manifest needs, and cargo cannot add it:\n");
            match self.complete(cargo, checkout, root, &locks, &patch) {
                Err(_) if is_unknown && !is_new => return Ok(None),
                completed => completed.map_err(|words| cargo.error(&words, &start))?,
            }
            if harness(&lock_in(root).unwrap_or_default()).is_none() {
                return Ok(None);
            }
        }
        Ok(Some(Prepared { before, today, patch }))
    }

    /// The packages of this lock file in whose place the `--config` of the call puts folders.
    fn replaced(&self, lock: &str, today: &str) -> Vec<String> {
        let settings: Vec<&String> = self.cargo_call.into_iter().flat_map(CargoCall::settings).collect();
        let today = packages(today);
        let is_replaced = |package: &Package| {
            let is_in_folder = |other: &Package| other.name == package.name && other.source.is_none();
            let name = format!(".{}.", package.name);
            let is_patched = |setting: &&String| setting.starts_with("patch.") && setting.contains(&name);
            package.source.is_some() && today.iter().any(is_in_folder) && settings.iter().any(is_patched)
        };
        packages(lock).into_iter().filter(is_replaced).map(|package| package.name).collect()
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
