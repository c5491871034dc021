//! Changes the manifest of a package in the old tree, so that it has the bench of the working tree.

use std::path::{Path, PathBuf};

use bench_diff_system::files::slashed;
use bench_diff_system::order::map;
use bench_diff_system::own_crates::is_harness;

use super::lock_file::series;
use super::toml::{Table, Value, table_at};
use super::workspace::{Dependency, Package, Target};

pub(super) const DEV_DEPENDENCIES: [&str; 2] = ["dev-dependencies", "dev_dependencies"];

/// Makes the old package build a bench of the working tree's package, which is in this file there, with its
/// edition, with the dev-dependencies of that package, and with its harness, which a package of benches alone
/// may have among its dependencies. `moved` turns the folder of the dependency of this name in the working
/// tree into that in the old tree.
pub(super) fn lay_over(
    old: &mut Table,
    new: &Package,
    (bench, file): (&Target, &Path),
    moved: &dyn Fn(&str, &Path) -> PathBuf,
) {
    let bench = entry([
        ("name", Some(text(&bench.name))),
        ("path", Some(Value::Text(slashed(file)))),
        ("harness", Some(Value::Other("false".to_owned()))),
        ("edition", Some(text(&bench.edition))),
    ]);
    old.insert("bench".to_owned(), Value::Array(vec![bench]));

    let mut targets = old.remove("target").unwrap_or_else(|| Value::Table(Table::new()));
    let of_targets = targets.as_table_mut().into_iter().flat_map(Table::values_mut);
    for table in of_targets.filter_map(Value::as_table_mut).chain([&mut *old]) {
        table.retain(|key, _| !DEV_DEPENDENCIES.contains(&&**key));
    }
    for dependency in &new.dependencies {
        let kind = match dependency.kind.as_deref() {
            Some("dev") => DEV_DEPENDENCIES[0],
            None if is_harness(&dependency.name) => "dependencies",
            _ => continue,
        };
        let place = match &dependency.target {
            Some(target) => targets.as_table_mut().and_then(|targets| table_in(targets, target)),
            None => Some(&mut *old),
        };
        let name = dependency.rename.as_ref().unwrap_or(&dependency.name).clone();
        if let Some(place) = place.and_then(|place| table_in(place, kind)) {
            place.insert(name, written(dependency, moved));
        }
    }
    old.insert("target".to_owned(), targets);
    remove_gone_from_features(old);
}

/// Returns whether a manifest has a dependency with this name, of any kind and for any target.
fn has_dependency(package: &Table, name: &str) -> bool {
    let targets = table_at(package, "target").into_iter().flat_map(Table::values);
    let mut tables = targets.filter_map(Value::as_table).chain([package]);
    tables.any(|table| {
        let mut kinds = table.iter().filter(|(kind, _)| kind.ends_with("dependencies"));
        kinds.any(|(_, of_kind)| of_kind.as_table().is_some_and(|it| it.contains_key(name)))
    })
}

/// Removes from the features what they turn on in dependencies that are gone: cargo refuses a manifest that
/// names such a dependency.
fn remove_gone_from_features(package: &mut Table) {
    let Some(mut features) = package.remove("features") else { return };
    for feature in features.as_table_mut().into_iter().flat_map(Table::values_mut) {
        if let Value::Array(items) = feature {
            // `criterion/html_reports`, or `serde?/std`
            items.retain(|item| {
                let name = item.as_text().and_then(|text| text.split_once('/')).map(|(name, _)| name);
                name.is_none_or(|name| has_dependency(package, name.trim_end_matches('?')))
            });
        }
    }
    package.insert("features".to_owned(), features);
}

/// A dependency as a manifest has it.
fn written(dependency: &Dependency, moved: &dyn Fn(&str, &Path) -> PathBuf) -> Value {
    let git = dependency.source.as_deref().and_then(|source| source.strip_prefix("git+"));
    let (url, reference) = git.map_or((None, None), |url| match url.rsplit_once('?') {
        Some((url, reference)) => (Some(url), reference.split_once('=')),
        None => (Some(url), None),
    });
    let folder = dependency.path.as_ref().map(|path| moved(&dependency.name, Path::new(path)));
    let path = folder.map(|folder| Value::Text(slashed(&folder)));
    // The old tree may have another version of a package in a folder.
    let version = dependency.path.is_none().then(|| of_series(&dependency.req));
    entry([
        // If a package is named here, its library has the name of the key.
        ("package", dependency.rename.as_ref().map(|_| text(&dependency.name))),
        ("version", version.map(Value::Text)),
        ("path", path),
        ("git", url.map(text)),
        (reference.map_or("", |(key, _)| key), reference.map(|(_, name)| text(name))),
        ("registry-index", dependency.registry.as_deref().map(text)),
        ("features", Some(Value::Array(dependency.features.iter().map(|name| text(name)).collect()))),
        ("default-features", Some(Value::Other(dependency.uses_default_features.to_string()))),
        ("optional", dependency.optional.then(|| Value::Other("true".to_owned()))),
    ])
}

/// A requirement that an older version of the same series meets as well: the old tree keeps the version that
/// it has locked, since a newer one is a part of the change.
fn of_series(requirement: &str) -> String {
    let least = requirement.strip_prefix('^').filter(|least| !least.contains(['-', ',']));
    let numbers = |least| series(least).iter().map(u64::to_string).collect::<Vec<_>>();
    least.map_or_else(|| requirement.to_owned(), |least| format!("^{}", numbers(least).join(".")))
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// A table with those of these entries that have a value.
fn entry<const N: usize>(entries: [(&str, Option<Value>); N]) -> Value {
    Value::Table(map(entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)))))
}

/// The table with this name in another one, which may be new; `None` if the name is that of something else.
fn table_in<'t>(table: &'t mut Table, name: &str) -> Option<&'t mut Table> {
    table.entry(name.to_owned()).or_insert_with(|| Value::Table(Table::new())).as_table_mut()
}

#[cfg(test)]
mod tests {
    use bench_diff_system::json;

    use super::*;
    use crate::toml::parse;

    /// The old manifest with the bench of a package that has these dependencies.
    fn laid(old: &str, dependencies: &str) -> Table {
        let mut old = parse(old).unwrap();
        let package = format!(
            "{{\"name\":\"mine\",\"id\":\"\",\"manifest_path\":\"\",\"features\":{{}},\"dependencies\":[{dependencies}],\
             \"targets\":[{{\"name\":\"a\",\"kind\":[\"bench\"],\"src_path\":\"/new/b/a.rs\",\"edition\":\"2024\"}}]}}"
        );
        let new: Package = json::from_str(&package).unwrap();
        let moved = |path: &Path| Path::new("/old").join(path.strip_prefix("/new").unwrap());
        lay_over(&mut old, &new, (&new.targets[0], &moved(Path::new("/new/b/a.rs"))), &|_, path| moved(path));
        old
    }

    const BENCH: &str =
        "[[bench]]\nname = \"a\"\npath = \"/old/b/a.rs\"\nharness = false\nedition = \"2024\"\n";

    #[test]
    fn the_new_bench_replaces_old_ones() {
        let old = "[package]\nname = \"mine\"\nedition = \"2018\"\n[features]\nstd = []\n";
        let own = "[[bench]]\nname = \"a\"\nharness = false\npath = \"old.rs\"\n[[bench]]\nname = \"own\"\n";
        let expected = format!("{old}[target]\n{BENCH}");
        assert_eq!(laid(&format!("{old}{own}"), ""), parse(&expected).unwrap());
    }

    #[test]
    fn features_turn_on_nothing_in_what_is_gone() {
        let old = "build-dependencies.serde = \"1\"\n[dev-dependencies]\ncriterion = \"0.5\"\nserde = \"1\"\n\
            kept = \"1\"\nlibc = \"1\"\n[target.'cfg(unix)'.dependencies]\nlibc = \"1\"\n\
            [features]\nall = [\"criterion/html_reports\", \"serde/std\", \"kept/x\", \"libc/x\", \"std\"]\nstd = []\n";
        let kept = "{\"name\":\"kept\",\"req\":\"^1\",\"features\":[],\"uses_default_features\":true,\"kind\":\"dev\",\"optional\":false}";
        let features = laid(old, kept).remove("features");
        let expected = parse("all = [\"serde/std\", \"kept/x\", \"libc/x\", \"std\"]\nstd = []\n").unwrap();
        assert_eq!(features, Some(Value::Table(expected)));
    }

    #[test]
    fn dependencies_of_benches_come_from_the_working_tree() {
        let old = "dev_dependencies.former = \"1\"\n[dependencies]\nkept = \"1\"\ncriterion = \"0.5\"\n\
            [dev-dependencies]\ncriterion = \"0.5\"\n\
            [target.'cfg(unix)'.dev-dependencies]\nnix = \"0.2\"\n[target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n";
        let dependency = |name: &str, more: &str| {
            let is_optional = name == "bench_diff_criterion";
            format!(
                "{{\"name\":\"{name}\",\"req\":\"^1\",\"features\":[\"x\"],\"uses_default_features\":true,\"optional\":{is_optional},\
                 {more}}}"
            )
        };
        let dependencies = [
            dependency("kept", "\"kind\":null"),
            dependency("bench_diff_criterion", "\"kind\":null,\"rename\":\"criterion\""),
            dependency("plain", "\"kind\":\"dev\",\"source\":\"registry+https://x.org\""),
            dependency(
                "other",
                "\"kind\":\"dev\",\"rename\":\"named\",\"registry\":\"sparse+https://x.org\"",
            ),
            dependency("within", "\"kind\":\"dev\",\"path\":\"/new/within\""),
            dependency("stored", "\"kind\":\"dev\",\"source\":\"git+https://x.org/a?branch=b\""),
            dependency("winapi", "\"kind\":\"dev\",\"target\":\"cfg(windows)\""),
        ];
        let more = "features = [\"x\"], default-features = true }\n";
        let expected = format!(
            "[dependencies]\nkept = \"1\"\n\
            criterion = {{ package = \"bench_diff_criterion\", version = \"^1\", optional = true, {more}\
            [dev-dependencies]\nplain = {{ version = \"^1\", {more}\
            named = {{ package = \"other\", version = \"^1\", registry-index = \"sparse+https://x.org\", {more}\
            within = {{ path = \"/old/within\", {more}\
            stored = {{ version = \"^1\", git = \"https://x.org/a\", branch = \"b\", {more}\
            [target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n\
            [target.'cfg(windows)'.dev-dependencies]\nwinapi = {{ version = \"^1\", {more}\
            {BENCH}"
        );
        assert_eq!(laid(old, &dependencies.join(",")), parse(&expected).unwrap());
    }
}
