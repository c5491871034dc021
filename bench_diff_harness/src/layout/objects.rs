//! The objects of a program in another order, behind one that moves them, as any linker can do.

use std::fs;
use std::path::Path;

use bench_diff_core::Seed;

use super::image;
use super::link::Link;
use super::shifts::{GRAIN, Shifts};
use crate::system::text::cannot;

/// True on systems with ELF: their linkers mind the order of libraries, and lld can shuffle their programs.
pub(super) const IS_ELF: bool = !cfg!(any(windows, target_vendor = "apple"));

/// Shuffles the objects, and puts an object that moves them all in front, made from the assembler file
/// `path`.
pub(super) fn shuffle_behind_gap(
    arguments: &mut Vec<String>,
    link: &Link,
    seed: Seed,
    shifts: Shifts,
    path: &Path,
) -> Result<(), String> {
    fs::write(path, gap(shifts)).map_err(|error| cannot("write", path, error))?;
    shuffle(arguments, link, seed);
    let first = arguments.iter().position(|argument| is_object(argument)).unwrap_or_default();
    arguments.insert(first, path.display().to_string());
    for name in (0..GAPS.len()).map(name_of_gap) {
        // Nothing else needs it, and linkers leave out what nothing needs.
        arguments.extend([link.passed("-u"), link.passed(&name)].concat());
    }
    Ok(())
}

/// The sections in which linkers without a script gather functions and data, each of which begins with a gap.
const GAPS: [(&str, &str); 7] = [
    (".text", "ax"),
    (".text.unlikely", "ax"),
    (".text.hot", "ax"),
    (".text.startup", "ax"),
    (".rodata", "a"),
    (".data", "aw"),
    (".data.rel.ro", "aw"),
];

fn name_of_gap(index: usize) -> String {
    format!("bench_diff_gap_{index}")
}

/// The assembler source of an object in front of all others that moves everything after it.
fn gap(Shifts { code, data, .. }: Shifts) -> String {
    let section = |(index, (section, flags)): (usize, &(&str, &str))| {
        let size = 64 + if flags.contains('x') { code } else { data };
        let name = name_of_gap(index);
        format!(".section {section},\"{flags}\",%progbits\n.balign 64\n.globl {name}\n{name}: .skip {size}\n")
    };
    let gaps: String = GAPS.iter().enumerate().map(section).collect();
    gaps + ".section .note.GNU-stack,\"\",%progbits\n"
}

/// Returns whether such an object moves this program: a compiler that calls the linker assembles it, and code
/// with a wider alignment would take up the gap.
pub(super) fn take_a_gap(link: &Link, program: &Path) -> bool {
    IS_ELF
        && !link.is_called_directly()
        && image::alignment_of_code(program).is_some_and(|widest| widest <= GRAIN)
}

/// Shuffles the objects and libraries among their positions, in an order derived from the seed.
pub(super) fn shuffle(arguments: &mut Vec<String>, link: &Link, seed: Seed) {
    let places: Vec<usize> = (0..arguments.len()).filter(|&place| is_object(&arguments[place])).collect();
    let mut objects: Vec<String> = places.iter().map(|&place| arguments[place].clone()).collect();
    objects.sort_by_cached_key(|object| seed.for_pair(object).0);
    for (&place, object) in places.iter().zip(objects) {
        arguments[place] = object;
    }
    // A library may now precede its users, which only linkers of ELF mind.
    if let [first, .., last] = places[..]
        && IS_ELF
    {
        arguments.splice(last + 1..last + 1, link.passed("--end-group"));
        arguments.splice(first..first, link.passed("--start-group"));
    }
}

fn is_object(argument: &str) -> bool {
    let path = Path::new(argument);
    let extension = path.extension().and_then(|extension| extension.to_str());
    !argument.starts_with('-') && matches!(extension, Some("o" | "obj" | "rlib")) && !is_starting(path)
}

/// Returns whether it is one of the objects that start a program, which have to stay where they are.
pub(crate) fn is_starting(object: &Path) -> bool {
    const STARTING: [&str; 10] = [
        "crt1.o",
        "Scrt1.o",
        "gcrt1.o",
        "rcrt1.o",
        "crti.o",
        "crtn.o",
        "crtbegin.o",
        "crtbeginS.o",
        "crtend.o",
        "crtendS.o",
    ];
    object.file_name().and_then(|name| name.to_str()).is_some_and(|name| STARTING.contains(&name))
}
