//! The files of a link, one by one.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use bench_diff_system::order::in_order;
use object::read::archive::{ArchiveFile, ArchiveOffset};
use object::read::elf::ElfFile64;
use object::{Endianness, Object as _, ObjectSymbol, ReadCache, elf};

pub(super) type Elf<'b, B = &'b [u8]> = ElfFile64<'b, Endianness, B>;

/// A file of the link. If it is an archive, several of its members may have the same name.
pub(super) struct Input {
    pub(super) path: PathBuf,
    file: File,
    parts: HashMap<Vec<u8>, Vec<Part>>,
}

/// The position of a member in its archive.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) start: u64,
    size: u64,
}

impl Input {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let mut parts: HashMap<_, Vec<Part>> = HashMap::new();
        let heads = ReadCache::new(&file);
        if let Ok(library) = ArchiveFile::parse(&heads) {
            for part in library.members() {
                let part = part.map_err(io::Error::other)?;
                let (start, size) = part.file_range();
                parts.entry(part.name().to_owned()).or_default().push(Part { start, size });
            }
        }
        Ok(Self { path: path.to_owned(), file, parts })
    }

    /// The members that define one of these symbols, by the index of the archive, or the whole object if it
    /// defines one.
    pub(super) fn defining(&self, symbols: &HashSet<Vec<u8>>) -> io::Result<Vec<Option<Part>>> {
        let heads = ReadCache::new(&self.file);
        let Ok(library) = ArchiveFile::parse(&heads) else {
            let defines = Elf::parse(&heads).is_ok_and(|elf: Elf<'_, _>| {
                let mut defined = elf.symbols().filter(ObjectSymbol::is_definition);
                defined.any(|symbol| symbol.name_bytes().is_ok_and(|name| symbols.contains(name)))
            });
            return Ok(if defines { vec![None] } else { Vec::new() });
        };
        let index = library.symbols().map_err(io::Error::other)?.into_iter().flatten().flatten();
        let defining = index.filter(|symbol| symbols.contains(symbol.name()));
        let places = in_order(defining.map(|symbol| symbol.offset().0));
        let part = |place| {
            let part = library.member(ArchiveOffset(place)).map_err(io::Error::other)?;
            let (start, size) = part.file_range();
            Ok(Some(Part { start, size }))
        };
        places.into_iter().map(part).collect()
    }

    /// The members with this name, or the whole file if there is no name.
    pub(super) fn named(&self, name: Option<&str>) -> io::Result<Vec<Option<Part>>> {
        let Some(name) = name else { return Ok(vec![None]) };
        let parts = self.parts.get(name.as_bytes());
        let parts = parts.ok_or_else(|| io::Error::other("it has no part of this name"))?;
        Ok(parts.iter().copied().map(Some).collect())
    }

    /// The bytes of a member, or of the whole file.
    pub(super) fn read<'b>(&mut self, part: Option<Part>, buffer: &'b mut Vec<u8>) -> io::Result<&'b [u8]> {
        let all = self.file.metadata()?.len();
        let Part { start, size } = part.unwrap_or(Part { start: 0, size: all });
        let size = size.min(all) as usize;
        buffer.resize(size.max(buffer.len()), 0);
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_exact(&mut buffer[..size])?;
        Ok(&buffer[..size])
    }
}

/// Returns whether this file is a shared library, by its first bytes.
pub(super) fn is_shared(path: &Path) -> bool {
    let mut head = [0; 18];
    let is_read = File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok();
    is_read && head.starts_with(&elf::ELFMAG) && head[16..] == elf::ET_DYN.to_le_bytes()
}
