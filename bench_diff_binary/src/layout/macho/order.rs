//! The functions and data of a program, and their random order.

use std::path::Path;

use bench_diff_core::Seed;
use object::read::archive::ArchiveFile;
use object::{File, Object, ObjectSection, ObjectSymbol};

use super::gap::{CODE, MOVED, in_front};
use crate::layout::link::Link;
use crate::layout::shifts::Shifts;
use bench_diff_system::files::{FileError, cannot, read};
use bench_diff_system::order::in_order;

/// The symbols of the functions and data of a program.
#[derive(Debug, Default)]
pub(in crate::layout) struct Order {
    /// Those in sections with a wider alignment than a shift preserves.
    wide: Vec<String>,
    others: Vec<String>,
    has_wide_code: bool,
    /// The unit of shifts, in bytes.
    grain: u64,
}

impl Order {
    /// The symbols in the objects and libraries of a linker call. The linked program may have lost its own.
    pub(super) fn of(link: &Link, grain: u64) -> Result<Self, FileError> {
        let mut order = Self { grain, ..Self::default() };
        for argument in link.arguments.iter().filter(|argument| is_object(argument)) {
            let path = Path::new(&link.folder).join(argument);
            let bytes = read(&path)?;
            order.add_all(&bytes).map_err(|error| cannot("read", &path, error))?;
        }
        // A name can be in several objects.
        for names in [&mut order.wide, &mut order.others] {
            *names = in_order(names.drain(..));
        }
        order.others.retain(|name| order.wide.binary_search(name).is_err());
        Ok(order)
    }

    /// Adds the symbols of an object or of a library, which contains other files as well.
    fn add_all(&mut self, bytes: &[u8]) -> object::Result<()> {
        let Ok(library) = ArchiveFile::parse(bytes) else { return self.add(&File::parse(bytes)?) };
        for member in library.members() {
            if let Ok(object) = File::parse(member?.data(bytes)?) {
                self.add(&object)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, object: &File<'_>) -> object::Result<()> {
        for symbol in object.symbols().filter(ObjectSymbol::is_definition) {
            let Some(section) = symbol.section_index() else { continue };
            let (section, name) = (object.section_by_index(section)?, symbol.name()?);
            let of = [section.segment_name()?.unwrap_or_default(), section.name()?];
            let Some(index) = MOVED.iter().position(|moved| *moved == of) else { continue };
            // Constants of the compiler begin with `l_`. Labels at the beginning of a section have no `_`.
            if !name.starts_with('_') && !name.starts_with("l_") {
                continue;
            }
            let is_wide = section.align() > self.grain;
            self.has_wide_code |= is_wide && index == CODE;
            let names = if is_wide { &mut self.wide } else { &mut self.others };
            names.push(name.to_owned());
        }
        Ok(())
    }

    /// The content of an order file, a symbol a line. What has a wider alignment comes first, since it would
    /// undo the shift of everything behind it.
    pub(super) fn text(&self, shifts: Shifts, seed: Seed) -> String {
        let shuffled = |names: &[String]| {
            let mut names = names.to_vec();
            names.sort_by_cached_key(|name| seed.for_pair(name).0);
            names
        };
        [shuffled(&self.wide), in_front(shifts, self.grain), shuffled(&self.others)].concat().join("\n")
            + "\n"
    }

    /// Returns whether some code has a wider alignment than a shift preserves.
    pub(in crate::layout) fn has_wide_code(&self) -> bool {
        self.has_wide_code
    }
}

fn is_object(argument: &str) -> bool {
    !argument.starts_with('-') && [".o", ".rlib", ".a"].iter().any(|extension| argument.ends_with(extension))
}
