//! The blocks of zeros that move the functions and data of a program.
//!
//! They are in one object, which is the same in all layouts. The order decides which blocks come first, so a
//! linker that ignores the order links the same program for all shifts, and that is noticed.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::layout::shifts::{PROGRAMS, Shifts};
use crate::layout::tool;
use bench_diff_system::files::write;
use bench_diff_system::rustc_call::RustcCall;

/// The sections that blocks move, by segment and name: code, constants, variables that become read-only
/// before `main`, other variables, and variables that are 0 at first.
pub(super) const MOVED: [[&str; 2]; 5] = [
    ["__TEXT", "__text"],
    ["__TEXT", "__const"],
    ["__DATA", "__const"],
    ["__DATA", "__data"],
    ["__DATA", "__bss"],
];

/// The index of the section with the functions.
pub(super) const CODE: usize = 0;

/// The index of the section that takes no space in a file.
const ZEROS: usize = 4;

/// Makes the object with the blocks, for shifts by multiples of `grain` bytes. The compiler of the bench
/// makes it, for the same version of macOS; a bench can be built without an assembler.
pub(super) fn object(call: &RustcCall, folder: &Path, grain: u64) -> Result<PathBuf, String> {
    let [source, object] = ["gap.rs", "gap.o"].map(|name| folder.join(name));
    write(&source, text(grain))?;
    let mut rustc = Command::new(&call.rustc);
    rustc.current_dir(&call.folder).arg(&source).arg("-o").arg(&object);
    rustc.args(["--crate-name=bench_diff_gap", "--crate-type=lib", "--edition=2024", "--emit=obj"]);
    rustc.args(call.value("--target").map(|target| format!("--target={target}")));
    tool::run(rustc)?;
    Ok(object)
}

/// The source of the object.
fn text(grain: u64) -> String {
    let mut assembly = String::new();
    let line = grain * PROGRAMS as u64;
    for (index, [segment, section]) in MOVED.iter().enumerate() {
        for block in 0..PROGRAMS {
            let name = name(index, block);
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
pub(super) fn in_front(shifts: Shifts, grain: u64) -> Vec<String> {
    let of_section = |index| {
        let shift = if index == CODE { shifts.code } else { shifts.data };
        (0..=(shift / grain) as usize).map(move |block| name(index, block))
    };
    (0..MOVED.len()).flat_map(of_section).collect()
}

fn name(section: usize, block: usize) -> String {
    format!("_bench_diff_gap_{section}_{block}")
}
