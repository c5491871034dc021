//! Builds the old bench binary: the same bench, built by cargo like the one that runs, with the same harness.

use super::one_unit::is_of_one_unit;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::alike::Differences;
use super::bench::{Bench, OldPackage};
use super::build_error::BuildError;
use super::cargo::{Cargo, Package, Workspace, fails_to_compile, is_denied, shortened};
use super::cargo_call::CargoCall;
use super::checkout::Checkout;
use super::features::{Selection, selected};
use super::lock_file;
use super::manifest::MANIFEST;
use super::one_unit;
use super::prepare::lock_in;
use super::program::Missing;
use super::program::{Built, Program, recorded_call};
use super::seed::seed;
use super::site::{Made, Site};
use bench_diff_system::executable::{Executable, Variables};
use bench_diff_system::files::without_links;
use bench_diff_system::json;
use bench_diff_system::stderr;

/// The file in a target directory of a tree that denies lints of this compiler.
const DENIES: &str = "denies_lints";

/// The file in a target directory with the compiler's answers to cargo.
const ANSWERS: &str = ".rustc_info.json";

/// Why there is no old program to compare with.
enum NoProgram {
    /// The old revision has no such bench, or no binary that could be compared.
    Missing(Missing),
    Failed(BuildError),
}

impl From<Missing> for NoProgram {
    fn from(why: Missing) -> Self {
        Self::Missing(why)
    }
}

impl<E: Into<BuildError>> From<E> for NoProgram {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl Bench<'_> {
    /// Builds this bench in another tree.
    ///
    /// # Errors
    ///
    /// Cargo's output, or an unexplained difference between the two builds.
    pub(super) fn build(&self, checkout: &Checkout, old: &OldPackage) -> Result<Built, BuildError> {
        match self.program(checkout, old) {
            Ok(program) => Ok(Built::Program(program)),
            Err(NoProgram::Missing(why)) => Ok(Built::Missing(why)),
            Err(NoProgram::Failed(error)) => Err(error),
        }
    }

    fn program(&self, checkout: &Checkout, old: &OldPackage) -> Result<Program, NoProgram> {
        let start = Instant::now();
        let tree = &*checkout.tree;
        let cargo = Cargo {
            tree,
            workspace: old.manifest.parent().unwrap_or(tree),
            top: self.top,
            rustc: &self.call.rustc,
            base: self.cargo_call.map(|call| &call.variables),
            caps_lints: false,
        };
        let members = cargo.workspace(&old.manifest).map_err(|words| cargo.error(&words, ""))?;
        let Some(package) = members.package(&old.name) else {
            if old.name == self.package {
                return Err(Missing::NoPackage.into());
            }
            let reason = format!("it has no package `{}`, which --against-package names", old.name);
            return Err(reason.into());
        };
        // Cargo decides by the manifest's workspace.
        let root = Path::new(&members.root);
        if !without_links(Path::new(&package.manifest_path)).starts_with(without_links(tree)) {
            let [tree, root] = [tree, root].map(Path::display);
            return Err(format!(
                "{tree} is a part of the workspace in {root}, and not another checkout of it"
            )
            .into());
        }
        let of_file = || old.bench.as_ref().and_then(|file| package.bench_of(file));
        let name = package.bench(&self.name).or_else(of_file).ok_or(Missing::NoBench)?;
        let (manifest, target) = (&*root.join(MANIFEST), &*self.folder(checkout).join("target"));
        let cargo = Cargo { workspace: root, ..cargo };
        let site = Site { checkout, old, cargo, members: &members, manifest, package, name, target };
        let made = self.made(&site)?;
        let new_variables = self.variables();
        let program = Program {
            package: Path::new(&package.manifest_path).parent().unwrap_or(tree).to_owned(),
            moved_variables: self.moved_variables(&made, &new_variables),
            ..Program::default()
        };
        if self.has_one_unit {
            // The rest was compared when the binary with several units was built.
            return Ok(Program { executable: made.executable, call: made.call, ..program });
        }
        let Differences { settings, other_variables } = self.compared(&site, &made, &new_variables)?;
        Ok(Program {
            settings,
            other_variables,
            dependencies: lock_file::changes(&made.lock, &made.prepared.today),
            took: start.elapsed(),
            divided: match is_of_one_unit(&self.call) {
                true => Vec::new(),
                false => members.packages.iter().flat_map(Package::crates).collect(),
            },
            executable: made.executable,
            call: made.call,
            ..program
        })
    }

    /// Lets cargo build the bench at this site.
    fn made(&self, site: &Site<'_>) -> Result<Made, NoProgram> {
        let Site { checkout, old, cargo, members, manifest, package, name, target } = site;
        let root = cargo.workspace;
        let selected = |call| self.selected(call, cargo, (&old.manifest, members), package);
        let Selection { arguments: mut selection, lacking } = selected(self.cargo_call);
        let mut arguments = vec!["--bench".to_owned(), (*name).to_owned()];
        let unknown = || "it is not known in which profile this bench was built".to_owned();
        let given = self.cargo_call.and_then(|call| call.profile.clone());
        let profile = given.or_else(|| self.call.profile_name()).ok_or_else(unknown)?;
        arguments.extend(self.arguments(target, &profile));
        let prepared = self.prepare(cargo, checkout, manifest, (members, old.is_laid_over))?;
        let prepared = prepared.ok_or(Missing::OtherHarness)?;
        arguments.extend_from_slice(&prepared.patch);
        if self.has_one_unit {
            arguments.extend(members.one_unit_each(&profile, &lock_in(root).unwrap_or_default()));
        }
        if !target.exists() && !self.has_one_unit {
            stderr::say("building its bench");
        }
        if let Some((from, profile)) = self.call.profile().filter(|_| !target.exists()) {
            // If copying fails, the build only takes longer.
            let _ = seed(&from, &profile, target);
        }
        let denies = target.join(DENIES);
        let mut cargo = Cargo { caps_lints: denies.exists(), ..*cargo };
        let all = [&selection[..], &arguments].concat();
        let mut built = cargo.build(package, name, &all);
        if built.as_ref().is_err_and(|words| is_denied(words)) && !cargo.caps_lints {
            let _ = fs::write(denies, "");
            cargo.caps_lints = true;
            built = cargo.build(package, name, &all);
        }
        let lock = lock_in(root).unwrap_or_default();
        if lock_file::is_unfit(&lock) {
            return Err(Missing::OtherHarness.into());
        }
        let (path, harness) = built.map_err(|words| self.build_error(site, &words))?;
        // A binary with another harness may not know the flag, and would run its benches.
        let harness = harness.ok_or(Missing::OtherHarness)?;
        // Cargo starts all benches of this name, and another harness may ignore the flag and run its
        // benchmarks.
        if let Some(call) = self.cargo_call.filter(|_| members.has_foreign_bench(name)) {
            selection = selected(Some(&call.alone())).arguments;
        }
        let variables = cargo.variables_of(package, &[selection, arguments].concat());
        let executable = Executable { path, variables: variables.as_ref().ok().cloned().map(Arc::new) };
        let version = lock_file::harness(&prepared.today).map(|harness| harness.version);
        let call = recorded_call(&executable, version.as_deref())?.ok_or(Missing::OtherHarness)?;
        Ok(Made { executable, harness, call, variables, lacking, prepared, lock })
    }

    /// The error of a build in which cargo said this.
    fn build_error(&self, site: &Site<'_>, words: &str) -> BuildError {
        let Site { checkout, cargo, package, name, target, .. } = site;
        // If a compiler is killed while cargo asks it something, cargo keeps that failure for all later
        // builds.
        let _ = fs::remove_file(target.join(ANSWERS));
        let inner = Path::new(&package.manifest_path).with_file_name("");
        let ignored = checkout.ignored(words, &[cargo.tree, cargo.workspace, &inner]);
        let error = cargo.error(words, "");
        BuildError {
            reason: format!("its bench does not compile:\n{}{ignored}", shortened(words)),
            is_of_bench: error.is_of_bench || fails_to_compile(words, name),
            ..error
        }
    }

    /// The environment variables of this process.
    fn variables(&self) -> Variables {
        self.cargo_call.map_or_else(|| env::vars_os().collect(), |call| call.given.clone())
    }

    /// The folder for everything that is built from a tree.
    pub(super) fn folder(&self, checkout: &Checkout) -> PathBuf {
        if self.has_one_unit { checkout.folder.join(one_unit::FOLDER) } else { checkout.folder.clone() }
    }

    /// Selects in the old tree what this call selects in the working tree, by the same manifest. `members`
    /// are what cargo reports for the manifest `manifest`.
    fn selected(
        &self,
        call: Option<&CargoCall>,
        cargo: &Cargo<'_>,
        (manifest, members): (&Path, &Workspace),
        package: &Package,
    ) -> Selection {
        let with_manifest = |manifest: &Path, selection: Selection| {
            let manifest = ["--manifest-path".to_owned(), manifest.display().to_string()];
            Selection { arguments: [&manifest[..], &selection.arguments].concat(), ..selection }
        };
        if let Some(call) = call
            && let Some(new) = call.manifest()
            && let Ok(inner) = without_links(&new).strip_prefix(without_links(self.top))
        {
            let (old, trees) = (cargo.tree.join(inner), [self.top, cargo.tree]);
            if old == manifest {
                return with_manifest(&old, call.selected(members, package, trees));
            }
            let has_package = |at: &Workspace| at.packages.iter().any(|member| member.id == package.id);
            // Which packages are selected by default depends on the manifest of the call.
            if old.is_file()
                && let Some(members) = cargo.workspace(&old).ok().filter(has_package)
            {
                return with_manifest(&old, call.selected(&members, package, trees));
            }
        }
        let features = self.features(package);
        let arguments = [&["-p".to_owned(), package.id.clone()][..], &features.arguments].concat();
        with_manifest(Path::new(&package.manifest_path), Selection { arguments, ..features })
    }

    /// Selects the features of the package in the old tree, if only those of the running bench are known.
    fn features(&self, old: &Package) -> Selection {
        let (workspace, rustc) = (&*self.call.folder, &*self.call.rustc);
        let cargo = Cargo { tree: self.top, workspace, top: self.top, rustc, base: None, caps_lints: false };
        // A package without features needs no question to cargo.
        let members = (!old.features.is_empty()).then(|| cargo.workspace(&workspace.join(MANIFEST)).ok());
        let new = members.as_ref().and_then(|members| members.as_ref()?.package(self.package));
        // If the manifest of the working tree cannot be read, the old one has to do.
        let new = new.map_or(&old.features, |package| &package.features);
        selected(&self.call.features().collect::<Vec<_>>(), new, &old.features)
    }

    /// The arguments that make cargo build the bench like the running one, except for its features.
    fn arguments(&self, target: &Path, profile: &str) -> impl Iterator<Item = String> {
        let target = target.display().to_string();
        let arguments = [
            format!("--profile={profile}"),
            format!("--target-dir={target}"),
            // A shared build directory would mix the files of both sides.
            format!("--config=build.build-dir={}", json::to_string(&target)),
        ];
        arguments.into_iter().chain(self.call.target().map(|target| format!("--target={target}")))
    }
}
