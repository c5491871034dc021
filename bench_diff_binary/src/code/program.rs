//! A linked program, as the objects that it was linked from.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use bench_diff_system::order::in_order;
use object::elf;

use crate::layout::is_starting;

/// The sections of a program, and where each relocation leads: plain data.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// The machine that its code is for, by its number in the objects.
    pub(super) machine: u16,
    pub(super) objects: Vec<Object>,
    pub(super) sections: Vec<Section>,
    pub(super) symbols: Vec<Symbol>,
    /// The shared libraries, in the order in which they are searched for symbols.
    pub(super) libraries: Vec<PathBuf>,
    /// The options of the linker, without files.
    pub(super) options: Vec<String>,
    /// The sections in the order of their addresses: address, size and section.
    pub(super) places: Vec<(u64, u64, usize)>,
    /// The indices of all symbols.
    pub(super) names: HashMap<String, usize>,
    /// For each section, those that refer to it, except unwind tables, since nothing writes through those.
    pub(super) referrers: Vec<Vec<usize>>,
    /// For each section, the symbols with a definition in it.
    pub(super) symbols_in: Vec<Vec<usize>>,
    /// The sections of the functions through which all code allocates.
    pub(super) allocating: HashSet<usize>,
}

/// A linked object, possibly a member of a library.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Object {
    pub(super) path: PathBuf,
    /// The start of the member, which distinguishes it from others with the same name.
    pub(super) part: Option<u64>,
}

impl Object {
    /// Returns whether it came with the compiler or the C library, in a file that all programs are linked
    /// with: a part of std, of its dependencies, or of the startup code.
    pub(super) fn is_of_toolchain(&self) -> bool {
        match self.part {
            Some(_) => is_library_of_toolchain(&self.path),
            None => is_starting(&self.path),
        }
    }

    /// True if it belongs to a library of the toolchain. Of such objects, only the symbols that they share
    /// with others are read.
    pub(super) fn is_of_std(&self) -> bool {
        self.part.is_some() && self.is_of_toolchain()
    }
}

/// Returns whether the library at this path came with the compiler.
pub(super) fn is_library_of_toolchain(path: &Path) -> bool {
    // The C library of some targets is in a separate folder.
    let folder = path.parent().map(|folder| match folder.ends_with("self-contained") {
        true => folder.parent().unwrap_or(folder),
        false => folder,
    });
    let target = folder.filter(|folder| folder.ends_with("lib")).and_then(Path::parent);
    target.and_then(Path::parent).is_some_and(|libraries| libraries.ends_with("rustlib"))
}

/// A section of an object, or the entry of a function in the unwind table.
#[derive(Clone, Debug, Default)]
pub(super) struct Section {
    pub(super) object: usize,
    /// Which section of the object it is.
    pub(super) index: usize,
    /// The symbol at its start, or the name that the object gives to the section.
    pub(super) symbol: String,
    pub(super) header: Header,
    /// True if the linker always keeps it, even if nothing refers to it, such as the list of functions that
    /// run before `main`.
    pub(super) is_kept: bool,
    /// Empty for data that are zero at the start.
    pub(super) bytes: Vec<u8>,
    /// By ascending offset.
    pub(super) references: Vec<Reference>,
}

/// The properties of a section that have to be equal on both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) kind: u32,
    pub(super) flags: u64,
    pub(super) align: u64,
    pub(super) size: u64,
    /// The size of an entry that the linker may merge with another.
    pub(super) entry: u64,
    /// True if nothing writes to it once the program runs, though its flags would allow that: it holds
    /// addresses.
    pub(super) is_relocated_once: bool,
}

impl Section {
    /// The name of the function or variable in it, as in the source.
    pub(super) fn name(&self) -> String {
        let of_code = [".text.unlikely.", ".text.hot.", ".text."];
        let symbol = of_code.iter().find_map(|start| self.symbol.strip_prefix(start));
        in_source(symbol.unwrap_or(&self.symbol))
    }

    /// Its header without the size.
    pub(super) fn header_of_any_size(&self) -> Header {
        Header { size: 0, ..self.header.clone() }
    }

    fn has(&self, flag: u32) -> bool {
        self.header.flags & u64::from(flag) != 0
    }

    pub(super) fn is_code(&self) -> bool {
        self.has(elf::SHF_EXECINSTR)
    }

    pub(super) fn is_writable(&self) -> bool {
        self.has(elf::SHF_WRITE) && !self.header.is_relocated_once
    }

    /// Returns whether it is an entry in the unwind table.
    pub(super) fn is_unwinding(&self) -> bool {
        self.header.kind == UNWINDING
    }

    /// Returns whether the linker splits it into parts, and keeps only one of equal parts.
    pub(super) fn is_merged(&self) -> bool {
        self.has(elf::SHF_MERGE)
    }

    /// The part of a merged section that begins at this offset; `None` if no part begins there.
    pub(super) fn part(&self, start: u64) -> Option<&[u8]> {
        let entry = usize::try_from(self.header.entry).ok().filter(|entry| *entry > 0)?;
        let rest = self.bytes.get(usize::try_from(start).ok()?..)?;
        let is_plain = self.references.is_empty() && start.is_multiple_of(self.header.entry);
        if !is_plain {
            return None;
        }
        if !self.has(elf::SHF_STRINGS) {
            return rest.get(..entry);
        }
        let end = rest.chunks_exact(entry).position(|unit| unit.iter().all(|byte| *byte == 0))?;
        Some(&rest[..(end + 1) * entry])
    }
}

/// The name of a symbol as in the source.
fn in_source(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}

/// A relocation: what the linker writes into a section, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) at: u64,
    pub(super) kind: u32,
    pub(super) addend: i64,
    pub(super) to: Target,
}

impl Reference {
    /// The reference to a section. If the linker splits that section, the addend chooses the part. That also
    /// holds in code, where the processor adds to it: compilers use the symbol of a section only if the sum
    /// stays in the part.
    pub(super) fn into_part(mut self, sections: &[Section]) -> Self {
        if let Target::Place(root) = &mut self.to
            && sections[root.section].is_merged()
        {
            root.offset = root.offset.wrapping_add_signed(std::mem::take(&mut self.addend));
        }
        self
    }
}

/// The kind of reference from a function to its entry in the unwind table, and from there to the entry that
/// it shares with others. No relocation has this kind.
pub(super) const UNWINDING: u32 = u32::MAX;

/// Where a symbol or a relocation leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A place in a section of this program.
    Place(Root),
    /// A definition of a shared library or of the linker itself, by its symbol.
    Import(usize),
    /// A relocation without a symbol.
    Nothing,
    /// Something that no rule covers.
    Unknown(&'static str),
}

/// A name in the tables of objects.
#[derive(Clone, Debug, Default)]
pub(super) struct Symbol {
    pub(super) name: String,
    /// Its definitions: the global one, and the local ones of single objects.
    pub(super) roots: Vec<Root>,
    /// The definition that the linker chose for the whole program.
    pub(super) won: Option<Root>,
    /// True if an object defines it for the whole program.
    pub(super) is_defined: bool,
    /// True if its definition has to be in one of the objects.
    pub(super) is_hidden: bool,
    /// True if a library of the toolchain or a shared library leaves it undefined, and the rest of the
    /// program defines it.
    pub(super) is_found_by_libraries: bool,
    /// True if a shared library defines it.
    pub(super) is_in_library: bool,
}

/// A place in a section, where a walk begins or a relocation leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Root {
    /// The index of the section in its program.
    pub(crate) section: usize,
    pub(super) offset: u64,
}

impl Program {
    /// The code at this address of the linked program; `None` if no object contains the address.
    pub(crate) fn at(&self, address: u64) -> Option<Root> {
        let index = self.places.partition_point(|(start, ..)| *start <= address).checked_sub(1)?;
        let (start, size, section) = self.places[index];
        (address - start < size).then_some(Root { section, offset: address - start })
    }

    /// The address of this symbol in the linked program.
    pub(crate) fn address_of(&self, symbol: &str) -> Option<u64> {
        let root = self.named(symbol)?;
        let (start, ..) = self.places.iter().find(|(.., section)| *section == root.section)?;
        Some(start + root.offset)
    }

    /// The target of this symbol; `None` if several have its name.
    pub(crate) fn named(&self, symbol: &str) -> Option<Root> {
        match self.all_named(symbol) {
            [root] => Some(*root),
            _ => None,
        }
    }

    /// The definition of this symbol, if libraries use it and the rest of the program defines it.
    pub(super) fn found_by_libraries(&self, symbol: &str) -> Option<Root> {
        let symbol = &self.symbols[*self.names.get(symbol)?];
        symbol.won.filter(|_| symbol.is_found_by_libraries)
    }

    /// The constant at whose beginning a reference leads, if it has no references itself, and its section.
    pub(super) fn text(&self, reference: &Reference) -> Option<(&Section, &[u8])> {
        let Target::Place(root) = reference.to else { return None };
        let section = &self.sections[root.section];
        if section.is_merged() {
            let is_start = self.addend_of_start(reference.kind)? == reference.addend;
            return Some((section, section.part(root.offset).filter(|_| is_start)?));
        }
        let section = self.starting_at(reference)?;
        let is_plain = section.references.is_empty() && !section.is_code() && !section.is_writable();
        (is_plain && !section.is_unwinding()).then_some((section, &section.bytes))
    }

    /// The section at whose beginning a reference leads.
    pub(super) fn starting_at(&self, reference: &Reference) -> Option<&Section> {
        let Target::Place(root) = reference.to else { return None };
        let addend = root.offset.wrapping_add_signed(reference.addend).cast_signed();
        (addend == self.addend_of_start(reference.kind)?).then(|| &self.sections[root.section])
    }

    /// The addend with which a reference of this kind leads to the place of its symbol, if that is known for
    /// the machine.
    fn addend_of_start(&self, kind: u32) -> Option<i64> {
        match (self.machine, kind) {
            // Relative to the end of the instruction, which ends with the address.
            (elf::EM_X86_64, elf::R_X86_64_PC32) => Some(-4),
            (elf::EM_X86_64 | elf::EM_AARCH64, _) => Some(0),
            _ => None,
        }
    }

    /// The names of the functions and variables in this section, in the order of the alphabet.
    pub(super) fn names_in(&self, section: usize) -> Vec<String> {
        let names = self.symbols_in[section].iter().map(|symbol| &self.symbols[*symbol].name);
        in_order(names.filter(|name| !name.starts_with('$')).map(|name| in_source(name)))
    }

    pub(super) fn all_named(&self, symbol: &str) -> &[Root] {
        self.names.get(symbol).map_or(&[], |index| &self.symbols[*index].roots)
    }

    pub(super) fn object(&self, section: usize) -> &Object {
        &self.objects[self.sections[section].object]
    }

    pub(super) fn is_of_toolchain(&self, section: usize) -> bool {
        self.object(section).is_of_toolchain()
    }

    /// Returns whether it is linked with the std that came with the compiler, and not with one that was
    /// compiled into its objects.
    pub(super) fn has_std(&self) -> bool {
        self.objects.iter().filter(|object| object.is_of_toolchain()).any(|object| {
            object.path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"libcore-"))
        })
    }
}
