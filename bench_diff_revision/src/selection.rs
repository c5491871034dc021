//! Selects in the old tree the packages and features that are on in the running bench.
//!
//! The cargo call selects the same packages there, and the same features by name. If it is not known, one of
//! the bench's package alone takes its place, with the features that are not on by default.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use bench_diff_system::rustc_call::RustcCall;
use bench_diff_system::text::matches;

use super::bench::Bench;
use super::cargo_call::{CONFIG, CargoCall, Packages, Word, typed};
use super::manifest::{MANIFEST, features};
use super::settings::{config_files, in_old_tree, variables_in};
use super::workspace::{Package, Workspace};

/// The features of a package, and what each of them turns on.
pub(super) type Features = HashMap<String, Vec<String>>;

const DEFAULT: &str = "default";

const WITHOUT_DEFAULT: &str = "--no-default-features";

/// What is built of the old side.
pub(super) struct Selection {
    /// The arguments that make cargo select it.
    pub(super) arguments: Vec<String>,
    /// The features that are on in the running bench and do not exist in the old package.
    pub(super) lacking: Vec<String>,
}

impl CargoCall {
    /// A call for the package of a bench alone, which builds it as this call of rustc did in a repository
    /// with this root. Features that other packages add to dependencies are not on.
    pub(super) fn of_rustc(bench: &Bench<'_>, call: &RustcCall, top: &Path) -> Self {
        let manifest = fs::read_to_string(bench.folder.join(MANIFEST)).unwrap_or_default();
        let (features, has_default) = requested(call, &manifest);
        let without = (!has_default).then(|| (WITHOUT_DEFAULT.to_owned(), None));
        let mut variables = bench.variables.clone();
        for (name, value) in config_files(bench.folder, top).iter().flat_map(|file| variables_in(file)) {
            // Cargo would take what it has set itself as the user's own. It may have put a folder in front.
            variables.retain(|(known, set)| *known != *name || !set.to_string_lossy().ends_with(&value));
        }
        Self {
            packages: Packages::Named(vec![bench.package.to_owned()]),
            features,
            target: call.target().map(str::to_owned),
            others: without.into_iter().collect(),
            folder: bench.folder.to_owned(),
            variables,
            ..Self::default()
        }
    }

    /// Selects in this workspace the same packages and features as this call, and in any case the package of
    /// the bench. `trees` are the working tree and the one of that workspace.
    pub(super) fn selected(&self, workspace: &Workspace, package: &Package, trees: [&Path; 2]) -> Selection {
        let mut selected = Vec::new();
        for other in &workspace.packages {
            if other.id == package.id || self.selects(other, workspace) {
                selected.push(other);
            }
        }
        // A new feature has no code in the old revision.
        let (features, lacking): (Vec<String>, _) =
            self.features.iter().cloned().partition(|feature| has_feature(feature, workspace, &selected));
        let mut arguments = Vec::new();
        for package in &selected {
            arguments.extend(["-p".to_owned(), package.id.clone()]);
        }
        arguments.push(format!("--features={}", features.join(",")));
        arguments.extend(typed(self.words_in(trees)));
        Selection { arguments, lacking }
    }

    /// The values of `--config`, as arguments in the old one of these trees.
    pub(super) fn settings_in(&self, trees: [&Path; 2]) -> Vec<String> {
        typed(self.words_in(trees).filter(|(option, _)| option == CONFIG)).collect()
    }

    /// The words of the call that select no packages and features, as they are typed in the old one of these
    /// trees.
    fn words_in(&self, trees: [&Path; 2]) -> impl Iterator<Item = Word> {
        self.others.iter().cloned().map(move |(option, mut value)| {
            if let Some(typed) = value.as_mut().filter(|_| option == CONFIG) {
                *typed = in_old_tree(typed, &self.folder, trees);
            }
            (option, value)
        })
    }

    /// Returns whether it selects this package of a workspace.
    fn selects(&self, package: &Package, workspace: &Workspace) -> bool {
        match &self.packages {
            Packages::Default => {
                workspace.workspace_default_members.iter().flatten().any(|id| *id == package.id)
            }
            Packages::Named(specs) => specs.iter().any(|spec| is_of(spec, &package.name)),
            Packages::All { without } => !without.iter().any(|spec| is_of(spec, &package.name)),
        }
    }
}

/// Returns whether the selected packages of a workspace have this feature, which may be that of a dependency.
fn has_feature(feature: &str, workspace: &Workspace, selected: &[&Package]) -> bool {
    let Some((name, feature)) = feature.split_once('/') else {
        return selected.iter().any(|package| package.features.contains_key(feature));
    };
    let name = name.trim_end_matches('?');
    workspace.package(name).is_none_or(|member| member.features.contains_key(feature))
        && selected.iter().any(|package| package.name == name || package.depends_on(name))
}

/// Returns whether a package specification means a package of this name, of whatever version: `a`, `a*`,
/// `a@1.0`, `path+file:///x/a#1.0`, `path+file:///x#a@1.0`.
fn is_of(spec: &str, name: &str) -> bool {
    let (url, fragment) = spec.split_once('#').unwrap_or((spec, ""));
    [fragment, url.rsplit('/').next().unwrap_or(url)].iter().any(|part| {
        let named = part.split(['@', ':']).next().unwrap_or(part);
        matches(named, name)
    })
}

/// The features with which a user asks for this call of rustc, by the manifest of its package, and whether
/// those of the default are on.
fn requested(call: &RustcCall, manifest: &str) -> (Vec<String>, bool) {
    let mut known = features(manifest);
    let on: Vec<&str> = call.features().collect();
    // Optional dependencies are features too.
    for name in &on {
        known.entry((*name).to_owned()).or_default();
    }
    let is_default = on.contains(&DEFAULT);
    let by_default = if is_default { turned_on(&known, &[DEFAULT]) } else { HashSet::new() };
    let wanted = on.iter().filter(|name| !by_default.contains(*name)).map(|name| (*name).to_owned());
    // If the package has none, the user cannot have turned them off.
    (wanted.collect(), is_default || !known.contains_key(DEFAULT))
}

/// These features, and all features that they turn on.
fn turned_on<'a>(features: &'a Features, names: &[&str]) -> HashSet<&'a str> {
    let mut on = HashSet::new();
    let mut next: Vec<&str> = names.to_vec();
    while let Some(name) = next.pop() {
        if let Some((name, more)) = features.get_key_value(name)
            && on.insert(&**name)
        {
            // A feature of an optional dependency turns that dependency on.
            next.extend(more.iter().map(|name| name.split_once('/').map_or(&**name, |(name, _)| name)));
        }
    }
    on
}

impl Bench<'_> {
    /// The arguments with which cargo builds this bench as it was built, after `--bench NAME`.
    pub fn arguments_of_cargo(&self) -> Vec<String> {
        let manifest = fs::read_to_string(self.folder.join(MANIFEST)).unwrap_or_default();
        let call = RustcCall::of(self.rustc_call);
        let features = call.iter().flat_map(|call| features_for(call, &manifest));
        let of_rustc = || Some(CargoCall::of_rustc(self, call.as_ref()?, self.folder));
        let known = self.cargo_call.clone().or_else(of_rustc).unwrap_or_default();
        let of_folder = || Some(call.as_ref()?.profile_name());
        let profile = known.profile.clone().or_else(of_folder).filter(|name| name != "bench");
        let profile = profile.map(|name| format!("--profile={name}"));
        features.chain(profile).chain(known.repeated()).collect()
    }
}

/// The arguments with which cargo turns on the features of a package with this manifest that are on in this
/// call.
fn features_for(call: &RustcCall, manifest: &str) -> impl Iterator<Item = String> {
    let (features, has_default) = requested(call, manifest);
    let features = (!features.is_empty()).then(|| format!("--features={}", features.join(",")));
    let without = (!has_default).then(|| WITHOUT_DEFAULT.to_owned());
    features.into_iter().chain(without)
}

#[cfg(test)]
mod tests {
    use bench_diff_system::json;

    use super::*;

    #[test]
    fn features_that_are_on_by_default_are_not_requested() {
        let of = |on: &[&str], manifest: &str| {
            let cfgs = on.iter().map(|name| format!("--cfg=feature=\"{name}\""));
            let call: Vec<String> =
                ["/bin/rustc", "/work"].map(str::to_owned).into_iter().chain(cfgs).collect();
            let (features, has_default) = requested(&RustcCall::of(&call).unwrap(), manifest);
            (features.join(","), has_default)
        };
        let manifest = "[features]\ndefault = [\"std\"]\nstd = [\"alloc\", \"dep:x\", \"serde/std\", \"weak?/std\"]\n\
            alloc = []\nsimd = []\n";
        let on = ["alloc", "default", "serde", "simd", "std"];
        assert_eq!(of(&on, manifest), ("simd".to_owned(), true));
        assert_eq!(of(&["alloc"], manifest), ("alloc".to_owned(), false));
        assert_eq!(of(&["optional"], ""), ("optional".to_owned(), true));
        assert_eq!(of(&[], "[features]\nsimd = []\n"), (String::new(), true));
    }

    #[test]
    fn variables_of_todays_settings_are_not_those_of_the_user() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".cargo")).unwrap();
        let settings = "[env]\nSIZE = \"2\"\nDATA = { value = \"data\", relative = true }\nOWN = \"1\"\n";
        fs::write(folder.path().join(".cargo/config.toml"), settings).unwrap();
        let variables = [("SIZE", "2"), ("DATA", "/work/data"), ("OWN", "3"), ("HOME", "/")];
        let variables = variables.map(|(name, value)| (name.into(), value.into())).to_vec();
        let bench = Bench { folder: folder.path(), variables, ..Bench::example() };
        let call = RustcCall::of(&["/bin/rustc", "/work"]).unwrap();
        let kept = CargoCall::of_rustc(&bench, &call, folder.path()).variables;
        assert_eq!(kept, [("OWN", "3"), ("HOME", "/")].map(|(name, value)| (name.into(), value.into())));
    }

    /// The arguments of a call for a workspace of three packages; `a` has the bench.
    fn arguments(words: &str) -> String {
        let package = |name: &str, features: &str| {
            format!(
                "{{\"name\":\"{name}\",\"id\":\"{name}#1\",\"manifest_path\":\"\",\"features\":{{{features}}},\
                 \"dependencies\":[{{\"name\":\"serde\",\"rename\":null,\"req\":\"*\",\"features\":[],\"uses_default_features\":true,\"optional\":false}},\
                 {{\"name\":\"x\",\"rename\":\"y\",\"req\":\"*\",\"features\":[],\"uses_default_features\":true,\"optional\":false}}],\"targets\":[]}}"
            )
        };
        let packages = [package("a", "\"fast\":[]"), package("ab", ""), package("c", "\"own\":[]")].join(",");
        let workspace = format!(
            "{{\"packages\":[{packages}],\"workspace_root\":\"\",\"workspace_default_members\":[\"c#1\"]}}"
        );
        let workspace: Workspace = json::from_str(&workspace).unwrap();
        let call = CargoCall::of_call(
            format!("cargo bench {words}").split(' ').map(str::to_owned).collect(),
            Path::new("/work"),
            |_| None,
        )
        .unwrap();
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
            ("-p *b -p x*", "-p a#1 -p ab#1 --features="),
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
    fn a_build_is_repeated_with_the_settings_of_its_call() {
        let words = ["cargo", "bench", "--config", "patch.crates-io.a.path=\"a\"", "--offline"];
        let call = CargoCall::of_call(words.map(str::to_owned).into(), Path::new("/work"), |_| None);
        let bench = Bench { cargo_call: call, ..Bench::example() };
        assert_eq!(bench.arguments_of_cargo(), ["--config", "patch.crates-io.a.path=\"a\"", "--offline"]);
        assert_eq!(Bench::example().arguments_of_cargo(), [""; 0]);
        let rustc_call =
            &["rustc", "/work", "--target", "x86_64-a", "--out-dir", "/work/target/x86_64-a/fast/deps"][..];
        let unknown = Bench { rustc_call, ..Bench::example() };
        assert_eq!(unknown.arguments_of_cargo(), ["--profile=fast", "--target=x86_64-a"]);
        let rustc_call = &["rustc", "/work", "--out-dir", "/work/target/debug/deps"][..];
        let in_tests = Bench { rustc_call, ..Bench::example() };
        assert_eq!(in_tests.arguments_of_cargo(), ["--profile=test"]);
    }

    #[test]
    fn a_build_has_the_features_of_the_running_bench() {
        let call = |arguments: &str| {
            let recorded: Vec<&str> =
                ["/bin/rustc", "/work"].into_iter().chain(arguments.split(' ')).collect();
            RustcCall::of(&recorded).unwrap()
        };
        let one = call("--cfg feature=\"x\" --cfg tuned --out-dir /work/target/release/deps");
        let features = |call: &RustcCall, manifest: &str| features_for(call, manifest).collect::<Vec<_>>();
        assert_eq!(features(&one, ""), ["--features=x"]);
        let manifest = "\n[features]\ndefault = [\"x\"]\nx = []\ny = []\nz = []\n";
        assert_eq!(features(&one, manifest), ["--features=x", "--no-default-features"]);
        let other = "--cfg feature=\"default\" --cfg feature=\"x\" --cfg feature=\"y\" --cfg feature=\"z\"";
        assert_eq!(features(&call(other), manifest), ["--features=y,z"]);
    }
}
