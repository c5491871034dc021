//! What differs between the manifests, settings and lock files of both trees, and so may be the cause of a
//! difference between the builds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bench_diff_system::order::in_order;

use super::bench::Build;
use super::build::Site;
use super::cargo::new_path;
use super::manifest::{MANIFEST, outer_paths};
use super::overlay_manifest::DEV_DEPENDENCIES;
use super::settings::{config_files, in_old_tree, table};
use super::toml::{Table, Value};
use super::workspace::Package;

/// The causes of differences between both builds.
pub(super) struct Causes {
    /// The profiles and the settings of cargo that differ.
    settings: Vec<Cause>,
    /// The entries of manifests that differ, except for profiles.
    manifests: Vec<Cause>,
    /// True if a build script may set options and variables by what it finds.
    has_script: bool,
    /// True if cargo has other names for libraries in each tree.
    has_other_names: bool,
}

/// An entry of a TOML file that differs between the trees.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cause {
    /// As in `profile.bench.lto`.
    pub(super) key: String,
    /// Its values as written, the old one first.
    values: [Option<String>; 2],
}

/// The end of the name of every table with dependencies, and the beginning of what follows.
const DEPENDENCIES: &str = "dependencies.";

/// The entries of TOML files: each key with its value.
type Entries = BTreeMap<String, String>;

impl Cause {
    /// Returns whether it is about this name: the option `lto`, the `--cfg` or the feature `fast`.
    fn names(&self, name: &str) -> bool {
        let is_inherited = self.key.ends_with(".inherits");
        is_inherited
            || self.key.split('.').any(|key| key == name)
            || self.values.iter().flatten().any(|value| value.contains(name))
    }
}

impl Causes {
    /// Compares the trees.
    pub(super) fn of(build: &Build<'_>, site: &Site<'_>) -> Self {
        let mut manifests = Vec::new();
        let tree = site.cargo.tree;
        let members = site.members.packages.iter().map(|it| PathBuf::from(&it.manifest_path));
        let todays = build.workspace.packages.iter();
        let todays = todays.filter_map(|it| build.place_in(tree, Path::new(&it.manifest_path)));
        for old in in_order(members.chain(todays).chain([site.root().join(MANIFEST)])) {
            let old = &*old;
            let mut causes = differing_manifests(old, &new_path(old, tree, build.top), build.top);
            // These are today's on both sides, in other words.
            let is_laid = site.old.is_laid_over && old == Path::new(&site.package.manifest_path);
            causes.retain(|cause| !is_laid || !DEV_DEPENDENCIES.iter().any(|it| cause.key.contains(it)));
            manifests.extend(causes);
        }
        Self {
            settings: differing_settings(build, site),
            manifests,
            has_script: site.package.has_build_script()
                || build.today().is_some_and(Package::has_build_script),
            has_other_names: site.members.leads_elsewhere_in(tree),
        }
    }

    /// The settings of profiles that differ.
    pub(super) fn profiles(&self) -> impl Iterator<Item = &str> {
        self.settings.iter().map(|cause| &*cause.key).filter(|key| key.starts_with("profile."))
    }

    /// The setting that explains why an option of rustc differs.
    pub(super) fn of_option(&self, name: &str) -> Option<&Cause> {
        let name = name.trim_start_matches('-');
        self.settings.iter().find(|cause| cause.names(name))
    }

    /// Returns whether a build script sets this environment variable, and no settings of cargo.
    pub(super) fn is_of_script(&self, name: &str) -> bool {
        self.has_script && self.of_option(name).is_none()
    }

    /// Returns whether something explains that an environment variable or a `--cfg` differs.
    pub(super) fn explain_variable(&self, name: &str) -> bool {
        self.has_script || self.of_option(name).is_some()
    }

    /// Returns whether something explains that a feature is on in one side alone.
    pub(super) fn explain_feature(&self, name: &str) -> bool {
        self.manifests.iter().any(|cause| cause.names(name))
    }

    /// Returns whether something may explain that libraries have other features, profiles or dependencies.
    pub(super) fn explain_libraries(&self) -> bool {
        self.has_other_names || !self.settings.is_empty() || !self.manifests.is_empty()
    }
}

/// The entries that differ between two manifests and decide which features and versions are built.
fn differing_manifests(old: &Path, new: &Path, top: &Path) -> Vec<Cause> {
    let mut today = table(new);
    // That of a revision was adapted to its place in the same way.
    outer_paths(&mut today, new.parent().unwrap_or(new), top);
    let mut causes = differing([&entries([table(old)]), &entries([today])]);
    causes.retain(|cause| {
        let starts = ["features.", "package.version", "package.links", "workspace.", "patch."];
        cause.key.contains(DEPENDENCIES) || starts.iter().any(|start| cause.key.starts_with(start))
    });
    causes
}

/// The profiles and settings that differ between the trees.
fn differing_settings(build: &Build<'_>, site: &Site<'_>) -> Vec<Cause> {
    let [new_folder, old_folder] = &build.folders(site.cargo.tree);
    let mut files = [config_files(old_folder, site.cargo.tree), config_files(new_folder, build.top)];
    // The last one wins.
    for typed in build.cargo_call.settings() {
        let old = in_old_tree(typed, new_folder, [build.top, site.cargo.tree]);
        files[0].insert(0, old_folder.join(old));
        files[1].insert(0, new_folder.join(typed));
    }
    let manifests = [site.root(), build.root()].map(|root| root.join(MANIFEST));
    let [old, new] = [0, 1].map(|side| {
        let mut profiles = table(&manifests[side]);
        profiles.retain(|key, _| key == "profile");
        entries(files[side].iter().map(|file| table(file)).chain([profiles]))
    });
    differing([&old, &new])
}

/// The entries of these tables, of which the first wins.
fn entries(tables: impl IntoIterator<Item = Table>) -> Entries {
    let mut found = Entries::new();
    for (key, value) in tables.into_iter().flatten() {
        add(&mut found, &key, &value);
    }
    found
}

fn add(found: &mut Entries, key: &str, value: &Value) {
    match value.as_table() {
        Some(table) => table.iter().for_each(|(inner, value)| add(found, &format!("{key}.{inner}"), value)),
        None => drop(found.entry(key.to_owned()).or_insert_with(|| value.to_string())),
    }
}

fn differing([old, new]: [&Entries; 2]) -> Vec<Cause> {
    let mut causes = Vec::new();
    for key in old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))) {
        let values = [old, new].map(|entries| entries.get(key).cloned());
        if values[0] != values[1] {
            causes.push(Cause { key: key.clone(), values });
        }
    }
    causes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toml::parse;

    fn between(old: &str, new: &str) -> Vec<Cause> {
        let [old, new] = [old, new].map(|text| entries([parse(text).unwrap()]));
        differing([&old, &new])
    }

    fn keys(old: &str, new: &str) -> Vec<String> {
        between(old, new).into_iter().map(|cause| cause.key).collect()
    }

    #[test]
    fn entries_are_compared_by_meaning() {
        let one = "[profile.bench]\nlto = true # fast\n\n[profile.dev.package.x]\nopt-level = 1\n";
        let same = "profile = { dev = { package = { x = { opt-level = 1 } } }, bench = { lto = true } }\n";
        assert_eq!(keys(one, same), [""; 0]);
        assert_eq!(keys(one, &same.replace("true", "false")), ["profile.bench.lto"]);
        assert_eq!(keys(one, "profile.dev.package.x.opt-level = 1"), ["profile.bench.lto"]);
    }

    #[test]
    fn a_cause_names_what_it_explains() {
        let explains =
            |old: &str, new: &str, name: &str| between(old, new).iter().any(|cause| cause.names(name));
        for (old, new, name) in [
            ("", "profile.bench.lto = true", "lto"),
            ("", "profile.fast.inherits = \"dev\"", "lto"),
            ("", "build.rustflags = [\"-Ctarget-cpu=native\"]", "target-cpu"),
            ("env.DATA = \"1\"", "env.DATA = { value = \"2\" }", "DATA"),
            ("", "features.fast = []", "fast"),
            ("features.default = [\"fast\"]", "features.default = []", "fast"),
            ("", "dependencies.x = { version = \"1\", features = [\"fast\"] }", "fast"),
        ] {
            assert!(explains(old, new, name), "{new}");
        }
        assert!(!explains("", "build.rustflags = [\"-Ctarget-cpu=native\"]", "panic"));
        assert!(!explains("net.retry = 1", "net.retry = 2", "lto"));
        assert!(!explains("package.version = \"1\"", "package.version = \"2\"", "fast"));
    }
}
