//! Finds the libraries of the workspace in a bench binary, and the checkouts that they were compiled in.
//!
//! Cargo calls rustc in the root of the workspace with relative paths, so dep-info files do not show the
//! checkout. The metadata of a library does, since it also contains the absolute paths of the sources, for
//! messages about other crates. Procedural macros are not checked, since their metadata are compressed, nor
//! are libraries that only crates from registries use.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};
use std::time::SystemTime;

use bench_diff_system::input::{self, are_one_file};
use bench_diff_system::rustc_call::{RustcCall, is_of_workspace, sources};
use memchr::memmem;

use super::Foreign;

/// The largest metadata file that is read, in bytes.
const LARGEST: u64 = 1 << 30;

/// The extensions of files with the metadata of a library. Cargo's folders usually contain both.
const WITH_METADATA: [&str; 2] = ["rmeta", "rlib"];

/// The libraries in the program of this call that were compiled in another checkout, from different sources.
pub(super) fn foreign(call: &RustcCall) -> Vec<Foreign> {
    let files = files_by_hash(call);
    let mut next: Vec<PathBuf> =
        call.values("--extern").filter_map(|named| Some(named.split_once('=')?.1.into())).collect();
    let mut seen: HashSet<PathBuf> = next.iter().cloned().collect();
    let mut foreign = Vec::new();
    while let Some(library) = next.pop() {
        let sources = of_workspace(&library);
        let metadata =
            WITH_METADATA.iter().find_map(|end| input::read(&library.with_extension(end), LARGEST).ok());
        let Some(metadata) = metadata.filter(|_| !sources.is_empty()) else { continue };
        foreign.extend(foreign_source(&library, &sources, &metadata, &call.folder));
        let used = hashes(&metadata).filter_map(|hash| files.get(hash)).flatten();
        next.extend(used.filter(|used| seen.insert((*used).clone())).cloned());
    }
    foreign
}

/// The libraries that the call may have used, by the hashes in their names.
fn files_by_hash(call: &RustcCall) -> HashMap<Vec<u8>, Vec<PathBuf>> {
    let mut files: HashMap<Vec<u8>, Vec<PathBuf>> = HashMap::new();
    for entry in call.values("dependency").flat_map(|folder| input::entries(Path::new(folder))) {
        let path = entry.path();
        if path.extension() == Some(OsStr::new("rlib"))
            && let Some(hash) =
                path.file_stem().and_then(OsStr::to_str).and_then(|stem| stem.rsplit_once('-'))
        {
            files.entry(hash.1.into()).or_default().push(path);
        }
    }
    files
}

/// The sources of a library, relative to the root of the workspace; empty for libraries outside the
/// workspace.
fn of_workspace(library: &Path) -> Vec<PathBuf> {
    let name = library.file_stem().and_then(OsStr::to_str).and_then(|stem| stem.strip_prefix("lib"));
    let sources = sources(&library.with_file_name(format!("{}.d", name.unwrap_or_default())));
    if !is_of_workspace(&sources) {
        return Vec::new();
    }
    // Sources that a build script wrote are in the target directory, with absolute paths.
    sources.into_iter().filter(|source| source.is_relative()).collect()
}

/// The first source that differs, if the library was compiled in another checkout than this one.
fn foreign_source(library: &Path, sources: &[PathBuf], metadata: &[u8], here: &Path) -> Option<Foreign> {
    let there = other_checkout(sources, metadata, here)?;
    let built = modified(library);
    // A library whose sources are equal in both checkouts may come from either.
    let source = sources.iter().find(|source| {
        let [there, here] = [&*there, here].map(|root| root.join(source));
        modified(&there) > built || fs::read(there).ok() != fs::read(here).ok()
    })?;
    let name = library.file_stem()?.to_str()?.strip_prefix("lib")?.rsplit_once('-')?.0;
    let what = format!("the crate `{name}` in this bench binary");
    let here = here.join(source);
    Some(Foreign { what, there: there.join(source), source: here.clone(), here })
}

fn modified(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|file| file.modified()).ok()
}

/// The checkout that a library was compiled in, by its metadata, unless that is this one.
fn other_checkout(sources: &[PathBuf], metadata: &[u8], here: &Path) -> Option<PathBuf> {
    let roots = sources.iter().map(|source| roots(metadata, source)).find(|roots| !roots.is_empty())?;
    let is_here = roots.iter().any(|root| are_one_file(root, here));
    roots.into_iter().next().filter(|_| !is_here)
}

/// The roots of checkouts that contain this source, according to absolute paths in the metadata.
fn roots(metadata: &[u8], source: &Path) -> Vec<PathBuf> {
    let below = [MAIN_SEPARATOR_STR, source.to_str().unwrap_or_default()].concat();
    let ends = memmem::find_iter(metadata, &below);
    ends.filter_map(|end| root_before(&metadata[end.saturating_sub(LONGEST)..end], source)).collect()
}

/// The root at the end of these bytes, if it contains the source.
fn root_before(bytes: &[u8], source: &Path) -> Option<PathBuf> {
    // A byte that is invalid in UTF-8 separates texts, and no text contains it.
    let before = String::from_utf8_lossy(bytes);
    let text = before.rsplit('\u{fffd}').next().unwrap_or_default();
    // The bytes before a text are its length, and could look like text.
    let mut starts = text.char_indices().map(|(start, _)| Path::new(&text[start..]));
    starts.find(|root| root.is_absolute() && root.join(source).is_file()).map(Path::to_owned)
}

/// The longest path that is looked for, in bytes.
const LONGEST: usize = 4096;

/// Possible hashes in the names of files: 16 hexadecimal digits after a dash.
fn hashes(metadata: &[u8]) -> impl Iterator<Item = &[u8]> {
    let after_dashes = metadata.split(|byte| *byte == b'-').skip(1).filter_map(|rest| rest.get(..16));
    after_dashes.filter(|hash| hash.iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bench_diff_system::files::canonical;
    use tempfile::TempDir;

    use super::*;

    /// Two checkouts, and a folder with the output of a build in one of them.
    struct Checkouts(TempDir);

    impl Checkouts {
        fn new() -> Self {
            let this = Self(tempfile::tempdir().unwrap());
            for (checkout, library) in
                [("one", "inner"), ("one", "base"), ("other", "inner"), ("other", "base")]
            {
                this.write(&format!("{checkout}/{library}/src/lib.rs"), b"1");
                this.write(&format!("{checkout}/{library}/src/more.rs"), b"1");
            }
            this.built("one", "inner", "0123456789abcdef", "-00000000deadbeef");
            this.built("one", "base", "00000000deadbeef", "");
            this
        }

        fn path(&self, path: &str) -> PathBuf {
            canonical(self.0.path()).unwrap().join(path)
        }

        fn write(&self, path: &str, content: &[u8]) {
            let path = self.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }

        /// Writes a library as rustc does in a checkout; the library uses another one.
        fn built(&self, checkout: &str, library: &str, hash: &str, uses: &str) {
            let sources = ["lib.rs", "more.rs"].map(|file| Path::new(library).join("src").join(file));
            let rules: String = sources.iter().map(|source| format!("{}:\n", source.display())).collect();
            let stem = format!("deps/lib{library}-{hash}");
            self.write(&format!("deps/{library}-{hash}.d"), rules.as_bytes());
            let root = self.path(checkout);
            let text = |text: String| [&[0x2f, text.len() as u8], text.as_bytes(), &[0xc1]].concat();
            let of_other = text("/absent/src/lib.rs".to_owned());
            let [relative, absolute] =
                [sources[0].clone(), root.join(&sources[0])].map(|path| text(path.display().to_string()));
            let metadata =
                [&b"rust"[..], uses.as_bytes(), &of_other, &relative, &absolute, &[0xff; 9]].concat();
            self.write(&format!("{stem}.rmeta"), &metadata);
            self.write(&format!("{stem}.rlib"), b"objects");
        }

        fn foreign(&self, checkout: &str) -> Vec<(String, PathBuf, PathBuf)> {
            let inner = self.path("deps/libinner-0123456789abcdef.rlib");
            let recorded = [
                "rustc".to_owned(),
                self.path(checkout).display().to_string(),
                "--extern".to_owned(),
                format!("inner={}", inner.display()),
                "-L".to_owned(),
                format!("dependency={}", self.path("deps").display()),
            ];
            let found = foreign(&RustcCall::of(&recorded).unwrap());
            found.into_iter().map(|part| (part.what, part.there, part.here)).collect()
        }
    }

    #[test]
    fn a_library_from_different_sources_is_foreign() {
        let built = Checkouts::new();
        assert_eq!(built.foreign("one"), []);
        assert_eq!(built.foreign("other"), [], "the same sources make the same library");
        built.write("other/inner/src/more.rs", b"2");
        let foreign = |library: &str, file: &str| {
            let [there, here] =
                ["one", "other"].map(|checkout| built.path(&format!("{checkout}/{library}/src/{file}")));
            (format!("the crate `{library}` in this bench binary"), there, here)
        };
        assert_eq!(built.foreign("other"), [foreign("inner", "more.rs")]);
        // A library that only another library uses.
        built.write("other/base/src/lib.rs", b"2");
        assert_eq!(built.foreign("other"), [foreign("inner", "more.rs"), foreign("base", "lib.rs")]);
        assert_eq!(built.foreign("one"), []);
        built.built("other", "inner", "0123456789abcdef", "");
        assert_eq!(built.foreign("other"), []);
        assert_eq!(
            built.foreign("one"),
            [(
                "the crate `inner` in this bench binary".to_owned(),
                built.path("other/inner/src/more.rs"),
                built.path("one/inner/src/more.rs")
            )]
        );
    }

    #[test]
    fn sources_edited_after_the_build_count_as_different() {
        let built = Checkouts::new();
        let edited = fs::File::options().write(true).open(built.path("one/base/src/lib.rs")).unwrap();
        edited.set_modified(SystemTime::now() + Duration::from_secs(60)).unwrap();
        assert_eq!(built.foreign("other").len(), 1);
        assert_eq!(built.foreign("one"), []);
        // If the other checkout was moved or renamed, its sources are not found.
        fs::rename(built.path("one"), built.path("moved")).unwrap();
        assert_eq!(built.foreign("other"), []);
    }

    #[test]
    fn a_hash_follows_a_dash() {
        assert_eq!(hashes(b"a-0123456789abcdef\xc1-0123-0123456789abcdefx").count(), 2);
    }
}
