//! The shared libraries of a link.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use object::elf::{self, ELFMAG};
use object::{Object as _, ObjectSymbol as _};

/// A shared library: the names that it defines and those that it needs, as far as they matter to a program.
#[derive(Debug)]
pub(super) struct Library {
    pub(super) path: PathBuf,
    pub(super) defines: HashSet<String>,
    pub(super) needs: HashSet<String>,
}

/// The shared libraries among the files that a linker has read, in the same order, with their names that the
/// program knows.
///
/// # Errors
///
/// One of them cannot be read.
pub(super) fn shared(
    rule: &str,
    folder: &Path,
    is_known: impl Fn(&str) -> bool,
) -> Result<Vec<Library>, String> {
    let paths = files(rule).into_iter().map(|file| folder.join(file)).filter(|path| is_shared(path));
    paths.map(|path| Library::read(path, &is_known)).collect()
}

impl Library {
    fn read(path: PathBuf, is_known: impl Fn(&str) -> bool) -> Result<Self, String> {
        let cannot = |error: &dyn std::fmt::Display| format!("cannot read {}: {error}", path.display());
        let bytes = fs::read(&path).map_err(|error| cannot(&error))?;
        let file = object::File::parse(&*bytes).map_err(|error| cannot(&error))?;
        let (mut defines, mut needs) = (HashSet::new(), HashSet::new());
        for symbol in file.dynamic_symbols() {
            let Ok(name) = symbol.name() else { continue };
            if is_known(name) {
                let of = if symbol.is_undefined() { &mut needs } else { &mut defines };
                of.insert(name.to_owned());
            }
        }
        Ok(Self { path, defines, needs })
    }
}

/// The files of the first rule that a linker has written for `make`.
fn files(rule: &str) -> Vec<String> {
    let (_, files) = rule.split_once(':').unwrap_or_default();
    let lines = files.lines().skip(1).take_while(|line| !line.trim().is_empty());
    let unquoted = |line: &str| line.trim_end_matches('\\').trim().replace("\\ ", " ").replace("$$", "$");
    lines.map(unquoted).collect()
}

/// Returns whether this file is a shared object, by its first bytes.
fn is_shared(path: &Path) -> bool {
    let mut head = [0; 18];
    let is_read = File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok();
    is_read && head.starts_with(&ELFMAG) && head[16..] == elf::ET_DYN.to_le_bytes()
}

/// Returns whether two paths are of the same file, or of files with the same content.
pub(super) fn is_one_file(one: &Path, other: &Path) -> bool {
    one == other || fs::read(one).is_ok_and(|one| fs::read(other).is_ok_and(|other| one == other))
}
