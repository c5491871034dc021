//! Changes the manifests of an old tree: the front end that the working tree's manifest names replaces the
//! library that the old benches were written for.
//!
//! Both sides are then built with the same packages, so rustc gives their code the same hashes. The order of
//! the code and its division into codegen units depend on those hashes.

use super::manifest::resolved;
use super::overlay::manifest::Manifests;
use super::stand_in::{FrontEnd, library};
use super::toml::{Table, Value, at, table_at};

const KINDS: [&str; 2] = ["dependencies", "dev-dependencies"];

/// The dependencies on front ends in the manifest of the working tree's package.
pub(super) struct Renames<'a>(Vec<Rename<'a>>);

struct Rename<'a> {
    /// The name by which the package uses it.
    name: String,
    details: Table,
    front_end: &'a FrontEnd,
}

impl<'a> Renames<'a> {
    /// The renames of a package.
    pub(super) fn of(today: Manifests<'_>, front_ends: &'a [FrontEnd]) -> Self {
        let tables = tables(today.package).flat_map(|table| today.resolved(table, &resolved));
        let rename = |(name, value)| {
            let Value::Table(details) = value else { return None };
            let package = details.get("package")?.as_text()?;
            let front_end = front_ends.iter().find(|front_end| front_end.name == package)?;
            Some(Rename { name, details, front_end })
        };
        Self(tables.filter_map(rename).collect())
    }

    /// An old manifest with these front ends; `None` if it names no library that they replace.
    pub(super) fn applied(&self, manifest: &Table) -> Option<Table> {
        let mut changed = manifest.clone();
        self.apply(&mut changed);
        if let Some(Value::Table(workspace)) = changed.get_mut("workspace") {
            self.apply(workspace);
        }
        if let Some(Value::Table(targets)) = changed.get_mut("target") {
            for target in targets.values_mut() {
                if let Value::Table(target) = target {
                    self.apply(target);
                }
            }
        }
        (changed != *manifest).then_some(changed)
    }

    fn apply(&self, section: &mut Table) {
        for kind in KINDS {
            let Some(Value::Table(dependencies)) = section.get_mut(kind) else { continue };
            for (name, value) in dependencies {
                let own = match value {
                    Value::Table(own) => own.clone(),
                    _ => Table::new(),
                };
                let package = own.get("package").and_then(Value::as_text).unwrap_or(name);
                let is_local = own.contains_key("workspace") || own.contains_key("path");
                let Some(library) = library(package).filter(|_| !is_local) else { continue };
                let replaces =
                    |rename: &&Rename<'_>| rename.name == *name && rename.front_end.name == library.front_end;
                if let Some(rename) = self.0.iter().find(replaces) {
                    *value = Value::Table(rename.in_place_of(&own));
                }
            }
        }
    }
}

impl Rename<'_> {
    /// The fields that replace those of an old manifest.
    fn in_place_of(&self, old: &Table) -> Table {
        let mut details = self.details.clone();
        details.remove("optional");
        details.extend(old.get_key_value("optional").map(|(key, value)| (key.clone(), value.clone())));
        let requested = old.get("features").map_or(&[][..], Value::items).iter();
        let has_effect = |name: &&Value| {
            name.as_text()
                .is_some_and(|name| self.front_end.features_with_effect().any(|known| known == name))
        };
        let own = details.get("features").map_or(&[][..], Value::items);
        let more: Vec<Value> =
            requested.filter(has_effect).filter(|name| !own.contains(name)).cloned().collect();
        if !more.is_empty() {
            let all = own.iter().cloned().chain(more).collect();
            details.insert("features".to_owned(), Value::Array(all));
        }
        details
    }
}

/// The dependencies of a package, for all targets and for specific ones.
fn tables(manifest: &Table) -> impl Iterator<Item = &Table> {
    let targets = table_at(manifest, &["target"]).into_iter().flat_map(Table::values);
    let sections = [manifest].into_iter().chain(targets.filter_map(Value::as_table));
    sections.flat_map(|section| KINDS.into_iter().filter_map(|kind| at(section, &[kind])?.as_table()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::against::toml::parse;

    /// The old manifest with the front ends of the new manifest; `None` if nothing changes.
    fn renamed(old: &str, today: &str) -> Option<Table> {
        let front_ends =
            [FrontEnd::new("bench_diff_criterion", "rayon = []\nasync_tokio = [\"dep:tokio\"]\n")];
        let [old, today] = [old, today].map(|text| parse(text).unwrap());
        let folder = Path::new("/work/mine");
        let today = Manifests {
            package: &today,
            workspace: &today,
            package_folder: folder,
            workspace_folder: folder,
        };
        Renames::of(today, &front_ends).applied(&old)
    }

    const TODAY: &str =
        "[dev-dependencies]\ncriterion = { package = \"bench_diff_criterion\", path = \"../front\" }\n";
    const NEW: &str = "{ package = \"bench_diff_criterion\", path = \"/work/front\" }";

    #[test]
    fn a_library_is_replaced_by_todays_dependency() {
        for (old, new) in [
            (
                "[dev-dependencies]\ncriterion = \"0.5\"\na = \"1\"\n",
                "[dev-dependencies]\ncriterion = NEW\na = \"1\"\n",
            ),
            (
                "[dev-dependencies]\ncriterion = { package = \"criterion2\", version = \"1\", features = [\"rayon\"] }\n",
                "[dev-dependencies]\ncriterion = NEW\n",
            ),
            ("[dependencies.criterion]\nversion = \"0.5\"\n", "[dependencies]\ncriterion = NEW\n"),
            (
                "[target.'cfg(unix)'.dev-dependencies]\ncriterion = \"0.5\"\n",
                "[target.'cfg(unix)'.dev-dependencies]\ncriterion = NEW\n",
            ),
            (
                "[workspace.dependencies]\ncriterion = \"0.5\"\n[dev-dependencies]\ncriterion = { workspace = true }\n",
                "[workspace.dependencies]\ncriterion = NEW\n[dev-dependencies]\ncriterion = { workspace = true }\n",
            ),
        ] {
            assert_eq!(renamed(old, TODAY).unwrap(), parse(&new.replace("NEW", NEW)).unwrap(), "{old}");
        }
    }

    #[test]
    fn features_with_an_effect_and_options_stay() {
        let old = "[dependencies]\ncriterion = { version = \"0.5\", optional = true, features = [\"rayon\", \"async_tokio\", \
                   \"newest\"] }\n";
        let details =
            renamed(old, TODAY).unwrap()["dependencies"].as_table().unwrap()["criterion"].to_string();
        assert!(
            details.contains("\"features\" = [\"async_tokio\"]") && details.contains("\"optional\" = true"),
            "{details}"
        );
        let with_feature = TODAY.replace(" }", ", features = [\"async_tokio\"] }");
        let same =
            renamed(old, &with_feature).unwrap()["dependencies"].as_table().unwrap()["criterion"].to_string();
        assert_eq!(same, details);
    }

    #[test]
    fn other_dependencies_stay() {
        for old in [
            "[dev-dependencies]\ncriterion = { path = \"../fork\" }\n",
            "[dev-dependencies]\ncriterion2 = \"1\"\n",
            "[dev-dependencies]\ncriterion = { package = \"another\", version = \"1\" }\n",
            "[dev-dependencies]\ndivan = \"0.1\"\n",
        ] {
            assert_eq!(renamed(old, TODAY), None, "{old}");
        }
        assert_eq!(
            renamed("[dev-dependencies]\ncriterion = \"0.5\"\n", "[dev-dependencies]\ncriterion = \"0.5\"\n"),
            None
        );
    }
}
