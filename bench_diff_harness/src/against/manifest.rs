//! Parsing of manifests and config files, and changes to manifests that are built in another folder than they
//! were written for.

use std::path::{Component, Path, PathBuf};

use super::features::Features;
use super::toml::{Value, parse};

/// Returns whether a manifest is the root of a workspace.
pub(super) fn is_workspace(manifest: &str) -> bool {
    manifest.lines().any(|line| line.trim_start().starts_with("[workspace"))
}

/// The manifest of this folder, with absolute paths instead of relative paths that lead out of `top`.
pub(super) fn with_outer_paths(manifest: &str, folder: &Path, top: &Path) -> String {
    // TOML allows both quotes for strings.
    ['"', '\''].into_iter().fold(manifest.to_owned(), |manifest, quote| {
        let mut parts: Vec<String> = manifest.split(quote).map(str::to_owned).collect();
        for at in 1..parts.len() {
            // `path = "..."`
            let key = parts[at - 1].trim_end().strip_suffix('=');
            let is_path = key.is_some_and(|key| key.trim_end().ends_with("path"));
            let place = resolved(&folder.join(&parts[at]));
            if is_path && parts[at].starts_with("..") && !place.starts_with(top) {
                parts[at] = place.display().to_string().replace('\\', "\\\\");
            }
        }
        parts.join(&quote.to_string())
    })
}

/// The path without `..`.
pub(super) fn resolved(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut resolved, component| {
        match component {
            Component::ParentDir => drop(resolved.pop()),
            component => resolved.push(component),
        }
        resolved
    })
}

/// The profiles of a manifest.
pub(super) fn profiles(manifest: &str) -> Option<Value> {
    parse(manifest).ok()?.remove("profile")
}

/// The features in a manifest, and the features that each of them turns on.
pub(super) fn features(manifest: &str) -> Features {
    let section = manifest.split_once("\n[features]").map_or("", |(_, rest)| rest);
    let section = section.split("\n[").next().unwrap_or_default();
    let feature = |entry: &str| {
        let (name, list) = entry.split_once('[')?;
        let name = name.lines().rfind(|line| line.contains('='))?.split('=').next()?;
        let list = list.split(['"', '\'']).skip(1).step_by(2).map(str::to_owned);
        Some((name.trim().trim_matches(['"', '\'']).to_owned(), list.collect()))
    };
    section.split(']').filter_map(feature).collect()
}

/// The environment variables in a cargo config file.
pub(super) fn variables(settings: &str) -> impl Iterator<Item = &str> {
    let lines = settings.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let names = lines.scan(false, |is_in_env, line| {
        let section = line.strip_prefix('[').and_then(|line| Some(line.split_once(']')?.0.trim()));
        *is_in_env = section.map_or(*is_in_env, |section| section == "env");
        Some(match section {
            Some(section) => section.strip_prefix("env."),
            None => line.split(['=', '.']).next().filter(|_| *is_in_env && line.contains('=')),
        })
    });
    names.flatten().map(|name| name.trim().trim_matches(['"', '\'']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_from_their_section() {
        let manifest = "[package]\nname = \"a\"\n\n[features]\ndefault=[\"std\"]\n# Of std.\nstd = [\n    \"alloc\",\n    \
                        'x/std',\n]\nalloc = []\n\n[package.metadata.x]\nother = [\"y\"]\n";
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let expected =
            [("default", list(&["std"])), ("std", list(&["alloc", "x/std"])), ("alloc", list(&[]))];
        assert_eq!(features(manifest), expected.map(|(name, more)| (name.to_owned(), more)).into());
        assert_eq!(features("[package]\n"), Features::new());
    }

    #[test]
    fn paths_out_of_the_tree_stay_valid() {
        let manifest = "[dependencies]\n\
            inside = { path = \"../inside\" }\n\
            outside = { version = \"1\", path=\"../../../out/side\", features = [] }\n\
            absolute = { path = \"/x\" } # \"\n\
            literal = { version = \"1\", path = '../../../lit' } # it's\n\
            [dependencies.other]\n\
            path = \"../../../other\"";
        let changed =
            |manifest| with_outer_paths(manifest, Path::new("/home/work/crates/a"), Path::new("/home/work"));
        let expected = manifest
            .replace("\"../../../out/side\"", "\"/home/out/side\"")
            .replace("\"../../../other\"", "\"/home/other\"")
            .replace("'../../../lit'", "'/home/lit'");
        assert_eq!(changed(manifest), expected);
        assert_eq!(changed("version = \"../../../x\"\n\n"), "version = \"../../../x\"\n\n");
    }

    #[test]
    fn variables_are_read_from_each_kind_of_section() {
        let settings = "[build]\nrustflags = []\n[env]\n# A = 1\nONE = \"1\"\n\"TWO\" = { value = \"x\", relative = true }\n\
            THREE.value = \"3\"\n[env.FOUR]\nvalue = \"4\"\n[net]\noffline = true\n";
        assert_eq!(variables(settings).collect::<Vec<_>>(), ["ONE", "TWO", "THREE", "FOUR"]);
    }

    #[test]
    fn profiles_are_compared_by_meaning() {
        let manifest = "[package]\nname = \"a\"\n[profile.bench]\nlto = true # fast\n\n[profile.dev.package.x]\nopt-level = 1\n[lib]\n";
        let same = "profile = { dev = { package = { x = { opt-level = 1 } } }, bench = { lto = true } }\n[package]\n";
        assert!(profiles(manifest).is_some());
        assert_eq!(profiles(manifest), profiles(same));
        assert_ne!(profiles(manifest), profiles(&same.replace("true", "false")));
        assert!(is_workspace("[package]\n[workspace.dependencies]\n") && !is_workspace("[package]\n"));
    }
}
