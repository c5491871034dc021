//! Reads the linked objects into a program.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use bench_diff_system::files::{cannot, read};
use bench_diff_system::order::sort_by_key;
use object::read::elf::{FileHeader as _, SectionHeader as _};
use object::{
    Object as _, ObjectSection as _, ObjectSymbol, RelocationFlags, RelocationTarget, SymbolKind,
    SymbolSection, elf,
};

use super::input::{Elf, Input, is_shared};
use super::unwind::TABLE;
use crate::code::program::{
    Header, Object, Program, Reference, Root, Section, Symbol, Target, is_library_of_toolchain,
};
use crate::layout::map::{Placed, placed};

/// A text for a debugger. The `main` of the compiler reads a byte of it only so that the linker keeps it.
const FOR_DEBUGGERS: &str = "__rustc_debug_gdb_scripts_section__";

/// A program that is being read. Until all objects are read, references to a global name lead to its symbol.
impl Program {
    /// Reads the program for which a linker wrote this map, running in this folder, and which it made of
    /// these files.
    ///
    /// # Errors
    ///
    /// If the program contains something that cannot be read.
    pub(super) fn read(
        map: &str,
        files: &[PathBuf],
        folder: &Path,
        options: Vec<String>,
    ) -> Result<Self, String> {
        let mut placed = placed(map).ok_or("the map of its linker is of an unknown kind")?;
        // So that the members of a library follow each other.
        sort_by_key(&mut placed, |section| section.file);
        let mut program = Self { options, ..Self::default() };
        // Fresh memory for each of the large files costs more than reading them.
        let (mut input, mut buffer) = (None::<Input>, Vec::new());
        for sections in placed.chunk_by(|one, other| one.file == other.file) {
            let file = sections[0].file;
            let of_library = file.strip_suffix(')').and_then(|file| file.rsplit_once('('));
            let (file, name) = of_library.map_or((file, None), |(file, name)| (file, Some(name)));
            let path = folder.join(file);
            let read = program.read_named(&path, name, sections, &mut input, &mut buffer);
            read.map_err(|error| cannot("read", &path, error))?;
        }
        program.read_unnamed(files, &mut buffer)?;
        program.resolve();
        program.read_libraries(files)?;
        sort_by_key(&mut program.places, |place| *place);
        program.find_referrers();
        Ok(program)
    }

    /// The index of the symbol of this name.
    fn symbol(&mut self, name: &str) -> usize {
        if let Some(index) = self.names.get(name) {
            return *index;
        }
        let index = self.symbols.len();
        self.names.insert(name.to_owned(), index);
        self.symbols.push(Symbol { name: name.to_owned(), ..Symbol::default() });
        index
    }

    /// Reads the objects of this name in a file, of which the program contains these sections. `last` is the
    /// file that was read last.
    fn read_named(
        &mut self,
        path: &Path,
        name: Option<&str>,
        placed: &[Placed<'_>],
        last: &mut Option<Input>,
        buffer: &mut Vec<u8>,
    ) -> io::Result<()> {
        let opened = last.take().filter(|input| input.path == path);
        let input = last.insert(opened.map_or_else(|| Input::open(path), Ok)?);
        let parts = input.named(name)?;
        for part in &parts {
            let object = input.read(*part, buffer)?;
            // If several members have the name, the map does not say which one it means.
            let own = (parts.len() > 1).then(|| of_member(object, placed));
            let placed = own.as_deref().unwrap_or(placed);
            if !placed.is_empty() {
                let part = part.map(|part| part.start);
                self.read_object(Object { path: input.path.clone(), part }, object, placed)?;
            }
        }
        Ok(())
    }

    /// Reads an object, of which the program contains these sections.
    fn read_object(&mut self, named: Object, bytes: &[u8], placed: &[Placed<'_>]) -> io::Result<()> {
        let elf = &Elf::parse(bytes).map_err(|_| io::Error::other(UNREADABLE))?;
        let is_of_std = named.is_of_std();
        self.machine = elf.elf_header().e_machine(elf.endian());
        self.objects.push(named);
        let (sections, by_name) = self.read_sections(elf, placed, is_of_std).map_err(io::Error::other)?;
        let targets = self.read_symbols(elf, placed, &sections, is_of_std)?;
        self.place(placed, &by_name);
        if is_of_std { Ok(()) } else { self.read_references(elf, &sections, &targets) }
    }

    /// Reads the objects that a map does not name, since the program contains only merged data of them: the
    /// objects that define a symbol that no other object defines and no shared library can define.
    fn read_unnamed(&mut self, files: &[PathBuf], buffer: &mut Vec<u8>) -> Result<(), String> {
        let missing = self.symbols.iter().filter(|symbol| symbol.is_hidden && !symbol.is_defined);
        let missing: HashSet<Vec<u8>> = missing.map(|symbol| symbol.name.clone().into_bytes()).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let is_of_program = |path: &&PathBuf| !is_library_of_toolchain(path) && !is_shared(path);
        for path in files.iter().filter(is_of_program) {
            self.read_defining(path, &missing, buffer).map_err(|error| cannot("read", path, error))?;
        }
        Ok(())
    }

    /// Reads the objects in a file that define one of these symbols.
    fn read_defining(
        &mut self,
        path: &Path,
        symbols: &HashSet<Vec<u8>>,
        buffer: &mut Vec<u8>,
    ) -> io::Result<()> {
        let mut input = Input::open(path)?;
        for part in input.defining(symbols)? {
            let bytes = input.read(part, buffer)?;
            let unnamed = Object { path: path.to_owned(), part: part.map(|part| part.start) };
            self.read_object(unnamed, bytes, &[])?;
        }
        Ok(())
    }

    /// Reads the sections that are in the program, and returns their numbers.
    fn read_sections<'m>(
        &mut self,
        elf: &Elf<'_>,
        placed: &[Placed<'m>],
        is_of_std: bool,
    ) -> object::Result<(Sections, ByName<'m>)> {
        let mut by_name: ByName<'_> = placed.iter().map(|section| (section.name, Vec::new())).collect();
        let mut sections = vec![None; elf.elf_section_table().len()];
        for section in elf.sections() {
            let (header, endian, name) = (section.elf_section_header(), elf.endian(), section.name()?);
            let flags = header.sh_flags(endian);
            let has = |flag: u32| flags & u64::from(flag) != 0;
            if !has(elf::SHF_ALLOC) || name == TABLE {
                continue;
            }
            let number = self.sections.len();
            match by_name.get_mut(name) {
                Some(numbers) => numbers.push(number),
                // A map names at most one of the sections that are merged.
                None if has(elf::SHF_MERGE) => {}
                None => continue,
            }
            sections[section.index().0] = Some(number);
            let kind = header.sh_type(endian);
            // The program finds a section by its name if that is a C identifier.
            let is_plain = matches!(kind, elf::SHT_PROGBITS | elf::SHT_NOBITS) && name.starts_with('.');
            let is_reserved = RESERVED.iter().any(|reserved| name.starts_with(reserved));
            self.sections.push(Section {
                object: self.objects.len() - 1,
                index: section.index().0,
                symbol: name.to_owned(),
                header: Header {
                    kind,
                    flags,
                    align: header.sh_addralign(endian),
                    size: header.sh_size(endian),
                    entry: header.sh_entsize(endian),
                    is_relocated_once: RELOCATED_ONCE.iter().any(|start| name.starts_with(start)),
                },
                is_kept: !is_plain || is_reserved || has(elf::SHF_GNU_RETAIN),
                bytes: if is_of_std { Vec::new() } else { section.data()?.to_owned() },
                references: Vec::new(),
            });
        }
        Ok((sections, by_name))
    }

    /// Reads the symbols, and returns where they lead.
    fn read_symbols(
        &mut self,
        elf: &Elf<'_>,
        placed: &[Placed<'_>],
        sections: &Sections,
        is_of_std: bool,
    ) -> io::Result<Targets> {
        let won: HashSet<&str> = placed.iter().flat_map(|section| section.symbols.iter().copied()).collect();
        let mut targets = vec![None; elf.elf_symbol_table().len()];
        for symbol in elf.symbols() {
            let (is_local, is_undefined) = (symbol.is_local(), symbol.is_undefined());
            if is_of_std && is_local {
                continue;
            }
            let name = symbol.name().unwrap_or_default();
            let is_in_map = !is_local && !is_undefined && won.contains(name);
            if is_of_std && !is_undefined && !is_in_map {
                continue;
            }
            let section = match symbol.section() {
                SymbolSection::Section(index) => sections.get(index.0).copied().flatten(),
                _ => None,
            };
            let here = section.map(|section| Root { section, offset: symbol.address() });
            let mut to = here.map_or(Target::Unknown("a section that is not in the map"), Target::Place);
            let index = (!is_local || here.is_some() && !name.is_empty()).then(|| self.symbol(name));
            let mut is_known = is_local;
            if let Some(index) = index.filter(|_| !is_local) {
                to = Target::Import(index);
                let global = &mut self.symbols[index];
                global.is_defined |= !is_undefined;
                global.is_hidden |= symbol.elf_symbol().st_visibility() == elf::STV_HIDDEN;
                // Each object has its own symbol for the personality function, and a table leads to that.
                global.is_found_by_libraries |= is_of_std && is_undefined && !name.starts_with("DW.ref.");
                // A map does not show merged data. The definition that is not weak wins there.
                let is_merged = section.is_some_and(|section| self.sections[section].is_merged());
                if here.is_some() && (is_in_map || is_merged && !symbol.is_weak()) {
                    is_known = true;
                    if std::mem::replace(&mut global.won, here).is_some() {
                        let words = format!("two definitions of {name} are in the map");
                        return Err(io::Error::other(words));
                    }
                }
            }
            if let (Some(root), Some(index), true) = (here, index, is_known) {
                self.symbols[index].roots.push(root);
                let known = &mut self.sections[root.section];
                // On ARM, each section begins with a mapping symbol such as `$x`, which is no name.
                if root.offset == 0 && known.symbol.starts_with('.') && !name.starts_with('$') {
                    name.clone_into(&mut known.symbol);
                }
            }
            targets[symbol.index().0] = Some((to, here, symbol.kind()));
        }
        Ok(targets)
    }

    /// Records the addresses of sections in the program.
    fn place(&mut self, placed: &[Placed<'_>], by_name: &ByName<'_>) {
        for Placed { name, address, size, symbols, .. } in placed {
            let section = match by_name[name][..] {
                [section] => Some(section),
                // Several sections have this name: only the symbols defined in them tell them apart.
                ref sections => symbols.iter().find_map(|symbol| match self.all_named(symbol) {
                    [root] if sections.contains(&root.section) => Some(root.section),
                    _ => None,
                }),
            };
            self.places.extend(section.map(|section| (*address, *size, section)));
        }
    }

    /// Reads where the sections' relocations lead.
    fn read_references(&mut self, elf: &Elf<'_>, sections: &Sections, targets: &Targets) -> io::Result<()> {
        for section in elf.sections() {
            let known = sections[section.index().0];
            let is_table = section.name() == Ok(TABLE);
            if known.is_none() && !is_table {
                continue;
            }
            let all = &self.sections;
            let references = section.relocations().map(|(at, relocation)| {
                let symbol = match relocation.target() {
                    RelocationTarget::Symbol(symbol) => targets.get(symbol.0).and_then(Option::as_ref),
                    _ => None,
                };
                let (to, is_section) = match symbol {
                    // The table of an object is about its own functions, whichever definition won.
                    Some((_, Some(here), _)) if is_table => (Target::Place(*here), false),
                    Some((to, _, kind)) => (to.clone(), *kind == SymbolKind::Section),
                    None if relocation.target() == RelocationTarget::Absolute => (Target::Nothing, false),
                    None => (Target::Unknown("a symbol that is not there"), false),
                };
                let RelocationFlags::Elf { r_type: kind } = relocation.flags() else {
                    unreachable!("it is an ELF")
                };
                let reference = Reference { at, kind, addend: relocation.addend(), to };
                if is_section { reference.into_part(all) } else { reference }
            });
            let mut references: Vec<Reference> = references.collect();
            sort_by_key(&mut references, |reference| reference.at);
            match known {
                Some(known) => self.sections[known].references.extend(references),
                None => self
                    .unwinding(section.data().unwrap_or_default(), &references)
                    .ok_or_else(|| io::Error::other("an unwind table is of an unknown kind"))?,
            }
        }
        for section in sections.iter().flatten().copied() {
            sort_by_key(&mut self.sections[section].references, |reference| reference.at);
        }
        Ok(())
    }

    /// Redirects references to global names to the definitions that the linker chose.
    fn resolve(&mut self) {
        for reference in self.sections.iter_mut().flat_map(|section| &mut section.references) {
            if let Target::Import(index) = reference.to {
                match &self.symbols[index] {
                    Symbol { name, .. } if name == FOR_DEBUGGERS => reference.to = Target::Nothing,
                    Symbol { won: Some(root), .. } => reference.to = Target::Place(*root),
                    Symbol { is_defined: true, .. } => {
                        reference.to = Target::Unknown("a definition that is not in the map");
                    }
                    _ => {}
                }
            }
        }
        let Self { objects, sections, symbols, .. } = self;
        for symbol in symbols {
            let is_outside_toolchain = |root: Root| !objects[sections[root.section].object].is_of_toolchain();
            symbol.is_found_by_libraries &= symbol.won.is_some_and(is_outside_toolchain);
        }
    }

    /// Finds which missing definitions are in shared libraries, and which symbols of the program the
    /// libraries use.
    fn read_libraries(&mut self, files: &[PathBuf]) -> Result<(), String> {
        for path in files.iter().filter(|path| is_shared(path)) {
            let bytes = read(path)?;
            let library = object::File::parse(&*bytes).map_err(|error| cannot("read", path, error))?;
            for symbol in library.dynamic_symbols() {
                let Some(index) = symbol.name().ok().and_then(|name| self.names.get(name)) else { continue };
                let known = &mut self.symbols[*index];
                match symbol.is_undefined() {
                    true => known.is_found_by_libraries |= known.won.is_some(),
                    false => known.is_in_library = true,
                }
            }
            self.libraries.push(path.clone());
        }
        Ok(())
    }
}

/// The reason why an object is not read.
const UNREADABLE: &str = "it is no 64-bit ELF file, and bench_diff compares neither 32-bit code nor bitcode";

/// The sections of the map that belong to this member, one of several with the same name. They define the
/// same symbols in sections of the same names. A section without symbols is left out.
fn of_member<'m>(object: &[u8], sections: &[Placed<'m>]) -> Vec<Placed<'m>> {
    let Ok(elf) = Elf::parse(object) else { return Vec::new() };
    let mut defined = HashSet::new();
    for symbol in elf.symbols().filter(ObjectSymbol::is_global) {
        let section = symbol.section_index().and_then(|index| elf.section_by_index(index).ok());
        let name = section.and_then(|section| Some(section.name().ok()?.to_owned()));
        defined.extend(symbol.name().ok().map(str::to_owned).zip(name));
    }
    let is_defined = |section: &&Placed<'_>| {
        let mut symbols = section.symbols.iter();
        symbols.any(|symbol| defined.contains(&((*symbol).to_owned(), section.name.to_owned())))
    };
    sections.iter().filter(is_defined).cloned().collect()
}

/// The beginnings of the names of sections that linkers always keep.
const RESERVED: [&str; 5] = [".init", ".fini", ".ctors", ".dtors", ".jcr"];

/// The beginnings of the names of sections to which nothing writes once the program runs. Those of the second
/// kind hold the address of a symbol that may be missing; std asks for some, and no code can name them.
const RELOCATED_ONCE: [&str; 2] = [".data.rel.ro", ".data._rust_extern_with_linkage_"];

/// For each section of an object, its number in the program, if it is there.
type Sections = Vec<Option<usize>>;

/// The numbers of the sections in the program by the names in the map.
type ByName<'m> = HashMap<&'m str, Vec<usize>>;

/// For each symbol of an object: where it leads, its definition in this object, and its kind.
type Targets = Vec<Option<(Target, Option<Root>, SymbolKind)>>;
