//! What layouts need of Mach-O and of its linkers: blocks of zeros that move functions and data, and the
//! order of all of them.
//!
//! The blocks are in one object, which is the same in all layouts. The order decides which blocks come first,
//! so a linker that ignores the order links the same program for all shifts, and that is noticed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench_diff_core::Seed;
use bench_diff_system::files::{cannot, read, write};
use bench_diff_system::order::in_order;
use bench_diff_system::rustc_call::RustcCall;
use object::read::archive::ArchiveFile;
use object::{File, Object, ObjectSection, ObjectSymbol};

use super::link::{Link, is_object, run_tool};
use super::shifts::{Layout, PROGRAMS, Shifts};

/// A call of the binary's own linker, which places functions and data as an order file says.
pub(super) struct Shuffle {
    /// The call that made the binary, with the object of the blocks.
    link: Link,
    pub(super) order: Order,
}

impl Shuffle {
    /// Shuffles the objects of a linker call. The compiler of this rustc call makes the object of the blocks,
    /// which goes to `folder`. `grain` is the unit of shifts.
    ///
    /// # Errors
    ///
    /// An object cannot be read, or rustc fails.
    pub(super) fn of(link: &Link, call: &RustcCall, folder: &Path, grain: u64) -> Result<Self, String> {
        let order = Order::of(link, grain)?;
        let mut link = link.clone();
        // What the order leaves out follows as in the call, so blocks that are not in front are at the end.
        link.arguments.push(blocks(call, folder, grain)?.display().to_string());
        Ok(Self { link, order })
    }

    /// Links the binary of a layout.
    ///
    /// # Errors
    ///
    /// The linker's error, or the error in writing the order file next to the binary.
    pub(super) fn link(&self, Layout { program, shifts, seed }: &Layout) -> Result<(), String> {
        let path = program.with_extension("order");
        write(&path, self.order.text(*shifts, *seed))?;
        let mut arguments = self.link.arguments_to(program);
        // `-S` leaves out debug information, which takes time to link.
        for option in ["-S", "-order_file", &path.display().to_string()] {
            arguments.extend(self.link.passed(option));
        }
        let linked = self.link.run(&arguments, program);
        // It has a line for every symbol of std, and a run links hundreds of binaries.
        let _ = fs::remove_file(&path);
        linked
    }
}

/// The symbols of the functions and data of a program.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Those in sections with a wider alignment than a shift preserves.
    wide: Vec<String>,
    others: Vec<String>,
    pub(super) has_wide_code: bool,
    /// The unit of shifts, in bytes.
    grain: u64,
}

impl Order {
    /// The symbols in the objects and libraries of a linker call. The linked program may have lost its own.
    fn of(link: &Link, grain: u64) -> Result<Self, String> {
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
    fn text(&self, shifts: Shifts, seed: Seed) -> String {
        let (mut wide, mut others) = (self.wide.clone(), self.others.clone());
        for names in [&mut wide, &mut others] {
            names.sort_by_cached_key(|name| seed.for_pair(name).0);
        }
        [wide, in_front(shifts, self.grain), others].concat().join("\n") + "\n"
    }
}

/// The sections that blocks move, by segment and name: code, constants, variables that become read-only
/// before `main`, other variables, and variables that are 0 at first.
const MOVED: [[&str; 2]; 5] = [
    ["__TEXT", "__text"],
    ["__TEXT", "__const"],
    ["__DATA", "__const"],
    ["__DATA", "__data"],
    ["__DATA", "__bss"],
];

/// The index of the section with the functions.
const CODE: usize = 0;

/// The index of the section that takes no space in a file.
const ZEROS: usize = 4;

/// Makes the object with the blocks, for shifts by multiples of `grain` bytes. The compiler of the bench
/// makes it, for the same version of macOS; a bench can be built without an assembler.
fn blocks(call: &RustcCall, folder: &Path, grain: u64) -> Result<PathBuf, String> {
    let [source, object] = ["gap.rs", "gap.o"].map(|name| folder.join(name));
    write(&source, source_of_blocks(grain))?;
    let mut rustc = Command::new(&call.rustc);
    rustc.current_dir(&call.folder).arg(&source).arg("-o").arg(&object);
    rustc.args(["--crate-name=bench_diff_gap", "--crate-type=lib", "--edition=2024", "--emit=obj"]);
    rustc.args(call.value("--target").map(|target| format!("--target={target}")));
    run_tool(rustc)?;
    Ok(object)
}

/// The source of the object.
fn source_of_blocks(grain: u64) -> String {
    let mut assembly = String::new();
    let line = grain * PROGRAMS as u64;
    for (index, [segment, section]) in MOVED.iter().enumerate() {
        for block in 0..PROGRAMS {
            let name = block_name(index, block);
            // The first block aligns what follows.
            let (size, align) = if block == 0 { (line, line.ilog2()) } else { (grain, 0) };
            assembly.push_str(&match index {
                ZEROS => format!(".zerofill {segment},{section},{name},{size},{align}\n"),
                _ => format!(".section {segment},{section}\n.p2align {align}\n{name}:\n.space {size}\n"),
            });
            assembly.push_str(&format!(".no_dead_strip {name}\n"));
        }
    }
    format!("#![no_std]\ncore::arch::global_asm!(\"{assembly}\");\n")
}

/// The blocks in front of all functions and data of a program with these shifts.
fn in_front(shifts: Shifts, grain: u64) -> Vec<String> {
    let mut blocks = Vec::new();
    for section in 0..MOVED.len() {
        // Blocks move everything within a line.
        let shift = if section == CODE { shifts.code } else { shifts.data } % (grain * PROGRAMS as u64);
        blocks.extend((0..=(shift / grain) as usize).map(|block| block_name(section, block)));
    }
    blocks
}

fn block_name(section: usize, block: usize) -> String {
    format!("_bench_diff_gap_{section}_{block}")
}

#[cfg(test)]
mod tests;
