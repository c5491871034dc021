//! Calls cargo for another tree as it was called for this one.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::build_error::BuildError;
use super::features::Features;
use super::git::{Git, OF_HOOKS, without_hooks};
use super::manifest::variables;
use super::toml::parse;
use bench_diff_system::executable::Variables;
use bench_diff_system::json;
use bench_diff_system::lifeline;
use bench_diff_system::own_crates::{FRONT_ENDS, HARNESS};

/// The most lines of cargo's output that are shown.
const SHOWN: usize = 30;

/// The settings of cargo calls for a tree.
#[derive(Clone, Copy)]
pub(super) struct Cargo<'a> {
    pub(super) tree: &'a Path,
    /// The folder in it with the root of the workspace.
    pub(super) workspace: &'a Path,
    /// The root of the user's repository. Cargo runs above it, since it would otherwise read the config files
    /// there.
    pub(super) top: &'a Path,
    /// The compiler that built the running bench.
    pub(super) rustc: &'a Path,
    /// The environment variables that cargo gets; if `None`, it gets those of this process, to which cargo
    /// has added its own.
    pub(super) base: Option<&'a Variables>,
    /// True if lints are at most warnings: a newer compiler may have more of them, and a tree that denies
    /// them all would not build.
    pub(super) caps_lints: bool,
}

/// The packages of a workspace.
#[derive(miniserde::Deserialize)]
pub(super) struct Workspace {
    pub(super) packages: Vec<Package>,
    #[serde(rename = "workspace_root")]
    pub(super) root: String,
    /// The ids of the packages that the manifest selects by default; older versions of cargo don't report
    /// them.
    workspace_default_members: Option<Vec<String>>,
}

#[derive(Default, miniserde::Deserialize)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) id: String,
    pub(super) manifest_path: String,
    pub(super) features: Features,
    pub(super) dependencies: Vec<Dependency>,
    pub(super) targets: Vec<Target>,
}

/// A dependency as written in the manifest of a package.
#[derive(Debug, Default, miniserde::Deserialize)]
pub(super) struct Dependency {
    pub(super) name: String,
    pub(super) rename: Option<String>,
    /// `None` for a dependency in a folder.
    pub(super) source: Option<String>,
    /// The folder of such a dependency.
    pub(super) path: Option<String>,
}

#[derive(miniserde::Deserialize)]
pub(super) struct Target {
    name: String,
    kind: Vec<String>,
    src_path: String,
}

impl Workspace {
    pub(super) fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.name == name)
    }

    /// The dependency on the harness or on one of its front ends, if any package has one.
    pub(super) fn harness(&self) -> Option<&Dependency> {
        self.packages.iter().find_map(Package::harness)
    }

    /// Returns whether a package without the harness has a bench of this name.
    pub(super) fn has_foreign_bench(&self, name: &str) -> bool {
        self.packages.iter().any(|package| package.harness().is_none() && package.bench(name).is_some())
    }

    /// Returns whether a package depends on a folder of this tree that is not in the workspace. Cargo takes
    /// that for another package in each tree.
    pub(super) fn leads_elsewhere_in(&self, tree: &Path) -> bool {
        let dependencies = self.packages.iter().flat_map(|package| &package.dependencies);
        let mut folders = dependencies.filter_map(|dependency| dependency.path.as_deref());
        folders
            .any(|folder| Path::new(folder).starts_with(tree) && !Path::new(folder).starts_with(&self.root))
    }

    /// Returns whether a cargo call with the manifest selects this package if it names no package.
    pub(super) fn has_by_default(&self, package: &Package) -> bool {
        self.workspace_default_members.as_ref().is_some_and(|members| members.contains(&package.id))
    }
}

impl Package {
    fn harness(&self) -> Option<&Dependency> {
        let is_of_bench_diff = |name: &str| name == HARNESS || FRONT_ENDS.contains(&name);
        self.dependencies.iter().find(|dependency| is_of_bench_diff(&dependency.name))
    }

    /// Returns whether one of its dependencies has this name in the source.
    pub(super) fn depends_on(&self, name: &str) -> bool {
        let names =
            self.dependencies.iter().map(|dependency| dependency.rename.as_ref().unwrap_or(&dependency.name));
        names.into_iter().any(|known| known == name)
    }

    /// The crates that are compiled from it.
    pub(super) fn crates(&self) -> impl Iterator<Item = String> {
        self.targets.iter().map(|target| target.name.replace('-', "_"))
    }

    /// The name of a bench as its manifest spells it; `name` may have `_` for `-`.
    pub(super) fn bench(&self, name: &str) -> Option<&str> {
        self.targets.iter().find(|target| target.is_bench(name)).map(|target| &*target.name)
    }

    /// The name of the bench with this source file.
    pub(super) fn bench_of(&self, file: &Path) -> Option<&str> {
        let has_file =
            |target: &&Target| target.is_bench(&target.name) && Path::new(&target.src_path) == file;
        self.targets.iter().find(has_file).map(|target| &*target.name)
    }
}

impl Target {
    fn is_bench(&self, name: &str) -> bool {
        self.name.replace('-', "_") == name.replace('-', "_") && self.kind.iter().any(|kind| kind == "bench")
    }
}

/// A message of cargo during a build, with the fields that are used.
#[derive(miniserde::Deserialize)]
struct Message {
    target: Option<Target>,
    executable: Option<String>,
    package_id: Option<String>,
    manifest_path: Option<String>,
}

impl Cargo<'_> {
    /// The workspace of a manifest.
    ///
    /// # Errors
    ///
    /// Cargo's output.
    pub(super) fn workspace(&self, manifest: &Path) -> Result<Workspace, String> {
        let mut command = self.call(&["metadata", "--format-version=1", "--no-deps"]);
        let (said, errors) = output(command.arg("--manifest-path").arg(manifest))?;
        errors.map_or(Ok(()), |words| Err(shortened(&words)))?;
        json::from_str(&said).map_err(|error| format!("cargo metadata: {error}"))
    }

    /// The error of a call in which cargo said this, after these words.
    pub(super) fn error(&self, words: &str, start: &str) -> BuildError {
        BuildError {
            refusal: refusal(words, self.tree).map(str::to_owned),
            is_of_bench: !words.contains(NOT_COMPILED),
            ..format!("{start}{words}").into()
        }
    }

    /// Makes cargo add missing packages to the lock file of a manifest, with these arguments.
    ///
    /// # Errors
    ///
    /// Cargo's output.
    pub(super) fn complete_lock(&self, manifest: &Path, arguments: &[String]) -> Result<(), String> {
        // `cargo update --workspace` changes no locked version and, unlike a build or `cargo metadata`,
        // downloads no crate.
        let mut command = self.call(&["update", "--workspace"]);
        let (_, errors) = output(command.args(arguments).arg("--manifest-path").arg(manifest))?;
        errors.map_or(Ok(()), |words| Err(shortened(&words)))
    }

    /// Builds a bench of a package with these arguments for cargo, and returns the bench binary and the
    /// manifest of its harness.
    ///
    /// # Errors
    ///
    /// All of cargo's output.
    pub(super) fn build(
        &self,
        package: &Package,
        bench: &str,
        arguments: &[String],
    ) -> Result<(PathBuf, Option<PathBuf>), String> {
        // `--keep-going` builds the bench even if benches of that name in other packages do not compile.
        let mut command = self.call(&["build", "--keep-going", "--message-format=json-render-diagnostics"]);
        let (said, errors) = output(command.args(arguments))?;
        let (mut program, mut harness) = (None, None);
        for message in said.lines().filter_map(|line| json::from_str::<Message>(line).ok()) {
            match message.target {
                Some(target)
                    if target.is_bench(bench) && message.package_id.as_ref() == Some(&package.id) =>
                {
                    program = message.executable.map(PathBuf::from);
                }
                Some(target) if target.name == HARNESS => harness = message.manifest_path.map(PathBuf::from),
                _ => {}
            }
        }
        match (program, errors) {
            (Some(program), _) => Ok((program, harness)),
            (None, Some(errors)) => Err(errors),
            (None, None) => Err(format!("cargo reported no executable for the bench {bench}")),
        }
    }

    pub(super) fn call(&self, arguments: &[&str]) -> Command {
        // The cargo that started the bench, or else the one next to the compiler.
        let cargo = format!("cargo{}", env::consts::EXE_SUFFIX);
        let beside = Some(self.rustc.with_file_name(cargo)).filter(|cargo| cargo.is_file());
        let cargo = env::var_os("CARGO").or_else(|| Some(beside?.into()));
        let mut command = Command::new(cargo.unwrap_or_else(|| "cargo".into()));
        command.current_dir(self.top.parent().unwrap_or(self.top)).args(arguments);
        // The output is searched, and shown elsewhere.
        command.arg("--color=never");
        if let Some(base) = self.base {
            command.env_clear().envs(base.iter().map(|(name, value)| (name, value)));
        }
        without_hooks(&mut command);
        for folder in folders(self.tree, self.workspace) {
            let of_today = settings_in(&today(&folder, self.tree, self.top));
            if self.base.is_none() {
                let text =
                    of_today.as_ref().and_then(|file| fs::read_to_string(file).ok()).unwrap_or_default();
                // Otherwise cargo would take the values that it set for this bench as the user's own.
                for (variable, value) in variables(&text) {
                    // With `relative`, cargo puts a folder in front of the value.
                    if !value.is_empty() && env::var(&variable).is_ok_and(|set| set.ends_with(&value)) {
                        command.env_remove(variable);
                    }
                }
            }
            let of_user = || of_today.filter(|file| holds_for_both(file));
            if let Some(settings) = settings_in(&folder).or_else(of_user) {
                command.arg("--config").arg(settings);
            }
        }
        if self.caps_lints {
            let flags = |name: &str| match self.base {
                Some(base) => base.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()),
                None => env::var_os(name),
            };
            let encoded = flags(ENCODED_FLAGS).map(|flags| (ENCODED_FLAGS, flags, "\x1f"));
            match encoded.or_else(|| flags(FLAGS).map(|flags| (FLAGS, flags, " "))) {
                Some((name, mut flags, separator)) => {
                    flags.push(separator);
                    flags.push(CAP);
                    command.env(name, flags);
                }
                None => drop(command.arg(format!("--config=build.rustflags=[\"{CAP}\"]"))),
            }
        }
        command.env(RUSTC, self.rustc);
        // Git must not look further up than the tree, since the user's repository is around it.
        command.env(CEILING, self.tree.parent().unwrap_or(self.tree));
        command
    }
}

/// The environment variables that a cargo call sets or removes. Programs that cargo starts for the other
/// side get the user's values of them.
pub(super) fn variables_of_calls() -> impl Iterator<Item = &'static str> {
    [RUSTC, CEILING, FLAGS, ENCODED_FLAGS].into_iter().chain(OF_HOOKS)
}

/// The environment variables with flags of rustc, of which the second wins, and the flag that makes lints
/// warnings.
const FLAGS: &str = "RUSTFLAGS";
const ENCODED_FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";
const CAP: &str = "--cap-lints=warn";

/// The environment variable that selects the compiler.
const RUSTC: &str = "RUSTC";

/// The environment variable with the folders above which git does not look for a repository.
const CEILING: &str = "GIT_CEILING_DIRECTORIES";

/// The file with settings in a folder: cargo reads one of the two.
fn settings_in(folder: &Path) -> Option<PathBuf> {
    let names = [".cargo/config", ".cargo/config.toml"];
    names.map(|name| folder.join(name)).into_iter().find(|file| file.is_file())
}

/// Returns whether a file with settings holds for both sides: git does not track it, so it is the user's own.
pub(super) fn holds_for_both(file: &Path) -> bool {
    let path = file.to_string_lossy();
    let tracked = || Git::of(file.parent()?).ok()?.paths(&["ls-files", "-z", "--", &path]).ok();
    fs::read_to_string(file).is_ok_and(|text| !leads_into_tree(&text))
        && tracked().is_some_and(|tracked| tracked.is_empty())
}

/// Returns whether settings may lead into the working tree, as a patch by a path does.
fn leads_into_tree(settings: &str) -> bool {
    let settings = parse(settings).unwrap_or_default();
    let has = |name: &str, key: &str| settings.get(name).is_some_and(|value| value.has_key(key));
    settings.contains_key("paths") || has("patch", "path") || has("env", "relative")
}

/// The folders from the root of a tree down to a folder in it.
pub(super) fn folders(tree: &Path, inner: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        inner.ancestors().take_while(|folder| folder.starts_with(tree)).map(Path::to_owned).collect();
    folders.reverse();
    folders
}

/// The folder of the user's repository that corresponds to a folder of a tree.
pub(super) fn today(folder: &Path, tree: &Path, top: &Path) -> PathBuf {
    top.join(folder.strip_prefix(tree).unwrap_or(folder))
}

/// The output of a cargo call, and its error output if it fails.
fn output(command: &mut Command) -> Result<(String, Option<String>), String> {
    let ended = lifeline::output(command)
        .map_err(|error| format!("cannot start cargo to build the old revision: {error}"))?;
    if ended.status.code().is_none() {
        return Err(format!("cargo, which was to build the old revision, was ended by {}", ended.status));
    }
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    Ok((text(&ended.stdout), (!ended.status.success()).then(|| text(&ended.stderr))))
}

/// Cargo's output from the first error on.
pub(super) fn shortened(words: &str) -> String {
    let start = words.find("\nerror").map_or(0, |before| before + 1);
    let lines: Vec<&str> = words[start..].lines().collect();
    let mut shown = lines[..lines.len().min(SHOWN)].join("\n");
    if lines.len() > SHOWN {
        shown += &format!("\n... ({} lines more)", lines.len() - SHOWN);
    }
    shown
}

/// The first error in cargo's output, if cargo or the compiler refuses what they read because of it. A
/// compiler or linker that was killed, or that lacked memory or a library, names no place in a source.
fn refusal<'w>(words: &'w str, tree: &Path) -> Option<&'w str> {
    let start = words.find("\nerror").map_or(0, |before| before + 1);
    let first = words[start..].split("\n\n").next().filter(|first| first.starts_with("error"))?;
    match words.contains(NOT_COMPILED) {
        _ if words.contains("(signal: ") => None,
        true => Some(first).filter(|first| first.contains("--> ")),
        false => lacking(words, tree).or(Some(first)),
    }
}

/// The beginning of cargo's line about a crate that does not compile.
const NOT_COMPILED: &str = "error: could not compile `";

/// Returns whether a crate does not compile because it denies a lint, by cargo's output.
pub(super) fn is_denied(words: &str) -> bool {
    ["#[deny(", "#![deny(", "`-D ", "#[forbid(", "#![forbid("].iter().any(|cause| words.contains(cause))
}

/// Returns whether this bench does not compile, by cargo's output.
pub(super) fn fails_to_compile(words: &str, bench: &str) -> bool {
    let bench = format!("(bench \"{bench}\")");
    words.lines().any(|line| line.starts_with(NOT_COMPILED) && line.contains(&bench))
}

/// What a dependency lacks, in cargo's words: its folder in this tree, or a feature.
fn lacking<'w>(words: &'w str, tree: &Path) -> Option<&'w str> {
    let folder = format!("failed to read `{}", tree.display());
    let is_lacking = |line: &&str| line.starts_with(&folder) || line.contains("` does not have th");
    words.lines().map(str::trim).find(is_lacking)
}

#[cfg(test)]
impl Dependency {
    pub(super) fn of_harness(source: &str) -> Self {
        let source = Some(source.to_owned()).filter(|source| !source.is_empty());
        Self { name: HARNESS.to_owned(), source, ..Self::default() }
    }
}

#[cfg(test)]
impl Workspace {
    pub(super) fn of(packages: Vec<Package>) -> Self {
        Self { packages, root: String::new(), workspace_default_members: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Repository;

    #[test]
    fn the_words_of_cargo_begin_with_the_first_error() {
        assert_eq!(shortened("   Compiling a\nwarning: b\nerror: c\n --> d\n"), "error: c\n --> d");
        assert_eq!(shortened("killed"), "killed");
        let many = format!("error: a\n{}", "b\n".repeat(40));
        assert!(shortened(&many).ends_with("b\n... (11 lines more)"), "{}", shortened(&many));
    }

    #[test]
    fn a_refusal_is_distinguished_from_an_end_of_a_tool() {
        let tree = Path::new("/tree");
        let words = "   Compiling a\nerror[E0425]: no x\n --> b.rs:1\n\nerror[E0425]: no y\n\n\
                     error: could not compile `a` (bench \"b\") due to 2 previous errors\n";
        assert_eq!(refusal(words, tree), Some("error[E0425]: no x\n --> b.rs:1"));
        assert!(fails_to_compile(words, "b") && !fails_to_compile(words, "a"));
        let cargo = "error: failed to select a version for `x`\n    ... which `y` requires\n\nno";
        assert_eq!(refusal(cargo, tree), cargo.split("\n\n").next());
        let lacks = "error: failed to select a version for `x`.\n\nbut `x` does not have that feature.";
        assert_eq!(refusal(lacks, tree), Some("but `x` does not have that feature."));
        let killed = "error: could not compile `a` (lib)\n\nCaused by:\n  process didn't exit successfully: `rustc` \
                      (signal: 9, SIGKILL: kill)\n";
        assert_eq!(refusal(killed, tree), None);
        let linker = "error: linking with `cc` failed: exit status: 1\n  = note: ld terminated with signal 9\n\n\
                      error: could not compile `a` (bench \"b\") due to 1 previous error\n";
        assert_eq!(refusal(linker, tree), None);
    }

    #[test]
    fn variables_of_the_settings_of_today_are_not_those_of_the_user() {
        let folder = tempfile::tempdir().unwrap();
        let (tree, top) = (folder.path().join("tree"), folder.path().join("top"));
        let today =
            format!("[env]\nPATH = {:?}\nCARGO = \"another\"\nABSENT = \"1\"\n", env::var("PATH").unwrap());
        for (root, text) in [(&tree, "[env]\nHOME = \"1\"\n"), (&top, &*today)] {
            fs::create_dir_all(root.join(".cargo")).unwrap();
            fs::write(root.join(".cargo/config.toml"), text).unwrap();
        }
        let cargo = Cargo {
            tree: &tree,
            workspace: &tree,
            top: &top,
            rustc: Path::new("/bin/rustc"),
            base: None,
            caps_lints: false,
        };
        let command = cargo.call(&["metadata"]);
        let removed: Vec<_> = command.get_envs().filter(|(_, value)| value.is_none()).collect();
        let is_removed = |name: &str| removed.contains(&(name.as_ref(), None));
        assert_eq!(["PATH", "CARGO", "ABSENT", "HOME"].map(is_removed), [true, false, false, false]);
        let settings = tree.join(".cargo/config.toml");
        assert!(command.get_args().any(|argument| argument == settings), "{command:?}");
    }

    #[test]
    fn settings_that_git_does_not_track_hold_for_both_sides() {
        let today = Repository::new();
        let tree = tempfile::tempdir().unwrap();
        today.write(&[(".cargo/config.toml", "build.jobs = 1\n")]);
        let settings = today.path(".cargo/config.toml");
        assert!(holds_for_both(&settings) && !holds_for_both(&today.path("absent")));
        for (settings, expected) in [
            ("# a path\nbuild.rustflags = [\"--remap-path-prefix=/a=/b\"]", false),
            ("patch.crates-io.a.path = \"crates/a\"", true),
            ("paths = [\"crates/a\"]", true),
            ("env.DATA = { value = \"data\", relative = true }", true),
        ] {
            assert_eq!(leads_into_tree(settings), expected, "{settings}");
        }
        let cargo = Cargo {
            tree: tree.path(),
            workspace: tree.path(),
            top: &today.top,
            rustc: Path::new("/bin/rustc"),
            base: None,
            caps_lints: false,
        };
        let has_settings = || cargo.call(&["metadata"]).get_args().any(|argument| argument == settings);
        assert!(has_settings());
        // Cargo ignores this file beside the older name.
        fs::write(today.path(".cargo/config"), "build.jobs = 2\n").unwrap();
        assert!(!has_settings());
        fs::remove_file(today.path(".cargo/config")).unwrap();
        today.commit("settings", &[]);
        assert!(!has_settings(), "the other revision lacks them");
    }

    #[test]
    fn a_bench_is_found_by_the_name_of_its_crate() {
        let target = |name: &str| Target {
            name: name.to_owned(),
            kind: vec!["bench".to_owned()],
            src_path: String::new(),
        };
        assert!(target("parse-json").is_bench("parse_json") && target("parse-json").is_bench("parse-json"));
        assert!(!target("parse-json").is_bench("json"));
    }

    #[test]
    fn settings_count_from_the_root_of_the_tree_on() {
        let paths = |inner: &str| folders(Path::new("/a/b"), Path::new(inner));
        assert_eq!(paths("/a/b/c"), [Path::new("/a/b"), Path::new("/a/b/c")]);
        assert_eq!(paths("/a/b"), [Path::new("/a/b")]);
    }
}
