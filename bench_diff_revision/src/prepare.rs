//! Prepares an old tree for cargo: with the running harness, and a lock file that contains it.
//!
//! The tree keeps the versions that it has locked. Packages that only the harness or the benches of the
//! working tree need come from the working tree's lock file, and raise as few of the old versions as cargo
//! allows.

use std::fs;
use std::path::Path;

use bench_diff_system::own_crates::{HARNESS, OWN_CRATES};

use super::bench::{Bench, Build};
use super::build::Site;
use super::cargo_output::BuildError;
use super::lock_file::{completed, harness, moved, packages, patch, raised, without};
use super::manifest::MANIFEST;
use super::workspace::Dependency;

/// The lock file next to the manifest of a workspace.
const LOCK: &str = "Cargo.lock";

/// A tree that cargo can build.
pub(super) struct Prepared {
    /// The original lock file of the tree, if it has one.
    pub(super) before: Option<String>,
    /// The lock file of the working tree.
    pub(super) new: String,
    /// The arguments that make cargo use the running harness.
    pub(super) patch: Vec<String>,
}

/// A lock file for the running harness.
#[derive(Debug, PartialEq, Eq)]
struct HarnessLock {
    text: String,
    /// The arguments that make cargo use the running harness instead of the one that the tree names.
    patch: Vec<String>,
    /// True if cargo has to add dependencies of the harness.
    is_stale: bool,
}

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
    pub(super) fn prepare(&self, site: &Site<'_>) -> Result<Option<Prepared>, BuildError> {
        let root = site.root();
        let (before, new) = (lock_in(root), lock_in(self.root()).unwrap_or_default());
        let needed = site.members.harness();
        // Without a lock file, cargo would take the newest versions of everything.
        let lock = before.as_ref().unwrap_or(&new);
        let replaced = self.replaced(lock, &new);
        let has_new_packages = site.old.is_laid_over || !replaced.is_empty();
        let lock = without(lock, &replaced.iter().map(String::as_str).collect::<Vec<_>>());
        let Some(HarnessLock { text, patch, is_stale }) =
            HarnessLock::new(&lock, &new, self.bench, needed, has_new_packages)
        else {
            return Ok(None);
        };
        let lock = if has_new_packages { completed(&text, &new) } else { text };
        if before.as_ref() != Some(&lock) {
            site.checkout.edit(&root.join(LOCK), &lock)?;
        }
        // The working tree's lock file may contain a harness that this tree does not need.
        let is_unknown = before.is_none() && needed.is_none();
        if is_stale || is_unknown || has_new_packages {
            let added = self.complete(site, &self.candidates(site, lock, &new), &patch);
            if is_unknown && !has_new_packages && added.is_err() {
                return Ok(None);
            }
            let start = format!("its {LOCK} lacks what its manifest needs, and cargo cannot add it:\n");
            added.map_err(|words| BuildError::of(&words, &start, site.cargo.tree))?;
            if harness(&lock_in(root).unwrap_or_default()).is_none() {
                return Ok(None);
            }
        }
        Ok(Some(Prepared { before, new, patch }))
    }

    /// The packages of this lock file in whose place the `--config` of the call puts folders.
    fn replaced(&self, lock: &str, new: &str) -> Vec<String> {
        let is_patched = |name: &str| {
            let end = format!(".{name}.path");
            self.cargo_call.settings().any(|typed| typed.starts_with("patch.") && typed.contains(&end))
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
    fn complete(&self, site: &Site<'_>, locks: &[String], patch: &[String]) -> Result<(), String> {
        let root = site.root();
        let mut settings = self.cargo_call.settings_in([self.top, site.cargo.tree]);
        settings.extend_from_slice(patch);
        let mut failed = Ok(());
        for how in [&["--offline".to_owned()][..], &[]] {
            for lock in locks {
                if lock_in(root).as_ref() != Some(lock) {
                    site.checkout.edit(&root.join(LOCK), lock)?;
                }
                failed = site.cargo.complete_lock(&root.join(MANIFEST), &[&settings, how].concat());
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

impl HarnessLock {
    /// The lock file for a tree, made from the tree's own lock file `old`. `needed` is the dependency on the
    /// harness in the tree's manifests; `is_added` says that the tree gets the harness by other means. `None`
    /// if the tree has no use for the harness.
    fn new(
        old: &str,
        new: &str,
        bench: &Bench<'_>,
        needed: Option<&Dependency>,
        is_added: bool,
    ) -> Option<Self> {
        let (old_harness, new_harness) = (harness(old), harness(new));
        let (source, is_same) = match (&old_harness, needed) {
            (Some(old), _) => (old.source.clone(), Some(old) == new_harness.as_ref()),
            (None, Some(needed)) => {
                (needed.source.clone(), needed.source == new_harness.and_then(|new| new.source))
            }
            (None, None) if is_added => (None, false),
            (None, None) => return None,
        };
        let source = source.filter(|_| !is_same);
        let is_stale = old_harness.is_none() || source.is_some();
        let text = if is_stale { completed(old, new) } else { old.to_owned() };
        // A harness in a folder belongs to its tree, or is the same.
        let Some(source) = source else { return Some(Self { text, patch: Vec::new(), is_stale }) };
        let mut arguments = Vec::new();
        for (name, folder) in [(HARNESS, bench.harness)].into_iter().chain(bench.front_end) {
            arguments.extend(["--config".to_owned(), patch(&source, name, folder)]);
        }
        Some(Self { text: without(&text, &OWN_CRATES), patch: arguments, is_stale })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Dependency;

    const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

    fn lock(harness: Option<&str>) -> String {
        let source =
            |source: &str| if source.is_empty() { String::new() } else { format!("source = \"{source}\"\n") };
        let of =
            |name: &str, more: &str| format!("\n[[package]]\nname = \"{name}\"\nversion = \"0.1.0\"\n{more}");
        let harness = harness.map(|from| of("bench_diff_harness", &source(from))).unwrap_or_default();
        format!("version = 4\n{}{harness}", of("mine", ""))
    }

    fn locked(old: Option<&str>, needed: Option<&str>, new: &str) -> Option<(bool, bool, bool)> {
        let needed = needed.map(Dependency::of_harness);
        let bench = Bench { harness: Path::new("/harness"), ..Bench::example() };
        let locked = HarnessLock::new(&lock(old), &lock(Some(new)), &bench, needed.as_ref(), false)?;
        assert_eq!(locked.patch.is_empty(), locked.text.contains("bench_diff_harness"), "{locked:?}");
        Some((locked.is_stale, !locked.patch.is_empty(), locked.text.contains("mine")))
    }

    #[test]
    fn the_tree_gets_the_running_harness() {
        let (fresh, patched) = (Some((false, false, true)), Some((true, true, true)));
        assert_eq!(locked(Some(CRATES_IO), Some(CRATES_IO), CRATES_IO), fresh);
        assert_eq!(locked(Some(CRATES_IO), Some(CRATES_IO), ""), patched);
        assert_eq!(locked(Some(""), Some(""), CRATES_IO), fresh);
        assert_eq!(locked(Some(CRATES_IO), None, CRATES_IO), fresh, "another crate needs it");
        assert_eq!(locked(None, None, CRATES_IO), None);
    }

    #[test]
    fn a_lock_file_without_the_harness_is_stale_where_a_manifest_needs_it() {
        let (stale, patched) = (Some((true, false, true)), Some((true, true, true)));
        assert_eq!(locked(None, Some(CRATES_IO), CRATES_IO), stale);
        assert_eq!(locked(None, Some(CRATES_IO), ""), patched);
        assert_eq!(locked(None, Some(""), ""), stale);
    }
}
