//! Differences that change no work: the line and column of a panic, what comes after a panic, and the path of
//! the tree in which a program was compiled.
//!
//! A function only hands the address of a panic location on to code that may panic, so its line is no work.
//! Whatever else reads a line, such as `line!()` or a caller's line that is inlined, has the number in its
//! own code. A text that contains the path of its tree equals the text of the other side if only that path
//! differs.

use bench_diff_system::rustc_call::Trees;
use object::elf;

use super::program::{Program, Reference, Root, Section};
use super::walk::{Unproven, Walk, unknown};

/// The beginnings of the names of constants to which the source gives no name. With thin LTO, other objects
/// know some by a symbol.
const ANONYMOUS: [&str; 3] = [".data.rel.ro..Lanon.", ".rodata..Lanon.", "anon."];

/// The name of the source file in the panic location to which this reference leads, with its final NUL;
/// `None` if the target is anything else. A panic location is an anonymous constant of the name's address,
/// its length without the NUL, a line and a column.
pub(super) fn file_of_location<'p>(program: &'p Program, reference: &Reference) -> Option<&'p [u8]> {
    let section = program.starting_at(reference)?;
    let is_anonymous = ANONYMOUS.iter().any(|start| section.symbol.starts_with(start));
    let is_plain = section.header.flags & !u64::from(elf::SHF_WRITE) == u64::from(elf::SHF_ALLOC);
    if !is_anonymous || !is_plain || section.is_writable() || section.header.align != 8 {
        return None;
    }
    let [name] = &section.references[..] else { return None };
    let is_address = matches!(
        (program.machine, name.kind),
        (elf::EM_X86_64, elf::R_X86_64_64) | (elf::EM_AARCH64, elf::R_AARCH64_ABS64)
    );
    if name.at != 0 || !is_address {
        return None;
    }
    let (words, []) = section.bytes.as_chunks::<4>() else { return None };
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let [0, 0, length, 0, 1..=u32::MAX, 1..=u32::MAX] = words[..] else { return None };
    let (of_name, file) = program.text(name)?;
    let [text @ .., 0] = file else { return None };
    (of_name.is_merged() && text.len() == length as usize && text.ends_with(b".rs")).then_some(file)
}

/// The package whose build script wrote this file, and the path in the script's folder.
fn generated(file: &[u8]) -> Option<(&str, &str)> {
    let (_, path) = std::str::from_utf8(file).ok()?.rsplit_once("/build/")?;
    let (folder, path) = path.split_once("/out/")?;
    Some((folder.rsplit_once('-')?.0, path))
}

/// Functions of std that never return. All others that never return call one of these.
const PANICS: [&str; 4] = [
    "__rustc::rust_begin_unwind",
    "alloc::alloc::handle_alloc_error",
    "core::panicking::panic_fmt",
    "core::panicking::panic_nounwind_fmt",
];

/// Returns whether these texts of both sides differ only in the path of their trees.
fn differ_in_trees(trees: &Trees, texts: [&[u8]; 2]) -> bool {
    differ_in_text(trees, texts) || differ_in_template(trees, texts)
}

fn differ_in_text(trees: &Trees, texts: [&[u8]; 2]) -> bool {
    let [left, right] = [0, 1].map(|side| split(texts[side], trees.paths[side].as_bytes()));
    left.len() > 1 && left == right
}

/// The same for templates of `format_args!`, in which each text follows its length.
fn differ_in_template(trees: &Trees, templates: [&[u8]; 2]) -> bool {
    let [Some(left), Some(right)] = templates.map(pieces) else { return false };
    let is_alike = |(one, other): (&Piece<'_>, &Piece<'_>)| match (one, other) {
        (Piece::Text(one), Piece::Text(other)) => one == other || differ_in_text(trees, [one, other]),
        _ => one == other,
    };
    left != right && left.len() == right.len() && left.iter().zip(&right).all(is_alike)
}

/// The path by which a program on Linux reads its own file.
const OWN_PROGRAM: &str = "/proc/self/exe";

fn contains(text: &[u8], part: &str) -> bool {
    text.windows(part.len()).any(|window| window == part.as_bytes())
}

/// The environment variables that differ, and that a program can name with these texts.
fn variables_in<'t>(trees: &'t Trees, texts: &'t [&[u8]]) -> impl Iterator<Item = (&'t str, bool)> {
    // A function may append the name of the program at run time, so this prefix has to be enough.
    const OF_PROGRAMS: &str = "CARGO_BIN_EXE_";
    let is_named = |name: &str| {
        let needle = if name.starts_with(OF_PROGRAMS) { OF_PROGRAMS } else { name };
        texts.iter().any(|text| contains(text, needle))
    };
    let variables = trees.variables.iter().map(|(name, is_of_tree)| (&**name, *is_of_tree));
    variables.filter(move |(name, _)| is_named(name))
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

/// Returns whether two sections differ only in the lengths of these texts. Each text has a length on the
/// left and one on the right side. A differing constant of 32 or 64 bits counts as such a length by its value
/// alone, wherever it is. Code for ARM splits its constants, so there a length in code is a difference.
pub(super) fn differ_in_lengths([left, right]: [&[u8]; 2], lengths: &[[usize; 2]]) -> bool {
    let numbers: Vec<_> = lengths.iter().flat_map(|lengths| [*lengths, of_arguments(*lengths)]).collect();
    let is_length = |start: usize| {
        numbers.iter().any(|numbers| {
            let [number, other] = numbers.map(|number| (number as u32).to_le_bytes());
            left[start..].starts_with(&number) && right[start..].starts_with(&other)
        })
    };
    let is_alike = |at: usize| left[at] == right[at] || (at.saturating_sub(3)..=at).any(is_length);
    left.len() == right.len() && (0..left.len()).all(is_alike)
}

/// The numbers that `fmt::Arguments` stores for a text without arguments.
fn of_arguments(lengths: [usize; 2]) -> [usize; 2] {
    lengths.map(|length| 2 * length + 1)
}

impl<'p> Walk<'p> {
    /// Returns whether both lead to panic locations, which differ at most in line and column.
    pub(super) fn are_locations_in_one_file(&self, references: [&Reference; 2], to: [Root; 2]) -> bool {
        let [left, right] = self.sections(to.map(|root| root.section));
        let [Some(file), Some(other)] =
            [0, 1].map(|side| file_of_location(self.programs[side], references[side]))
        else {
            return false;
        };
        let is_moved = |trees: &Trees| differ_in_trees(trees, [file, other]);
        let is_generated = || generated(file).is_some_and(|file| Some(file) == generated(other));
        left.header == right.header && (file == other || is_generated() || self.trees.is_some_and(is_moved))
    }

    /// Returns whether both lead to the same function of std in their objects, which never returns. It was
    /// compiled from the same source, and nothing that is measured comes after the call.
    pub(super) fn is_same_panic(&self, references: [&Reference; 2], to: [Root; 2]) -> bool {
        let is_one_place =
            references[0].addend == references[1].addend && to.map(|root| root.offset) == [0, 0];
        if !self.has_std_in_objects || !is_one_place {
            return false;
        }
        let [name, other] = self.sections(to.map(|root| root.section)).map(Section::name);
        name == other && PANICS.contains(&&*name)
    }

    /// The texts that both references lead to, if they differ only in the paths of their trees.
    fn moved(&self, references: [&Reference; 2]) -> Option<[&'p [u8]; 2]> {
        let [left, right] = [0, 1].map(|side| self.programs[side].text(references[side]));
        let ((left, text), (right, other)) = (left?, right?);
        // Whether texts are merged may depend on their length.
        let is_merged = left.is_merged() || right.is_merged();
        let is_alike = is_merged || left.header_of_any_size() == right.header_of_any_size();
        (text != other && is_alike && differ_in_trees(self.trees?, [text, other])).then_some([text, other])
    }

    /// Takes both references as equal if their texts differ only in the paths of the trees.
    pub(super) fn follow_moved(
        &mut self,
        references: [&Reference; 2],
        to: [Root; 2],
    ) -> Result<bool, Unproven> {
        let Some([text, _]) = self.moved(references) else { return Ok(false) };
        self.texts.insert(text);
        self.knows_path = true;
        let pair = to.map(|root| root.section);
        if !self.sections(pair).into_iter().any(Section::is_merged) {
            self.pair_once(pair)?;
        }
        Ok(true)
    }

    /// Returns whether sections of equal size differ only in the lengths of texts that contain the paths of
    /// trees.
    pub(super) fn has_other_lengths(&self, [left, right]: [&'p Section; 2]) -> bool {
        let references = left.references.iter().zip(&right.references);
        let moved = references.filter_map(|(one, other)| self.moved([one, other]));
        let lengths: Vec<_> = moved.map(|texts| texts.map(<[u8]>::len)).collect();
        differ_in_lengths([&left.bytes, &right.bytes], &lengths)
    }

    /// Requires that functions find equal files below the path of their tree, if they contain it or find it
    /// in the environment.
    pub(super) fn require_equal_files(&self) -> Result<(), Unproven> {
        let sections = self.reached.keys().map(|pair| &self.programs[0].sections[pair[0]]);
        let data = sections.filter(|section| !section.is_code()).map(|section| &*section.bytes);
        let texts: Vec<&[u8]> = self.texts.iter().copied().chain(data).collect();
        if !self.is_one_program && texts.iter().any(|text| contains(text, OWN_PROGRAM)) {
            return Err(unknown("they may read their executable, which differs"));
        }
        let Some(trees) = self.trees else { return Ok(()) };
        let mut knows_path = self.knows_path;
        for (name, is_of_tree) in variables_in(trees, &texts) {
            if !is_of_tree {
                return Err(unknown(format!("they read the environment variable {name}, which differs")));
            }
            knows_path = true;
        }
        match &trees.reason {
            Some(reason) if knows_path => Err(unknown(reason)),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trees() -> Trees {
        Trees {
            paths: ["/work/it", "/work/it/target/against/0123/tree"].map(str::to_owned),
            reason: None,
            variables: vec![("CARGO_BIN_EXE_tool".to_owned(), false), ("DATA".to_owned(), true)],
        }
    }

    #[test]
    fn a_text_may_hold_the_path_of_its_own_tree() {
        let old = "/work/it/target/against/0123/tree";
        let is_same =
            |left: &str, right: &str| differ_in_trees(&trees(), [left.as_bytes(), right.as_bytes()]);
        let is_moved = |left: &str| is_same(left, &left.replace("/work/it", old));
        assert!(is_moved("/work/it") && is_moved("/work/it/a.txt"));
        assert!(is_moved("file:///work/it/a: /work/it"), "each time");
        assert!(!is_moved("/work/items/a.txt"), "another folder");
        assert!(!is_same("/work/it/a.txt", &format!("{old}/b.txt")), "another file");
        assert!(!is_same("a /work/it", &format!("b {old}")), "another text before it");
        assert!(!is_same("/work/it/a.txt", "/work/it/a.txt"), "one path on both sides");
        assert!(!is_same(&format!("{old}/a"), "/work/it/a"), "the wrong way round");
        assert!(!is_same("/work/it/a /work/it/b", &format!("{old}/a /work/it/b")), "one of two");
        assert!(!is_same("a", "b"));
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
        let trees = trees();
        for inner in ["/data/".to_owned(), "/data".repeat(20)] {
            let [left, right] = [0, 1].map(|side| format!("{}{inner}", trees.paths[side]));
            let of =
                |middle| differ_in_template(&trees, [&template(&left, &[0xc0]), &template(&right, middle)]);
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
            let named: Vec<_> =
                variables_in(&trees(), &[text.as_bytes()]).map(|(name, _)| name.to_owned()).collect();
            named.join(" ")
        };
        assert_eq!(named("a DATA"), "DATA");
        assert_eq!(named("CARGO_BIN_EXE_"), "CARGO_BIN_EXE_tool");
        assert_eq!(named("CARGO_MANIFEST_DIR"), "");
    }

    /// Compares sections made of these numbers, of which the first is a byte. They refer to a text of 38
    /// bytes on the left side and of 294 on the right.
    fn are_alike(left: [u32; 3], right: [u32; 3]) -> bool {
        let sections = [left, right].map(|[first, second, third]| {
            [&[first as u8][..], &second.to_le_bytes(), &u64::from(third).to_le_bytes()].concat()
        });
        differ_in_lengths(sections.each_ref().map(|section| &**section), &[[38, 294]])
    }

    #[test]
    fn the_lengths_of_a_text_are_no_difference() {
        assert!(are_alike([1, 38, 5], [1, 294, 5]));
        assert!(are_alike([1, 77, 38], [1, 589, 294]), "of `fmt::Arguments`, and a longer number");
    }

    #[test]
    fn another_number_that_differs_is_a_difference() {
        assert!(!are_alike([1, 38, 5], [1, 295, 5]), "not the length");
        assert!(!are_alike([1, 294, 5], [1, 38, 5]), "the length of the other side");
        assert!(!are_alike([1, 38, 5], [1, 294, 6]), "another number as well");
        assert!(!are_alike([1, 77, 5], [1, 294, 5]), "one number of each kind");
        assert!(!are_alike([38, 1, 5], [39, 1, 5]), "a byte");
        assert!(!differ_in_lengths([&[], &[38, 0, 0, 0]], &[[0, 38]]), "of another size");
        assert!(!differ_in_lengths([&[38, 0, 0, 0], &[38, 1, 0, 0]], &[]), "no text");
    }
}
