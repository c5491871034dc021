//! The sections with the functions and data of a program, and where their names are in files.
//!
//! Linkers sort the sections of a name by what follows its `$`. So a section with another name moves, and no
//! other byte of its object has to change. New names are as long as the field in a header.

use object::read::archive::ArchiveFile;
use object::{File, Object, ObjectSection};

/// Sections that get new names and are moved together.
pub(super) struct Moved {
    names: &'static [&'static str],
    /// The letter of the new name, before its `$`.
    pub(super) letter: u8,
    /// The flags of such a section in its header, without the alignment.
    pub(super) flags: u32,
}

/// Functions, constants, variables, and variables that are 0 at first. Other sections, such as those of
/// initializers and of C++, may already be sorted by their names.
pub(super) const MOVED: [Moved; 4] = [
    Moved { names: &[".text", ".text$unlikely", ".text$hot", ".text$mn"], letter: b't', flags: 0x6000_0020 },
    Moved { names: &[".rdata"], letter: b'r', flags: 0x4000_0040 },
    Moved { names: &[".data"], letter: b'd', flags: 0xc000_0040 },
    Moved { names: &[".bss"], letter: b'b', flags: UNINITIALIZED | 0xc000_0000 },
];

/// The index of the sections with functions.
pub(super) const CODE: usize = 0;

/// The flag of a section that takes no space in a file.
pub(super) const UNINITIALIZED: u32 = 0x80;

/// The sizes of the headers of an object: its own, that of an object with many sections, and of a section.
pub(super) const HEADER: usize = 20;
const BIG_HEADER: usize = 56;
pub(super) const SECTION_HEADER: usize = 40;

/// The first bytes of an object with many sections, which precede its machine.
const BIG: &[u8] = &[0, 0, 0xff, 0xff, 2, 0];

/// The size of the name in the header of a section.
pub(super) const NAME: usize = 8;

/// A section that is moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    /// The index in [`MOVED`].
    pub(super) kind: usize,
    /// Where its header begins with its name, in bytes.
    pub(super) start: usize,
    pub(super) is_wide: bool,
}

/// The machine and the moved sections of an object or a library. `grain` is the unit of shifts in bytes: no
/// shift preserves a wider alignment.
pub(super) fn of(bytes: &[u8], grain: u64) -> object::Result<(Option<[u8; 2]>, Vec<Section>)> {
    let (mut machine, mut sections) = (None, Vec::new());
    let Ok(library) = ArchiveFile::parse(bytes) else {
        machine = add(bytes, &File::parse(bytes)?, 0, grain, &mut sections)?;
        return Ok((machine, sections));
    };
    for member in library.members() {
        let member = member?;
        let data = member.data(bytes)?;
        // Libraries contain other files as well.
        if let Ok(object) = File::parse(data) {
            machine = add(data, &object, member.file_range().0, grain, &mut sections)?.or(machine);
        }
    }
    Ok((machine, sections))
}

/// Adds the sections of an object that begins at `start` in its file, and returns its machine.
fn add(
    bytes: &[u8],
    object: &File<'_>,
    start: u64,
    grain: u64,
    sections: &mut Vec<Section>,
) -> object::Result<Option<[u8; 2]>> {
    let is_big = bytes.starts_with(BIG);
    let headers = start as usize + if is_big { BIG_HEADER } else { HEADER };
    for section in object.sections() {
        let name = section.name()?;
        if let Some(kind) = MOVED.iter().position(|moved| moved.names.contains(&name)) {
            let start = headers + SECTION_HEADER * (section.index().0 - 1);
            sections.push(Section { kind, start, is_wide: section.align() > grain });
        }
    }
    let machine = if is_big { BIG.len() } else { 0 };
    Ok(bytes.get(machine..machine + 2).and_then(|machine| machine.try_into().ok()))
}
