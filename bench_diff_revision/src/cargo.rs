//! Calls cargo for another tree as it was called for the working tree: with the same environment, the same
//! compiler, and the config files that cargo would read if it ran in that tree.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench_diff_system::executable::Variables;
use bench_diff_system::json;
use bench_diff_system::lifeline;
use bench_diff_system::own_crates::HARNESS;

use super::bench::value_of;
use super::cargo_output::shortened;
use super::git::{Git, OF_HOOKS, without_hooks};
use super::manifest::variables_in;
use super::toml::parse;
use super::workspace::{Package, Target, Workspace};

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
    /// The environment variables of this process, which include those that cargo added.
    pub(super) own: &'a Variables,
    /// The environment variables that the user's cargo was started with, if that call is known. Otherwise
    /// cargo gets those of this process.
    pub(super) of_user: Option<&'a Variables>,
    /// True if lints are at most warnings: a newer compiler may have more of them, and a tree that denies
    /// them all would not build.
    pub(super) caps_lints: bool,
}

/// A message of cargo during a build, with the fields that are used.
#[derive(miniserde::Deserialize)]
struct Message {
    target: Option<Target>,
    executable: Option<String>,
    package_id: Option<String>,
    manifest_path: Option<String>,
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

/// The environment variables that a cargo call sets or removes. Programs that cargo starts for the other
/// side get the user's values of them.
pub(super) fn variables_of_calls() -> impl Iterator<Item = &'static str> {
    [RUSTC, CEILING, FLAGS, ENCODED_FLAGS].into_iter().chain(OF_HOOKS)
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

    /// A call of cargo with these arguments first.
    pub(super) fn call(&self, arguments: &[&str]) -> Command {
        // The cargo that started the bench, or else the one next to the compiler.
        let beside = self.rustc.with_file_name(format!("cargo{}", env::consts::EXE_SUFFIX));
        let mut command = match value_of(self.own, "CARGO") {
            Some(cargo) => Command::new(cargo),
            None if beside.is_file() => Command::new(beside),
            None => Command::new("cargo"),
        };
        command.current_dir(self.top.parent().unwrap_or(self.top)).args(arguments);
        // The output is searched, and shown elsewhere.
        command.arg("--color=never");
        if let Some(variables) = self.of_user {
            command.env_clear().envs(variables.iter().map(|(name, value)| (name, value)));
        }
        without_hooks(&mut command);
        for folder in folders(self.tree, self.workspace) {
            self.configure(&mut command, &folder);
        }
        if self.caps_lints {
            self.cap_lints(&mut command);
        }
        command.env(RUSTC, self.rustc);
        // Git must not look further up than the tree, since the user's repository is around it.
        command.env(CEILING, self.tree.parent().unwrap_or(self.tree));
        command
    }

    /// Gives a call the config file of a folder of the tree, or the user's own one in that folder of the
    /// working tree.
    fn configure(&self, command: &mut Command, folder: &Path) {
        let new = config_in(&new_path(folder, self.tree, self.top));
        if self.of_user.is_none() {
            let text = new.as_ref().and_then(|file| fs::read_to_string(file).ok()).unwrap_or_default();
            // Otherwise cargo would take the values that it set for this bench as the user's own.
            for (name, value) in variables_in(&text) {
                // With `relative`, cargo puts a folder in front of the value.
                let set = value_of(self.own, &name).and_then(|set| set.to_str());
                if !value.is_empty() && set.is_some_and(|set| set.ends_with(&value)) {
                    command.env_remove(name);
                }
            }
        }
        if let Some(file) = config_in(folder).or_else(|| new.filter(|file| holds_for_both(file))) {
            command.arg("--config").arg(file);
        }
    }

    /// Adds the flag that makes lints warnings to the flags of rustc that the user gives.
    fn cap_lints(&self, command: &mut Command) {
        for (name, separator) in [(ENCODED_FLAGS, "\x1f"), (FLAGS, " ")] {
            if let Some(flags) = self.users(name) {
                let mut flags = flags.to_owned();
                flags.push(separator);
                flags.push(CAP);
                command.env(name, flags);
                return;
            }
        }
        command.arg(format!("--config=build.rustflags=[\"{CAP}\"]"));
    }

    /// The user's value of an environment variable.
    pub(super) fn users(&self, name: &str) -> Option<&OsStr> {
        value_of(self.of_user.unwrap_or(self.own), name)
    }
}

/// The config file of a folder: cargo reads one of the two.
fn config_in(folder: &Path) -> Option<PathBuf> {
    let names = [".cargo/config", ".cargo/config.toml"];
    names.map(|name| folder.join(name)).into_iter().find(|file| file.is_file())
}

/// Returns whether a config file holds for both sides: git does not track it, so it is the user's own.
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

/// The path in the working tree, whose root is `top`, that corresponds to a path in the old tree.
pub(super) fn new_path(old: &Path, tree: &Path, top: &Path) -> PathBuf {
    top.join(old.strip_prefix(tree).unwrap_or(old))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Repository, environment};

    #[test]
    fn variables_of_the_new_settings_are_not_those_of_the_user() {
        let folder = tempfile::tempdir().unwrap();
        let (tree, top) = (folder.path().join("tree"), folder.path().join("top"));
        let new =
            format!("[env]\nPATH = {:?}\nCARGO = \"another\"\nABSENT = \"1\"\n", env::var("PATH").unwrap());
        for (root, text) in [(&tree, "[env]\nHOME = \"1\"\n"), (&top, &*new)] {
            fs::create_dir_all(root.join(".cargo")).unwrap();
            fs::write(root.join(".cargo/config.toml"), text).unwrap();
        }
        let own = environment();
        let cargo = Cargo {
            tree: &tree,
            workspace: &tree,
            top: &top,
            rustc: Path::new("/bin/rustc"),
            own: &own,
            of_user: None,
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
        let new = Repository::new();
        let tree = tempfile::tempdir().unwrap();
        new.write(&[(".cargo/config.toml", "build.jobs = 1\n")]);
        let settings = new.path(".cargo/config.toml");
        assert!(holds_for_both(&settings) && !holds_for_both(&new.path("absent")));
        for (settings, expected) in [
            ("# a path\nbuild.rustflags = [\"--remap-path-prefix=/a=/b\"]", false),
            ("patch.crates-io.a.path = \"crates/a\"", true),
            ("paths = [\"crates/a\"]", true),
            ("env.DATA = { value = \"data\", relative = true }", true),
        ] {
            assert_eq!(leads_into_tree(settings), expected, "{settings}");
        }
        let own = environment();
        let cargo = Cargo {
            tree: tree.path(),
            workspace: tree.path(),
            top: &new.top,
            rustc: Path::new("/bin/rustc"),
            own: &own,
            of_user: None,
            caps_lints: false,
        };
        let has_settings = || cargo.call(&["metadata"]).get_args().any(|argument| argument == settings);
        assert!(has_settings());
        // Cargo ignores this file beside the older name.
        fs::write(new.path(".cargo/config"), "build.jobs = 2\n").unwrap();
        assert!(!has_settings());
        fs::remove_file(new.path(".cargo/config")).unwrap();
        new.commit("settings", &[]);
        assert!(!has_settings(), "the other revision lacks them");
    }

    #[test]
    fn settings_count_from_the_root_of_the_tree_on() {
        let paths = |inner: &str| folders(Path::new("/a/b"), Path::new(inner));
        assert_eq!(paths("/a/b/c"), [Path::new("/a/b"), Path::new("/a/b/c")]);
        assert_eq!(paths("/a/b"), [Path::new("/a/b")]);
    }
}
