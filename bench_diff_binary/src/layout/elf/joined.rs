//! Joins the objects and libraries of a bench binary into one object, once for each build, so that the linker
//! has little to read.
//!
//! The joined object contains everything that the binary of a round needs, each function in its own section
//! as before. lld drops the unwind tables of the functions that it keeps, unless they are marked as plain
//! information, so it reads copies with that mark. lld drops unused sections and joins the others in one
//! step. If a section contains a constant twice, lld keeps the first copy, which decides the address of the
//! constant, so lld has to know by then which sections are used.
//!
//! The joined object has to make the same binary, byte for byte. That is checked with a link in an order in
//! which everything is at another place than in the object, so that a reference to a wrong place would show.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use bench_diff_system::files::{cannot, make_folder, read, write};
use object::elf::{ELFMAG, FileHeader64, SHF_ALLOC, SHF_GNU_RETAIN, SHT_NOBITS, SHT_SYMTAB};
use object::read::archive::ArchiveFile;
use object::read::elf::{FileHeader, SectionHeader, Sym};
use object::{Endianness, File, Object, ObjectSymbol, U64Bytes};

use super::lld::Lld;
use super::shuffle::{CUT, REVERSED, THE_RUN, order};
use super::startup::{self, is_starting};
use crate::layout::image;
use crate::layout::link::{self, Link};

/// The joined object, in the folder of a build.
pub(in crate::layout) const OBJECT: &str = "joined.o";

/// Discards sections that only debuggers and compilers read, except for the names of gdb scripts, which are a
/// part of the program.
const WITHOUT_DEBUGGING: &str =
    "SECTIONS { /DISCARD/ : { *(.llvmbc .llvmcmd .debug_[!g]* .rela.debug_[!g]* .comment .note.*) } }";

/// The beginnings of the names of sections that unwinding needs although no function refers to them.
const OF_UNWINDING: [&[u8]; 3] = [b".gcc_except_table", b".data.DW.ref.", b".data.rel.local.DW.ref."];

/// Joins the objects and libraries of a binary into this file, and returns the call that links the file.
/// Intermediate files go to `folder`.
///
/// # Errors
///
/// The reason why they cannot be joined.
pub(in crate::layout) fn join(
    lld: &Lld,
    link: &Link,
    program: &Path,
    joined: &Path,
    folder: &Path,
) -> Result<Link, String> {
    make_folder(folder)?;
    let options: Vec<String> = order(REVERSED).chain([CUT.to_owned()]).collect();
    let whole = lld.record(link, &options, folder)?;
    let is_of_bench = |argument: &String| is_object(argument) && link.arguments.contains(argument);
    let mut link = joining(&whole, is_of_bench, &exports(program)?, joined, folder)?;
    require_same(&whole, &link, joined, folder)?;
    link.arguments.retain(|argument| !options.contains(argument));
    Ok(link)
}

/// Joins the binary's own objects and libraries, and returns the call that links the result in the same way.
fn joining(
    whole: &Link,
    is_of_bench: impl Fn(&String) -> bool,
    exported: &HashSet<Vec<u8>>,
    joined: &Path,
    folder: &Path,
) -> Result<Link, String> {
    let arguments = || whole.arguments.iter();
    let ends = arguments().position(&is_of_bench).zip(arguments().rposition(&is_of_bench));
    let (first, last) = ends.ok_or("it has no objects")?;
    let folders: Vec<&String> = arguments().filter(|argument| argument.starts_with("-L")).collect();
    let inputs = folder.join("inputs");
    make_folder(&inputs)?;
    let script = folder.join("script");
    write(&script, WITHOUT_DEBUGGING)?;
    let script = format!("--script={}", script.display());
    let mut needed = vec!["--gc-sections".to_owned(), "--entry=main".to_owned(), script];
    // The startup objects are not joined, and the joined object has to keep everything that they use.
    let of_startup = startup::missing(whole)?;
    let required = of_startup.iter().filter(|symbol| !symbol.is_weak);
    needed.extend(required.map(|symbol| format!("--undefined={}", symbol.name)));
    let used = exported.iter().cloned().chain(of_startup.into_iter().map(|symbol| symbol.name.into_bytes()));
    let used: HashSet<Vec<u8>> = used.collect();
    let mut link = Link { arguments: Vec::new(), ..whole.clone() };
    let mut is_static = false;
    for (index, argument) in arguments().enumerate() {
        is_static = argument == "-Bstatic" || is_static && argument != "-Bdynamic";
        let is_between = (first..=last).contains(&index);
        let is_library = argument.starts_with("-l");
        if is_of_bench(argument) || is_between && is_static && is_library {
            let path = path_of(argument, &folders, Path::new(&whole.folder));
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // Two inputs may have the same name.
            let input = inputs.join(format!("{index}-{name}"));
            mark(&path, &input, &used)?;
            needed.push(input.display().to_string());
            // The joined object replaces the first of them.
            link.arguments.extend((index == first).then(|| joined.display().to_string()));
            continue;
        }
        // Options between them say how to link libraries.
        needed.extend((is_between && !is_library).then(|| argument.clone()));
        if index == whole.output {
            link.output = link.arguments.len();
        }
        link.arguments.push(argument.clone());
    }
    make(whole, joined, &needed)?;
    Ok(link)
}

/// Requires that this call, which links the joined object, links the same binary as the whole call. The whole
/// call has made the file `recorded` in `folder`.
fn require_same(whole: &Link, link: &Link, joined: &Path, folder: &Path) -> Result<(), String> {
    let [recorded, again] = ["recorded", "again"].map(|name| folder.join(name));
    let common = common_symbols(joined)?;
    let mut order = Vec::new();
    // The linker would place these in the order of the symbol tables, which joining changes.
    if !common.is_empty() {
        let list = folder.join("common");
        write(&list, common.join("\n"))?;
        order.push(format!("--symbol-ordering-file={}", list.display()));
        whole.run(&[whole.arguments_to(&recorded), order.clone()].concat(), &recorded)?;
    }
    link.run(&[link.arguments_to(&again), order].concat(), &again)?;
    image::require_same(&again, &recorded, "joining its objects gave a different binary")
}

/// The variables in an object that have no section yet: C code may declare one several times.
fn common_symbols(object: &Path) -> Result<Vec<String>, String> {
    let bytes = read(object)?;
    let parsed = File::parse(&*bytes).map_err(|error| cannot("read", object, error))?;
    let common = parsed.symbols().filter(ObjectSymbol::is_common);
    Ok(common.filter_map(|symbol| symbol.name().ok()).map(str::to_owned).collect())
}

fn is_object(argument: &str) -> bool {
    link::is_object(argument) && !is_starting(Path::new(argument))
}

/// Joins objects into one, with these arguments.
fn make(whole: &Link, output: &Path, more: &[String]) -> Result<(), String> {
    // The words that have to come before all options.
    let mut arguments: Vec<String> = whole
        .arguments
        .iter()
        .take_while(|word| ["-flavor", "gnu"].contains(&word.as_str()))
        .cloned()
        .collect();
    arguments.extend(["-r", "--unique", CUT, "-o", &output.display().to_string()].map(str::to_owned));
    arguments.extend_from_slice(more);
    whole.run(&arguments, output)
}

/// The path of an object or a static library; libraries given by name are in one of these folders.
fn path_of(argument: &str, folders: &[&String], here: &Path) -> PathBuf {
    let Some(name) = argument.strip_prefix("-l") else { return here.join(argument) };
    let name = name.strip_prefix(':').map_or_else(|| format!("lib{name}.a"), str::to_owned);
    let paths = folders.iter().map(|folder| here.join(&folder["-L".len()..]).join(&name));
    paths.into_iter().find(|path| path.is_file()).unwrap_or_else(|| here.join(&name))
}

/// Copies an object or a library. In the copy, unwind tables are marked as plain information, which the
/// linker keeps and which keeps nothing else, and sections that unwinding needs, or that define
/// one of the symbols in `used`, are marked as used.
fn mark(from: &Path, to: &Path, used: &HashSet<Vec<u8>>) -> Result<(), String> {
    let mut bytes = read(from)?;
    for range in objects(&bytes).map_err(|error| cannot("read", from, error))? {
        let part = &mut bytes[range];
        for (place, flags) in flags(part, used).map_err(|error| cannot("read", from, error))? {
            part[place..place + 8].copy_from_slice(object::bytes_of(&flags));
        }
    }
    write(to, bytes)
}

/// The ranges of the objects in an archive, or of a whole object. An archive contains other files as well.
fn objects(bytes: &[u8]) -> object::Result<Vec<Range<usize>>> {
    let mut ranges = Vec::new();
    match ArchiveFile::parse(bytes) {
        Ok(library) => {
            for member in library.members() {
                let (start, size) = member?.file_range();
                ranges.push(start as usize..(start + size) as usize);
            }
        }
        Err(_) => ranges.push(0..bytes.len()),
    }
    let is_elf =
        |range: &Range<usize>| bytes.get(range.clone()).is_some_and(|file| file.starts_with(&ELFMAG));
    ranges.retain(is_elf);
    Ok(ranges)
}

/// The places of the flags that change in an object's section headers, and their new values.
fn flags(bytes: &[u8], used: &HashSet<Vec<u8>>) -> object::Result<Vec<(usize, U64Bytes<Endianness>)>> {
    let header = FileHeader64::<Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, bytes)?;
    let symbols = sections.symbols(endian, bytes, SHT_SYMTAB)?;
    let mut needed = HashSet::new();
    for (index, symbol) in symbols.enumerate() {
        if !symbol.is_local() && used.contains(symbols.symbol_name(endian, symbol)?) {
            needed.extend(symbols.symbol_section(endian, symbol, index)?);
        }
    }
    let start = header.e_shoff(endian) as usize;
    let mut marked = Vec::new();
    for (index, section) in sections.enumerate() {
        let (name, flags) = (sections.section_name(endian, section)?, section.sh_flags(endian));
        let flags = if name == b".eh_frame" && section.sh_type(endian) != SHT_NOBITS {
            flags & !u64::from(SHF_ALLOC)
        } else if OF_UNWINDING.iter().any(|start| name.starts_with(start)) || needed.contains(&index) {
            flags | u64::from(SHF_GNU_RETAIN)
        } else {
            continue;
        };
        // The flags follow two words of 32 bits.
        let place = start + index.0 * size_of_val(section) + 8;
        marked.push((place, U64Bytes::new(endian, flags)));
    }
    Ok(marked)
}

/// The functions and variables that shared libraries may import from a binary. The run is not among them: it
/// is cut off even if the binary exports everything.
fn exports(program: &Path) -> Result<HashSet<Vec<u8>>, String> {
    let bytes = read(program)?;
    let parsed = File::parse(&*bytes).map_err(|error| cannot("read", program, error))?;
    let defined = parsed.dynamic_symbols().filter(|symbol| !symbol.is_undefined());
    let names = defined.filter_map(|symbol| symbol.name_bytes().ok());
    Ok(names.filter(|name| *name != THE_RUN.as_bytes()).map(<[u8]>::to_owned).collect())
}

// The tests compile and link programs, which works only on this platform.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[cfg(test)]
mod tests;
