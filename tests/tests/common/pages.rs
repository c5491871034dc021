//! Files of this workspace, and what they have that is there to be copied.

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A file of this workspace.
pub(crate) fn text(path: &str) -> String {
    fs::read_to_string(workspace().join(path)).unwrap()
}

/// The blocks of this kind in a page.
pub(crate) fn blocks(page: &str, kind: &str) -> Vec<String> {
    let (page, fence) = (text(page), format!("```{kind}\n"));
    page.split(&fence).skip(1).map(|block| block.split_once("```").unwrap().0.to_owned()).collect()
}

/// The profile for nextest that is there to be copied.
pub(crate) fn nextest_profile() -> String {
    let blocks = blocks("docs/ci.md", "toml");
    blocks.into_iter().find(|block| block.contains("[profile.perf]")).unwrap()
}
