//! What cargo reads beside manifests: its config files, and the values of `--config`.

use std::fs;
use std::path::{Path, PathBuf};
use std::slice;

use bench_diff_git::{Checkout, Git};
use bench_diff_system::files::{read, slashed};

use super::bench::Build;
use super::manifest::resolved;
use super::toml::{Table, Value, parse, quoted, table_at};

/// The config file of a folder: cargo reads one of the two.
pub(super) fn config_in(folder: &Path) -> Option<PathBuf> {
    let names = [".cargo/config", ".cargo/config.toml"];
    names.map(|name| folder.join(name)).into_iter().find(|file| file.is_file())
}

/// The config files that cargo reads in a folder, from there up to `top`, each before those that it includes,
/// which may be missing. A file gives way to those before it.
pub(super) fn config_files(folder: &Path, top: &Path) -> Vec<PathBuf> {
    let folders = folder.ancestors().take_while(|folder| folder.starts_with(top));
    let mut files: Vec<PathBuf> = folders.filter_map(config_in).collect();
    let mut place = 0;
    while let Some(file) = files.get(place).cloned() {
        // They give way to the file itself, and to each other from the last to the first.
        for path in included(&table(&file)) {
            let path = resolved(&file.with_file_name(path));
            if !files.contains(&path) {
                files.insert(place + 1, path);
            }
        }
        place += 1;
    }
    files
}

/// The paths of files that a config file includes: `include = ["a.toml", { path = "b.toml" }]`.
fn included(config: &Table) -> Vec<String> {
    let Some(include) = config.get("include") else { return Vec::new() };
    let items = if include.items().is_empty() { slice::from_ref(include) } else { include.items() };
    let mut paths = Vec::new();
    for item in items {
        let path = item.as_table().map_or(Some(item), |item| item.get("path"));
        paths.extend(path.and_then(Value::as_text).map(str::to_owned));
    }
    paths
}

/// The content of a TOML file; nothing if it cannot be read.
pub(super) fn table(file: &Path) -> Table {
    parse(&fs::read_to_string(file).unwrap_or_default()).unwrap_or_default()
}

/// The environment variables in a config file, with their values.
pub(super) fn variables_in(file: &Path) -> Vec<(String, String)> {
    let variable = |(name, value): (&String, &Value)| {
        let value = value.as_table().map_or(Some(value), |details| details.get("value"))?;
        Some((name.clone(), value.as_text()?.to_owned()))
    };
    table_at(&table(file), "env").into_iter().flatten().filter_map(variable).collect()
}

impl Build<'_> {
    /// Gives a revision the config files of the working tree that git does not track, since cargo would read
    /// them there as well.
    pub(super) fn add_settings(&self, checkout: &Checkout, git: &Git) -> Result<(), String> {
        let trees = [self.top, &checkout.tree];
        let mut paths = Vec::new();
        for (tree, folder) in trees.into_iter().zip(self.folders(&checkout.tree)) {
            let files = config_files(&folder, tree).into_iter();
            paths.extend(files.filter_map(|file| Some(file.strip_prefix(tree).ok()?.to_owned())));
        }
        for path in paths {
            let [new, old] = trees.map(|tree| tree.join(&path));
            let is_untracked =
                || git.paths(&["ls-files", "-z", "--", &slashed(&path)]).map(|it| it.is_empty());
            if new.is_file() && !old.exists() && is_untracked()? {
                checkout.edit(&old, read(&new)?)?;
            }
        }
        Ok(())
    }
}

/// A value of `--config` in the old one of these trees, as it was typed in a folder: what leads to something
/// in the new tree leads to the same in the old one, if that has it, and from anywhere.
pub(super) fn in_old_tree(typed: &str, folder: &Path, [new_tree, old_tree]: [&Path; 2]) -> String {
    let (key, value) = typed.split_once('=').map_or((None, typed), |(key, value)| (Some(key.trim()), value));
    let path = value.trim().trim_matches(['"', '\'']);
    // Cargo resolves relative paths of variables itself.
    let is_path = |key: &str| !key.starts_with("env.") && (key.ends_with("path") || path.contains('/'));
    let new = resolved(&folder.join(path));
    let old = new.strip_prefix(new_tree).ok().map(|inside| old_tree.join(inside));
    match old.filter(|old| old.exists()).or_else(|| new.exists().then_some(new)) {
        Some(path) if key.is_none_or(is_path) => {
            let path = slashed(&path);
            key.map_or_else(|| path.clone(), |key| format!("{key}={}", quoted(&path)))
        }
        _ => typed.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn config_files_are_those_of_the_folders_above_and_what_they_include() {
        let temporary = tempfile::tempdir().unwrap();
        let top = temporary.path();
        let write = |path: &str, text: &str| {
            let path = top.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            ".cargo/config.toml",
            "include = [\"local.toml\", { path = \"../absent.toml\", optional = true }]",
        );
        write(".cargo/local.toml", "include = \"config.toml\"");
        write("inner/.cargo/config", "");
        write("inner/.cargo/config.toml", "include = \"not read\"");
        let files = config_files(&top.join("inner/below"), top);
        let expected = ["inner/.cargo/config", ".cargo/config.toml", "absent.toml", ".cargo/local.toml"];
        assert_eq!(files, expected.map(|path| top.join(path)));
        assert_eq!(config_files(Path::new("/elsewhere"), top), [""; 0].map(PathBuf::from));
    }

    #[test]
    fn a_setting_leads_to_the_same_in_the_old_tree() {
        let temporary = tempfile::tempdir().unwrap();
        let [new, old] = ["new", "old"].map(|tree| temporary.path().join(tree));
        for file in [new.join("both"), new.join("in/one"), old.join("both"), temporary.path().join("outer")] {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let typed = |typed: &str| {
            let setting = in_old_tree(typed, &new.join("in"), [&new, &old]);
            let setting = setting.replace(&*temporary.path().to_string_lossy(), "T");
            setting.replace(['"', '\''], "")
        };
        for (setting, expected) in [
            ("../both", "T/old/both"),
            ("one", "T/new/in/one"),
            ("patch.crates-io.a.path=\"../both\"", "patch.crates-io.a.path=T/old/both"),
            ("patch.'https://x.org/i'.a.path='one'", "patch.https://x.org/i.a.path=T/new/in/one"),
            ("build.rustc-wrapper=\"../../outer\"", "build.rustc-wrapper=T/outer"),
            ("env.X.value=\"../both\"", "env.X.value=../both"),
            ("profile.bench.lto=\"one\"", "profile.bench.lto=one"),
            ("net.offline=true", "net.offline=true"),
            ("absent.toml", "absent.toml"),
        ] {
            assert_eq!(typed(setting), expected, "{setting}");
        }
    }
}
