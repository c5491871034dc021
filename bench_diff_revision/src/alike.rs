//! The differences between the builds of both sides, and whether anything explains them.

use super::call::{self, debugging_on_one_side, differences_by_scripts};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::bench::Bench;
use super::cargo::{Workspace, folders, holds_for_both, today};
use super::cargo_call::file_in_tree;
use super::checkout::OWN_WORKSPACE;
use super::lock_file;
use super::manifest::{MANIFEST, profiles, with_outer_paths};
use super::prepare::Prepared;
use super::site::{Made, Site};
use super::variables::{self, differences};
use bench_diff_system::executable::Variables;
use bench_diff_system::files::without_links;
use bench_diff_system::own_crates::OWN_CRATES;
use bench_diff_system::rustc_call::RustcCall;

/// The differences between both programs that something explains.
pub(super) struct Differences {
    /// Those of the builds, each as a line for people.
    pub(super) settings: Vec<String>,
    /// The environment variables that differ at run time, if any.
    pub(super) other_variables: Option<String>,
}

impl Bench<'_> {
    /// Compares both builds.
    ///
    /// # Errors
    ///
    /// A difference that nothing explains.
    pub(super) fn compared(
        &self,
        site: &Site<'_>,
        made: &Made,
        new_variables: &Variables,
    ) -> Result<Differences, String> {
        let Site { old, cargo, members, manifest, target, .. } = site;
        let (tree, new_target) = (cargo.tree, self.target());
        let old_call = RustcCall::of(&made.call);
        let old_call =
            old_call.ok_or_else(|| "it is not known how the old revision was compiled".to_owned())?;
        let moved = [[target, &*new_target], [tree, self.top]];
        let files = self.other_settings(tree, manifest);
        let mut settings = self.differences(&old_call, &moved, &files)?;
        let other_variables = match &made.variables {
            Ok(old_variables) => differences(new_variables, old_variables, &moved),
            Err(why) => {
                settings.push(format!(
                    "at run time, both sides have the environment variables of the working tree: {why}"
                ));
                None
            }
        };
        settings.extend(other_variables.clone());
        let lacking = made.lacking.join(", ");
        settings.extend((!lacking.is_empty()).then(|| format!("the old revision has no feature {lacking}")));
        let Prepared { before, today, .. } = &made.prepared;
        let is_explained =
            made.lock != *today || !files.is_empty() || self.has_other_manifests(tree, manifest, members);
        if !is_explained && !members.leads_elsewhere_in(tree) {
            self.has_same_libraries(&old_call)?;
        }
        let why = if old.is_laid_over { "the benches of the working tree" } else { "bench_diff" };
        let moved = lock_file::moved(before.as_deref().unwrap_or_default(), &made.lock).join(", ");
        settings.extend((!moved.is_empty()).then(|| format!("{moved} in the old revision, for {why}")));
        // A patch replaces only dependencies with a source, and a path dependency has none.
        let own = made.harness.parent().filter(|folder| without_links(folder) != without_links(self.harness));
        settings.extend(own.map(|folder| {
            let folder = folder.strip_prefix(tree).unwrap_or(folder).display();
            format!("with the old tree's own copy of bench_diff: {folder}")
        }));
        Ok(Differences { settings, other_variables })
    }

    /// The environment variables that differ only by the paths of the trees, each with whether it is a path
    /// in the tree, and not in the target directory.
    pub(super) fn moved_variables(&self, made: &Made, new: &Variables) -> Vec<(String, bool)> {
        let target = self.target();
        let moved = |old| variables::moved(new, old, [self.top, &target]);
        made.variables.iter().flat_map(moved).collect()
    }

    /// The target directory of the running bench.
    fn target(&self) -> PathBuf {
        self.call.profile().map_or_else(PathBuf::new, |(target, _)| target)
    }

    /// The differences between the two rustc calls that have an explanation: manifests or config files
    /// differ, or a build script may have set an option.
    fn differences(
        &self,
        old: &RustcCall,
        moved: &[[&Path; 2]],
        files: &[String],
    ) -> Result<Vec<String>, String> {
        if let Some((problem, variable)) = debugging_on_one_side(old, &self.call) {
            return Err(format!(
                "{problem}, so a comparison would measure that and not the change: with the environment variable \
                 `{variable}`, cargo builds both alike (with `RUSTFLAGS`, if a flag of rustc sets it)"
            ));
        }
        let mut differences = call::differences(old, &self.call, moved);
        if !differences.is_empty() && files.is_empty() {
            return Err(format!(
                "the two sides are compiled differently, and no profile or settings file explains it ({}): build \
                 both with the same flags and environment variables, such as RUSTFLAGS, and start cargo where it \
                 finds the same `.cargo/config.toml`",
                differences.join("; ")
            ));
        }
        differences.extend(differences_by_scripts(old, &self.call, moved));
        if files.iter().any(|file| file == MANIFEST) {
            differences.push("Cargo.toml has other profiles".to_owned());
        }
        let toolchain = files.iter().find(|file| file.starts_with("rust-toolchain"));
        let toolchain = toolchain.filter(|_| self.call.rustc == old.rustc);
        differences.extend(
            toolchain
                .map(|file| format!("{file} differs, and the toolchain of the working tree builds both")),
        );
        Ok(differences)
    }

    /// Checks that the libraries of both binaries have the same features and profiles: cargo names each by a
    /// hash of those, and of all that it depends on.
    ///
    /// # Errors
    ///
    /// If a library has another name.
    fn has_same_libraries(&self, old: &RustcCall) -> Result<(), String> {
        let old: HashMap<_, _> = old.libraries().collect();
        let differing = self.call.libraries().filter(|(name, file)| {
            let is_of_harness = OWN_CRATES.iter().any(|package| file.starts_with(&format!("lib{package}-")));
            !is_of_harness && old.get(name).is_some_and(|old| old != file)
        });
        let differing: Vec<&str> = differing.map(|(name, _)| name).collect();
        if differing.is_empty() {
            return Ok(());
        }
        Err(format!(
            "the two sides are not built with the same features and profiles, and no manifest explains it (in {} or what \
             that depends on): start this bench with `cargo bench`, whose choice of packages and features then holds \
             for both sides",
            differing.join(", ")
        ))
    }

    /// Returns whether a manifest, which may turn on other features, differs in the old tree.
    fn has_other_manifests(&self, tree: &Path, manifest: &Path, members: &Workspace) -> bool {
        let text = |path: &Path| fs::read_to_string(path).unwrap_or_default();
        let manifests = members.packages.iter().map(|package| Path::new(&package.manifest_path));
        let differs = |old: &Path| {
            let new = today(old, tree, self.top);
            let [old_text, new_text] = [old, &new].map(text);
            // The manifest may have been adapted to its place.
            let moved = with_outer_paths(&new_text, new.parent().unwrap_or(self.top), self.top);
            let own = |text: &str| text.trim_end_matches(OWN_WORKSPACE).to_owned();
            ![own(&new_text), own(&moved)].contains(&own(&old_text))
        };
        manifests.chain([manifest]).any(differs)
    }

    /// The files with build settings whose content differs in the old tree.
    fn other_settings(&self, tree: &Path, manifest: &Path) -> Vec<String> {
        const FILES: [&str; 4] =
            [".cargo/config", ".cargo/config.toml", "rust-toolchain", "rust-toolchain.toml"];

        let text = |path: &Path| fs::read_to_string(path).unwrap_or_default();
        let new_manifest = self.call.folder.join(MANIFEST);
        let folders = folders(tree, manifest.parent().unwrap_or(tree));
        let differs = |file: &&str| {
            folders.iter().any(|folder| {
                let [old, new] = [folder, &today(folder, tree, self.top)].map(|folder| folder.join(file));
                text(&old) != text(&new) && (old.exists() || !holds_for_both(&new))
            })
        };
        let has_other = |file: &&String| {
            let old = file_in_tree(file, [self.top, tree]);
            old.is_some_and(|old| text(Path::new(&old)) != text(Path::new(file)))
        };
        let given = self.cargo_call.iter().flat_map(|call| call.settings()).filter(has_other).cloned();
        let has_profiles = profiles(&text(manifest)) != profiles(&text(&new_manifest));
        let found = FILES.into_iter().filter(differs).chain(has_profiles.then_some(MANIFEST));
        found.map(str::to_owned).chain(given).collect()
    }
}
