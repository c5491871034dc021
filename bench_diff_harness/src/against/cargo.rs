//! The `cargo` binary, called for another tree as it was called for this one.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::features::Features;
use super::git::{OF_HOOKS, without_hooks};
use super::lock_file::{FRONT_ENDS, HARNESS};
use super::manifest::variables;
use crate::record::json;
use crate::system::executable::Variables;
use crate::system::lifeline;

/// The most lines of cargo's words that are shown.
const SHOWN: usize = 30;

/// The settings of calls of cargo for a tree.
pub(super) struct Cargo<'a> {
    /// The tree.
    pub(super) tree: &'a Path,
    /// The folder in it with the root of the workspace.
    pub(super) workspace: &'a Path,
    /// The root of the repository of today. Cargo runs above it, since its settings would otherwise count.
    pub(super) top: &'a Path,
    /// The compiler of today.
    pub(super) rustc: &'a Path,
    /// The variables that cargo gets; those of this process, to which cargo has added its own, if `None`.
    pub(super) base: Option<&'a Variables>,
    /// The variables that the user sets for this side.
    pub(super) variables: &'a [(String, String)],
}

/// The packages of a workspace.
#[derive(miniserde::Deserialize)]
pub(super) struct Workspace {
    pub(super) packages: Vec<Package>,
    #[serde(rename = "workspace_root")]
    pub(super) root: String,
    /// Those that the manifest stands for; unknown to older versions of cargo.
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

/// A dependency, as the manifest of a package has it.
#[derive(Debug, Default, miniserde::Deserialize)]
pub(super) struct Dependency {
    pub(super) name: String,
    pub(super) rename: Option<String>,
    /// None of one in a folder.
    pub(super) source: Option<String>,
    /// The versions that do: `^0.5`.
    pub(super) req: String,
    pub(super) features: Vec<String>,
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

    /// What its packages depend on.
    pub(super) fn dependencies(&self) -> impl Iterator<Item = &Dependency> {
        self.packages.iter().flat_map(|package| &package.dependencies)
    }

    /// What a package says of the harness, or of a front end of it, if one needs it.
    pub(super) fn harness(&self) -> Option<&Dependency> {
        let is_it = |name: &str| name == HARNESS || FRONT_ENDS.contains(&name);
        self.dependencies().find(|dependency| is_it(&dependency.name))
    }

    /// Returns whether a call of cargo for the manifest is about this package if it names none.
    pub(super) fn has_by_default(&self, package: &Package) -> bool {
        self.workspace_default_members.as_ref().is_some_and(|members| members.contains(&package.id))
    }
}

impl Package {
    /// Returns whether it calls one of its dependencies so.
    pub(super) fn depends_on(&self, name: &str) -> bool {
        let names = self.dependencies.iter().map(|it| it.rename.as_ref().unwrap_or(&it.name));
        names.into_iter().any(|it| it == name)
    }

    /// The crates that it is compiled to.
    pub(super) fn crates(&self) -> impl Iterator<Item = String> {
        self.targets.iter().map(|target| target.name.replace('-', "_"))
    }

    /// The name in its manifest of the bench of this name, which is told with `_` for `-`.
    pub(super) fn bench(&self, name: &str) -> Option<&str> {
        self.targets.iter().find(|target| target.is_bench(name)).map(|target| &*target.name)
    }

    /// The name of the bench with this source file.
    pub(super) fn bench_of(&self, file: &Path) -> Option<&str> {
        let is_it = |target: &&Target| target.is_bench(&target.name) && Path::new(&target.src_path) == file;
        self.targets.iter().find(is_it).map(|target| &*target.name)
    }
}

impl Target {
    fn is_bench(&self, name: &str) -> bool {
        self.name.replace('-', "_") == name.replace('-', "_") && self.kind.iter().any(|kind| kind == "bench")
    }
}

/// A message of cargo while it builds, with the fields that are used.
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
    /// Cargo's words.
    pub(super) fn workspace(&self, manifest: &Path) -> Result<Workspace, String> {
        let mut command = self.call(&["metadata", "--format-version=1", "--no-deps"]);
        let (said, errors) = output(command.arg("--manifest-path").arg(manifest))?;
        errors.map_or(Ok(()), |words| Err(shortened(&words)))?;
        json::from_str(&said).map_err(|error| format!("cargo metadata: {error}"))
    }

    /// Has cargo add to the lock file of a manifest what it lacks, with these arguments.
    ///
    /// # Errors
    ///
    /// Cargo's words.
    pub(super) fn complete_lock(&self, manifest: &Path, arguments: &[String]) -> Result<(), String> {
        // It leaves what is locked, and unlike a build or `cargo metadata` needs no crate itself.
        let mut command = self.call(&["update", "--workspace"]);
        let (_, errors) = output(command.args(arguments).arg("--manifest-path").arg(manifest))?;
        errors.map_or(Ok(()), |words| Err(shortened(&words)))
    }

    /// Builds a bench of a package with these arguments of cargo, and returns its program and the manifest of
    /// its harness.
    ///
    /// # Errors
    ///
    /// All of cargo's words.
    pub(super) fn build(
        &self,
        package: &Package,
        bench: &str,
        arguments: &[String],
    ) -> Result<(PathBuf, Option<PathBuf>), String> {
        // Builds what `cargo bench` does, also where benches of that name in other packages do not compile.
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
            (None, None) => Err(format!("cargo names no program of the bench {bench}")),
        }
    }

    pub(super) fn call(&self, arguments: &[&str]) -> Command {
        // As the bench was started by it, or else that beside the compiler.
        let beside = Some(self.rustc.with_file_name("cargo")).filter(|cargo| cargo.is_file());
        let cargo = env::var_os("CARGO").or_else(|| Some(beside?.into()));
        let mut command = Command::new(cargo.unwrap_or_else(|| "cargo".into()));
        command.current_dir(self.top.parent().unwrap_or(self.top)).args(arguments);
        // Its words are looked through, and shown in another place.
        command.arg("--color=never");
        if let Some(base) = self.base {
            command.env_clear().envs(base.iter().map(|(name, value)| (name, value)));
        }
        without_hooks(&mut command);
        for folder in folders(self.tree, self.workspace) {
            let today = today(&folder, self.tree, self.top);
            for name in [".cargo/config", ".cargo/config.toml"] {
                if self.base.is_none() {
                    // Cargo would take what it gave to this bench for variables of the user.
                    let of_today = fs::read_to_string(today.join(name)).unwrap_or_default();
                    for variable in variables(&of_today).filter(|name| has_given_value(name, &of_today)) {
                        command.env_remove(variable);
                    }
                }
                let settings = folder.join(name);
                if settings.is_file() {
                    command.arg("--config").arg(settings);
                }
            }
        }
        command.env(RUSTC, self.rustc);
        // Git looks no further than into the tree: around it is the repository of today.
        command.env(CEILING, self.tree.parent().unwrap_or(self.tree));
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// The variables that a call of cargo sets or removes. Programs have them as the user has.
    pub(super) fn variables_of_calls(&self) -> impl Iterator<Item = &str> {
        let set = self.variables.iter().map(|(name, _)| &**name);
        [RUSTC, CEILING].into_iter().chain(OF_HOOKS).chain(set)
    }
}

/// The variable with the compiler.
const RUSTC: &str = "RUSTC";

/// The variable with the folders that git does not leave.
const CEILING: &str = "GIT_CEILING_DIRECTORIES";

/// Returns whether a variable has a value of these settings, in front of which there is a folder where they
/// call it `relative`.
fn has_given_value(variable: &str, settings: &str) -> bool {
    let mut texts = settings.split(['"', '\'']).filter(|text| !text.is_empty());
    env::var(variable).is_ok_and(|value| texts.any(|text| value.ends_with(text)))
}

/// The folders from the root of a tree to another one in it.
pub(super) fn folders(tree: &Path, inner: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        inner.ancestors().take_while(|folder| folder.starts_with(tree)).map(Path::to_owned).collect();
    folders.reverse();
    folders
}

/// The folder of the repository of today in the place of one of a tree.
pub(super) fn today(folder: &Path, tree: &Path, top: &Path) -> PathBuf {
    top.join(folder.strip_prefix(tree).unwrap_or(folder))
}

/// What a call of cargo says, and its other words if it fails.
fn output(command: &mut Command) -> Result<(String, Option<String>), String> {
    lifeline::tie(command.stdin(Stdio::null()));
    let ended = command
        .output()
        .map_err(|error| format!("cannot start cargo, which builds the other side: {error}"))?;
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    Ok((text(&ended.stdout), (!ended.status.success()).then(|| text(&ended.stderr))))
}

/// Cargo's words from the first error on.
pub(super) fn shortened(words: &str) -> String {
    let start = words.find("\nerror").map_or(0, |before| before + 1);
    let lines: Vec<&str> = words[start..].lines().collect();
    let mut shown = lines[..lines.len().min(SHOWN)].join("\n");
    if lines.len() > SHOWN {
        shown += &format!("\n... ({} lines more)", lines.len() - SHOWN);
    }
    shown
}

/// The first error of the compiler in cargo's words, if a crate does not compile.
pub(super) fn compile_error(words: &str) -> Option<&str> {
    let start = words.find("\nerror").map_or(0, |before| before + 1);
    words[start..].split("\n\n").next().filter(|_| words.contains("error: could not compile "))
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
    /// One of a package with these dependencies.
    pub(super) fn depending_on(dependencies: Vec<Dependency>) -> Self {
        let package = Package { dependencies, ..Package::default() };
        Self { packages: vec![package], root: String::new(), workspace_default_members: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_cargo_begin_with_the_first_error() {
        assert_eq!(shortened("   Compiling a\nwarning: b\nerror: c\n --> d\n"), "error: c\n --> d");
        assert_eq!(shortened("killed"), "killed");
        let many = format!("error: a\n{}", "b\n".repeat(40));
        assert!(shortened(&many).ends_with("b\n... (11 lines more)"), "{}", shortened(&many));
    }

    #[test]
    fn what_does_not_compile_is_told_from_what_cannot_be_had() {
        let words = "   Compiling a\nerror[E0425]: no x\n --> b.rs:1\n\nerror[E0425]: no y\n\n\
                     error: could not compile `a` (bench \"b\") due to 2 previous errors\n";
        assert_eq!(compile_error(words), Some("error[E0425]: no x\n --> b.rs:1"));
        assert_eq!(compile_error("error: failed to select a version for `x`\n"), None);
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
            variables: &[],
        };
        let command = cargo.call(&["metadata"]);
        let removed: Vec<_> = command.get_envs().filter(|(_, value)| value.is_none()).collect();
        let is_removed = |name: &str| removed.contains(&(name.as_ref(), None));
        assert_eq!(["PATH", "CARGO", "ABSENT", "HOME"].map(is_removed), [true, false, false, false]);
        let settings = tree.join(".cargo/config.toml");
        assert!(command.get_args().any(|argument| argument == settings), "{command:?}");
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
