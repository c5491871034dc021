//! The cargo call that started this bench. The packages and features that it selects decide together which
//! features are on in each crate.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::bench::Target;
use super::cargo::{Package, Workspace};
use super::features::Selection;
use super::manifest::resolved;
use super::toml::{Value, parse, quoted};
use bench_diff_system::ancestors::{Ancestor, ancestors};
use bench_diff_system::executable::Variables;
use bench_diff_system::files::slashed;
use bench_diff_system::lifeline;

/// A call of cargo or of nextest: the parts that decide which packages are built, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CargoCall {
    packages: Packages,
    features: Vec<String>,
    has_all_features: bool,
    has_no_default_features: bool,
    /// The manifest given in the call; `None` if cargo looks for one above its folder.
    manifest: Option<PathBuf>,
    folder: PathBuf,
    /// The profile given in the call.
    pub(super) profile: Option<String>,
    /// Words that are passed on unchanged.
    passed: Vec<String>,
    /// The environment variables that cargo was started with.
    pub(super) variables: Variables,
    /// The environment variables of this process, which include the ones that cargo added.
    pub(super) given: Variables,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Packages {
    /// The packages that the manifest selects by default.
    #[default]
    Default,
    Named(Vec<String>),
    All {
        without: Vec<String>,
    },
}

/// The most aliases that are followed one after another.
const DEEPEST: usize = 8;

impl CargoCall {
    /// The call of the cargo or nextest that started this bench, if one did and the system shows its
    /// arguments.
    pub fn of_this_run(target: &Target<'_>, variable: &dyn Fn(&str) -> Option<String>) -> Option<Self> {
        // The variables may come from cargo's run of another package, if a bench of that package started
        // this process.
        let of_package = variable("CARGO_MANIFEST_DIR")?;
        let is_this =
            Path::new(&of_package).canonicalize().ok()? == target.manifest_dir.canonicalize().ok()?;
        let is_cargo = |ancestor: &Ancestor| {
            let name = ancestor.program.file_stem();
            // Nix wraps cargo.
            name.is_some_and(|name| name == "cargo" || name == ".cargo-wrapped" || name == "cargo-nextest")
        };
        // Between cargo and this process there may be a runner.
        let Ancestor { program, arguments, folder, variables } =
            ancestors().find(is_cargo).filter(|_| is_this)?;
        let this = Self::of_call(arguments, &folder, |name| alias(&program, &folder, name))?;
        let has_package = match &this.packages {
            Packages::Named(specs) => specs.iter().any(|spec| is_of(spec, target.package)),
            Packages::All { without } => !without.iter().any(|spec| is_of(spec, target.package)),
            Packages::Default => true,
        };
        has_package.then(|| Self { variables, given: env::vars_os().collect(), ..this })
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
        let words = arguments.iter().map(String::as_str).enumerate().skip(1);
        let mut words = words.take_while(|(_, word)| *word != "--");
        while let Some((place, word)) = words.next() {
            let (option, value) = parts(word);
            let mut value = || value.or_else(|| Some(words.next()?.1)).unwrap_or_default().to_owned();
            match option {
                "--package" | "-p" => named.push(value()),
                "--exclude" => without.push(value()),
                "--workspace" | "--all" => is_all = true,
                "--features" | "-F" => {
                    let list = value();
                    this.features
                        .extend(list.split([' ', ',']).filter(|name| !name.is_empty()).map(str::to_owned));
                }
                "--all-features" => this.has_all_features = true,
                "--no-default-features" => this.has_no_default_features = true,
                "--manifest-path" => this.manifest = Some(folder.join(value())),
                "--config" => {
                    let setting = value();
                    // An argument that is not `KEY=VALUE` names a file.
                    let file = Some(folder.join(&setting)).filter(|file| file.is_file());
                    let setting = match file {
                        Some(file) => file.display().to_string(),
                        None => patch_from_anywhere(&setting, folder).unwrap_or(setting),
                    };
                    this.passed.extend([option.to_owned(), setting]);
                }
                // For nextest, this names no profile of cargo.
                "--profile" if subcommand.is_some_and(|place| arguments[place] == "nextest") => drop(value()),
                "--profile" | "--cargo-profile" => this.profile = Some(value()),
                "--release" | "-r" => this.profile = Some("release".to_owned()),
                "-Z" => this.passed.extend([option.to_owned(), value()]),
                "--offline" | "--frozen" => this.passed.push("--offline".to_owned()),
                "--color" | "-C" => drop(value()),
                _ if !word.starts_with(['-', '+']) => subcommand = subcommand.or(Some(place)),
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
        let above =
            || self.folder.ancestors().map(|folder| folder.join("Cargo.toml")).find(|file| file.is_file());
        self.manifest.clone().or_else(above)
    }

    /// The `--config` arguments, in a form that does not depend on the folder.
    pub(crate) fn settings(&self) -> impl Iterator<Item = &String> {
        let words = self.passed.windows(2).filter(|words| words[0] == "--config");
        words.flatten()
    }

    /// The same call for the package of the bench alone.
    pub(super) fn alone(&self) -> Self {
        Self { packages: Packages::Named(Vec::new()), ..self.clone() }
    }

    /// Selects in this workspace the same packages and features as this call, and in any case the package of
    /// the bench. `trees` are the working tree and the one of that workspace.
    pub(super) fn selected(&self, workspace: &Workspace, package: &Package, trees: [&Path; 2]) -> Selection {
        let is_selected = |other: &&Package| {
            let matches_name = |spec: &String| is_of(spec, &other.name);
            let is_chosen = match &self.packages {
                Packages::Default => workspace.has_by_default(other),
                Packages::Named(specs) => specs.iter().any(matches_name),
                Packages::All { without } => !without.iter().any(matches_name),
            };
            is_chosen || other.id == package.id
        };
        let selected: Vec<&Package> = workspace.packages.iter().filter(is_selected).collect();
        let is_there = |feature: &String| {
            let Some((name, feature)) = feature.split_once('/') else {
                return selected.iter().any(|package| package.features.contains_key(feature));
            };
            let name = name.trim_end_matches('?');
            let member = workspace.packages.iter().find(|package| package.name == name);
            member.is_none_or(|member| member.features.contains_key(feature))
                && selected.iter().any(|package| package.name == name || package.depends_on(name))
        };
        // A new feature has no code in the old revision.
        let (features, lacking): (Vec<String>, _) = self.features.iter().cloned().partition(is_there);
        let packages = selected.iter().flat_map(|package| ["-p".to_owned(), package.id.clone()]);
        let mut arguments: Vec<String> =
            packages.chain([format!("--features={}", features.join(","))]).collect();
        let flags = [
            (self.has_all_features, "--all-features"),
            (self.has_no_default_features, "--no-default-features"),
        ];
        arguments.extend(flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| (*flag).to_owned()));
        let of_tree = |word: &str| patch_in_tree(word, trees).or_else(|| file_in_tree(word, trees));
        let passed = |word: &String| of_tree(word).unwrap_or_else(|| word.clone());
        arguments.extend(self.passed.iter().map(passed));
        Selection { arguments, lacking }
    }
}

/// A patch by a folder of the first tree, by the same folder of the second one if that has it.
fn patch_in_tree(setting: &str, [here, there]: [&Path; 2]) -> Option<String> {
    let (key, path) = setting.split_once("=\"").filter(|(key, _)| key.starts_with("patch."))?;
    let folder = there.join(Path::new(path.strip_suffix('"')?).strip_prefix(here).ok()?);
    folder.is_dir().then(|| format!("{key}={}", quoted(&slashed(&folder))))
}

/// A file with settings in the first tree, by the same file of the second one if that has it.
pub(super) fn file_in_tree(setting: &str, [here, there]: [&Path; 2]) -> Option<String> {
    let file = there.join(Path::new(setting).strip_prefix(here).ok()?);
    file.is_file().then(|| file.display().to_string())
}

/// The setting `patch.crates-io.x.path="folder"`, with an absolute path instead of one relative to this
/// folder, where cargo was called; `None` for any other setting.
fn patch_from_anywhere(setting: &str, folder: &Path) -> Option<String> {
    let (mut key, mut table) = (Vec::new(), parse(setting).ok()?);
    loop {
        let (name, value) = table.pop_first()?;
        let is_bare = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        key.push(if is_bare { name.clone() } else { quoted(&name) });
        match value {
            Value::Table(inner) => table = inner,
            Value::Text(path) if setting.starts_with("patch.") && name == "path" => {
                let path = slashed(&resolved(&folder.join(path)));
                return Some(format!("{}={}", key.join("."), quoted(&path)));
            }
            _ => return None,
        }
    }
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

/// Returns whether a package specification means a package of this name, of whatever version: `a`, `a*`,
/// `a@1.0`, `path+file:///x/a#1.0`, `path+file:///x#a@1.0`.
fn is_of(spec: &str, name: &str) -> bool {
    let (url, fragment) = spec.split_once('#').map_or((spec, None), |(url, end)| (url, Some(end)));
    let plain = |text: &str| text.split(['@', ':']).next().unwrap_or_default().to_owned();
    let named = match fragment.map(plain) {
        Some(named) if !named.starts_with(|c: char| c.is_ascii_digit()) => named,
        _ if url.contains("://") => url.rsplit('/').next().unwrap_or_default().to_owned(),
        _ => plain(url),
    };
    matches(&named, name)
}

/// Returns whether a pattern with `*` and `?` matches this text.
fn matches(pattern: &str, text: &str) -> bool {
    let Some(first) = pattern.chars().next() else { return text.is_empty() };
    let rest = &pattern[first.len_utf8()..];
    let mut tail = text.chars();
    match first {
        '*' => matches(rest, text) || tail.next().is_some() && matches(pattern, tail.as_str()),
        '?' => tail.next().is_some() && matches(rest, tail.as_str()),
        _ => tail.next() == Some(first) && matches(rest, tail.as_str()),
    }
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
    use bench_diff_system::json;

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

    /// The arguments for a workspace of three packages; `a` has the bench.
    fn arguments(words: &str) -> String {
        let package = |name: &str, features: &str| {
            format!(
                "{{\"name\":\"{name}\",\"id\":\"{name}#1\",\"manifest_path\":\"\",\"features\":{{{features}}},\
                 \"dependencies\":[{{\"name\":\"serde\",\"rename\":null,\"req\":\"*\",\"features\":[]}},\
                 {{\"name\":\"x\",\"rename\":\"y\",\"req\":\"*\",\"features\":[]}}],\"targets\":[]}}"
            )
        };
        let packages = [package("a", "\"fast\":[]"), package("ab", ""), package("c", "\"own\":[]")].join(",");
        let workspace = format!(
            "{{\"packages\":[{packages}],\"workspace_root\":\"\",\"workspace_default_members\":[\"c#1\"]}}"
        );
        let workspace: Workspace = json::from_str(&workspace).unwrap();
        let call = of_call(&format!("cargo bench {words}")).unwrap();
        call.selected(&workspace, workspace.package("a").unwrap(), [Path::new(""); 2]).arguments.join(" ")
    }

    #[test]
    fn the_words_of_a_call_select_packages_and_features() {
        for (words, selected) in [
            ("--bench b", "-p a#1 -p c#1 --features="),
            ("-p a", "-p a#1 --features="),
            ("-pa --package=ab", "-p a#1 -p ab#1 --features="),
            ("--package a@0.1 -p path+file:///work/c#0.1.0", "-p a#1 -p c#1 --features="),
            ("-p path+file:///work/z#ab@0.1.0", "-p a#1 -p ab#1 --features="),
            ("-p a* -p newer", "-p a#1 -p ab#1 --features="),
            ("-p ?", "-p a#1 -p c#1 --features="),
            ("--workspace --exclude ab", "-p a#1 -p c#1 --features="),
            ("--all -F fast,own", "-p a#1 -p ab#1 -p c#1 --features=fast,own"),
            ("-p a --features=fast,own --all-features", "-p a#1 --features=fast --all-features"),
            (
                "-p a -p c --features a/fast,a/newer,c/own,serde/std,y?/std,x/std --no-default-features -- -p ab",
                "-p a#1 -p c#1 --features=a/fast,c/own,serde/std,y?/std --no-default-features",
            ),
            ("-p a --features a/fast,c/own", "-p a#1 --features=a/fast"),
            (
                "-p a --config profile.bench.lto=true --frozen -Z build-std",
                "-p a#1 --features= --config profile.bench.lto=true --offline -Z build-std",
            ),
        ] {
            assert_eq!(arguments(words), selected, "{words}");
        }
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
            let words: Vec<String> = call.settings().map(|word| word.replace(['"', '\''], "")).collect();
            assert_eq!(words, ["--config", passed]);
        }
    }

    #[test]
    fn a_file_with_settings_is_that_of_each_tree() {
        let temporary = tempfile::tempdir().unwrap();
        let [here, there] = ["here", "there"].map(|tree| temporary.path().join(tree));
        for file in [here.join("dev.toml"), here.join("new.toml"), there.join("dev.toml")] {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let of_tree = |file: &Path| file_in_tree(&file.display().to_string(), [&here, &there]);
        assert_eq!(of_tree(&here.join("dev.toml")), Some(there.join("dev.toml").display().to_string()));
        assert_eq!(of_tree(&here.join("new.toml")), None);
        assert_eq!(of_tree(&there.join("dev.toml")), None);
        assert_eq!(of_tree(Path::new("net.offline=true")), None);
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
