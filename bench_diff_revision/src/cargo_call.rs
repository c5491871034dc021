//! The cargo call that started this bench, read from its arguments. For the old side it is typed again in the
//! old tree: what the harness decides itself is taken out, and all other words stay as they are.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench_diff_system::ancestors::{Ancestor, ancestors};
use bench_diff_system::executable::Variables;
use bench_diff_system::lifeline;

use super::bench::value_of;

/// The variable with the program that cargo starts in place of the compiler.
pub(super) const WRAPPER: &str = "RUSTC_WRAPPER";

/// The variable with which a bench that cargo starts in place of the compiler records its call.
pub const RECORDS: &str = "BENCH_DIFF_RECORDS_CALLS";

/// A call of cargo or of nextest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CargoCall {
    pub(super) packages: Packages,
    pub(super) features: Vec<String>,
    /// The manifest that is given; otherwise cargo looks for one above its folder.
    pub(super) manifest: Option<String>,
    /// The profile that is given.
    pub(super) profile: Option<String>,
    /// The target that is given.
    pub(super) target: Option<String>,
    /// The other options that are not the harness's to decide, in their order.
    pub(super) others: Vec<Word>,
    /// All words behind the program and before `--`, with aliases replaced and without the toolchain.
    pub(super) words: Vec<String>,
    pub(super) folder: PathBuf,
    /// The environment variables that cargo was started with.
    pub(super) variables: Variables,
}

/// An option, and its value if it takes one.
pub(super) type Word = (String, Option<String>);

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

/// The options of cargo and nextest that take a value, unless it is optional.
const WITH_VALUE: &str = "--package --exclude --features --manifest-path --config --profile --cargo-profile --color \
    --jobs --target --target-dir --message-format --lockfile-path";

/// Those of one letter.
const LETTERS_WITH_VALUE: &str = "pFjZCEP";

/// The option with a setting, or a file with settings.
pub(super) const CONFIG: &str = "--config";

/// What the harness decides: targets, places of output, and what cargo prints. The lock file of the old tree
/// may have to gain the harness.
const DECIDED: &str = "--bench --benches --test --tests --bin --bins --example --examples --lib --doc --all-targets \
    --target-dir --message-format --color --quiet -q --verbose -v --no-run --no-fail-fast --keep-going \
    --locked -C";

/// The other options that nextest passes on to cargo; it has more of its own.
const OF_NEXTEST: &str = "--all-features --no-default-features --config -Z --offline --ignore-rust-version";

impl CargoCall {
    /// The call of the cargo or nextest that started this process, a bench of the package in this folder,
    /// with these environment variables. `None` if none did, or if the system does not show its arguments.
    pub fn of_this_run(folder: &Path, variables: &Variables) -> Option<Self> {
        // The variables may come from cargo's run of another package, if a bench of that package started
        // this process.
        let of_package = value_of(variables, "CARGO_MANIFEST_DIR")?;
        if Path::new(of_package).canonicalize().ok()? != folder.canonicalize().ok()? {
            return None;
        }
        // Between cargo and this process there may be a runner.
        let Ancestor { program, arguments, folder, variables } = ancestors().find(is_cargo)?;
        let this = Self::of_call(arguments, &folder, |name| alias(&program, &folder, name))?;
        Some(Self { variables, ..this })
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
                "bench" | "test" | "t" | "nextest" => {
                    let words = arguments.into_iter().skip(1).take_while(|word| word != "--");
                    let words = words.filter(|word| !word.starts_with('+')).collect();
                    return Some(Self { words, ..this });
                }
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
        for (place, (option, value)) in options(arguments) {
            let is_of_nextest = subcommand.is_some_and(|place| arguments[place] == "nextest");
            let text = value.clone().unwrap_or_default();
            match &*option {
                "--package" | "-p" => named.push(text),
                "--exclude" => without.push(text),
                "--workspace" | "--all" => is_all = true,
                "--features" | "-F" => {
                    let names = text.split([' ', ',']).filter(|name| !name.is_empty());
                    this.features.extend(names.map(str::to_owned));
                }
                "--manifest-path" => this.manifest = value,
                // For nextest, this names no profile of cargo.
                "--profile" if is_of_nextest => {}
                "--profile" | "--cargo-profile" => this.profile = value,
                "--release" | "-r" => this.profile = Some("release".to_owned()),
                "--target" => this.target = value,
                "--frozen" => this.others.push(("--offline".to_owned(), None)),
                // The toolchain, which rustup has read.
                _ if option.starts_with('+') => {}
                _ if !option.starts_with('-') => subcommand = subcommand.or(Some(place)),
                _ if is_of_nextest && !has(OF_NEXTEST, &option) || has(DECIDED, &option) => {}
                _ => this.others.push((option, value)),
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
        if let Some(given) = &self.manifest {
            return Some(self.folder.join(given));
        }
        self.folder.ancestors().map(|folder| folder.join("Cargo.toml")).find(|file| file.is_file())
    }

    /// The values of `--config`: settings, or files with settings.
    pub(super) fn settings(&self) -> impl Iterator<Item = &str> {
        let settings = self.others.iter().filter(|(option, _)| option == CONFIG);
        settings.filter_map(|(_, setting)| setting.as_deref())
    }

    /// Returns whether it downloads nothing.
    pub(super) fn is_offline(&self) -> bool {
        self.others.iter().any(|(option, _)| option == "--offline")
    }

    /// The same call of this cargo, with a program in place of the compiler. It starts no bench.
    pub fn recorded_by(&self, recorder: &Path, cargo: &OsStr) -> Command {
        let mut cargo = Command::new(cargo);
        cargo.current_dir(&self.folder).args(&self.words).arg("--no-run");
        cargo.env_clear().envs(self.variables.iter().map(|(name, value)| (name, value)));
        record_by(&mut cargo, recorder);
        cargo
    }

    /// The words that select no packages, features and profile, for the same call in the same folder.
    pub(super) fn repeated(&self) -> Vec<String> {
        let manifest = self.manifest.iter().flat_map(|path| ["--manifest-path", path]);
        let target = self.target.iter().map(|name| format!("--target={name}"));
        let others = self.others.iter().filter(|(option, _)| !option.ends_with("-features"));
        manifest.map(str::to_owned).chain(target).chain(typed(others.cloned())).collect()
    }

    /// The same call for the package of the bench alone.
    pub(super) fn alone(&self) -> Self {
        Self { packages: Packages::Named(Vec::new()), ..self.clone() }
    }
}

/// Lets cargo start this program in place of the compiler.
pub(super) fn record_by(cargo: &mut Command, recorder: &Path) {
    cargo.env(WRAPPER, recorder).env(RECORDS, "1");
}

/// Options as they are typed.
pub(super) fn typed(words: impl Iterator<Item = Word>) -> impl Iterator<Item = String> {
    words.flat_map(|(option, value)| [Some(option), value]).flatten()
}

/// Returns whether a list of words has this one.
fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Returns whether a process is cargo or nextest.
fn is_cargo(process: &Ancestor) -> bool {
    let name = process.program.file_stem();
    // Nix wraps cargo.
    name.is_some_and(|name| name == "cargo" || name == ".cargo-wrapped" || name == "cargo-nextest")
}

/// The words of a call up to `--`, except for the program, as cargo reads them: each option with its value,
/// and the index of its word.
fn options(arguments: &[String]) -> Vec<(usize, Word)> {
    let mut options = Vec::new();
    let words = arguments.iter().map(String::as_str).enumerate().skip(1);
    let mut words = words.take_while(|(_, word)| *word != "--");
    while let Some((place, word)) = words.next() {
        let mut value_of =
            |inside: Option<&str>| inside.or_else(|| words.next().map(|(_, next)| next)).map(str::to_owned);
        if let Some((option, value)) = word.split_once('=').filter(|_| word.starts_with("--")) {
            options.push((place, (option.to_owned(), Some(value.to_owned()))));
        } else if word.starts_with("--") || !word.starts_with('-') {
            let value = has(WITH_VALUE, word).then(|| value_of(None)).flatten();
            options.push((place, (word.to_owned(), value)));
        } else {
            // `-qF fast`, `-pname`, `-p=name`
            let mut letters = word.trim_start_matches('-').chars();
            while let Some(letter) = letters.next() {
                let rest = letters.as_str();
                let has_value = LETTERS_WITH_VALUE.contains(letter);
                let inside = Some(rest.trim_start_matches('=')).filter(|_| !rest.is_empty());
                let value = has_value.then(|| value_of(inside)).flatten();
                options.push((place, (format!("-{letter}"), value)));
                if has_value {
                    break;
                }
            }
        }
    }
    options
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
                "gate" => "bench --bench x -- --against main",
                "endless" => "endless",
                _ => return None,
            };
            Some(words.split(' ').map(str::to_owned).collect())
        };
        CargoCall::of_call(words.split(' ').map(str::to_owned).collect(), Path::new("/work"), alias)
    }

    #[test]
    fn words_that_the_harness_does_not_decide_stay() {
        let others = |words: &str| {
            let words = of_call(words).unwrap().others.into_iter();
            let words = words.flat_map(|(option, value)| [Some(option), value]).flatten();
            words.collect::<Vec<_>>().join(" ")
        };
        for (words, expected) in [
            (
                "cargo bench -qj2 --ignore-rust-version --bench b --no-run -- -j 3",
                "-j 2 --ignore-rust-version",
            ),
            (
                "cargo --config a.toml bench --config=x.y=1 --newer --frozen",
                "--config a.toml --config x.y=1 --newer --offline",
            ),
            ("cargo bench name -vvZbuild-std --target x --color=never --lib", "-Z build-std"),
            ("cargo gate --offline", ""),
            ("cargo-nextest nextest run -E all() -j2 --no-capture -Z x --offline", "-Z x --offline"),
        ] {
            assert_eq!(others(words), expected, "{words}");
        }
        let short = of_call("cargo bench -qF one,two -vpa -p=b").unwrap();
        assert_eq!(short.features, ["one", "two"]);
        assert_eq!(short.packages, Packages::Named(vec!["a".to_owned(), "b".to_owned()]));
    }

    #[test]
    fn aliases_are_replaced_by_their_words() {
        let all = of_call("cargo bench --workspace");
        assert!(all.is_some());
        assert_eq!(of_call("cargo timed"), all);
        let slowly = of_call("cargo +nightly --color always slowly -- --against main").unwrap();
        assert_eq!(slowly.words, ["--color", "always", "bench", "--workspace", "--features", "slow"]);
        let typed = of_call("cargo bench --all -Fslow").unwrap();
        assert_eq!(CargoCall { words: typed.words.clone(), ..slowly }, typed);
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
        assert_eq!(nextest.repeated(), ["--manifest-path", "a/Cargo.toml"]);
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
