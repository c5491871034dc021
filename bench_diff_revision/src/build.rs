//! Builds the old bench binary: the same bench, built by cargo like the one that runs, with the same harness.
//!
//! Cargo says where the package and the bench are ([`Site`]); the tree gets the harness and its lock file
//! ([`Build::prepare`]); cargo builds the bench and starts it for its environment ([`Made`]); both builds are
//! compared ([`Build::compared`]).

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use bench_diff_git::Checkout;
use bench_diff_system::executable::{Executable, Variables};
use bench_diff_system::files::without_links;
use bench_diff_system::json;
use bench_diff_system::own_crates::OWN_CRATES;
use bench_diff_system::rustc_call::RustcCall;
use bench_diff_system::stderr;

use super::bench::{Build, OldPackage};
use super::cargo::Cargo;
use super::cargo_call::CargoCall;
use super::cargo_output::{BuildError, NOT_COMPILED, fails_to_compile, is_denied, shortened};
use super::lock_file::packages;
use super::prepare::lock_in;
use super::program::{Answer, Missing, Program};
use super::seed::seed;
use super::selection::Selection;
use super::workspace::{Package, Workspace};

/// The file in a target directory of a tree that denies lints of this compiler.
const DENIES: &str = "denies_lints";

/// The file in a target directory with the compiler's answers to cargo.
const ANSWERS: &str = ".rustc_info.json";

/// The folder for the build with one codegen unit for each crate, in the folder of its tree.
const ONE_UNIT: &str = "one_unit";

/// The bench of the old tree, as cargo finds it.
pub(super) struct Site<'s> {
    pub(super) checkout: &'s Checkout,
    pub(super) old: &'s OldPackage,
    pub(super) cargo: Cargo<'s>,
    /// The manifest of the call, or that of `old` if the call has none in this tree.
    manifest: &'s Path,
    /// What cargo reports for it.
    pub(super) members: &'s Workspace,
    pub(super) package: &'s Package,
    /// The name of the bench.
    pub(super) name: &'s str,
    pub(super) target: &'s Path,
}

impl Site<'_> {
    /// The folder with the root of its workspace.
    pub(super) fn root(&self) -> &Path {
        Path::new(&self.members.root)
    }
}

/// A bench binary that cargo built, with the running harness.
pub(super) struct Made {
    pub(super) executable: Executable,
    /// The rustc call that it recorded.
    pub(super) call: Vec<String>,
    /// The environment variables that cargo gives it.
    pub(super) variables: Variables,
    /// The features that the user selected and this tree does not have.
    pub(super) lacking: Vec<String>,
    /// The lock files of the tree before and after the build, and that of the working tree.
    pub(super) locks: [String; 3],
}

impl Build<'_> {
    /// Builds this bench in another tree, if the tree has it.
    ///
    /// # Errors
    ///
    /// Cargo's output, or an unexplained difference between the two builds.
    pub(super) fn program(
        &self,
        checkout: &Checkout,
        old: &OldPackage,
    ) -> Result<Result<Program, Missing>, BuildError> {
        match self.built(checkout, old) {
            Err(BuildError { missing: Some(why), .. }) => Ok(Err(why)),
            built => built.map(Ok),
        }
    }

    fn built(&self, checkout: &Checkout, old: &OldPackage) -> Result<Program, BuildError> {
        let start = Instant::now();
        let tree = &*checkout.tree;
        let cargo = self.cargo(tree);
        let (manifest, members) = &self.members(&cargo, old)?;
        let package = self.package(members, old)?;
        let of_file = || old.bench.as_ref().and_then(|file| package.bench_of(file));
        let bench = package.bench(&self.bench.name).or_else(of_file).ok_or(Missing::NoBench)?;
        let target = &*self.folder(checkout).join("target");
        let site = Site { checkout, old, cargo, manifest, members, package, name: &bench.name, target };
        let program = self.compared(&site, self.made(&site)?)?;
        Ok(Program { took: start.elapsed(), is_split: !is_of_one_unit(&self.call), ..program })
    }

    /// The manifest by which cargo finds the package in a tree, and the members of its workspace. Which of
    /// them are selected by default depends on the manifest of the call.
    fn members(&self, cargo: &Cargo<'_>, old: &OldPackage) -> Result<(PathBuf, Workspace), BuildError> {
        if let Some(new) = self.cargo_call.manifest()
            && let Some(manifest) = self.place_in(cargo.tree, &new)
            && manifest.is_file()
            && let Ok(members) = cargo.workspace(&manifest)
            && members.package(&old.name).is_some()
        {
            return Ok((manifest, members));
        }
        let members = cargo.workspace(&old.manifest);
        Ok((old.manifest.clone(), members.map_err(|words| BuildError::of(&words, "", cargo.tree))?))
    }

    /// The bench's package among the members of a workspace.
    fn package<'m>(&self, members: &'m Workspace, old: &OldPackage) -> Result<&'m Package, BuildError> {
        members.package(&old.name).ok_or_else(|| {
            if old.name == self.bench.package {
                return Missing::NoPackage.into();
            }
            format!("it has no package `{}`, which --against-package names", old.name).into()
        })
    }

    /// Lets cargo build the bench at this site.
    fn made(&self, site: &Site<'_>) -> Result<Made, BuildError> {
        let selected =
            |call: &CargoCall| call.selected(site.members, site.package, [self.top, site.cargo.tree]);
        let Selection { arguments: selection, lacking } = selected(&self.cargo_call);
        let [before, new] = self.prepare(site)?.ok_or(Missing::OtherHarness)?;
        let arguments = self.arguments(site);
        self.begin(site.target);
        let (cargo, built) = built_with_lints(site, &[&selection[..], &arguments].concat());
        let locks = [before, lock_in(site.root()).unwrap_or_default(), new];
        let (path, has_harness) = built.map_err(|words| build_error(site, &words))?;
        let ask = |selection: Vec<String>| cargo.asked(site.package, &[&selection[..], &arguments].concat());
        // Another harness may not know the flag, and would run its benches.
        if !has_harness {
            return Err(Missing::OtherHarness.into());
        }
        // Cargo starts all benches of this name, or none if one does not compile.
        let mut answer = None;
        if !site.members.has_foreign_bench(site.name) {
            answer = ask(selection).ok().flatten();
        }
        if answer.is_none() {
            answer = ask(selected(&self.cargo_call.alone()).arguments)?;
        }
        let Answer { variables, call, .. } = answer.ok_or(Missing::OtherHarness)?;
        let executable = Executable { path, variables: Some(Arc::new(variables.clone())) };
        Ok(Made { executable, call, variables, lacking, locks })
    }

    /// Begins a new target directory with the crates that are built already.
    fn begin(&self, target: &Path) {
        if target.exists() {
            return;
        }
        if !self.has_one_unit {
            stderr::say("building its bench");
        }
        if let Some((from, profile)) = self.call.profile() {
            let locked = packages(&lock_in(self.root()).unwrap_or_default());
            let [released, own] = [true, false].map(|has_source| {
                let locked = locked.iter().filter(|package| package.source.is_some() == has_source);
                locked.map(|package| package.name.clone()).collect::<HashSet<_>>()
            });
            let mut others = &released - &own;
            if !self.bench.harness.starts_with(self.top) {
                others.extend(OWN_CRATES.map(str::to_owned));
            }
            // If copying fails, the build only takes longer.
            let _ = seed(&from, &profile, target, &others);
        }
    }

    /// The folder for everything that is built from a tree.
    pub(super) fn folder(&self, checkout: &Checkout) -> PathBuf {
        if self.has_one_unit { checkout.folder.join(ONE_UNIT) } else { checkout.folder.clone() }
    }

    /// The settings of cargo calls for a tree.
    pub(super) fn cargo<'c>(&'c self, tree: &'c Path) -> Cargo<'c> {
        Cargo { build: self, tree, caps_lints: false }
    }

    /// The folder of the cargo call, and the one that corresponds to it in a tree: the nearest one above that
    /// exists there. A folder outside of the repository is the same for both.
    pub(super) fn folders(&self, tree: &Path) -> [PathBuf; 2] {
        let new = without_links(&self.cargo_call.folder);
        let Some(old) = self.place_in(tree, &new) else { return [new.clone(), new] };
        let existing = old.ancestors().find(|folder| folder.is_dir()).unwrap_or(tree).to_owned();
        [new, existing]
    }

    /// The place in a tree that corresponds to one in the working tree; `None` outside of the repository.
    pub(super) fn place_in(&self, tree: &Path, new: &Path) -> Option<PathBuf> {
        Some(tree.join(without_links(new).strip_prefix(without_links(self.top)).ok()?))
    }

    /// The name of the profile.
    pub(super) fn profile(&self) -> String {
        self.cargo_call.profile.clone().unwrap_or_else(|| self.call.profile_name())
    }

    /// The arguments that make cargo build the bench like the running one, except for its features.
    fn arguments(&self, site: &Site<'_>) -> Vec<String> {
        let (target, profile) = (site.target.display().to_string(), self.profile());
        let mut arguments = vec![
            format!("--manifest-path={}", site.manifest.display()),
            format!("--bench={}", site.name),
            format!("--profile={profile}"),
            format!("--target-dir={target}"),
            // A shared build directory would mix the files of both sides.
            format!("--config=build.build-dir={}", json::to_string(&target)),
        ];
        // As rustc was told it: the call may have named several. One of a config file belongs to its tree.
        let typed = self.call.target().filter(|_| self.cargo_call.target.is_some());
        arguments.extend(typed.map(|target| format!("--target={target}")));
        if self.has_one_unit {
            let lock = lock_in(site.root()).unwrap_or_default();
            arguments.extend(site.members.one_unit_each(&profile, &lock));
        }
        arguments
    }
}

/// Lets cargo build the bench at a site, and returns the calls that can build it: with lints as warnings if
/// the tree denies some of this compiler.
fn built_with_lints<'s>(
    site: &Site<'s>,
    arguments: &[String],
) -> (Cargo<'s>, Result<(PathBuf, bool), String>) {
    let denies = site.target.join(DENIES);
    let mut cargo = Cargo { caps_lints: denies.exists(), ..site.cargo.clone() };
    let built = cargo.build(site, arguments);
    if cargo.caps_lints || !built.as_ref().is_err_and(|words| is_denied(words)) {
        return (cargo, built);
    }
    let _ = fs::write(denies, "");
    cargo.caps_lints = true;
    let built = cargo.build(site, arguments);
    (cargo, built)
}

/// The error of a build in which cargo said this.
fn build_error(site: &Site<'_>, words: &str) -> BuildError {
    // If a compiler is killed while cargo asks it something, cargo keeps that failure for all later builds.
    let _ = fs::remove_file(site.target.join(ANSWERS));
    let error = BuildError::of(words, "", site.cargo.tree);
    let failed = if words.contains(NOT_COMPILED) {
        "its bench does not compile"
    } else {
        "cargo does not build its bench"
    };
    BuildError {
        reason: format!("{failed}:\n{}", shortened(words)),
        is_of_bench: error.is_of_bench || fails_to_compile(words, site.name),
        ..error
    }
}

impl Workspace {
    /// The cargo settings that compile each member as one codegen unit in this profile, so that both sides do
    /// not differ merely in how the compiler split crates. All other crates are compiled as before, so
    /// existing builds of them are reused. That includes the harness, since no verdict depends on its code.
    fn one_unit_each(&self, profile: &str, lock: &str) -> impl Iterator<Item = String> {
        let members = self.packages.iter().filter(|package| !OWN_CRATES.contains(&&*package.name));
        members.map(move |package| {
            // Cargo refuses settings for the id if the user's manifest has some for the name. But the name
            // would also select a dependency of the harness that is called the same.
            let is_one = packages(lock).iter().filter(|other| other.name == package.name).count() <= 1;
            let spec = if is_one { &package.name } else { &package.id };
            format!("--config=profile.{profile}.package.{}.codegen-units=1", json::to_string(spec))
        })
    }
}

/// Returns whether the compiler doesn't split crates anyway, or joins all of them again with fat LTO.
fn is_of_one_unit(call: &RustcCall) -> bool {
    let is_fat = |lto| !["off", "no", "n", "false", "thin"].contains(&lto);
    call.value("codegen-units") == Some("1") || call.value("lto").is_some_and(is_fat)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_for_a_member_and_no_dependency_of_its_name() {
        let package =
            |name: &str, id: &str| Package { name: name.to_owned(), id: id.to_owned(), ..Package::default() };
        let itoa = package("itoa", "path+file:///work/itoa#1.0.13");
        let members =
            Workspace::of(vec![itoa, package("bench_diff_macros", "path+file:///work/macros#0.1.0")]);
        let settings = |lock: &str| members.one_unit_each("bench", lock).collect::<Vec<_>>();
        let setting = |spec: &str| [format!("--config=profile.bench.package.\"{spec}\".codegen-units=1")];
        let here = "[[package]]\nname = \"itoa\"\nversion = \"1.0.13\"\n";
        assert_eq!(settings(here), setting("itoa"));
        let released = "[[package]]\nname = \"itoa\"\nversion = \"1.0.15\"\nsource = \"registry\"\n";
        assert_eq!(settings(&format!("{here}\n{released}")), setting("path+file:///work/itoa#1.0.13"));
    }

    #[test]
    fn crates_are_split_unless_the_profile_says_otherwise() {
        let is_one = |arguments: &str| {
            let recorded: Vec<&str> = ["rustc", "/work"].into_iter().chain(arguments.split(' ')).collect();
            is_of_one_unit(&RustcCall::of(&recorded).unwrap())
        };
        for one in ["-C codegen-units=1", "-C lto", "-C lto=fat", "-Ccodegen-units=16 -Ccodegen-units=1"] {
            assert!(is_one(one), "{one}");
        }
        for several in ["-C opt-level=3", "-C codegen-units=16", "-C lto=thin", "-C lto=off"] {
            assert!(!is_one(several), "{several}");
        }
    }
}
