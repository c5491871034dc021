//! The environment variables that cargo gives to a bench binary at run time.

use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::path::Path;

use super::cargo::{Cargo, Package, variables_of_calls};
use super::program::{CALL_FLAG, variables_in};
use bench_diff_system::executable::Variables;
use bench_diff_system::lifeline;
use bench_diff_system::order::in_order;

/// The beginnings of the names of environment variables that cargo or nextest sets for every binary: about
/// the package, about where to look for libraries and certificates, and about the run.
const OF_EVERY_PROGRAM: [&str; 8] = [
    "CARGO_PKG_",
    "CARGO_MANIFEST_",
    "OUT_DIR",
    "LD_LIBRARY_PATH",
    "DYLD_",
    "SSL_CERT_",
    "NEXTEST",
    "__NEXTEST",
];

/// The path of cargo itself, which is the same for both sides.
const CARGO: &str = "CARGO";

impl Cargo<'_> {
    /// The environment variables that a bench of this package says it has, if cargo starts it, which is built
    /// with these arguments of `cargo bench`.
    ///
    /// # Errors
    ///
    /// If it does not answer.
    pub(super) fn variables_of(&self, package: &Package, arguments: &[String]) -> Result<Variables, String> {
        let mut command = self.call(&["bench", "--no-fail-fast"]);
        command.args(arguments).args(["--", CALL_FLAG]);
        let ended = lifeline::output(&mut command).map_err(|error| format!("cannot start cargo: {error}"))?;
        let folder = Path::new(&package.manifest_path).parent().map(Path::as_os_str);
        let is_of_package = |variables: &Variables| {
            // Other packages may have a bench of this name.
            variables.iter().any(|(name, value)| name == "CARGO_MANIFEST_DIR" && Some(&**value) == folder)
        };
        let Some(mut variables) = variables_in(&ended.stdout).into_iter().find(is_of_package) else {
            let words = String::from_utf8_lossy(&ended.stderr);
            let error = words.lines().find(|line| line.starts_with("error"));
            return Err(error.unwrap_or("cargo did not start its bench").to_owned());
        };
        let own = |name: &OsStr| match self.base {
            Some(base) => base.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone()),
            None => env::var_os(name),
        };
        // Programs get the user's values of the variables that a cargo call sets or removes.
        let of_calls: Vec<&str> = variables_of_calls().collect();
        variables.retain(|(name, _)| !of_calls.iter().any(|call| name == call));
        variables.extend(of_calls.iter().filter_map(|name| Some((name.into(), own(OsStr::new(name))?))));
        let is_of_nextest = |name: &OsStr| name.to_str().is_some_and(|name| name.starts_with("NEXTEST"));
        variables.extend(env::vars_os().filter(|(name, _)| is_of_nextest(name)));
        Ok(variables)
    }
}

/// The environment variables whose values differ between the sides because of config files or build scripts,
/// if any. `moved` pairs corresponding paths of the trees.
pub(super) fn differences(new: &Variables, old: &Variables, moved: &[[&Path; 2]]) -> Option<String> {
    let text = |text: &OsStr| text.to_string_lossy().into_owned();
    let new: HashMap<String, String> = new.iter().map(|(name, value)| (text(name), text(value))).collect();
    let old = old.iter().map(|(name, value)| {
        let paths = moved.iter().map(|paths| paths.map(Path::to_string_lossy));
        (text(name), paths.fold(text(value), |value, [old, new]| value.replace(&*old, &new)))
    });
    let old: HashMap<String, String> = old.collect();
    let is_of_every =
        |name: &str| name == CARGO || OF_EVERY_PROGRAM.iter().any(|start| name.starts_with(start));
    let names = new.keys().chain(old.keys()).map(String::as_str);
    let differ = names.filter(|name| new.get(*name) != old.get(*name) && !is_of_every(name));
    let names = in_order(differ).join(", ");
    (!names.is_empty()).then(|| format!("environment variables at run time differ: {names}"))
}

/// The environment variables whose values differ because they contain the path of this tree, each with
/// whether it is a path in the tree, and not in the target directory, which is often in the tree. A program
/// may read files by them, or start programs.
pub(super) fn moved(new: &Variables, old: &Variables, [tree, target]: [&Path; 2]) -> Vec<(String, bool)> {
    let mut moved = Vec::new();
    for (name, value) in new.iter().filter(|variable| !old.contains(variable)) {
        let (name, value) = (name.to_string_lossy(), value.to_string_lossy());
        let is_of_loader = name.starts_with("LD_") || name.starts_with("DYLD_");
        let [is_in_tree, is_in_target] = [tree, target]
            .map(|folder| folder.to_str().is_some_and(|folder| !folder.is_empty() && value.contains(folder)));
        if !is_of_loader && (is_in_tree || is_in_target) {
            moved.push((name.into_owned(), !is_in_target));
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_settings_and_build_scripts_are_compared() {
        let variables = |all: &[(&str, &str)]| -> Variables {
            all.iter().map(|(name, value)| (name.into(), value.into())).collect()
        };
        let new = [
            ("CARGO_MANIFEST_DIR", "/work/inner"),
            ("CARGO_PKG_VERSION", "2.0.0"),
            ("DATA", "/work/data:/work/target/out"),
            ("LD_LIBRARY_PATH", "/work/target/deps"),
            ("NEXTEST", "1"),
            ("SIZE", "1"),
        ];
        let old = [
            ("CARGO_MANIFEST_DIR", "/old/tree/inner"),
            ("CARGO_PKG_VERSION", "1.0.0"),
            ("DATA", "/old/tree/data:/old/target/out"),
            ("OUT_DIR", "/old/target/out"),
            ("SIZE", "1"),
        ];
        let moved =
            [["/old/target", "/work/target"], ["/old/tree", "/work"]].map(|paths| paths.map(Path::new));
        let compared = |old: &[(&str, &str)]| {
            let text = differences(&variables(&new), &variables(old), &moved)?;
            Some(text.strip_prefix("environment variables at run time differ: ")?.to_owned())
        };
        assert_eq!(compared(&old), None);
        let more = [&old[..4], &[("SIZE", "2"), ("MORE", ""), ("CARGO_WORKSPACE", "/elsewhere")]].concat();
        assert_eq!(compared(&more), Some("CARGO_WORKSPACE, MORE, SIZE".to_owned()));
        assert_eq!(compared(&old[..4]), Some("SIZE".to_owned()));
    }

    #[test]
    fn variables_with_paths_of_trees_are_known() {
        let new: Variables = [
            ("CARGO_BIN_EXE_tool", "/work/target/release/tool"),
            ("CARGO_MANIFEST_DIR", "/work/inner"),
            ("DATA", "/work/data"),
            ("LD_LIBRARY_PATH", "/work/target/release/deps"),
            ("PWD", "/work"),
        ]
        .map(|(name, value)| (name.into(), value.into()))
        .into();
        let old = vec![("PWD".into(), "/work".into())];
        let expected = [("CARGO_BIN_EXE_tool", false), ("CARGO_MANIFEST_DIR", true), ("DATA", true)];
        let expected = expected.map(|(name, is_of_tree)| (name.to_owned(), is_of_tree));
        assert_eq!(moved(&new, &old, ["/work", "/work/target"].map(Path::new)), expected);
    }
}
