//! The crate of the README: the library of the picture, and its benches.

use crate::common::pages::blocks;

/// Its files.
pub(crate) struct QuickStart {
    /// The sections of the manifest, with the bench of the pair.
    pub(crate) manifest: String,
    /// The bench of a pair.
    pub(crate) pair: String,
    /// The bench of a function of the library.
    pub(crate) function: String,
    pub(crate) library: &'static str,
    /// The library after the change that makes a function slower.
    pub(crate) slower: String,
}

const LIBRARY: &str = "\
pub fn count(line: &str) -> usize {
    line.split(',').count()
}

pub fn sum(line: &str) -> u64 {
    line.split(',').filter_map(|field| field.parse::<u64>().ok()).sum()
}
";

impl QuickStart {
    pub(crate) fn read() -> Self {
        let [manifest] = blocks("README.md", "toml").try_into().expect("one manifest");
        let [pair, function] = blocks("README.md", "rust").try_into().expect("two benches");
        let slower = LIBRARY.replace("field.parse", "field.to_string().parse");
        Self { manifest, pair, function, library: LIBRARY, slower }
    }

    /// The manifest with this line in place of the one that takes the harness, and a bench of this name.
    pub(crate) fn manifest_with(&self, dependency: &str, bench: &str) -> String {
        let path = self.manifest.lines().find(|line| line.starts_with("bench_diff_harness = ")).unwrap();
        self.manifest.replace(path, dependency).replace("name = \"digits\"", &format!("name = {bench:?}"))
    }
}
