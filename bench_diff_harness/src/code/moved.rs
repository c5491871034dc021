//! Texts that contain the path of the tree that they were compiled in: the folder of a tree is no difference.
//!
//! Such a text equals the text of the other side if only the path differs. The program may read files by that
//! path, so no file may differ that the functions can name.

use std::collections::HashSet;

/// The shortest part of a path that is looked for in machine code. Shorter ones would be found by chance.
const WORD: usize = 4;

/// The trees that two programs were compiled in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Trees {
    /// Their paths, the left one first.
    pub(crate) paths: [String; 2],
    /// The folder of the package in its tree; empty if it is the root.
    pub(crate) package: String,
    /// The files with different content, by their paths in the tree; `None` if they are not known.
    pub(crate) changed: Option<Vec<String>>,
    /// The environment variables whose values contain these paths, with what follows them; `None` if the
    /// value is the path of a target directory.
    pub(crate) variables: Vec<(String, Option<String>)>,
}

impl Trees {
    /// The parts behind the path of the tree in a text of the left side, if the right side has the same text
    /// with its own path; `None` if the texts differ otherwise, or contain no such path.
    pub(super) fn behind_path<'t>(&self, texts: [&'t [u8]; 2]) -> Option<Vec<&'t [u8]>> {
        self.in_text(texts).or_else(|| self.in_template(texts))
    }

    fn in_text<'t>(&self, texts: [&'t [u8]; 2]) -> Option<Vec<&'t [u8]>> {
        let [mut left, right] = [0, 1].map(|side| split(texts[side], self.paths[side].as_bytes()));
        (left.len() > 1 && left == right).then(|| left.split_off(1))
    }

    /// The same for templates of `format_args!`, in which each text follows its length.
    fn in_template<'t>(&self, templates: [&'t [u8]; 2]) -> Option<Vec<&'t [u8]>> {
        let [left, right] = templates.map(pieces);
        let (left, right) = left.zip(right).filter(|(left, right)| left.len() == right.len())?;
        let mut found = Vec::new();
        for (one, other) in left.into_iter().zip(right) {
            match (one, other) {
                _ if one == other => {}
                (Piece::Text(one), Piece::Text(other)) => found.extend(self.in_text([one, other])?),
                _ => return None,
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// A file that differs between the trees and that a program can name with these texts, or with short
    /// texts that are part of its code. The rests follow the path of a tree in some of the texts, and the
    /// other texts may be appended to such a path.
    pub(super) fn changed_file(&self, rests: &[&[u8]], texts: &[&[u8]], code: &[&[u8]]) -> Option<&str> {
        let changed = self.changed.as_ref()?;
        let folders: Vec<Folder> = rests.iter().map(|rest| self.folder(rest)).collect();
        let is_below = |file: &str, folder: &Folder| match folder {
            Folder::Inner(path) => file.starts_with(path) || path.starts_with(file),
            Folder::Root | Folder::Outside => false,
        };
        let leads_on = folders.iter().any(|folder| match folder {
            Folder::Root => true,
            // A program may go up from the folder of another package.
            Folder::Inner(path) => !is_source(path),
            Folder::Outside => false,
        });
        let in_code = if leads_on { words_in(code) } else { HashSet::new() };
        let is_named = |file: &str| {
            let path = format!("/{file}");
            let has_word = || path.as_bytes().windows(WORD).any(|word| in_code.contains(word));
            !is_source(file) && (file.split('/').any(|name| is_in(texts, name.as_bytes())) || has_word())
        };
        let mut changed = changed.iter().map(String::as_str);
        changed.find(|file| folders.iter().any(|folder| is_below(file, folder)) || leads_on && is_named(file))
    }

    /// The environment variables with paths that a program can name with these texts.
    pub(super) fn variables_in<'t>(
        &'t self,
        texts: &'t [&[u8]],
    ) -> impl Iterator<Item = (&'t str, Option<&'t [u8]>)> {
        // A function may append the name of the program at run time, so this prefix has to be enough.
        const OF_PROGRAMS: &str = "CARGO_BIN_EXE_";
        let needle = |name: &'t str| if name.starts_with(OF_PROGRAMS) { OF_PROGRAMS } else { name };
        let named = self.variables.iter().filter(move |(name, _)| is_in(texts, needle(name).as_bytes()));
        named.map(|(name, rest)| (&**name, rest.as_deref().map(str::as_bytes)))
    }

    fn folder(&self, rest: &[u8]) -> Folder {
        let end = rest.iter().position(|byte| *byte < b' ').unwrap_or(rest.len());
        let rest = String::from_utf8_lossy(&rest[..end]);
        let mut names = Vec::new();
        for name in rest.split('/').filter(|name| !["", "."].contains(name)) {
            if name != ".." {
                names.push(name);
            } else if names.pop().is_none() {
                return Folder::Outside;
            }
        }
        match names.join("/") {
            path if path.is_empty() || path == self.package => Folder::Root,
            path => Folder::Inner(path),
        }
    }
}

/// Where a path in a tree leads.
enum Folder {
    /// The tree or the package, to which programs append all kinds of paths.
    Root,
    /// A file, a folder, or the beginning of a path to one.
    Inner(String),
    Outside,
}

/// Returns whether this file is compiled, so that the walk compares the result.
fn is_source(file: &str) -> bool {
    file.ends_with(".rs") || ["Cargo.toml", "Cargo.lock"].iter().any(|name| file.ends_with(name))
}

/// All that looks like a part of a path in machine code. Compilers put short texts into instructions.
fn words_in<'t>(code: &[&'t [u8]]) -> HashSet<&'t [u8]> {
    let words = code.iter().flat_map(|bytes| bytes.windows(WORD));
    words.filter(|word| word.iter().all(u8::is_ascii_graphic)).collect()
}

fn is_in(texts: &[&[u8]], name: &[u8]) -> bool {
    texts.iter().any(|text| text.windows(name.len()).any(|part| part == name))
}

/// The parts of a text between the occurrences of this path.
fn split<'t>(text: &'t [u8], path: &[u8]) -> Vec<&'t [u8]> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(found) = text[at..].windows(path.len()).position(|part| part == path) {
        let end = at + found + path.len();
        // `/work/trees` does not contain the path `/work/tree`.
        let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte) || !byte.is_ascii();
        if !text.get(end).is_some_and(goes_on) {
            parts.push(&text[start..end - path.len()]);
            start = end;
        }
        at = end;
    }
    parts.push(&text[start..]);
    parts
}

/// A piece of a template.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece<'t> {
    Text(&'t [u8]),
    /// The number of an argument, and how to show it.
    Argument(&'t [u8]),
}

/// The pieces of a template of `format_args!`, up to its final zero; `None` if this is no template.
fn pieces(template: &[u8]) -> Option<Vec<Piece<'_>>> {
    let (mut pieces, mut left) = (Vec::new(), template);
    loop {
        let (&head, rest) = left.split_first()?;
        let (piece, behind) = match head {
            0 => return rest.is_empty().then_some(pieces),
            1..=0x7f => rest.split_at_checked(usize::from(head))?,
            0x80 => {
                let (length, rest) = rest.split_first_chunk()?;
                rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))?
            }
            0xc0.. => {
                // Flags, width, precision, and the number of the argument.
                let sizes = [4, 2, 2, 2].into_iter().enumerate();
                let size: usize = sizes.map(|(bit, size)| size * usize::from(head >> bit & 1)).sum();
                left.split_at_checked(1 + size)?
            }
            _ => return None,
        };
        pieces.push(if head < 0xc0 { Piece::Text(piece) } else { Piece::Argument(piece) });
        left = behind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trees(changed: &[&str]) -> Trees {
        Trees {
            paths: ["/work/it", "/work/it/target/against/0123/tree"].map(str::to_owned),
            package: "inner".to_owned(),
            changed: Some(changed.iter().map(|file| (*file).to_owned()).collect()),
            variables: vec![
                ("CARGO_BIN_EXE_tool".to_owned(), None),
                ("DATA".to_owned(), Some("/data".to_owned())),
            ],
        }
    }

    /// The parts behind the path, as text.
    fn behind(left: &str, right: &str) -> Option<Vec<String>> {
        let rests = trees(&[]).behind_path([left.as_bytes(), right.as_bytes()])?;
        Some(rests.into_iter().map(|rest| String::from_utf8(rest.to_owned()).unwrap()).collect())
    }

    #[test]
    fn a_text_may_hold_the_path_of_its_own_tree() {
        let old = "/work/it/target/against/0123/tree";
        let same = |left: &str| behind(left, &left.replace("/work/it", old));
        assert_eq!(same("/work/it"), Some(vec![String::new()]));
        assert_eq!(same("/work/it/a.txt"), Some(vec!["/a.txt".to_owned()]));
        assert_eq!(
            same("file:///work/it/a: /work/it"),
            Some(vec!["/a: ".to_owned(), String::new()]),
            "each time"
        );
        assert_eq!(same("/work/items/a.txt"), None, "another folder");
        assert_eq!(behind("/work/it/a.txt", &format!("{old}/b.txt")), None, "another file");
        assert_eq!(behind("a /work/it", &format!("b {old}")), None, "another text before it");
        assert_eq!(behind("/work/it/a.txt", "/work/it/a.txt"), None, "one path on both sides");
        assert_eq!(behind(&format!("{old}/a"), "/work/it/a"), None, "the wrong way round");
        assert_eq!(behind("/work/it/a /work/it/b", &format!("{old}/a /work/it/b")), None, "one of two");
        assert_eq!(behind("a", "b"), None);
    }

    #[test]
    fn a_template_has_the_lengths_of_its_texts() {
        let text = |text: &str| match u8::try_from(text.len()) {
            Ok(length) if length < 0x80 => [&[length], text.as_bytes()].concat(),
            _ => [&[0x80], &(text.len() as u16).to_le_bytes()[..], text.as_bytes()].concat(),
        };
        let template = |start: &str, middle: &[u8]| {
            [&text(start)[..], middle, &text("/a.txt")[..], &[0xc1, 1, 2, 3, 4], &[0]].concat()
        };
        let trees = trees(&[]);
        for inner in ["/data/".to_owned(), "/data".repeat(20)] {
            let [left, right] = [0, 1].map(|side| format!("{}{inner}", trees.paths[side]));
            let of =
                |middle| trees.in_template([&template(&left, &[0xc0]), &template(&right, middle)]).is_some();
            assert!(of(&[0xc0]));
            assert!(!of(&[0xc2, 9, 0]), "another width");
            assert!(!of(&[]), "an argument less");
        }
        assert_eq!(pieces(b"/work/it"), None);
        assert_eq!(pieces(b"\x03ab\0"), None, "too short");
    }

    #[test]
    fn variables_are_named_whole_or_by_the_beginning_of_those_of_programs() {
        let named = |text: &str| {
            let (trees, texts) = (trees(&[]), [text.as_bytes()]);
            trees
                .variables_in(&texts)
                .map(|(name, rest)| (name.to_owned(), rest.is_some()))
                .collect::<Vec<_>>()
        };
        assert_eq!(named("a DATA"), [("DATA".to_owned(), true)]);
        assert_eq!(named("CARGO_BIN_EXE_"), [("CARGO_BIN_EXE_tool".to_owned(), false)]);
        assert_eq!(named("CARGO_MANIFEST_DIR"), []);
    }

    #[test]
    fn files_that_functions_can_name_may_not_differ() {
        let named = |rest: &str, texts: &[&str], changed: &[&str]| {
            let texts: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
            trees(changed).changed_file(&[rest.as_bytes()], &texts, &[]).map(str::to_owned)
        };
        let seen = |rest: &str, file: &str| named(rest, &[], &["README.md", file]) == Some(file.to_owned());
        assert!(seen("/data/a.json", "data/a.json") && seen("/data/a.json\0", "data/a.json"));
        assert!(seen("/data", "data/a.json") && seen("/inner/../data/", "data/a.json"));
        assert!(seen("/data/a_", "data/a_1.json"), "the rest may be added");
        assert!(seen("/data/a.json: ", "data/a.json"), "a message");
        assert!(seen("/src", "src/lib.rs"), "sources can be data");
        assert!(!seen("/data/b.json", "data/a.json") && !seen("/../data/a.json", "data/a.json"));
        for root in ["", "/", "/inner"] {
            let of_root = |texts: &[&str], file: &str| named(root, texts, &[file]).is_some();
            assert!(of_root(&["data/a.json"], "data/a.json") && of_root(&["../data"], "data/a.json"));
            assert!(!of_root(&["data"], "CHANGELOG.md") && !of_root(&["src/lib.rs"], "src/lib.rs"));
        }
        assert_eq!(named("/data", &[], &[]), None);
        let up = ["../../data/a.json"];
        assert!(named("/crates/other", &up, &["data/a.json"]).is_some(), "from another package");
        assert_eq!(named("/crates/other/src/lib.rs", &up, &["data/a.json"]), None, "the place of a panic");
    }

    #[test]
    fn a_name_may_be_part_of_the_code() {
        // movabs $0x61746164...
        let code: [&[u8]; 2] = [b"\x48\xb8/named.t", b"\x66\xc7\x40\x08xt"];
        let named = |rest: &[u8], file| trees(&[file]).changed_file(&[rest], &[], &code).is_some();
        assert!(named(b"", "named.txt") && named(b"/inner", "inner/named.txt"));
        let short = |code: &[u8], file| trees(&[file]).changed_file(&[b""], &[], &[code]).is_some();
        assert!(short(b"\xc7\x00/dat\xc6\x40\x04a", "data") && short(b"\xc7\x00/a.t", "a.txt"));
        assert!(!named(b"", "other.txt") && !named(b"", "named.rs") && !named(b"/data", "named.rs"));
    }
}
