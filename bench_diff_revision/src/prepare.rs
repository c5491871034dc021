//! Prepares an old tree for cargo: with a lock file that contains the running harness.
//!
//! The tree keeps the versions that it has locked. Packages that only the harness or the benches of the
//! working tree need come from the working tree's lock file, and raise as few of the old versions as cargo
//! allows.

use std::fs;
use std::path::Path;

use bench_diff_system::own_crates::OWN_CRATES;

use super::bench::Build;
use super::build::Site;
use super::cargo_output::BuildError;
use super::lock_file::{LockedPackage, completed, harnesses, moved, packages, raised, without};
use super::manifest::MANIFEST;
use super::toml::parse;

/// The lock file next to the manifest of a workspace.
pub(super) const LOCK: &str = "Cargo.lock";

/// The lock file in the root folder of a workspace.
pub(super) fn lock_in(root: &Path) -> Option<String> {
    Some(fs::read_to_string(root.join(LOCK)).ok()?.replace("\r\n", "\n"))
}

impl Build<'_> {
    /// Prepares a tree for the build of this bench. Returns `None` if the package has its benches for another
    /// harness.
    ///
    /// # Errors
    ///
    /// If cargo cannot complete the lock file, or a file cannot be written.
    pub(super) fn prepare(&self, site: &Site<'_>) -> Result<Option<[String; 2]>, BuildError> {
        let root = site.root();
        let (before, new) = (lock_in(root), lock_in(self.root()).unwrap_or_default());
        let is_needed = site.members.needs_harness();
        // Without a lock file, cargo would take the newest versions of everything.
        let known = before.as_ref().unwrap_or(&new);
        let replaced = self.replaced(known, &new);
        let has_new_packages = site.old.is_laid_over || !replaced.is_empty();
        let (own, today) = (harnesses(known), harnesses(&new));
        if own.is_empty() && !is_needed && !has_new_packages {
            return Ok(None);
        }
        // A harness in a folder belongs to its tree, or is the same.
        let is_running = |own: &LockedPackage| own.source.is_none() || today.contains(own);
        let is_complete = own.iter().any(is_running) && !has_new_packages;
        let lock = match is_complete {
            true => known.clone(),
            false => {
                let open = replaced.iter().map(String::as_str).chain(OWN_CRATES);
                completed(&without(known, &open.collect::<Vec<_>>()), &new)
            }
        };
        if before.as_ref() != Some(&lock) {
            site.checkout.edit(&root.join(LOCK), &lock)?;
        }
        // The working tree's lock file may contain a harness that this tree does not need.
        let is_unknown = before.is_none() && !is_needed;
        if !is_complete || is_unknown {
            let added = self.complete(site, &self.candidates(site, lock, &new));
            if is_unknown && !has_new_packages && added.is_err() {
                return Ok(None);
            }
            let start = format!("its {LOCK} lacks what its manifest needs, and cargo cannot add it:\n");
            added.map_err(|words| BuildError::of(&words, &start, site.cargo.tree))?;
        }
        let has_running = harnesses(&lock_in(root).unwrap_or_default()).iter().any(is_running);
        Ok(has_running.then(|| [before.unwrap_or_default(), new]))
    }

    /// The packages of this lock file in whose place the `--config` of the call puts folders.
    fn replaced(&self, lock: &str, new: &str) -> Vec<String> {
        let is_patched = |name: &str| {
            let settings = self.cargo_call.settings().filter_map(|typed| parse(typed).ok());
            let patches = settings.flat_map(|mut setting| setting.remove("patch"));
            let mut sources = patches.flat_map(|patch| patch.as_table().cloned().unwrap_or_default());
            sources.any(|(_, of_source)| of_source.as_table().is_some_and(|it| it.contains_key(name)))
        };
        let (old, new) = (packages(lock), packages(new));
        let is_in_folder =
            |name: &str| new.iter().any(|package| package.name == name && package.source.is_none());
        let replaced = old.into_iter().filter(|package| {
            package.source.is_some() && is_patched(&package.name) && is_in_folder(&package.name)
        });
        replaced.map(|package| package.name).collect()
    }

    /// The lock files that cargo may complete: each raises more versions than the one before it, which may
    /// lock too old versions of needed crates.
    fn candidates(&self, site: &Site<'_>, lock: String, new: &str) -> Vec<String> {
        // A folder of the user is never changed.
        if site.checkout.git.is_none() {
            return vec![lock];
        }
        let with_package: Vec<&str> = OWN_CRATES.into_iter().chain([self.bench.package]).collect();
        let [for_harness, for_all] = [&OWN_CRATES[..], &with_package].map(|names| raised(&lock, new, names));
        let mut candidates = vec![lock, for_harness, for_all];
        candidates.dedup();
        candidates
    }

    /// Makes cargo complete the lock file of this workspace, offline if possible, from the first of these
    /// candidates that it can complete.
    fn complete(&self, site: &Site<'_>, locks: &[String]) -> Result<(), String> {
        let root = site.root();
        let settings = self.cargo_call.settings_in([self.top, site.cargo.tree]);
        let mut failed = Ok(());
        let offline = ["--offline".to_owned()];
        let ways: &[&[String]] = if self.cargo_call.is_offline() { &[&offline] } else { &[&offline, &[]] };
        for how in ways {
            for lock in locks {
                if lock_in(root).as_ref() != Some(lock) {
                    site.checkout.edit(&root.join(LOCK), lock)?;
                }
                failed = site.cargo.complete_lock(&root.join(MANIFEST), &[&settings[..], how].concat());
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
