//! The objects and libraries of a program joined into one object, once for each build, so that a link reads
//! little.
//!
//! It holds what a program of a round needs, each function in its own section as before. First all objects
//! are joined, then unused sections are dropped: lld does not keep the unwind tables of the functions that
//! stay, unless it takes them for information.

use std::fs;
use std::path::Path;

use object::elf::{FileHeader64, SHF_ALLOC, SHT_NOBITS};
use object::read::elf::{FileHeader, SectionHeader};
use object::{Endianness, File, Object, ObjectSymbol, SymbolKind, U64Bytes};

use super::cut::CUT;
use super::link::Link;
use super::lld::Lld;
use crate::system::text::cannot;

/// The joined object, in the folder of a build.
pub(super) const OBJECT: &str = "joined.o";

/// Discards what only debuggers and compilers read. A program names its gdb scripts, so they are a part of
/// it.
const OF_ALL: &str =
    "SECTIONS { /DISCARD/ : { *(.llvmbc .llvmcmd .debug_[!g]* .rela.debug_[!g]* .comment .note.*) } }";

/// Keeps what unwinding needs of functions, which no function refers to.
const OF_NEEDED: &str = "SECTIONS {\n\
    .gcc_except_table : { KEEP(*(.gcc_except_table .gcc_except_table.*)) }\n\
    .data.rel.local.DW.ref : { KEEP(*(.data.DW.ref.* .data.rel.local.DW.ref.*)) }\n}";

/// Joins the objects and libraries of a program into this file, and returns the call that links it.
/// Intermediate files go to `folder`.
///
/// # Errors
///
/// The reason why they cannot be joined.
pub(super) fn join(
    lld: &Lld,
    link: &Link,
    program: &Path,
    joined: &Path,
    folder: &Path,
) -> Result<Link, String> {
    fs::create_dir_all(folder).map_err(|error| cannot("make", folder, error))?;
    let whole = lld.record(link, &[CUT], folder)?;
    let recorded = folder.join("recorded");
    let is_joined: Vec<bool> =
        whole.arguments.iter().map(|it| is_object(it) && link.arguments.contains(it)).collect();
    let place = |is_first: bool| {
        let mut joined = is_joined.iter();
        if is_first { joined.position(|joined| *joined) } else { joined.rposition(|joined| *joined) }
    };
    let (first, last) = place(true).zip(place(false)).ok_or("it is made of no object")?;

    // The options between them say how libraries are taken.
    let objects = whole.arguments[first..=last].iter().filter(|argument| !argument.starts_with("-l"));
    let all = folder.join("all.o");
    make(&whole, folder, &all, &["--unique"], OF_ALL, objects)?;
    unload_frames(&all)?;
    let exported = exports(program)?.into_iter().map(|name| format!("--undefined={name}"));
    let needed: Vec<String> = exported.chain([all.display().to_string()]).collect();
    make(&whole, folder, joined, &["--unique", "--gc-sections", "--entry=main", CUT], OF_NEEDED, &needed)?;

    let mut arguments = whole.arguments.clone();
    arguments[first] = joined.display().to_string();
    let removed = |index: usize| index != first && is_joined.get(index) == Some(&true);
    let output = whole.output - (0..whole.output).filter(|index| removed(*index)).count();
    let arguments =
        arguments.into_iter().enumerate().filter(|(index, argument)| !removed(*index) && argument != CUT);
    let link = Link { arguments: arguments.map(|(_, argument)| argument).collect(), output, ..whole };
    let again = folder.join("again");
    link.make(&again)?;
    if contents(&again)? != contents(&recorded)? {
        return Err("joined, it is another program".to_owned());
    }
    Ok(link)
}

fn is_object(argument: &str) -> bool {
    !argument.starts_with('-') && [".o", ".rlib", ".a"].iter().any(|extension| argument.ends_with(extension))
}

/// Joins objects into one.
fn make<'a>(
    whole: &Link,
    folder: &Path,
    output: &Path,
    options: &[&str],
    script: &str,
    objects: impl IntoIterator<Item = &'a String>,
) -> Result<(), String> {
    let path = folder.join("script");
    fs::write(&path, script).map_err(|error| cannot("write", &path, error))?;
    // The words that come before all options.
    let mut arguments: Vec<String> =
        whole.arguments.iter().take_while(|it| ["-flavor", "gnu"].contains(&it.as_str())).cloned().collect();
    arguments.extend([
        "-r".to_owned(),
        "-o".to_owned(),
        output.display().to_string(),
        format!("--script={}", path.display()),
    ]);
    arguments.extend(options.iter().map(|option| (*option).to_owned()));
    arguments.extend(objects.into_iter().cloned());
    whole.run(&arguments, output)?;
    Ok(())
}

/// Marks unwind tables as information, which is kept and keeps nothing.
fn unload_frames(object: &Path) -> Result<(), String> {
    let mut bytes = fs::read(object).map_err(|error| cannot("read", object, error))?;
    let flags = frames(&bytes).map_err(|error| cannot("read", object, error))?;
    for (place, flags) in flags {
        bytes[place..place + 8].copy_from_slice(object::bytes_of(&flags));
    }
    fs::write(object, bytes).map_err(|error| cannot("write", object, error))
}

/// The places of the flags of the frames in an object, and their new values.
fn frames(bytes: &[u8]) -> object::Result<Vec<(usize, U64Bytes<Endianness>)>> {
    let header = FileHeader64::<Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, bytes)?;
    let start = header.e_shoff(endian) as usize;
    let mut frames = Vec::new();
    for (index, section) in sections.iter().enumerate() {
        if sections.section_name(endian, section)? == b".eh_frame" && section.sh_type(endian) != SHT_NOBITS {
            let flags = section.sh_flags(endian) & !u64::from(SHF_ALLOC);
            // The flags follow two words of 32 bits.
            let place = start + index * size_of_val(section) + 8;
            frames.push((place, U64Bytes::new(endian, flags)));
        }
    }
    Ok(frames)
}

/// The functions and variables that libraries may import from a program.
fn exports(program: &Path) -> Result<Vec<String>, String> {
    let bytes = fs::read(program).map_err(|error| cannot("read", program, error))?;
    let parsed = File::parse(&*bytes).map_err(|error| cannot("read", program, error))?;
    let defined = parsed.dynamic_symbols().filter(ObjectSymbol::is_definition);
    Ok(defined.filter_map(|symbol| Some(symbol.name().ok()?.to_owned())).collect())
}

/// The names and sizes of all functions and variables of a program.
fn contents(program: &Path) -> Result<Vec<(String, u64)>, String> {
    let bytes = fs::read(program).map_err(|error| cannot("read", program, error))?;
    let parsed = File::parse(&*bytes).map_err(|error| cannot("read", program, error))?;
    let is_part = |symbol: &object::Symbol<'_, '_>| {
        matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Data | SymbolKind::Tls) && symbol.size() > 0
    };
    if parsed.symbols().next().is_none() {
        return Err(format!("{} has no names", program.display()));
    }
    let parts = parsed.symbols().filter(is_part);
    let mut parts: Vec<(String, u64)> =
        parts.map(|symbol| (symbol.name().unwrap_or_default().to_owned(), symbol.size())).collect();
    parts.sort_unstable();
    Ok(parts)
}
