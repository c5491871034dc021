//! The files of a link, and the shared libraries among them.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use object::elf::{self, ELFMAG};

use crate::layout::link::Link;
use crate::layout::map::is_of_lld;

/// The files that a linker read, in the same order, from the rule that it wrote for `make` together with this
/// map.
pub(super) fn files(map: &str, rule: &str, link: &Link) -> Vec<PathBuf> {
    let here = Path::new(&link.folder);
    let (_, files) = rule.split_once(':').unwrap_or_default();
    let lines = files.lines().skip(1).take_while(|line| !line.trim().is_empty());
    let paths = lines.map(|line| line.strip_suffix(" \\").unwrap_or(line).trim_start());
    // GNU ld writes paths as they are.
    if !is_of_lld(map) {
        return paths.map(|path| here.join(path)).collect();
    }
    let given = link.arguments.iter().map(|argument| argument.strip_prefix("-L").unwrap_or(argument));
    // A folder may be an argument itself, or the folder of a file argument.
    let folders = given.flat_map(|path| [Some(Path::new(path)), Path::new(path).parent()]).flatten();
    let folders: HashMap<PathBuf, &Path> = folders.map(|folder| (written_by_lld(folder), folder)).collect();
    let path = |written: &str| {
        let path = PathBuf::from(without_escapes(written));
        let folder = path.parent().and_then(|folder| folders.get(folder));
        let as_given = folder.zip(path.file_name()).map(|(folder, name)| folder.join(name));
        here.join(as_given.unwrap_or(path))
    };
    paths.map(path).collect()
}

/// A folder as lld writes it: with slashes for backslashes, except double ones.
fn written_by_lld(folder: &Path) -> PathBuf {
    let text = folder.to_string_lossy();
    let parts = text.split("\\\\").map(|part| part.replace('\\', "/"));
    parts.collect::<Vec<_>>().join("\\\\").into()
}

/// Undoes the escapes of lld: a backslash before `#` and before a blank, which doubles the backslashes before
/// the blank, and `$$` for a dollar.
fn without_escapes(written: &str) -> String {
    let (mut plain, mut backslashes) = (String::new(), 0_usize);
    for character in written.replace("$$", "$").chars() {
        let count = match character {
            '\\' => {
                backslashes += 1;
                continue;
            }
            ' ' => backslashes / 2,
            '#' => backslashes.saturating_sub(1),
            _ => backslashes,
        };
        plain.extend(std::iter::repeat_n('\\', count).chain([character]));
        backslashes = 0;
    }
    plain
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
        let arguments = ["-L", "/a b\\c", "/t#d $x/lib.rlib", "../up/one.o"].map(str::to_owned).to_vec();
        let link = Link::new(String::new(), "/work/here".to_owned(), arguments, 0);
        let expected = ["/usr/crt.o", "/a b\\c/libown.a", "/t#d $x/lib.rlib", "/work/here/../up/one.o"];
        let of_lld = "out:x: \\\n /usr/crt.o \\\n /a\\ b/c/libown.a \\\n /t\\#d\\ $$x/lib.rlib \\\n ../up/one.o\n\n\
                      /usr/crt.o:\n";
        let columns = "VMA LMA Size Align Out In Symbol\n";
        assert_eq!(files(columns, of_lld, &link), expected.map(PathBuf::from));
        let of_gnu = "out: \\\n  /usr/crt.o \\\n  /a b\\c/libown.a \\\n  /t#d $x/lib.rlib \\\n  ../up/one.o\n\n/usr/crt.o:\n";
        assert_eq!(files("", of_gnu, &link), expected.map(PathBuf::from));
    }

    #[test]
    fn escapes_come_back_as_what_they_stand_for() {
        for (written, plain) in [
            (r"a\ b", r"a b"),
            (r"a\\\ b", r"a\ b"),
            (r"a\#b", r"a#b"),
            (r"a\\#b", r"a\#b"),
            (r"a\b", r"a\b"),
            ("a$$b$$", "a$b$"),
        ] {
            assert_eq!(without_escapes(written), plain, "{written}");
        }
    }
}
