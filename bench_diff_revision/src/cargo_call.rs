//! The cargo call that started this bench, read from its arguments. The packages and features that it selects
//! decide together which features are on in each crate.

use std::iter;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench_diff_system::ancestors::{Ancestor, ancestors};
use bench_diff_system::executable::Variables;
use bench_diff_system::files::slashed;
use bench_diff_system::lifeline;

use super::bench::value_of;
use super::manifest::resolved;
use super::selection::is_of;
use super::toml::{Value, parse, quoted};

/// A call of cargo or of nextest: the parts that decide which packages are built, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CargoCall {
    pub(super) packages: Packages,
    pub(super) features: Vec<String>,
    pub(super) has_all_features: bool,
    pub(super) has_no_default_features: bool,
    /// The manifest given in the call; `None` if cargo looks for one above its folder.
    manifest: Option<PathBuf>,
    folder: PathBuf,
    /// The profile given in the call.
    pub(super) profile: Option<String>,
    /// The values of `--config`, in a form that does not depend on the folder.
    pub(super) settings: Vec<String>,
    /// Other words that are passed on unchanged.
    pub(super) passed: Vec<String>,
    /// The environment variables that cargo was started with.
    pub(super) variables: Variables,
}

/// The packages that a call selects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Packages {
    /// Those that the manifest selects by default.
    #[default]
    Default,
    Named(Vec<String>),
    All {
        without: Vec<String>,
    },
}

/// The most aliases that are followed one after another.
const DEEPEST: usize = 8;

/// The options with a value, of those that matter or may precede the subcommand.
const WITH_VALUE: [&str; 12] = [
    "--package",
    "-p",
    "--exclude",
    "--features",
    "-F",
    "--manifest-path",
    "--config",
    "--profile",
    "--cargo-profile",
    "-Z",
    "--color",
    "-C",
];

impl CargoCall {
    /// The call of the cargo or nextest that started this process, a bench of this package in this folder,
    /// with these environment variables. `None` if none did, or if the system does not show its arguments.
    pub fn of_this_run(package: &str, folder: &Path, variables: &Variables) -> Option<Self> {
        // The variables may come from cargo's run of another package, if a bench of that package started
        // this process.
        let of_package = value_of(variables, "CARGO_MANIFEST_DIR")?;
        if Path::new(of_package).canonicalize().ok()? != folder.canonicalize().ok()? {
            return None;
        }
        // Between cargo and this process there may be a runner.
        let Ancestor { program, arguments, folder, variables } = ancestors().find(is_cargo)?;
        let this = Self::of_call(arguments, &folder, |name| alias(&program, &folder, name))?;
        let has_package = match &this.packages {
            Packages::Named(specs) => specs.iter().any(|spec| is_of(spec, package)),
            Packages::All { without } => !without.iter().any(|spec| is_of(spec, package)),
            Packages::Default => true,
        };
        has_package.then_some(Self { variables, ..this })
    }

    /// The call with these words, after aliases are replaced.
    pub(super) fn of_call(
        mut arguments: Vec<String>,
        folder: &Path,
        alias: impl Fn(&str) -> Option<Vec<String>>,
    ) -> Option<Self> {
        for _ in 0..DEEPEST {
            let (this, subcommand) = Self::of_words(&arguments, folder);
            match arguments[subcommand?].as_str() {
                "bench" | "test" | "t" | "nextest" => return Some(this),
                name => drop(arguments.splice(subcommand?..=subcommand?, alias(name)?)),
            }
        }
        None
    }

    /// The packages and settings that these words select, and the index of the subcommand.
    fn of_words(arguments: &[String], folder: &Path) -> (Self, Option<usize>) {
        let mut this = Self { folder: folder.to_owned(), ..Self::default() };
        let (mut named, mut without, mut is_all) = (Vec::new(), Vec::new(), false);
        let mut subcommand = None;
        for (place, option, value) in options(arguments) {
            let is_of_nextest = subcommand.is_some_and(|place| arguments[place] == "nextest");
            match option {
                "--package" | "-p" => named.push(value.to_owned()),
                "--exclude" => without.push(value.to_owned()),
                "--workspace" | "--all" => is_all = true,
                "--features" | "-F" => {
                    let names = value.split([' ', ',']).filter(|name| !name.is_empty());
                    this.features.extend(names.map(str::to_owned));
                }
                "--all-features" => this.has_all_features = true,
                "--no-default-features" => this.has_no_default_features = true,
                "--manifest-path" => this.manifest = Some(folder.join(value)),
                "--config" => this.settings.push(setting_from_anywhere(value, folder)),
                // For nextest, this names no profile of cargo.
                "--profile" if is_of_nextest => {}
                "--profile" | "--cargo-profile" => this.profile = Some(value.to_owned()),
                "--release" | "-r" => this.profile = Some("release".to_owned()),
                "-Z" => this.passed.extend([option.to_owned(), value.to_owned()]),
                "--offline" | "--frozen" => this.passed.push("--offline".to_owned()),
                _ if !option.starts_with(['-', '+']) => subcommand = subcommand.or(Some(place)),
                _ => {}
            }
        }
        if is_all {
            this.packages = Packages::All { without };
        } else if !named.is_empty() {
            this.packages = Packages::Named(named);
        }
        (this, subcommand)
    }

    /// The manifest that the call uses.
    pub(super) fn manifest(&self) -> Option<PathBuf> {
        if self.manifest.is_some() {
            return self.manifest.clone();
        }
        self.folder.ancestors().map(|folder| folder.join("Cargo.toml")).find(|file| file.is_file())
    }

    /// The `--config` arguments, each a flag and a value.
    pub(super) fn config(&self) -> impl Iterator<Item = String> {
        self.settings.iter().flat_map(|setting| ["--config".to_owned(), setting.clone()])
    }

    /// The same call for the package of the bench alone.
    pub(super) fn alone(&self) -> Self {
        Self { packages: Packages::Named(Vec::new()), ..self.clone() }
    }
}

/// Returns whether a process is cargo or nextest.
fn is_cargo(process: &Ancestor) -> bool {
    let name = process.program.file_stem();
    // Nix wraps cargo.
    name.is_some_and(|name| name == "cargo" || name == ".cargo-wrapped" || name == "cargo-nextest")
}

/// The words of a call up to `--`, except for the program: the index of each, and the value of an option that
/// takes one.
fn options(arguments: &[String]) -> impl Iterator<Item = (usize, &str, &str)> {
    let words = arguments.iter().map(String::as_str).enumerate().skip(1);
    let mut words = words.take_while(|(_, word)| *word != "--");
    iter::from_fn(move || {
        let (place, word) = words.next()?;
        Some(match parts(word) {
            (option, Some(value)) => (place, option, value),
            (option, None) if WITH_VALUE.contains(&option) => {
                (place, option, words.next().map_or("", |(_, value)| value))
            }
            (option, None) => (place, option, ""),
        })
    })
}

/// An option and its value, if one word contains both: `--package=a`, `-pa`.
fn parts(word: &str) -> (&str, Option<&str>) {
    if word.starts_with("--") {
        return word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
    }
    match word.split_at_checked(2) {
        Some((option @ ("-p" | "-F" | "-Z" | "-C"), value)) if !value.is_empty() => {
            (option, Some(value.trim_start_matches('=')))
        }
        _ => (word, None),
    }
}

/// A value of `--config` in this folder, as it is written anywhere else.
fn setting_from_anywhere(setting: &str, folder: &Path) -> String {
    // An argument that is not `KEY=VALUE` names a file.
    let file = folder.join(setting);
    if file.is_file() {
        return file.display().to_string();
    }
    Patch::of(setting).map_or_else(|| setting.to_owned(), |patch| patch.with_path(&folder.join(&patch.path)))
}

/// A setting that puts a folder in the place of a package: `patch.crates-io.x.path="folder"`.
pub(super) struct Patch {
    /// `patch.crates-io.x.path`
    key: String,
    pub(super) package: String,
    pub(super) path: String,
}

impl Patch {
    /// Reads a setting; `None` if it is another one.
    pub(super) fn of(setting: &str) -> Option<Self> {
        let (mut keys, mut table) = (Vec::new(), parse(setting).ok()?);
        loop {
            let (key, value) = table.pop_first()?;
            keys.push(key);
            match (value, &*keys) {
                (Value::Table(inner), _) => table = inner,
                (Value::Text(path), [patch, .., package, last]) if patch == "patch" && last == "path" => {
                    let package = package.clone();
                    let key = keys.iter().map(|key| bare_or_quoted(key)).collect::<Vec<_>>().join(".");
                    return Some(Self { key, package, path });
                }
                _ => return None,
            }
        }
    }

    /// The setting with another folder.
    pub(super) fn with_path(&self, folder: &Path) -> String {
        format!("{}={}", self.key, quoted(&slashed(&resolved(folder))))
    }
}

fn bare_or_quoted(key: &str) -> String {
    let is_bare = key.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    if is_bare { key.to_owned() } else { quoted(key) }
}

/// The words that a cargo alias stands for in this folder.
fn alias(cargo: &Path, folder: &Path, name: &str) -> Option<Vec<String>> {
    let listed = lifeline::output(Command::new(cargo).arg("--list").current_dir(folder)).ok()?;
    let list = String::from_utf8(listed.stdout).ok()?;
    let words =
        list.lines().find_map(|line| line.trim().strip_prefix(name)?.trim().strip_prefix("alias: "))?;
    Some(words.split_whitespace().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn of_call(words: &str) -> Option<CargoCall> {
        let alias = |name: &str| {
            let words = match name {
                "b" => "build",
                "timed" => "bench --workspace",
                "slowly" => "timed --features slow",
                "endless" => "endless",
                _ => return None,
            };
            Some(words.split(' ').map(str::to_owned).collect())
        };
        CargoCall::of_call(words.split(' ').map(str::to_owned).collect(), Path::new("/work"), alias)
    }

    #[test]
    fn a_patch_leads_to_the_same_folder_from_everywhere() {
        for (setting, passed) in [
            ("patch.crates-io.criterion.path=\"../stand_in\"", "patch.crates-io.criterion.path=/stand_in"),
            ("patch.'https://x.org/i'.a.path='/b'", "patch.https://x.org/i.a.path=/b"),
            ("patch.crates-io.criterion.git=\"../x\"", "patch.crates-io.criterion.git=../x"),
            ("profile.bench.lto=\"thin\"", "profile.bench.lto=thin"),
            ("x.path=\"y\"", "x.path=y"),
            ("patch=1", "patch=1"),
        ] {
            let call = of_call(&format!("cargo bench --offline --config {setting} -Zx")).unwrap();
            let words: Vec<String> = call.config().map(|word| word.replace(['"', '\''], "")).collect();
            assert_eq!(words, ["--config", passed]);
        }
    }

    #[test]
    fn aliases_are_replaced_by_their_words() {
        let all = of_call("cargo bench --workspace");
        assert!(all.is_some());
        assert_eq!(of_call("cargo timed"), all);
        assert_eq!(of_call("cargo +nightly --color always slowly"), of_call("cargo test --all -Fslow"));
        for other in ["cargo b", "cargo build", "cargo endless", "cargo run -p bench", "cargo"] {
            assert_eq!(of_call(other), None, "{other}");
        }
        let profile = |words: &str| of_call(words).unwrap().profile.unwrap_or_default();
        for (words, expected) in [
            ("cargo bench --profile release", "release"),
            ("cargo bench --profile=fast", "fast"),
            ("cargo-nextest nextest run --benches --release", "release"),
            ("cargo-nextest nextest run --profile ci --cargo-profile fast", "fast"),
            ("cargo-nextest nextest run --profile ci", ""),
        ] {
            assert_eq!(profile(words), expected, "{words}");
        }
        let nextest = of_call("cargo-nextest nextest run --benches --manifest-path a/Cargo.toml").unwrap();
        assert_eq!(nextest.manifest(), Some("/work/a/Cargo.toml".into()));
    }

    #[test]
    fn cargo_lists_the_words_of_an_alias() {
        let folder = tempfile::tempdir().unwrap();
        let settings = folder.path().join(".cargo");
        fs::create_dir(&settings).unwrap();
        fs::write(settings.join("config.toml"), "[alias]\ntimed = [\"bench\", \"--workspace\"]\n").unwrap();
        let alias = |name: &str| alias(Path::new("cargo"), folder.path(), name);
        assert_eq!(alias("timed"), Some(vec!["bench".to_owned(), "--workspace".to_owned()]));
        assert_eq!((alias("time"), alias("absent")), (None, None));
    }
}
