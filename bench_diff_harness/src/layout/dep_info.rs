//! The dep-info files of rustc, which list the sources of a crate.

use std::path::{Path, PathBuf};

use super::link::LARGEST;
use crate::system::input;

/// The sources in this file, the root of the crate first. Sources in the workspace are relative to its root,
/// where cargo calls rustc; sources in registries and in other folders are absolute.
pub(crate) fn sources(dep_info: &Path) -> Vec<PathBuf> {
    let text = input::read(dep_info, LARGEST).unwrap_or_default();
    // Each source has an empty rule, so that `make` goes on if the file is missing.
    let rules = String::from_utf8_lossy(&text);
    let sources = rules.lines().filter_map(|line| line.strip_suffix(':')).filter(|rule| !rule.contains(": "));
    sources.map(|source| source.replace("\\ ", " ").into()).collect()
}

/// Returns whether these are the sources of a crate in the workspace.
pub(crate) fn is_of_workspace(sources: &[PathBuf]) -> bool {
    sources.first().is_some_and(|root| root.is_relative())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_crate_of_the_workspace_has_relative_sources() {
        let folder = tempfile::tempdir().unwrap();
        let of = |text: &str| {
            let path = folder.path().join("a.d");
            fs::write(&path, text).unwrap();
            sources(&path)
        };
        let inner = of("/t/libinner-01.rlib: in\\ ner/src/lib.rs in\\ ner/src/a.rs\n\n\
                        /t/inner-01.d: in\\ ner/src/lib.rs in\\ ner/src/a.rs\n\n\
                        in\\ ner/src/lib.rs:\nin\\ ner/src/a.rs:\n\n# env-dep:A=b:\n");
        assert_eq!(inner[..2], ["in ner/src/lib.rs", "in ner/src/a.rs"].map(PathBuf::from));
        assert!(is_of_workspace(&inner));
        let registry = std::env::temp_dir().join("registry/itoa-1.0.0/src/lib.rs");
        let stored = of(&format!("/t/libitoa-01.rlib: {0}\n\n{0}:\n", registry.display()));
        assert_eq!(stored, [registry]);
        assert!(!is_of_workspace(&stored) && !is_of_workspace(&sources(Path::new("/absent/a.d"))));
    }
}
