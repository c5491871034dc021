//! Builds the old bench binary: the same bench, built by cargo like the one that runs, with the same harness.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::bench::{Bench, BuildError, There};
use super::bench_files;
use super::cargo::{
    Cargo, Package, Workspace, compile_error, fails_to_compile, folders, holds_for_both, shortened, today,
};
use super::checkout::{Checkout, OWN_WORKSPACE};
use super::features::{Selection, selected};
use super::lock_file;
use super::manifest::{MANIFEST, profiles, with_outer_paths};
use super::one_unit;
use super::prepare::{Prepared, lock_in};
use super::seed::seed;
use super::stand_in::Replaced;
use super::units::Units;
use super::variables::{self, differences};
use crate::code::is_foreign;
use crate::layout::RustcCall;
use crate::plan::Uncompared;
use crate::record::json;
use crate::system::executable::{Executable, Variables};
use crate::system::files::cannot;
use crate::system::{lifeline, stderr};

/// The flag with which a bench binary prints how it was compiled.
pub(crate) const CALL_FLAG: &str = "--bench-diff-rustc-call";

/// The file in a target directory with the compiler's answers to cargo.
const ANSWERS: &str = ".rustc_info.json";

/// The result of building the old bench.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "only on Windows, where paths are larger; a run has few values")]
pub(crate) enum Built {
    Program(Program),
    /// The old revision has no such bench, or no binary that could be compared.
    Missing(Uncompared),
}

/// The old bench binary.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) executable: Executable,
    /// The folder of its package, as cargo passed it to the compiler.
    pub(super) package: PathBuf,
    /// The time of the build; `None` if the binary already existed.
    took: Option<Duration>,
    /// The rustc call that it recorded.
    pub(crate) call: Vec<String>,
    /// The compiler settings in which the sides differ, according to profiles, config files or toolchains,
    /// and a note if the old one uses its own harness.
    pub(crate) settings: Vec<String>,
    /// The dependencies whose versions differ between the sides.
    pub(crate) dependencies: Vec<String>,
    /// The crates of the old workspace, if the compiler splits them into codegen units: compiled as
    /// one unit each, their machine code may differ.
    divided: Vec<String>,
    /// The environment variables that differ between the sides at run time, if any: with them, equal code may
    /// do different work.
    pub(crate) other_variables: Option<String>,
    /// Those that differ only by the paths of the trees, with what follows the path of the tree.
    pub(super) moved_variables: Vec<(String, Option<String>)>,
    /// The stand-ins for what its benches need, if any.
    pub(super) replaced: Option<Box<Replaced>>,
}

impl Program {
    /// A line about the build: `built its bench in 41.0 s (kept); same compiler and flags; Cargo.lock: memchr
    /// 2.7.4 -> 2.7.5`.
    pub(crate) fn summary(&self) -> Option<String> {
        let took = self.took?.as_secs_f64();
        let settings = self.settings.join("; ");
        let settings = if settings.is_empty() { "same compiler and flags" } else { &settings };
        let lock = self.dependencies.join(", ");
        let lock = if lock.is_empty() { lock } else { format!("; Cargo.lock: {lock}") };
        Some(format!("built its bench in {took:.1} s (kept); {settings}{lock}"))
    }

    /// Returns whether the bench sources or data that they name may differ from those of the working tree.
    /// For a binary that already existed, its sources are not known.
    pub(crate) fn may_have_other_files(&self, today: &RustcCall) -> bool {
        let call = RustcCall::of(&self.call).filter(|_| self.took.is_some());
        call.is_none_or(|call| bench_files::differ(today, &call))
    }

    /// Returns whether the way in which the compiler split crates may be the only difference. `in_two_ways`
    /// are the paths of functions that were compiled in two ways; if some of them belong to no crate of the
    /// workspace, it may be.
    pub(crate) fn may_differ_by_units(&self, in_two_ways: &[String]) -> bool {
        !self.divided.is_empty() && in_two_ways.iter().any(|path| is_foreign(path, &self.divided))
    }

    /// A binary that was built before.
    ///
    /// # Errors
    ///
    /// If it is no bench binary with this version of the harness.
    pub(super) fn built_before(path: &Path) -> Result<Self, String> {
        let version = env!("CARGO_PKG_VERSION");
        let executable = Executable { path: path.to_owned(), variables: None };
        let call = recorded_call(&executable, Some(version))?.ok_or_else(|| {
            format!("{} is not a bench binary of bench_diff_harness {version}", path.display())
        })?;
        Ok(Self { executable, call, ..Self::default() })
    }
}

impl Bench<'_> {
    /// Builds this bench in another tree.
    ///
    /// # Errors
    ///
    /// Cargo's output, or an unexplained difference between the two builds.
    pub(super) fn build(&self, checkout: &Checkout, there: &There) -> Result<Built, BuildError> {
        let start = Instant::now();
        let (tree, target) = (&*checkout.tree, &*self.folder(checkout).join("target"));
        let workspace = there.manifest.parent().unwrap_or(tree);
        let cargo = Cargo {
            tree,
            workspace,
            top: self.top,
            rustc: &self.call.rustc,
            base: self.cargo_call.map(|call| &call.variables),
            variables: self.variables,
        };
        let other_harness = || Ok(Built::Missing(Uncompared::OtherHarness));
        let members = cargo.workspace(&there.manifest)?;
        let Some(package) = members.package(&there.package) else {
            return Ok(Built::Missing(Uncompared::NoPackage));
        };
        // Cargo decides by the manifest's workspace.
        let root = Path::new(&members.root);
        let (cargo, manifest) = (Cargo { workspace: root, ..cargo }, &*root.join(MANIFEST));
        if !resolved(Path::new(&package.manifest_path)).starts_with(resolved(tree)) {
            let [tree, root] = [tree, root].map(Path::display);
            return Err(format!(
                "{tree} is a part of the workspace in {root}, and not another checkout of it"
            )
            .into());
        }
        let of_file = || there.bench.as_ref().and_then(|file| package.bench_of(file));
        let Some(name) = package.bench(&self.name).or_else(of_file) else {
            return Ok(Built::Missing(Uncompared::NoBench));
        };
        let Selection { mut arguments, lacking } =
            self.selected(&cargo, (&there.manifest, &members), package);
        arguments.extend(["--bench".to_owned(), name.to_owned()]);
        let unknown = || "it is not known in which profile this bench was built".to_owned();
        let given = self.cargo_call.and_then(|call| call.profile.clone());
        let profile = given.or_else(|| self.call.profile_name()).ok_or_else(unknown)?;
        arguments.extend(self.arguments(target, &profile));
        let Some(prepared) = self.prepare(&cargo, checkout, (manifest, &members), (there, package))? else {
            return other_harness();
        };
        let Prepared { before, today, patch, has_stand_ins, replaced } = prepared;
        arguments.extend(patch);
        if self.has_one_unit {
            arguments.extend(members.one_unit_each(&profile, &lock_in(root).unwrap_or_default()));
        }
        let now = lock_file::harness(&today);
        if !target.exists() && !self.has_one_unit {
            stderr::say("building its bench");
        }
        // The user's variables may change a dependency without cargo noticing, so nothing that was built
        // without them is copied.
        let may_seed = !target.exists() && self.variables.is_empty();
        if let Some((from, profile)) = self.call.profile().filter(|_| may_seed) {
            // If copying fails, the build only takes longer.
            let _ = seed(&from, &profile, target);
        }
        let built = cargo.build(package, name, &arguments);
        let lock = lock_in(root).unwrap_or_default();
        if lock_file::is_unfit(&lock) {
            return other_harness();
        }
        let (path, harness) = built.map_err(|words| {
            // If a compiler is killed while cargo asks it something, cargo keeps that failure for all later
            // builds.
            let _ = fs::remove_file(target.join(ANSWERS));
            let inner = Path::new(&package.manifest_path).with_file_name("");
            let ignored = checkout.ignored(&words, &[tree, root, &inner]);
            let reason = format!("its bench does not compile:\n{}{ignored}", shortened(&words));
            let first_error = compile_error(&words).map(str::to_owned);
            let is_of_bench = fails_to_compile(&words, name);
            BuildError { reason, first_error, is_of_bench, replaced: replaced.clone() }
        })?;
        // A binary with another harness may not know the flag, and would run its benches.
        let Some(harness) = harness else { return other_harness() };
        let version = now.map(|harness| harness.version);
        let variables = cargo.variables_of(&path, &arguments);
        let executable = Executable { path, variables: variables.as_ref().ok().cloned().map(Arc::new) };
        let Some(call) = recorded_call(&executable, version)? else { return other_harness() };
        let folder = Path::new(&package.manifest_path).parent().unwrap_or(tree).to_owned();
        let target_here = self.call.profile().map_or_else(PathBuf::new, |(target, _)| target);
        let here = self.variables_here();
        let moved = |there| variables::moved(&here, there, [self.top, &target_here]);
        let moved_variables = variables.iter().flat_map(moved).collect();
        if self.has_one_unit {
            // The rest was compared when the binary with several units was built.
            let program =
                Program { executable, package: folder, call, moved_variables, ..Program::default() };
            return Ok(Built::Program(program));
        }
        let other = RustcCall::of(&call);
        let other = other.ok_or_else(|| "it is not known how the old revision was compiled".to_owned())?;
        let moved = [[target, &target_here], [tree, self.top]];
        let mut settings = self.differences(&other, &moved, &self.other_settings(tree, manifest))?;
        let other_variables = match variables {
            Ok(there) => differences(&here, &there, &moved),
            Err(why) => {
                settings.push(format!(
                    "at run time, both sides have the environment variables of the working tree: {why}"
                ));
                None
            }
        };
        settings.extend(other_variables.clone());
        let lacking = lacking.join(", ");
        settings.extend((!lacking.is_empty()).then(|| format!("the old revision has no feature {lacking}")));
        let is_explained =
            lock != today || has_stand_ins || self.has_other_settings(tree, manifest, &members);
        settings.extend(self.differences_of_crates(&other, is_explained)?);
        let why = if there.is_laid_over { "the benches of the working tree" } else { "bench_diff" };
        let moved = lock_file::moved(before.as_deref().unwrap_or_default(), &lock).join(", ");
        settings.extend((!moved.is_empty()).then(|| format!("{moved} in the old revision, for {why}")));
        // A patch replaces only dependencies with a source, and a path dependency has none.
        let own = harness.parent().filter(|folder| resolved(folder) != resolved(self.harness));
        settings.extend(own.map(|folder| {
            let folder = folder.strip_prefix(tree).unwrap_or(folder).display();
            format!("with the old tree's own copy of bench_diff: {folder}")
        }));
        Ok(Built::Program(Program {
            settings,
            dependencies: lock_file::changes(&lock, &today),
            took: Some(start.elapsed()),
            package: folder,
            divided: match self.call.is_of_one_unit() {
                true => Vec::new(),
                false => members.packages.iter().flat_map(Package::crates).collect(),
            },
            executable,
            call,
            other_variables,
            moved_variables,
            replaced: replaced.map(Box::new),
        }))
    }

    /// The environment variables of this process.
    fn variables_here(&self) -> Variables {
        self.cargo_call.map_or_else(|| env::vars_os().collect(), |call| call.given.clone())
    }

    /// The folder for everything that is built from a tree.
    pub(super) fn folder(&self, checkout: &Checkout) -> PathBuf {
        if self.has_one_unit { checkout.folder.join(one_unit::FOLDER) } else { checkout.folder.clone() }
    }

    /// Selects in the other tree what the user selected for this run, there by the same manifest. `members`
    /// are what cargo reports for the manifest `manifest`.
    fn selected(
        &self,
        cargo: &Cargo<'_>,
        (manifest, members): (&Path, &Workspace),
        package: &Package,
    ) -> Selection {
        let with_manifest = |manifest: &Path, selection: Selection| {
            let manifest = ["--manifest-path".to_owned(), manifest.display().to_string()];
            Selection { arguments: [&manifest[..], &selection.arguments].concat(), ..selection }
        };
        if let Some(call) = self.cargo_call
            && let Some(here) = call.manifest()
            && let Ok(inner) = resolved(&here).strip_prefix(resolved(self.top))
        {
            let (there, trees) = (cargo.tree.join(inner), [self.top, cargo.tree]);
            if there == manifest {
                return with_manifest(&there, call.selected(members, package, trees));
            }
            let has_package = |at: &Workspace| at.packages.iter().any(|member| member.id == package.id);
            // Which packages are selected by default depends on the manifest of the call.
            if there.is_file()
                && let Some(members) = cargo.workspace(&there).ok().filter(has_package)
            {
                return with_manifest(&there, call.selected(&members, package, trees));
            }
        }
        let features = self.features(package);
        let arguments = [&["-p".to_owned(), package.id.clone()][..], &features.arguments].concat();
        with_manifest(Path::new(&package.manifest_path), Selection { arguments, ..features })
    }

    /// Selects the features of the package in the other tree, if only those of the running bench are known.
    fn features(&self, there: &Package) -> Selection {
        let (workspace, rustc) = (&*self.call.folder, &*self.call.rustc);
        let today = Cargo { tree: self.top, workspace, top: self.top, rustc, base: None, variables: &[] };
        // A package without features needs no question to cargo.
        let members =
            (!there.features.is_empty()).then(|| today.workspace(&workspace.join("Cargo.toml")).ok());
        let here = members.as_ref().and_then(|members| members.as_ref()?.package(self.package));
        // If the manifest of the working tree cannot be read, the other one has to do.
        let here = here.map_or(&there.features, |package| &package.features);
        selected(&self.call.features().collect::<Vec<_>>(), here, &there.features)
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

    /// The differences between the two rustc calls that have an explanation: manifests or config files
    /// differ, the user set environment variables, or a build script may have set an option.
    fn differences(
        &self,
        other: &RustcCall,
        moved: &[[&Path; 2]],
        files: &[&str],
    ) -> Result<Vec<String>, String> {
        let debugging = self.call.debugging_on_one_side(other).filter(|_| self.variables.is_empty());
        if let Some((problem, variable)) = debugging {
            return Err(format!(
                "{problem}, so a comparison would measure that and not the change: `--against-env {variable}` builds the \
                 old binary like this one (or `--against-env RUSTFLAGS=...`, if a flag of rustc sets it); any \
                 `--against-env` compares the two builds as they are"
            ));
        }
        let mut differences = self.call.differences(other, moved);
        if !differences.is_empty() && self.variables.is_empty() && files.is_empty() {
            return Err(format!(
                "the two sides are compiled differently, and no profile or settings file explains it ({}): build \
                 both with the same flags and environment variables, such as RUSTFLAGS, and start cargo where it \
                 finds the same `.cargo/config.toml`",
                differences.join("; ")
            ));
        }
        differences.extend(self.call.differences_by_scripts(other, moved));
        let toolchain = files.iter().find(|file| file.starts_with("rust-toolchain"));
        let toolchain = toolchain.filter(|_| self.call.rustc == other.rustc);
        differences.extend(
            toolchain
                .map(|file| format!("{file} differs, and the toolchain of the working tree builds both")),
        );
        Ok(differences)
    }

    /// The features and profiles in which crates differ, or the reason why that is not known.
    ///
    /// # Errors
    ///
    /// If any differ without an explanation.
    fn differences_of_crates(&self, other: &RustcCall, is_explained: bool) -> Result<Vec<String>, String> {
        let units = Units::of(&self.call).and_then(|here| Ok((here, Units::of(other)?)));
        let differences = match units {
            Ok((here, there)) => here.differences(&there),
            Err(why) => {
                return Ok(vec![format!("features and profiles of dependencies are not compared: {why}")]);
            }
        };
        if differences.is_empty() || is_explained {
            return Ok(differences);
        }
        Err(format!(
            "the two sides are not built with the same features and profiles, and no manifest explains it ({}): start \
             this bench with `cargo bench`, whose choice of packages and features then holds for both sides",
            differences.join("; ")
        ))
    }

    /// Returns whether anything in which the trees differ may turn on other features in the other tree.
    fn has_other_settings(&self, tree: &Path, manifest: &Path, members: &Workspace) -> bool {
        let text = |path: &Path| fs::read_to_string(path).unwrap_or_default();
        let manifests = members.packages.iter().map(|package| Path::new(&package.manifest_path));
        let differs = |there: &Path| {
            let here = today(there, tree, self.top);
            let [text_there, text_here] = [there, &here].map(text);
            // The manifest may have been adapted to its place.
            let moved = with_outer_paths(&text_here, here.parent().unwrap_or(self.top), self.top);
            let own = |text: &str| text.trim_end_matches(OWN_WORKSPACE).to_owned();
            ![own(&text_here), own(&moved)].contains(&own(&text_there))
        };
        !self.variables.is_empty()
            || !self.other_settings(tree, manifest).is_empty()
            || manifests.chain([manifest]).any(differs)
    }

    /// The files with build settings whose content differs in the other tree.
    fn other_settings(&self, tree: &Path, manifest: &Path) -> Vec<&'static str> {
        const FILES: [&str; 4] =
            [".cargo/config", ".cargo/config.toml", "rust-toolchain", "rust-toolchain.toml"];

        let text = |path: &Path| fs::read_to_string(path).unwrap_or_default();
        let here = self.call.folder.join("Cargo.toml");
        let folders = folders(tree, manifest.parent().unwrap_or(tree));
        let differs = |file: &&str| {
            folders.iter().any(|there| {
                let (there, here) = (there.join(file), today(there, tree, self.top).join(file));
                text(&there) != text(&here) && (there.exists() || !holds_for_both(&here))
            })
        };
        let has_profiles = profiles(&text(manifest)) != profiles(&text(&here));
        FILES.into_iter().filter(differs).chain(has_profiles.then_some("Cargo.toml")).collect()
    }
}

fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The rustc call that a bench binary recorded; `None` if its harness has another version.
///
/// # Errors
///
/// If the binary ended without printing it.
fn recorded_call(program: &Executable, version: Option<&str>) -> Result<Option<Vec<String>>, String> {
    let ended = lifeline::output(program.command().arg(CALL_FLAG))
        .map_err(|error| cannot("start", &program.path, error))?;
    // The loader ends with 127 if a library is missing, for example.
    if ended.status.code().is_none_or(|code| code == 127) {
        let words = String::from_utf8_lossy(&ended.stderr);
        let words = words.trim().lines().last().map(|line| format!(": {line}")).unwrap_or_default();
        return Err(format!("{} was ended by {}{words}", program.path.display(), ended.status));
    }
    let said = String::from_utf8(ended.stdout).unwrap_or_default();
    let mut call = said.split_terminator('\0').map(str::to_owned);
    let is_same = call.next().is_some_and(|word| word == CALL_FLAG) && call.next().as_deref() == version;
    Ok(is_same.then(|| call.collect()))
}

/// The output of a bench binary for this flag.
pub(crate) fn call_text(recorded: &[&str]) -> String {
    let start = [CALL_FLAG, env!("CARGO_PKG_VERSION")];
    start.iter().chain(recorded).flat_map(|text| [text, "\0"]).collect()
}
