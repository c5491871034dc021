//! The files of a link, and the shared libraries among them.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use object::elf::{self, ELFMAG};

/// The files that a linker has read in this folder, in the same order, by the rule that it has written for
/// `make`.
pub(super) fn files(rule: &str, folder: &Path) -> impl Iterator<Item = PathBuf> {
    let (_, files) = rule.split_once(':').unwrap_or_default();
    let lines = files.lines().skip(1).take_while(|line| !line.trim().is_empty());
    let unquoted = |line: &str| line.trim_end_matches('\\').trim().replace("\\ ", " ").replace("$$", "$");
    lines.map(move |line| folder.join(unquoted(line)))
}

/// Returns whether this file is a shared object, by its first bytes.
pub(super) fn is_shared(path: &Path) -> bool {
    let mut head = [0; 18];
    let is_read = File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok();
    is_read && head.starts_with(&ELFMAG) && head[16..] == elf::ET_DYN.to_le_bytes()
}

/// Returns whether two paths are of the same file, or of files with the same content.
pub(super) fn is_one_file(one: &Path, other: &Path) -> bool {
    one == other || fs::read(one).is_ok_and(|one| fs::read(other).is_ok_and(|other| one == other))
}
