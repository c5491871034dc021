//! `Cargo.lock`: the versions that a build uses.

use std::collections::HashSet;

use bench_diff_system::order::sort_by_key;
use bench_diff_system::own_crates::{HARNESS, OWN_CRATES};

use super::toml::{Value, document, parse};

/// A package in a lock file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LockedPackage {
    pub(super) name: String,
    pub(super) version: String,
    /// `None` if it is in a folder.
    pub(super) source: Option<String>,
}

impl LockedPackage {
    fn of(entry: &Value) -> Option<Self> {
        let entry = entry.as_table()?;
        let text = |key: &str| Some(entry.get(key)?.as_text()?.to_owned());
        Some(Self { name: text("name")?, version: text("version")?, source: text("source") })
    }

    /// Returns whether one of these may replace the other. A package in a folder may have any version, and
    /// one of a git repository any commit.
    fn is_like(&self, other: &Self) -> bool {
        let has_any_version = self.source.as_deref().is_none_or(|source| source.starts_with("git+"));
        let is_same_series = || has_any_version || series(&self.version) == series(&other.version);
        let [of_self, of_other] = [self, other].map(|it| Some(it.source.as_deref()?.split('#').next()));
        self.name == other.name && of_self == of_other && is_same_series()
    }

    /// Its version, with the commit if it comes from a git repository: `1.2.0 (3f2c9e1)`.
    fn shown(&self) -> String {
        let commit = self.source.as_deref().and_then(|source| source.split_once('#')?.1.get(..7));
        commit.map_or_else(|| self.version.clone(), |commit| format!("{} ({commit})", self.version))
    }
}

/// The entries about packages in a lock file.
fn entries(lock: &str) -> Vec<Value> {
    match parse(lock).unwrap_or_default().remove("package") {
        Some(Value::Array(entries)) => entries,
        _ => Vec::new(),
    }
}

/// A lock file with other entries about packages. Cargo lays it out anew.
fn with_entries(lock: &str, change: impl FnOnce(&mut Vec<Value>)) -> String {
    let mut table = parse(lock).unwrap_or_default();
    let entries = table.entry("package".to_owned()).or_insert_with(|| Value::Array(Vec::new()));
    let Value::Array(entries) = entries else { return lock.to_owned() };
    let old = entries.clone();
    change(entries);
    if *entries == old { lock.to_owned() } else { document(&table) }
}

/// The packages of a lock file.
pub(super) fn packages(lock: &str) -> Vec<LockedPackage> {
    entries(lock).iter().filter_map(LockedPackage::of).collect()
}

/// The harnesses in a lock file: those with this version, if there are any.
pub(super) fn harnesses(lock: &str) -> Vec<LockedPackage> {
    let mut all = packages(lock);
    all.retain(|package| package.name == HARNESS);
    let is_this = |package: &LockedPackage| package.version == env!("CARGO_PKG_VERSION");
    if all.iter().any(is_this) {
        all.retain(is_this);
    }
    all
}

/// A lock file without these packages, so that their versions are open.
pub(super) fn without(lock: &str, names: &[&str]) -> String {
    with_entries(lock, |entries| {
        entries
            .retain(|entry| LockedPackage::of(entry).is_none_or(|package| !names.contains(&&*package.name)));
    })
}

/// A lock file with raised versions: packages that `needed_by` need, directly or not, are at least as new as
/// in `from`, unless that would be an incompatible version.
pub(super) fn raised(lock: &str, from: &str, needed_by: &[&str]) -> String {
    let from = entries(from);
    let needed = needed_by_all(&from, needed_by);
    with_entries(lock, |entries| {
        for entry in entries {
            let Some(package) = LockedPackage::of(entry).filter(|package| needed.contains(&package.name))
            else {
                continue;
            };
            let newer = from.iter().find(|other| {
                LockedPackage::of(other).is_some_and(|other| {
                    other.is_like(&package) && numbers(&other.version) > numbers(&package.version)
                })
            });
            if let Some(newer) = newer {
                entry.clone_from(newer);
            }
        }
    })
}

/// The names of these packages and of all their dependencies, direct and indirect.
fn needed_by_all(entries: &[Value], packages_of: &[&str]) -> HashSet<String> {
    let mut needed = HashSet::new();
    let mut next: Vec<String> = packages_of.iter().map(|name| (*name).to_owned()).collect();
    while let Some(name) = next.pop() {
        for entry in entries.iter().filter_map(Value::as_table) {
            if !needed.contains(&name) && entry.get("name").and_then(Value::as_text) == Some(&name) {
                // `libc 0.2.176`, or the name alone
                let dependencies = entry.get("dependencies").map_or(&[][..], Value::items).iter();
                let names = dependencies.filter_map(|dependency| dependency.as_text()?.split(' ').next());
                next.extend(names.map(str::to_owned));
            }
        }
        needed.insert(name);
    }
    needed
}

fn numbers(version: &str) -> Vec<u64> {
    let numbers = version.split(['-', '+']).next().unwrap_or_default().split('.');
    numbers.map(|number| number.parse().unwrap_or(0)).collect()
}

/// The leading numbers of a version that compatible versions share.
pub(super) fn series(version: &str) -> Vec<u64> {
    let mut numbers = numbers(version);
    let counts = numbers.iter().position(|number| *number > 0).map_or(numbers.len(), |place| place + 1);
    numbers.truncate(counts);
    numbers
}

/// A lock file with packages added from another one, if it has no compatible package itself, so that cargo
/// can keep the ones that it needs. (If a package in a folder needs a package that is not locked, cargo
/// updates everything.)
pub(super) fn completed(lock: &str, from: &str) -> String {
    let known = packages(lock);
    with_entries(lock, |all| {
        all.extend(entries(from).into_iter().filter(|entry| {
            LockedPackage::of(entry).is_some_and(|new| !known.iter().any(|package| package.is_like(&new)))
        }));
    })
}

/// The packages whose versions differ, except for the harness and packages in folders: `memchr 2.7.4 ->
/// 2.7.5`.
pub(super) fn changes(old: &str, new: &str) -> Vec<String> {
    let [old, new] = [old, new].map(released);
    let versions = |packages: &[LockedPackage], name: &str| {
        let of_name = packages.iter().filter(|package| package.name == name);
        of_name.map(LockedPackage::shown).collect::<Vec<_>>().join(" and ")
    };
    let mut changes = Vec::new();
    for versions_of_one in old.chunk_by(|one, other| one.name == other.name) {
        let name = &*versions_of_one[0].name;
        let [old, new] = [&old, &new].map(|packages| versions(packages, name));
        if old != new && !new.is_empty() {
            changes.push(format!("{name} {old} -> {new}"));
        }
    }
    changes
}

/// The packages that were replaced by a compatible version: `libc 0.2.171 -> 0.2.176`.
pub(super) fn moved(old: &str, new: &str) -> Vec<String> {
    let [all_old, all_new] = [old, new].map(released);
    let moved = all_old.iter().filter(|package| !all_new.contains(package)).filter_map(|old| {
        let new = all_new.iter().find(|new| new.is_like(old) && !all_old.contains(new))?;
        Some(format!("{} {} -> {}", old.name, old.shown(), new.shown()))
    });
    moved.collect()
}

/// The packages that have a source and do not belong to the harness, by name and version.
fn released(lock: &str) -> Vec<LockedPackage> {
    let mut released = packages(lock);
    released.retain(|package| package.source.is_some() && !OWN_CRATES.contains(&&*package.name));
    sort_by_key(&mut released, |package| (package.name.clone(), package.version.clone()));
    released
}

#[cfg(test)]
mod tests {
    use super::*;

    const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

    fn lock(packages: &[(&str, &str, &str)]) -> String {
        let mut lock = "# This file is automatically @generated by Cargo.\nversion = 4\n".to_owned();
        for (name, version, source) in packages {
            let source = if source.is_empty() { String::new() } else { format!("source = \"{source}\"\n") };
            lock += &format!(
                "\n[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n{source}dependencies = [\n \"memchr\",\n]\n"
            );
        }
        lock
    }

    #[test]
    fn the_harness_of_this_version_is_found() {
        assert_eq!(harnesses(&lock(&[("criterion", "0.5.0", CRATES_IO)])), []);
        let ours = env!("CARGO_PKG_VERSION");
        let two = lock(&[(HARNESS, "0.0.1", CRATES_IO), (HARNESS, ours, CRATES_IO)]);
        assert_eq!(harnesses(&two).iter().map(|it| &*it.version).collect::<Vec<_>>(), [ours]);
        let old = lock(&[
            ("a", "1.0.0", ""),
            (HARNESS, "0.1.0", CRATES_IO),
            ("bench_diff_core", "0.1.0", CRATES_IO),
        ]);
        assert_eq!(packages(&without(&old, &OWN_CRATES)), packages(&lock(&[("a", "1.0.0", "")])));
    }

    #[test]
    fn missing_packages_come_from_another_lock_file() {
        let old = lock(&[("a", "1.0.0", ""), ("memchr", "2.7.4", CRATES_IO)]);
        let new = lock(&[("a", "1.1.0", ""), (HARNESS, "0.1.0", ""), ("memchr", "2.7.5", CRATES_IO)]);
        let expected = lock(&[("a", "1.0.0", ""), ("memchr", "2.7.4", CRATES_IO), (HARNESS, "0.1.0", "")]);
        assert_eq!(packages(&completed(&old, &new)), packages(&expected));
        assert_eq!(completed(&new, &old), new);
        let newer = lock(&[("memchr", "3.0.0", CRATES_IO), ("a", "2.0.0", "")]);
        let both =
            lock(&[("a", "1.0.0", ""), ("memchr", "2.7.4", CRATES_IO), ("memchr", "3.0.0", CRATES_IO)]);
        assert_eq!(
            packages(&completed(&old, &newer)),
            packages(&both),
            "the harness needs the newer one as well"
        );
    }

    #[test]
    fn the_commit_of_a_git_repository_stays() {
        let at = |version: &str, commit: &str| {
            lock(&[("x", version, &format!("git+https://x.org/x?branch=main#{commit}"))])
        };
        let [old, new] = [at("0.1.0", "0123456789"), at("0.2.0", "abcdef0123")];
        assert_eq!(completed(&old, &new), old);
        assert_eq!(changes(&old, &new), ["x 0.1.0 (0123456) -> 0.2.0 (abcdef0)"]);
        let other = new.replace("branch=main", "branch=other");
        assert_eq!(packages(&completed(&old, &other)).len(), 2);
    }

    #[test]
    fn dependencies_of_the_harness_may_replace_older_ones() {
        let old = lock(&[
            ("memchr", "2.7.4", CRATES_IO),
            ("memchr", "1.0.0", CRATES_IO),
            ("newest", "0.3.7", ""),
            ("other", "1.0.0", CRATES_IO),
            ("newest", "0.3.9", CRATES_IO),
        ]);
        let needs = |name: &str| format!("\n[[package]]\nname = \"{name}\"\nversion = \"0.1.0\"\n");
        let of_new = [
            ("memchr", "2.7.5", CRATES_IO),
            ("newest", "0.4.0", CRATES_IO),
            ("newest", "0.3.8", CRATES_IO),
            ("other", "1.1.0", CRATES_IO),
        ];
        let new = lock(&of_new)
            + &needs(HARNESS)
            + "dependencies = [\n \"memchr 2.7.5\",\n \"newest 0.3.8\",\n]\n"
            + &needs("mine");
        let expected = old.replace("2.7.4", "2.7.5");
        assert_eq!(packages(&raised(&old, &new, &[HARNESS])), packages(&expected));
        assert_eq!(raised(&old, &new, &["mine"]), old);
    }

    #[test]
    fn versions_of_one_series_may_replace_each_other() {
        assert_eq!(series("2.7.4"), series("2.10.0"));
        assert_eq!(series("0.2.171"), series("0.2.176-rc.1"));
        assert_ne!(series("0.2.0"), series("0.3.0"));
        assert_ne!(series("0.0.1"), series("0.0.2"));
        assert!(numbers("0.2.176") > numbers("0.2.99"));
    }

    #[test]
    fn different_versions_are_listed() {
        let old = lock(&[
            ("memchr", "2.7.4", CRATES_IO),
            ("syn", "1.0.0", CRATES_IO),
            ("gone", "1.0.0", CRATES_IO),
            ("mine", "1.0.0", ""),
            (HARNESS, "0.1.0", CRATES_IO),
        ]);
        let new = lock(&[
            ("memchr", "2.7.5", CRATES_IO),
            ("syn", "1.0.0", CRATES_IO),
            ("syn", "2.0.0", CRATES_IO),
            ("mine", "1.1.0", ""),
            ("new", "1.1.0", CRATES_IO),
            (HARNESS, "0.2.0", CRATES_IO),
        ]);
        assert_eq!(changes(&old, &new), ["memchr 2.7.4 -> 2.7.5", "syn 1.0.0 -> 1.0.0 and 2.0.0"]);
        assert_eq!(changes(&new, &new), [""; 0]);
        assert_eq!(moved(&old, &new), ["memchr 2.7.4 -> 2.7.5"]);
    }
}
