//! Compares the loaded parts of binaries.

use std::path::Path;

use bench_diff_system::files::read;
use object::{
    BinaryFormat, File, Object, ObjectSection, ObjectSymbol, SectionFlags, SectionKind, Symbol, elf,
};

/// Returns whether two files contain the same binary: the same bytes, or the same bytes at the same addresses
/// in every loaded section. The names of symbols change from one compilation to the next, and so does a
/// checksum of them in an ELF note. In Mach-O, so do the paths of objects in the symbol table, the UUID and
/// the signature, none of which is in a section.
pub(super) fn is_same(one: &Path, other: &Path) -> Result<bool, String> {
    let (one, other) = (read(one)?, read(other)?);
    Ok(one == other || loaded(&one).zip(loaded(&other)).is_some_and(|(one, other)| one == other))
}

/// Requires that two files contain the same binary.
///
/// # Errors
///
/// `words` if they do not, or the reason why one of them cannot be read.
pub(super) fn require_same(one: &Path, program: &Path, words: &str) -> Result<(), String> {
    if is_same(one, program)? { Ok(()) } else { Err(words.to_owned()) }
}

/// What is loaded of a binary.
#[derive(PartialEq)]
struct Loaded<'f> {
    entry: u64,
    sections: Vec<Section<'f>>,
    /// For Mach-O, the names of the symbols from other libraries, which no section contains.
    imports: Vec<&'f [u8]>,
}

/// What is loaded of a binary; `None` if the file is of another kind or damaged.
fn loaded(file: &[u8]) -> Option<Loaded<'_>> {
    let program = File::parse(file).ok()?;
    let sections = program.sections().filter(is_loaded);
    let sections = sections.map(|section| Some((section.address(), section.size(), section.data().ok()?)));
    let is_import =
        |symbol: &Symbol<'_, '_>| program.format() == BinaryFormat::MachO && symbol.is_undefined();
    let imports = program.symbols().filter(is_import).map(|symbol| symbol.name_bytes().ok());
    Some(Loaded {
        entry: program.entry(),
        sections: sections.collect::<Option<_>>()?,
        imports: imports.collect::<Option<_>>()?,
    })
}

/// The address, size and bytes of a section.
type Section<'f> = (u64, u64, &'f [u8]);

fn is_loaded<'d>(section: &impl ObjectSection<'d>) -> bool {
    match section.flags() {
        SectionFlags::Elf { sh_flags } => {
            sh_flags & u64::from(elf::SHF_ALLOC) != 0 && section.kind() != SectionKind::Note
        }
        flags => matches!(flags, SectionFlags::MachO { .. }),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn same(one: &[u8], other: &[u8]) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["one", "other"].map(|name| folder.path().join(name));
        fs::write(&paths[0], one).unwrap();
        fs::write(&paths[1], other).unwrap();
        is_same(&paths[0], &paths[1]).unwrap()
    }

    #[test]
    fn another_kind_of_file_has_to_be_equal() {
        assert!(same(b"program", b"program"));
        assert!(!same(b"program", b"programs"));
        assert!(!same(b"\x7fELF\x02\x01", b"\x7fELF\x02\x01."));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn only_loaded_sections_are_compared() {
        let program = fs::read("/proc/self/exe").unwrap();
        assert!(loaded(&program).unwrap().sections.len() >= 2);
        let mut torn = program.clone();
        torn.truncate(program.len() / 2);
        assert!(same(&torn, &torn) && !same(&torn, &program));
        let changed_in = |name: &str| {
            let (start, _) =
                File::parse(&*program).unwrap().section_by_name(name).unwrap().file_range().unwrap();
            let mut changed = program.clone();
            changed[start as usize] ^= 1;
            changed
        };
        for section in [".text", ".rodata", ".data.rel.ro"] {
            assert!(!same(&program, &changed_in(section)), "{section}");
        }
        for section in [".symtab", ".comment", ".note.ABI-tag"] {
            assert!(same(&program, &changed_in(section)), "{section}");
        }
    }
}
