//! The crate of the quick start in the README.

use crate::common::pages::{blocks, text};

/// Its files.
pub(crate) struct QuickStart {
    pub(crate) manifest: String,
    pub(crate) library: String,
    pub(crate) bench: String,
    /// The library after the change that makes a function slower.
    pub(crate) slower: String,
}

impl QuickStart {
    pub(crate) fn read() -> Self {
        let first = |kind: &str| blocks("README.md", kind).swap_remove(0);
        let library = first("rust,ignore");
        let readme = text("README.md");
        let (_, change) = readme.split_once("in `sum`, replace `").unwrap();
        let (old, change) = change.split_once("` with `").unwrap();
        let (new, _) = change.split_once('`').unwrap();
        assert_eq!(library.matches(old).count(), 1, "{old}");
        let slower = library.replace(old, new);
        Self { manifest: first("toml"), library, bench: first("rust,no_run"), slower }
    }
}
