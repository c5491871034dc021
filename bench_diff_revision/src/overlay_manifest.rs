//! Changes the manifest of a package in the old tree, so that it has the benches of the working tree.

use std::path::{Path, PathBuf};

use bench_diff_system::files::slashed;
use bench_diff_system::order::map;

use super::toml::{Table, Value, at, table_at};

/// The manifests of a package: its own, and its workspace's, which may be the same.
#[derive(Clone, Copy)]
pub(super) struct Manifests<'t> {
    pub(super) package: &'t Table,
    pub(super) workspace: &'t Table,
    /// The folders of the two manifests.
    pub(super) package_folder: &'t Path,
    pub(super) workspace_folder: &'t Path,
}

pub(super) const DEV_DEPENDENCIES: &str = "dev-dependencies";

/// Makes the old package build the benches of the working tree, with its targets and edition. Its
/// dev-dependencies replace the old ones. `has_library` says if the old package has a library. `moved` turns
/// a path in the working tree into one in the old tree.
pub(super) fn lay_over(
    old: &mut Table,
    new: Manifests<'_>,
    has_library: bool,
    moved: &dyn Fn(&Path) -> PathBuf,
) {
    let edition = new.inherited(&["package", "edition"]).cloned();
    let known: Vec<String> =
        table_at(old, &["features"]).into_iter().flat_map(|features| features.keys().cloned()).collect();
    let benches =
        at(new.package, &["bench"]).map_or(&[][..], Value::items).iter().filter_map(Value::as_table);
    let benches: Vec<Value> = benches.map(|bench| laid_target(bench, edition.as_ref(), &known)).collect();
    let is_laid = |target: &Value| benches.iter().any(|bench| name(bench) == name(target));
    let own = old.get("bench").map_or(&[][..], Value::items).iter().filter(|own| !is_laid(own)).cloned();
    let all: Vec<Value> = own.chain(benches.iter().cloned()).collect();
    if !all.is_empty() {
        old.insert("bench".to_owned(), Value::Array(all));
    }
    leave_out_of_benches(old, new.package, has_library);

    let dependencies = table_at(new.package, &[DEV_DEPENDENCIES]);
    let dependencies = dependencies.map_or_else(Table::new, |table| new.resolved(table, moved));
    old.insert(DEV_DEPENDENCIES.to_owned(), Value::Table(dependencies));
    lay_over_targets(old, new, moved);
}

/// A bench target for the old package: in the edition of the working tree, and without required features that
/// the old package lacks.
fn laid_target(bench: &Table, edition: Option<&Value>, known: &[String]) -> Value {
    let mut bench = bench.clone();
    if let Some(edition) = edition {
        bench.entry("edition".to_owned()).or_insert_with(|| edition.clone());
    }
    if let Some(Value::Array(required)) = bench.get_mut("required-features") {
        // A feature that did not exist yet turns on nothing in the old package.
        required
            .retain(|feature| feature.as_text().is_some_and(|name| known.iter().any(|known| known == name)));
    }
    Value::Table(bench)
}

fn name(target: &Value) -> Option<&str> {
    target.as_table()?.get("name")?.as_text()
}

/// Copies `bench = false` of libraries and binaries, so that `cargo bench` skips the same ones.
fn leave_out_of_benches(old: &mut Table, new: &Table, has_library: bool) {
    let is_left_out = |target: &Table| target.get("bench").is_some_and(|bench| !bench.is_true());
    let no_bench = || Value::Other("false".to_owned());
    if has_library && table_at(new, &["lib"]).is_some_and(is_left_out) {
        let lib = old.entry("lib".to_owned()).or_insert_with(|| Value::Table(Table::new()));
        if let Value::Table(lib) = lib {
            lib.insert("bench".to_owned(), no_bench());
        }
    }
    let binaries = at(new, &["bin"]).map_or(&[][..], Value::items);
    let left_out: Vec<&Value> =
        binaries.iter().filter(|binary| binary.as_table().is_some_and(is_left_out)).collect();
    if let Some(Value::Array(binaries)) = old.get_mut("bin") {
        let same = |binary: &Value| left_out.iter().any(|other| name(other) == name(binary));
        for binary in binaries.iter_mut().filter(|binary| same(binary)) {
            if let Value::Table(binary) = binary {
                binary.insert("bench".to_owned(), no_bench());
            }
        }
    }
}

/// Replaces all `[target.'cfg(..)'.dev-dependencies]` by those of the working tree.
fn lay_over_targets(old: &mut Table, new: Manifests<'_>, moved: &dyn Fn(&Path) -> PathBuf) {
    let Value::Table(targets) = old.entry("target".to_owned()).or_insert_with(|| Value::Table(Table::new()))
    else {
        return;
    };
    for target in targets.values_mut() {
        if let Value::Table(target) = target {
            target.remove(DEV_DEPENDENCIES);
        }
    }
    for (name, target) in table_at(new.package, &["target"]).into_iter().flatten() {
        let dependencies = target.as_table().and_then(|target| target.get(DEV_DEPENDENCIES)?.as_table());
        let (Some(dependencies), Value::Table(target)) =
            (dependencies, targets.entry(name.clone()).or_insert_with(|| Value::Table(Table::new())))
        else {
            continue;
        };
        let dependencies = new.resolved(dependencies, moved);
        target.insert(DEV_DEPENDENCIES.to_owned(), Value::Table(dependencies));
    }
}

impl Manifests<'_> {
    /// A field of the package, or the workspace's field that it inherits.
    fn inherited(&self, path: &[&str]) -> Option<&Value> {
        let value = at(self.package, path)?;
        let inherits = value.as_table().and_then(|table| table.get("workspace")).is_some_and(Value::is_true);
        if inherits { at(self.workspace, &[&["workspace"], path].concat()) } else { Some(value) }
    }

    /// These dependencies, with fields inherited from the workspace, and with paths that are valid in any
    /// folder.
    pub(super) fn resolved(&self, dependencies: &Table, moved: &dyn Fn(&Path) -> PathBuf) -> Table {
        let mut resolved = Table::new();
        for (name, dependency) in dependencies {
            let (dependency, folder) = self.dependency(name, dependency);
            resolved.insert(name.clone(), with_path(dependency, folder, moved));
        }
        resolved
    }

    /// A dependency with all its fields, and the folder that its path is relative to.
    fn dependency(&self, name: &str, own: &Value) -> (Value, &Path) {
        let Some(own) = own.as_table().filter(|own| own.get("workspace").is_some_and(Value::is_true)) else {
            return (own.clone(), self.package_folder);
        };
        let mut whole = match at(self.workspace, &["workspace", "dependencies", name]) {
            Some(Value::Table(shared)) => shared.clone(),
            Some(version) => map([("version".to_owned(), version.clone())]),
            None => Table::new(),
        };
        for (key, value) in own.iter().filter(|(key, _)| *key != "workspace") {
            match (whole.get_mut(key), value) {
                // As in cargo, features that the workspace turns on stay on.
                (Some(Value::Array(features)), Value::Array(more)) => features.extend(more.iter().cloned()),
                (Some(shared), _) if key == "default-features" && shared.is_true() => {}
                _ => drop(whole.insert(key.clone(), value.clone())),
            }
        }
        (Value::Table(whole), self.workspace_folder)
    }
}

fn with_path(mut dependency: Value, folder: &Path, moved: &dyn Fn(&Path) -> PathBuf) -> Value {
    if let Value::Table(details) = &mut dependency
        && let Some(Value::Text(path)) = details.get_mut("path")
    {
        *path = slashed(&moved(&folder.join(&*path)));
        // The old tree may have another version of it.
        details.remove("version");
    }
    dependency
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toml::parse;

    /// The old manifest with the benches of the working tree.
    fn laid(old: &str, new: &str, workspace: &str) -> Table {
        let [mut old, package, workspace] = [old, new, workspace].map(|text| parse(text).unwrap());
        let new = Manifests {
            package: &package,
            workspace: &workspace,
            package_folder: Path::new("/new/crates/mine"),
            workspace_folder: Path::new("/new"),
        };
        lay_over(&mut old, new, true, &|path| Path::new("/moved").join(path.strip_prefix("/").unwrap()));
        old
    }

    #[test]
    fn new_benches_replace_old_ones_of_the_same_name() {
        let old = "[package]\nname = \"mine\"\nedition = \"2018\"\n[features]\nstd = []\n\
            [[bench]]\nname = \"a\"\nharness = false\npath = \"old.rs\"\n[[bench]]\nname = \"own\"\n";
        let new = "[package]\nname = \"mine\"\nedition = \"2024\"\n\
            [lib]\nbench = false\n\
            [[bench]]\nname = \"a\"\nharness = false\nrequired-features = [\"std\", \"newer\"]\n\
            [[bench]]\nname = \"b\"\nharness = false\n";
        let expected = "[package]\nname = \"mine\"\nedition = \"2018\"\n[features]\nstd = []\n\
            [lib]\nbench = false\n\
            [[bench]]\nname = \"own\"\n\
            [[bench]]\nname = \"a\"\nharness = false\nedition = \"2024\"\nrequired-features = [\"std\"]\n\
            [[bench]]\nname = \"b\"\nharness = false\nedition = \"2024\"\n\
            [dev-dependencies]\n[target]\n";
        assert_eq!(laid(old, new, new), parse(expected).unwrap());
    }

    #[test]
    fn binaries_that_are_skipped_are_skipped_in_the_old_tree() {
        let old = "[[bin]]\nname = \"x\"\n[[bin]]\nname = \"y\"\n";
        let new = "[[bin]]\nname = \"x\"\nbench = false\n[[bin]]\nname = \"z\"\nbench = false\n";
        let expected = "dev-dependencies = {}\ntarget = {}\n\
            [[bin]]\nname = \"x\"\nbench = false\n[[bin]]\nname = \"y\"\n";
        assert_eq!(laid(old, new, new), parse(expected).unwrap());
    }

    #[test]
    fn dependencies_of_benches_come_from_the_working_tree() {
        let old = "[dependencies]\nkept = \"1\"\n[dev-dependencies]\ncriterion = \"0.5\"\n\
            [target.'cfg(unix)'.dev-dependencies]\nnix = \"0.2\"\n[target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n";
        let new = "[package]\nedition.workspace = true\n[dependencies]\nkept = \"2\"\n\
            [[bench]]\nname = \"a\"\n\
            [dev-dependencies]\nplain = \"1\"\nshort.workspace = true\n\
            long = { workspace = true, features = [\"more\"], default-features = false }\n\
            beside = { path = \"../beside\" }\nwithin.workspace = true\n\
            [target.'cfg(windows)'.dev-dependencies]\nwinapi = \"0.3\"\n";
        let workspace = "[workspace.package]\nedition = \"2021\"\n[workspace.dependencies]\nshort = \"3\"\n\
            long = { version = \"4\", features = [\"some\"] }\nwithin = { path = \"within\", version = \"0.1\" }\n";
        let expected = "[dependencies]\nkept = \"1\"\n[[bench]]\nname = \"a\"\nedition = \"2021\"\n\
            [dev-dependencies]\nplain = \"1\"\nshort = { version = \"3\" }\n\
            long = { version = \"4\", features = [\"some\", \"more\"], default-features = false }\n\
            beside = { path = \"/moved/new/crates/mine/../beside\" }\n\
            within = { path = \"/moved/new/within\" }\n\
            [target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n\
            [target.'cfg(windows)'.dev-dependencies]\nwinapi = \"0.3\"\n";
        assert_eq!(laid(old, new, workspace), parse(expected).unwrap());
    }
}
