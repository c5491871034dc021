//! Copies the benches of the working tree into an old tree, in a checkout that the harness owns.
//!
//! The benches of a package are copied together, so that all of them share one build of the old library.
//! The manifest gets the one that runs. If they use files of the package itself, such as a module below
//! `src`, they get the old tree's files, since that is the code in question.

use std::path::{Path, PathBuf};

use bench_diff_git::{Checkout, Git};
use bench_diff_system::files::{cannot, read, read_text, slashed};
use bench_diff_system::order::in_order;
use bench_diff_system::own_crates::is_harness;

use super::bench::Build;
use super::bench_files::of_bench;
use super::manifest::MANIFEST;
use super::overlay_manifest::lay_over;
use super::toml::{document, parse};

/// The benches of the working tree's package, and what they need.
pub(super) struct Overlay<'a> {
    build: &'a Build<'a>,
    /// The folder of which all files are copied, if it is that of the benches alone.
    folder: Option<PathBuf>,
    /// Files of the working tree.
    files: Vec<PathBuf>,
}

impl<'a> Overlay<'a> {
    /// Collects the benches of the package that contains this bench.
    ///
    /// # Errors
    ///
    /// If git does not list the files.
    pub(super) fn of(git: &Git, build: &'a Build<'a>) -> Result<Self, String> {
        let bench = build.call.folder.join(build.bench.file);
        let benches = build.bench.folder.join("benches");
        let folder = bench.parent().filter(|folder| *folder != build.bench.folder);
        let folder = folder.filter(|folder| !folder.starts_with(&benches)).unwrap_or(&benches);
        // A bench beside a library is copied without it. A package below the benches goes with them.
        let is_inside = folder.starts_with(build.bench.folder);
        let mut packages = build.workspace.packages.iter();
        let is_shared = packages.any(|package| {
            (!is_inside || package.name == build.bench.package) && package.has_code_in(folder)
        });
        let pattern = slashed(if is_shared { &bench } else { folder });
        // Those that git tracks or would track.
        let known = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", &pattern];
        let mut files: Vec<PathBuf> = git.paths(&known)?.into_iter().map(PathBuf::from).collect();
        files.extend(of_bench(build));
        let files = in_order(files).into_iter().map(|file| git.top.join(file)).filter(|file| file.is_file());
        Ok(Self { build, folder: (!is_shared).then(|| folder.to_owned()), files: files.collect() })
    }

    /// The place of a file or folder of the working tree in an old tree that has the package in this folder.
    fn place(&self, new: &Path, tree: &Path, package: &Path) -> Option<PathBuf> {
        let inside = new.strip_prefix(self.build.bench.folder).ok();
        inside.map(|inside| package.join(inside)).or_else(|| self.in_tree(new, tree))
    }

    /// The same path in an old tree, also if it leads to the working tree through a link.
    fn in_tree(&self, new: &Path, tree: &Path) -> Option<PathBuf> {
        let inside = new.strip_prefix(self.build.top).ok();
        inside.map(|inside| tree.join(inside)).or_else(|| self.build.place_in(tree, new))
    }

    /// Returns whether a checkout has all of it, in a package with this manifest.
    pub(super) fn is_in(&self, checkout: &Checkout, manifest: &Path) -> bool {
        let package = manifest.parent().unwrap_or(&checkout.tree);
        let manifests = [self.build.bench.folder, self.build.root()].map(|folder| folder.join(MANIFEST));
        self.files.iter().chain(&manifests).all(|new| {
            self.place(new, &checkout.tree, package).is_some_and(|old| have_same_content(new, &old))
        })
    }

    /// Lays it over the package with this manifest in a checkout, and returns the paths of the files there
    /// that differ.
    ///
    /// # Errors
    ///
    /// The file that cannot be read or written.
    pub(super) fn lay(&self, checkout: &Checkout, manifest: &Path) -> Result<Vec<String>, String> {
        let tree = &checkout.tree;
        let package = manifest.parent().unwrap_or(tree);
        let place = |new: &Path| self.place(new, tree, package);
        let below = |old: &Path| slashed(old.strip_prefix(tree).unwrap_or(old));
        let places: Vec<(&PathBuf, PathBuf)> =
            self.files.iter().filter_map(|new| Some((new, place(new)?))).collect();
        // The same module may have been in another file of the package.
        if let Some(folder) = self.folder.as_deref().filter(|it| it.ends_with("benches")).and_then(place) {
            for other in checkout.files(&format!("{}/*.rs", below(&folder)))? {
                let other = tree.join(other);
                let mut inner = other.ancestors().skip(1).take_while(|above| *above != folder);
                let is_laid = places.iter().any(|(_, old)| *old == other);
                if !is_laid && !inner.any(|above| above.join(MANIFEST).exists()) {
                    checkout.remove(&other);
                }
            }
        }
        let mut names = Vec::new();
        for (new, old) in places {
            let content = read(new)?;
            if !read(&old).is_ok_and(|old| old == content) {
                names.push(below(&old));
                checkout.lay(&old, &content)?;
            }
        }
        checkout.edit(manifest, self.manifest(tree, manifest)?)?;
        Ok(names)
    }

    /// This manifest in an old tree, with the bench of the working tree.
    fn manifest(&self, tree: &Path, manifest: &Path) -> Result<String, String> {
        let parsed = parse(&read_text(manifest)?);
        let mut old = parsed.map_err(|error| cannot("read", manifest, error.message()))?;
        let package = manifest.parent().unwrap_or(tree);
        if let Some(today) = self.build.today()
            && let Some(bench) = today.bench(&self.build.bench.name)
            && let Some(file) = self.place(Path::new(&bench.src_path), tree, package)
        {
            lay_over(&mut old, today, (bench, &file), &|name, new| self.dependency(name, new, tree, package));
        }
        Ok(document(&old))
    }

    /// The folder of a dependency in an old tree, by its folder in the working tree. Code of the repository
    /// comes from the old tree, except for a harness that was added later.
    fn dependency(&self, name: &str, new: &Path, tree: &Path, package: &Path) -> PathBuf {
        let in_tree = self.in_tree(new, tree);
        let places = [in_tree.clone(), self.place(new, tree, package)];
        if let Some(old) = places.into_iter().flatten().find(|old| old.exists()) {
            return old;
        }
        in_tree.filter(|_| !is_harness(name)).unwrap_or_else(|| new.to_owned())
    }
}

fn have_same_content(new: &Path, old: &Path) -> bool {
    read(new).ok().zip(read(old).ok()).is_some_and(|(new, old)| new == old)
}
