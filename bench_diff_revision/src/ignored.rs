//! Files that git ignores: the working tree has them, and a checkout of a revision does not.

use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use super::cargo::today;
use super::checkout::Checkout;
use super::manifest::resolved;
use bench_diff_system::files::slashed;
use bench_diff_system::order::in_order;

/// The most files that are listed.
const SHOWN: usize = 3;

impl Checkout {
    /// Notes on ignored files that the checkout lacks and that a compiler or a build script names, by paths
    /// relative to one of these folders in the tree.
    pub(super) fn ignored(&self, words: &str, folders: &[&Path]) -> String {
        let Some(git) = &self.git else { return String::new() };
        let mut missing = Vec::new();
        for path in paths(words, &self.tree) {
            for there in folders.iter().map(|folder| resolved(&folder.join(path))) {
                let here = today(&there, &self.tree, &git.top);
                if there.starts_with(&self.tree) && !there.exists() && here.is_file() {
                    missing.extend(here.strip_prefix(&git.top).map(Path::to_owned));
                }
            }
        }
        let is_ignored =
            |path: &&PathBuf| git.ask(&["check-ignore", "--quiet", "--", &slashed(path)]).is_ok();
        let line = |path: &PathBuf| {
            format!(
                "\nnote: git ignores {}, so that revision lacks it: `--against PATH` takes a folder with a checkout that \
                 has it",
                slashed(path)
            )
        };
        in_order(missing).iter().filter(is_ignored).take(SHOWN).map(line).collect()
    }
}

/// The parts of a text that may be paths; if a path is in this tree, only the part below its root.
fn paths<'w>(words: &'w str, tree: &Path) -> impl Iterator<Item = &'w str> {
    let root = format!("{}{MAIN_SEPARATOR}", tree.display());
    let quoted = words.split(['`', '"', '\'', '\n']);
    let parts = quoted.flat_map(|text| [text].into_iter().chain(text.split([' ', ':', ',', '(', ')'])));
    let below = parts.map(move |text| text.split_once(&root).map_or(text, |(_, below)| below).trim());
    below.filter(|text| text.contains(['/', '.']))
}
