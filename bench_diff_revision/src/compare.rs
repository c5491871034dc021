//! Compares the builds of both sides by their rustc calls, manifests, config files and lock files, and says
//! what explains each difference.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use bench_diff_system::files::without_links;
use bench_diff_system::own_crates::OWN_CRATES;
use bench_diff_system::rustc_call::RustcCall;

use super::bench::Build;
use super::build::{Made, Site};
use super::cargo::{folders, holds_for_both, new_path};
use super::edits::OWN_WORKSPACE;
use super::lock_file;
use super::manifest::{MANIFEST, profiles, with_outer_paths};
use super::program::{moved_variables, other_variables};
use super::selection::file_in_tree;

/// The options that affect the code of a binary, except sources and features.
const COMPARED: &str = "opt-level lto linker-plugin-lto codegen-units panic debug-assertions overflow-checks --target \
    target-cpu target-feature relocation-model code-model linker linker-flavor llvm-args profile-use profile-generate \
    force-frame-pointers force-unwind-tables inline-threshold no-vectorize-loops no-vectorize-slp prefer-dynamic";

/// Options that a build script may set as well, based on what it finds.
const SET_BY_SCRIPTS: &str = "link-arg link-args --cfg";

const CFG: &str = "--cfg";

/// The differences between both programs that something explains.
pub(super) struct Differences {
    /// Those of the builds, each as a line for people.
    pub(super) settings: Vec<String>,
    /// The environment variables that differ at run time, if any.
    pub(super) other_variables: Option<String>,
}

impl Build<'_> {
    /// Compares both builds.
    ///
    /// # Errors
    ///
    /// A difference that nothing explains.
    pub(super) fn compared(&self, site: &Site<'_>, made: &Made) -> Result<Differences, String> {
        let (tree, new_target) = (site.cargo.tree, self.target());
        let old_call =
            RustcCall::of(&made.call).ok_or("it is not known how the old revision was compiled")?;
        let moved = [[site.target, &*new_target], [tree, self.top]];
        let files = self.other_settings(tree, site.manifest);
        let mut settings = self.differences(&old_call, &moved, &files)?;
        let mut at_run_time = None;
        match &made.variables {
            Ok(old) => at_run_time = other_variables(&self.bench.variables, old, &moved),
            Err(why) => settings.push(format!(
                "at run time, both sides have the environment variables of the working tree: {why}"
            )),
        }
        settings.extend(at_run_time.clone());
        let lacking = made.lacking.join(", ");
        settings.extend((!lacking.is_empty()).then(|| format!("the old revision has no feature {lacking}")));
        let is_explained = made.lock != made.prepared.new
            || !files.is_empty()
            || self.has_other_manifests(site)
            || site.members.leads_elsewhere_in(tree);
        if !is_explained {
            self.has_same_libraries(&old_call)?;
        }
        let why = if site.old.is_laid_over { "the benches of the working tree" } else { "bench_diff" };
        let before = made.prepared.before.as_deref().unwrap_or_default();
        let moved = lock_file::moved(before, &made.lock).join(", ");
        settings.extend((!moved.is_empty()).then(|| format!("{moved} in the old revision, for {why}")));
        // A patch replaces only dependencies with a source, and a path dependency has none.
        let harness = without_links(self.bench.harness);
        let own = made.harness.parent().filter(|folder| without_links(folder) != harness);
        settings.extend(own.map(|folder| {
            let folder = folder.strip_prefix(tree).unwrap_or(folder).display();
            format!("with the old tree's own copy of bench_diff: {folder}")
        }));
        Ok(Differences { settings, other_variables: at_run_time })
    }

    /// The environment variables that differ only by the paths of the trees, each with whether it is a path
    /// in the tree, and not in the target directory.
    pub(super) fn moved_variables(&self, made: &Made) -> Vec<(String, bool)> {
        let Ok(old) = &made.variables else { return Vec::new() };
        moved_variables(&self.bench.variables, old, [self.top, &self.target()])
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
        let mut differences = Vec::new();
        if old.rustc != self.call.rustc {
            let [old, new] = [old, &self.call].map(|call| call.rustc.display());
            differences.push(format!("rustc: {old} -> {new}"));
        }
        differences.extend(differences_in(COMPARED, old, &self.call, moved));
        if !differences.is_empty() && files.is_empty() {
            return Err(format!(
                "the two sides are compiled differently, and no profile or settings file explains it ({}): build \
                 both with the same flags and environment variables, such as RUSTFLAGS, and start cargo where it \
                 finds the same `.cargo/config.toml`",
                differences.join("; ")
            ));
        }
        differences.extend(differences_in(SET_BY_SCRIPTS, old, &self.call, moved));
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
        let mut differing = Vec::new();
        for (name, file) in self.call.libraries() {
            let is_own = OWN_CRATES.iter().any(|package| file.starts_with(&format!("lib{package}-")));
            if !is_own && old.get(name).is_some_and(|old| *old != file) {
                differing.push(name);
            }
        }
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
    fn has_other_manifests(&self, site: &Site<'_>) -> bool {
        let members = site.members.packages.iter().map(|package| Path::new(&package.manifest_path));
        for old in members.chain([site.manifest]) {
            let new = new_path(old, site.cargo.tree, self.top);
            let [old_text, new_text] = [old, &new].map(text);
            // The manifest may have been adapted to its place.
            let moved = with_outer_paths(&new_text, new.parent().unwrap_or(self.top), self.top);
            let own = |text: &str| text.trim_end_matches(OWN_WORKSPACE).to_owned();
            if ![own(&new_text), own(&moved)].contains(&own(&old_text)) {
                return true;
            }
        }
        false
    }

    /// The files with build settings whose content differs in the old tree.
    fn other_settings(&self, tree: &Path, manifest: &Path) -> Vec<String> {
        const FILES: [&str; 4] =
            [".cargo/config", ".cargo/config.toml", "rust-toolchain", "rust-toolchain.toml"];

        let mut other = Vec::new();
        let folders = folders(tree, manifest.parent().unwrap_or(tree));
        for file in FILES {
            if folders.iter().any(|folder| self.has_other_file(&folder.join(file), tree)) {
                other.push(file.to_owned());
            }
        }
        if profiles(&text(manifest)) != profiles(&text(&self.call.folder.join(MANIFEST))) {
            other.push(MANIFEST.to_owned());
        }
        for file in self.bench.cargo_call.iter().flat_map(|call| &call.settings) {
            let old = file_in_tree(file, [self.top, tree]);
            if old.is_some_and(|old| text(Path::new(&old)) != text(Path::new(file))) {
                other.push(file.clone());
            }
        }
        other
    }

    /// Returns whether a file of the old tree differs in the working tree.
    fn has_other_file(&self, old: &Path, tree: &Path) -> bool {
        let new = new_path(old, tree, self.top);
        text(old) != text(&new) && (old.exists() || !holds_for_both(&new))
    }
}

/// The text of a file; nothing if it cannot be read.
fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// If only one side is built for debugging, with debug assertions or without optimization: the
/// difference, and the environment variable with which cargo builds the old binary like this one.
fn debugging_on_one_side(old: &RustcCall, new: &RustcCall) -> Option<(String, String)> {
    let profile = new.profile_name().unwrap_or_else(|| "bench".to_owned());
    let variable = |setting: &str, new: &str| {
        format!("CARGO_PROFILE_{}_{setting}={new}", profile.to_uppercase().replace('-', "_"))
    };
    if is_unoptimized(old) != is_unoptimized(new) {
        let [old, new] = [old, new].map(|call| call.value("opt-level").unwrap_or("0"));
        return Some((
            format!("opt-level is {old} in the old binary and {new} in this one"),
            variable("OPT_LEVEL", new),
        ));
    }
    let [old, new] = [old, new].map(has_debug_assertions);
    let words = |is_on| if is_on { "on" } else { "off" };
    (old != new).then(|| {
        let [old_word, new_word] = [old, new].map(words);
        let problem = format!("debug assertions are {old_word} in the old binary and {new_word} in this one");
        (problem, variable("DEBUG_ASSERTIONS", if new { "true" } else { "false" }))
    })
}

fn is_unoptimized(call: &RustcCall) -> bool {
    call.values("-O").next().is_none() && call.value("opt-level").is_none_or(|level| level == "0")
}

fn has_debug_assertions(call: &RustcCall) -> bool {
    let value = call.value("debug-assertions");
    value.map_or_else(|| is_unoptimized(call), |value| ["", "y", "yes", "on", "true"].contains(&value))
}

/// The options of these names that affect code and differ in the old call, as in `opt-level: 2 -> 3`. `moved`
/// pairs paths of the old call with the paths that correspond to them in this one.
fn differences_in(names: &str, old: &RustcCall, new: &RustcCall, moved: &[[&Path; 2]]) -> Vec<String> {
    let mut differences = Vec::new();
    for name in names.split(' ') {
        let (new, mut old) = (values(new, name), values(old, name));
        for [old_path, new_path] in moved {
            old = old.replace(&*old_path.to_string_lossy(), &new_path.to_string_lossy());
        }
        if new != old {
            let [old, new] =
                [old, new].map(|value| if value.is_empty() { "unset".to_owned() } else { value });
            differences.push(format!("{}: {old} -> {new}", name.trim_start_matches('-')));
        }
    }
    differences
}

/// The values of an option, except those of features.
fn values(call: &RustcCall, name: &str) -> String {
    // Cargo sets `test` for all benches.
    let counts = |value: &&str| name != CFG || !(*value == "test" || value.starts_with("feature="));
    let values = call.values(name).filter(counts).map(|value| if value.is_empty() { "set" } else { value });
    values.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(arguments: &str) -> RustcCall {
        let recorded: Vec<&str> = ["/bin/rustc", "/work"].into_iter().chain(arguments.split(' ')).collect();
        RustcCall::of(&recorded).unwrap()
    }

    #[test]
    fn options_that_affect_code_are_compared() {
        let one = call(
            "--crate-name b benches/b.rs --emit=dep-info,link -C opt-level=3 -C lto --cfg feature=\"x\" --cfg tuned \
             -Clink-arg=-T/work/x.ld -Clink-arg=-L/work/target/out --codegen=target-cpu=native -C metadata=1 --out-dir /work/target/release/deps",
        );
        let same = call(
            "--crate-name b -Copt-level=3 --codegen lto -C link-arg=-T/old/tree/x.ld -C link-arg=-L/old/target/out \
             -Ctarget-cpu=native --cfg=tuned -C metadata=2 \
             --cfg feature=\"y\"",
        );
        let moved = [["/old/target", "/work/target"], ["/old/tree", "/work"]].map(|pair| pair.map(Path::new));
        assert_eq!(differences_in(COMPARED, &same, &one, &moved), [""; 0]);
        assert_eq!(differences_in(SET_BY_SCRIPTS, &same, &one, &moved), [""; 0]);
        let other = call("-C opt-level=2 --cfg slow --cfg test -C panic=abort -Cllvm-args=-x");
        assert_eq!(
            differences_in(COMPARED, &other, &one, &moved),
            [
                "opt-level: 2 -> 3",
                "lto: unset -> set",
                "panic: abort -> unset",
                "target-cpu: unset -> native",
                "llvm-args: -x -> unset",
            ]
        );
        assert_eq!(
            differences_in(SET_BY_SCRIPTS, &other, &one, &moved),
            ["link-arg: unset -> -T/work/x.ld -L/work/target/out", "cfg: slow -> tuned"]
        );
    }

    #[test]
    fn debugging_on_only_one_side_is_noticed() {
        let between = |old: &str, new: &str| debugging_on_one_side(&call(old), &call(new));
        let fast = "-Copt-level=3 --out-dir /work/target/release/deps";
        for same in
            ["-Copt-level=s", "-O", "-Copt-level=1 -C debug-assertions=no", "-Copt-level=0 -Copt-level=2"]
        {
            assert_eq!(between(same, fast), None, "{same}");
        }
        assert_eq!(between("-C debug-assertions", "-Copt-level=0"), None);
        let one = |problem: &str, variable: &str| Some((problem.to_owned(), variable.to_owned()));
        assert_eq!(
            between("-Copt-level=3 -Cdebug-assertions=on", fast),
            one(
                "debug assertions are on in the old binary and off in this one",
                "CARGO_PROFILE_BENCH_DEBUG_ASSERTIONS=false"
            )
        );
        assert_eq!(
            between("-Copt-level=3", "-Copt-level=3 -Cdebug-assertions --out-dir target/my-fast/deps"),
            one(
                "debug assertions are off in the old binary and on in this one",
                "CARGO_PROFILE_MY_FAST_DEBUG_ASSERTIONS=true"
            )
        );
        assert_eq!(
            between("-Cpanic=abort", fast),
            one("opt-level is 0 in the old binary and 3 in this one", "CARGO_PROFILE_BENCH_OPT_LEVEL=3")
        );
    }
}
