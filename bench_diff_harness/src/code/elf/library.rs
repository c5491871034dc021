//! The files of a link, and the shared libraries among them.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use object::elf::{self, ELFMAG};

use crate::layout::map::is_of_lld;

/// The files that a linker read in this folder, in the same order, from the rule that it wrote for `make`
/// together with this map.
pub(super) fn files(map: &str, rule: &str, here: &Path) -> Vec<PathBuf> {
    let (_, files) = rule.split_once(':').unwrap_or_default();
    let lines = files.lines().skip(1).take_while(|line| !line.trim().is_empty());
    let paths = lines.map(|line| line.strip_suffix(" \\").unwrap_or(line).trim_start());
    let path = |written: &str| match is_of_lld(map) {
        true => here.join(written.replace("$$", "$").replace("\\ ", " ").replace("\\#", "#")),
        // GNU ld writes paths as they are.
        false => here.join(written),
    };
    paths.map(path).collect()
}

/// Returns whether this file is a shared library, by its first bytes.
pub(super) fn is_shared(path: &Path) -> bool {
    let mut head = [0; 18];
    let is_read = File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok();
    is_read && head.starts_with(&ELFMAG) && head[16..] == elf::ET_DYN.to_le_bytes()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_has_the_paths_of_files() {
        let here = Path::new("/work/here");
        let expected = ["/usr/crt.o", "/a b/c/libown.a", "/t#d $x/lib.rlib", "/work/here/../up/one.o"];
        let of_lld = "out:x: \\\n /usr/crt.o \\\n /a\\ b/c/libown.a \\\n /t\\#d\\ $$x/lib.rlib \\\n ../up/one.o\n\n\
                      /usr/crt.o:\n";
        let columns = "VMA LMA Size Align Out In Symbol\n";
        assert_eq!(files(columns, of_lld, here), expected.map(PathBuf::from));
        let of_gnu = "out: \\\n  /usr/crt.o \\\n  /a b/c/libown.a \\\n  /t#d $x/lib.rlib \\\n  ../up/one.o\n\n/usr/crt.o:\n";
        assert_eq!(files("", of_gnu, here), expected.map(PathBuf::from));
    }
}
