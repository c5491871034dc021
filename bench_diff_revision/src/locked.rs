//! The lock file that the old side is built with, and its harness.

use bench_diff_system::own_crates::{HARNESS, OWN_CRATES};
use std::path::Path;

use super::cargo::Dependency;
use super::lock_file::{completed, harness, patch, without};

/// A lock file for the harness that runs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Locked {
    pub(super) text: String,
    /// The arguments that make cargo use the running harness instead of the one that the tree names.
    pub(super) patch: Vec<String>,
    /// True if cargo has to add dependencies of the harness.
    pub(super) is_stale: bool,
}

/// The running harness, as another tree gets it.
#[derive(Clone, Copy)]
pub(super) struct Today<'a> {
    pub(super) lock: &'a str,
    /// The folder of the harness.
    pub(super) harness: &'a Path,
    /// The name and the folder of its front end, if the bench uses one.
    pub(super) front_end: Option<(&'a str, &'a Path)>,
}

impl Locked {
    /// The lock file for a tree, made from the tree's own lock file. `needed` is the dependency on the
    /// harness in the tree's manifests; `is_new` says that the tree gets the harness by other means. `None`
    /// if the tree has no use for the harness.
    pub(super) fn new(
        lock: &str,
        today: Today<'_>,
        needed: Option<&Dependency>,
        is_new: bool,
    ) -> Option<Self> {
        let (then, now) = (harness(lock), harness(today.lock));
        let (source, is_todays) = match (&then, needed) {
            (Some(then), _) => (then.source.clone(), Some(then) == now.as_ref()),
            (None, Some(needed)) => (needed.source.clone(), needed.source == now.and_then(|now| now.source)),
            (None, None) if is_new => (None, false),
            (None, None) => return None,
        };
        let source = source.filter(|_| !is_todays);
        let is_stale = then.is_none() || source.is_some();
        let text = if is_stale { completed(lock, today.lock) } else { lock.to_owned() };
        Some(match source {
            Some(source) => {
                let patched = [(HARNESS, today.harness)].into_iter().chain(today.front_end);
                let settings = patched.map(|(name, folder)| patch(&source, name, folder));
                let patch = settings.flat_map(|setting| ["--config".to_owned(), setting]).collect();
                Self { text: without(&text, &OWN_CRATES), patch, is_stale }
            }
            // A harness in a folder belongs to its tree, or is the same.
            None => Self { text, patch: Vec::new(), is_stale },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

    fn lock(harness: Option<&str>) -> String {
        let source =
            |source: &str| if source.is_empty() { String::new() } else { format!("source = \"{source}\"\n") };
        let of =
            |name: &str, more: &str| format!("\n[[package]]\nname = \"{name}\"\nversion = \"0.1.0\"\n{more}");
        let harness = harness.map(|from| of("bench_diff_harness", &source(from))).unwrap_or_default();
        format!("version = 4\n{}{harness}", of("mine", ""))
    }

    fn locked(then: Option<&str>, needed: Option<&str>, now: &str) -> Option<(bool, bool, bool)> {
        let needed = needed.map(Dependency::of_harness);
        let today = lock(Some(now));
        let today = Today { lock: &today, harness: Path::new("/harness"), front_end: None };
        let locked = Locked::new(&lock(then), today, needed.as_ref(), false)?;
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
