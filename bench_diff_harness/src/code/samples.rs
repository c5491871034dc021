//! Large amounts of code for testing decoders.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use object::read::archive::ArchiveFile;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind, SymbolKind};

/// The code of the functions in an object, a program or a library.
pub(super) fn functions(file: &[u8]) -> Vec<Vec<u8>> {
    if let Ok(archive) = ArchiveFile::parse(file) {
        let parts = archive.members().filter_map(|part| part.ok()?.data(file).ok());
        return parts.flat_map(functions).collect();
    }
    let Ok(object) = object::File::parse(file) else { return Vec::new() };
    let text = object.sections().filter(|section| section.kind() == SectionKind::Text);
    let mut functions = Vec::new();
    for section in text {
        let is_of_section = |symbol: &object::Symbol<'_, '_>| {
            symbol.section_index() == Some(section.index())
                && symbol.kind() == SymbolKind::Text
                && symbol.size() > 0
        };
        let code = section.data().unwrap_or_default();
        for symbol in object.symbols().filter(is_of_section) {
            let at = (symbol.address() - section.address()) as usize;
            functions.extend(code.get(at..at + symbol.size() as usize).map(<[u8]>::to_vec));
        }
    }
    functions
}

/// A folder that rustc prints.
pub(super) fn folder(what: &str) -> PathBuf {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let printed = Command::new(rustc).args(["--print", what]).output().unwrap();
    PathBuf::from(String::from_utf8(printed.stdout).unwrap().trim())
}

/// The files in a folder whose names start and end like this.
pub(super) fn files(folder: PathBuf, start: &str, end: &str) -> Vec<PathBuf> {
    let is_named = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(start) && name.ends_with(end))
    };
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(is_named).collect()
}
