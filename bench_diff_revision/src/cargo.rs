//! Calls cargo for another tree as the user called it for the working tree: in the corresponding folder, with
//! the same environment and the same compiler, as if that tree were in the place of the working tree.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench_diff_git::{OF_HOOKS, without_hooks};
use bench_diff_system::json;
use bench_diff_system::lifeline;
use bench_diff_system::own_crates::HARNESS;

use super::bench::{Build, value_of};
use super::build::Site;
use super::cargo_call::{RECORDS, WRAPPER, record_by};
use super::cargo_output::shortened;
use super::settings::{config_files, config_in, in_old_tree, table};
use super::toml::{Table, parse, table_at};
use super::workspace::{Target, Workspace};

/// The settings of cargo calls for a tree.
#[derive(Clone)]
pub(super) struct Cargo<'a> {
    pub(super) build: &'a Build<'a>,
    pub(super) tree: &'a Path,
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
}

/// The environment variables with flags of rustc, of which the second wins, and the flag that makes lints
/// warnings.
const FLAGS: &str = "RUSTFLAGS";
const ENCODED_FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";
const CAP: &str = "--cap-lints=warn";

/// The environment variable that selects the compiler.
const RUSTC: &str = "RUSTC";

/// The environment variable with the folder above which cargo looks for no config file and no workspace.
/// Cargo has it for its own tests, which run below its own tree as a checkout lies below the user's.
const ROOT: &str = "__CARGO_TEST_ROOT";

/// The environment variables that a cargo call sets or removes. Programs that cargo starts for the other
/// side get the user's values of them.
pub(super) fn variables_of_calls() -> impl Iterator<Item = &'static str> {
    [RUSTC, ROOT, FLAGS, ENCODED_FLAGS, WRAPPER, RECORDS].into_iter().chain(OF_HOOKS)
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

    /// Builds a bench of a package with these arguments for cargo, and returns the bench binary, and
    /// whether it was built with the harness.
    ///
    /// # Errors
    ///
    /// All of cargo's output.
    pub(super) fn build(&self, site: &Site<'_>, arguments: &[String]) -> Result<(PathBuf, bool), String> {
        // `--keep-going` builds the bench even if benches of that name in other packages do not compile.
        let mut command = self.call(&["build", "--keep-going", "--message-format=json-render-diagnostics"]);
        let (said, errors) = output(command.args(arguments))?;
        let (mut program, mut has_harness) = (None, false);
        for message in said.lines().filter_map(|line| json::from_str::<Message>(line).ok()) {
            match message.target {
                Some(target)
                    if target.is_bench(site.name)
                        && message.package_id.as_ref() == Some(&site.package.id) =>
                {
                    program = message.executable.map(PathBuf::from);
                }
                Some(target) if target.name == HARNESS => has_harness = true,
                _ => {}
            }
        }
        match (program, errors) {
            (Some(program), _) => Ok((program, has_harness)),
            (None, Some(errors)) => Err(errors),
            (None, None) => Err(format!("cargo reported no executable for the bench {}", site.name)),
        }
    }

    /// A call of cargo with these arguments first.
    pub(super) fn call(&self, arguments: &[&str]) -> Command {
        // The cargo that started the bench, or else the one next to the compiler.
        let Build { bench, call, cargo_call, top, .. } = self.build;
        let beside = call.rustc.with_file_name(format!("cargo{}", env::consts::EXE_SUFFIX));
        let mut command = match value_of(&bench.variables, "CARGO") {
            Some(cargo) => Command::new(cargo),
            None if beside.is_file() => Command::new(beside),
            None => Command::new("cargo"),
        };
        let [_, folder] = &self.build.folders(self.tree);
        command.current_dir(folder).args(arguments);
        // The output is searched, and shown elsewhere.
        command.arg("--color=never");
        command.env_clear().envs(cargo_call.variables.iter().map(|(name, value)| (name, value)));
        without_hooks(&mut command);
        if self.tree != *top {
            command.env(ROOT, self.tree);
            if folder.starts_with(self.tree) {
                command.args(self.outer_settings());
            }
        }
        if self.caps_lints {
            self.cap_lints(&mut command);
        }
        command.env(RUSTC, self.compiler());
        if let Some(recorder) = &bench.recorder {
            record_by(&mut command, recorder);
        }
        command
    }

    /// The compiler that the user names by its path, which may lead into the tree, or the one that compiled
    /// the bench.
    fn compiler(&self) -> PathBuf {
        let Build { call, cargo_call, top, .. } = self.build;
        let named = self.users(RUSTC).and_then(OsStr::to_str);
        let named = named.map(|path| PathBuf::from(in_old_tree(path, &cargo_call.folder, [top, self.tree])));
        named.filter(|path| path.is_absolute() && path.exists()).unwrap_or_else(|| call.rustc.clone())
    }

    /// The arguments with the config files above the user's repository, the outermost first.
    fn outer_settings(&self) -> Vec<PathBuf> {
        // Cargo reads the files of its home wherever it runs.
        let home = self.home();
        let files = self.outer_files().filter(|file| file.parent() != home.as_deref());
        files.collect::<Vec<_>>().into_iter().rev().flat_map(|file| ["--config".into(), file]).collect()
    }

    /// The config files above the user's repository.
    fn outer_files(&self) -> impl Iterator<Item = PathBuf> {
        self.build.top.ancestors().skip(1).filter_map(config_in)
    }

    /// The folder of cargo's home.
    fn home(&self) -> Option<PathBuf> {
        let home = self.users("CARGO_HOME").map(PathBuf::from);
        home.or_else(|| Some(Path::new(self.users("HOME")?).join(".cargo")))
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
        // These flags are used only if a target has none.
        let table = if self.has_flags_of_targets() { "target.'cfg(all())'" } else { "build" };
        command.arg(format!("--config={table}.rustflags=[\"{CAP}\"]"));
    }

    /// Returns whether a config file or an environment variable has flags of rustc for a target, and no file
    /// has some for all, which may be those in use.
    fn has_flags_of_targets(&self) -> bool {
        let of_home = self.home().map(|home| home.join("config.toml"));
        let files =
            config_files(&self.build.folders(self.tree)[1], self.tree).into_iter().chain(self.outer_files());
        let typed = self.build.cargo_call.settings().filter_map(|setting| parse(setting).ok());
        let tables: Vec<_> = files.chain(of_home).map(|file| table(&file)).chain(typed).collect();
        let has_flags = |table: &Table| table.contains_key("rustflags");
        if tables.iter().any(|table| table_at(table, "build").is_some_and(has_flags)) {
            return false;
        }
        let is_flags = |name: &str| name.starts_with("CARGO_TARGET_") && name.ends_with("_RUSTFLAGS");
        let mut targets = tables.iter().filter_map(|it| table_at(it, "target")).flat_map(Table::values);
        targets.any(|target| target.as_table().is_some_and(has_flags))
            || self.build.cargo_call.variables.iter().any(|(name, _)| name.to_str().is_some_and(is_flags))
    }

    /// The user's value of an environment variable.
    pub(super) fn users(&self, name: &str) -> Option<&OsStr> {
        value_of(&self.build.cargo_call.variables, name)
    }
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
    use std::fs;

    use bench_diff_system::rustc_call::RustcCall;

    use super::*;
    use crate::bench::Bench;
    use crate::cargo_call::CargoCall;

    #[test]
    fn a_call_has_the_config_files_above_the_repository_and_the_compiler() {
        let folder = tempfile::tempdir().unwrap();
        let (tree, top) = (folder.path().join("tree"), folder.path().join("top"));
        let settings = [folder.path(), &tree, &top].map(|root| root.join(".cargo/config.toml"));
        for file in &settings {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let build = Build {
            bench: &Bench::example(),
            call: RustcCall::of(&["/bin/rustc", "/work"]).unwrap(),
            cargo_call: CargoCall { folder: top.clone(), ..CargoCall::default() },
            top: &top,
            workspace: Workspace::default(),
            has_one_unit: false,
        };
        let command = build.cargo(&tree).call(&["metadata"]);
        let given: Vec<_> =
            command.get_args().filter(|argument| argument.to_str().unwrap().contains(".cargo")).collect();
        assert_eq!(given, [settings[0].as_os_str()], "cargo finds those in the tree itself");
        let compiler = |command: &Command| {
            command.get_envs().find(|(name, _)| *name == RUSTC).unwrap().1.map(OsStr::to_owned)
        };
        assert_eq!(compiler(&command), Some("/bin/rustc".into()));
        let own = CargoCall { variables: vec![(RUSTC.into(), "./mine".into())], ..build.cargo_call.clone() };
        let build = Build { cargo_call: own, ..build };
        for folder in [&top, &tree] {
            fs::write(folder.join("mine"), "").unwrap();
            let mine = folder.join("mine").into_os_string();
            assert_eq!(compiler(&build.cargo(&tree).call(&["metadata"])), Some(mine));
        }
    }
}
