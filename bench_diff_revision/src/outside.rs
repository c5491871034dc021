//! What the packages of a repository use outside of it, by relative paths: both sides have it as it is now.
//! And vendored crates, of which an old tree may lack some.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use bench_diff_git::{Checkout, Git};
use bench_diff_system::files::{cannot, copy};
use bench_diff_system::input;
use bench_diff_system::own_crates::OWN_CRATES;
use bench_diff_system::rustc_call::{RustcCall, sources};
use bench_diff_system::text::few;

use super::bench::{Bench, Build};
use super::cargo::new_path;
use super::manifest::{MANIFEST, PackageManifest, outer_paths, resolved};
use super::settings::{config_files, table};
use super::side::Side;
use super::toml::{Table, document, table_at};

/// The most paths that a line names.
const NAMED: usize = 3;

impl Side {
    /// A line about what a revision uses outside of the repository, except for the harness: the folders on
    /// which its packages depend, and files among their sources. Both sides are built with what is there now.
    /// `None` if there is nothing.
    ///
    /// # Errors
    ///
    /// If git does not list the manifests.
    pub fn outside(&self, bench: &Bench<'_>) -> Result<Option<String>, String> {
        let call = RustcCall::of(bench.rustc_call).filter(|_| self.revision().is_some());
        let Some(call) = call else { return Ok(None) };
        let git = Git::of(&call.folder)?;
        let mut outer = outer_sources(&call, &git.top);
        for file in git.paths(&["ls-files", "-z", "--", &format!("*{MANIFEST}")])? {
            let path = git.top.join(file);
            outer.extend(outer_paths(&mut table(&path), &path.with_file_name(""), &git.top));
        }
        // Crates of bench_diff are part of what measures.
        outer.retain(|path| {
            let package = PackageManifest::read(path, MANIFEST.into());
            package.is_none_or(|package| !OWN_CRATES.contains(&&*package.name))
        });
        let outer: Vec<String> = outer.iter().map(|path| path.display().to_string()).collect();
        Ok((!outer.is_empty()).then(|| {
            format!("outside of the repository, so both sides have it as it is now: {}", few(&outer, NAMED))
        }))
    }
}

/// The sources of all crates that were compiled beside the bench. Those of its workspace are relative to the
/// folder of this call.
pub(super) fn compiled(call: &RustcCall) -> Vec<PathBuf> {
    let folders: BTreeSet<_> =
        call.values("dependency").map(PathBuf::from).chain(call.out_folder()).collect();
    let files = folders.iter().flat_map(|folder| input::entries(folder)).map(|file| file.path());
    files
        .filter(|path| path.extension().is_some_and(|it| it == "d"))
        .flat_map(|path| sources(&path))
        .collect()
}

/// The files and folders outside of `top` to which relative paths of sources and symbolic links lead.
fn outer_sources(call: &RustcCall, top: &Path) -> BTreeSet<PathBuf> {
    let mut outer = BTreeSet::new();
    for source in compiled(call).iter().filter(|source| source.is_relative()) {
        let source = resolved(&call.folder.join(source));
        if !source.starts_with(top) {
            outer.insert(source);
            continue;
        }
        for place in source.ancestors().take_while(|place| *place != top) {
            let link = fs::read_link(place).ok().filter(|link| link.is_relative());
            outer.extend(link.map(|link| resolved(&place.with_file_name(link))));
        }
    }
    outer.retain(|path| !path.starts_with(top) && path.exists());
    outer
}

impl Build<'_> {
    /// Adapts a revision to its place: relative paths in manifests and sources that lead out of the tree lead
    /// where they do in the working tree, and config files and vendored crates that git does not track are
    /// there as well. A folder stays as it is.
    pub(super) fn fit(&self, checkout: &Checkout) -> Result<(), String> {
        let Some(git) = &checkout.git else { return Ok(()) };
        for file in checkout.files(&format!("*{MANIFEST}"))?.iter().map(Path::new) {
            let before = table(&checkout.tree.join(file));
            let mut manifest = before.clone();
            outer_paths(&mut manifest, &self.top.join(file.parent().unwrap_or(file)), self.top);
            if manifest != before {
                checkout.edit(&checkout.tree.join(file), document(&manifest))?;
            }
        }
        self.link_outer_sources(checkout)?;
        self.add_settings(checkout, git)?;
        self.add_vendored(checkout)
    }

    /// Puts links to what sources use outside of the repository where the same paths lead from this tree, if
    /// that is in the folder for old trees.
    fn link_outer_sources(&self, checkout: &Checkout) -> Result<(), String> {
        let against = checkout.folder.parent().unwrap_or(&checkout.folder);
        for new in outer_sources(&self.call, self.top) {
            let common = self.top.ancestors().position(|folder| new.starts_with(folder));
            let common = common.and_then(|above| {
                let [new_folder, old_folder] =
                    [self.top, &checkout.tree].map(|folder| folder.ancestors().nth(above));
                Some(old_folder?.join(new.strip_prefix(new_folder?).ok()?))
            });
            if let Some(old) =
                common.filter(|old| old.starts_with(against) && old.symlink_metadata().is_err())
            {
                let made = fs::create_dir_all(old.with_file_name("")).and_then(|()| link(&new, &old));
                made.map_err(|error| cannot("make the link", &old, error))?;
            }
        }
        Ok(())
    }

    /// Copies the crates of a vendored folder that only the working tree has.
    fn add_vendored(&self, checkout: &Checkout) -> Result<(), String> {
        let [_, folder] = self.folders(&checkout.tree);
        for file in config_files(&folder, &checkout.tree) {
            let config = table(&file);
            let sources = table_at(&config, "source").into_iter().flat_map(Table::values);
            for directory in sources.filter_map(|source| source.as_table()?.get("directory")?.as_text()) {
                // Relative to the folder of `.cargo`.
                let old = resolved(&file.with_file_name("..").join(directory));
                for entry in input::entries(&new_path(&old, &checkout.tree, self.top)) {
                    let vendored = old.join(entry.file_name());
                    if entry.path().join(MANIFEST).exists() && !vendored.exists() {
                        checkout.will_write(&vendored)?;
                        copy(&entry.path(), &vendored).map_err(|error| cannot("write", &vendored, error))?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(unix)]
fn link(new: &Path, old: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(new, old)
}

/// On other systems, only an administrator may make links.
#[cfg(not(unix))]
fn link(_new: &Path, _old: &Path) -> std::io::Result<()> {
    Ok(())
}
