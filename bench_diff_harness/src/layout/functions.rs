//! The functions of a program, by the list that linkers write of what they put where.
//!
//! Written after the manuals of the linkers of macOS (`-map`) and Windows (`/MAP`), and tried with those of
//! LLVM for both.

use std::fs;
use std::path::Path;

use super::cannot;
use super::link::{self, Link};

/// The functions of the program that this call of the linker makes.
///
/// # Errors
///
/// What the linker says, or that its list names none.
pub(super) fn of(link: &Link, folder: &Path) -> Result<Vec<String>, String> {
    let map = folder.join("map");
    let mut arguments = link.arguments_to(&folder.join("mapped"))?;
    match link.is_microsofts() {
        true => arguments.push(format!("/MAP:{}", link::text(&map)?)),
        false => arguments.extend(link.passed(&["-map", &link::text(&map)?])),
    }
    link.run(&arguments)?;
    let text = fs::read(&map).map_err(|error| cannot("read", &map, error))?;
    let text = String::from_utf8_lossy(&text);
    let functions = if link.is_microsofts() { in_map_of_microsoft(&text) } else { in_map_of_apple(&text) };
    if functions.is_empty() { Err(cannot("read", &map, "it names no function")) } else { Ok(functions) }
}

/// Lines of `ADDRESS SIZE [OBJECT] NAME` below `# Symbols:`, of which the section `__text` holds the
/// functions.
fn in_map_of_apple(map: &str) -> Vec<String> {
    let part = |title: &'static str| {
        let mut lines = map.lines().skip_while(move |line| !line.starts_with(title));
        lines.next();
        let lines = lines.skip_while(|line| line.starts_with("# Address"));
        lines.take_while(|line| !line.starts_with('#'))
    };
    let place = |line: &str| {
        let mut words = line.split_whitespace();
        Some((hexadecimal(words.next()?)?, hexadecimal(words.next()?)?))
    };
    let Some((start, size)) = part("# Sections:").find(|line| line.ends_with("__text")).and_then(place)
    else {
        return Vec::new();
    };
    let is_function = |line: &&str| {
        place(line).is_some_and(|(address, size_of_function)| {
            size_of_function > 0 && (start..start.saturating_add(size)).contains(&address)
        })
    };
    let name = |line: &str| Some(line.split_once(']')?.1.trim().to_owned());
    part("# Symbols:").filter(is_function).filter_map(name).collect()
}

/// Lines of `SECTION:OFFSET NAME ...` below `Publics by Value`, of which the sections of the class `CODE`
/// hold the functions.
fn in_map_of_microsoft(map: &str) -> Vec<String> {
    let section = |line: &str| line.split_once(':').map(|(section, _)| section.trim().to_owned());
    let code: Vec<String> =
        map.lines().filter(|line| line.trim_end().ends_with("CODE")).filter_map(section).collect();
    let publics = map.lines().skip_while(|line| !line.contains("Publics by Value")).skip(1);
    let publics = publics.take_while(|line| !line.contains("Static symbols"));
    let is_function = |line: &&str| section(line).is_some_and(|section| code.contains(&section));
    publics.filter(is_function).filter_map(|line| line.split_whitespace().nth(1).map(str::to_owned)).collect()
}

fn hexadecimal(word: &str) -> Option<u64> {
    u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_of_apple_names_functions() {
        let map = "\
# Path: program
# Arch: x86_64
# Object files:
[  0] linker synthesized
[  1] a.o
# Sections:
# Address\tSize    \tSegment\tSection
0x1000003D0\t0x000000A5\t__TEXT\t__text
0x100000478\t0x0000103C\t__TEXT\t__unwind_info
0x100002000\t0x00000008\t__DATA\t__data
# Symbols:
# Address\tSize    \tFile  Name
0x1000003D0\t0x00000010\t[  1] _alpha
0x1000003E0\t0x00000010\t[ 12] __ZN4core3fmt5write17h0E
0x1000003F0\t0x00000000\t[  1] ltmp0
0x100000478\t0x0000103C\t[  0] compact unwind info
0x100002000\t0x00000008\t[  1] _keep
# Dead Stripped Symbols:
#        \tSize    \tFile  Name
<<dead>> \t0x00000010\t[  1] _dead
";
        assert_eq!(in_map_of_apple(map), ["_alpha", "__ZN4core3fmt5write17h0E"]);
        assert_eq!(in_map_of_apple(""), [""; 0]);
    }

    #[test]
    fn a_map_of_microsoft_names_functions() {
        let map = " a

 Preferred load address is 0000000140000000

 Start         Length     Name                   Class
 0001:00000000 000000a4H .text                   CODE
 0003:00000000 00000008H .data                   DATA

  Address         Publics by Value              Rva+Base               Lib:Object

 0001:00000000       alpha                      0000000140001000 f   a.obj
 0001:00000010       beta                       0000000140001010     a.obj
 0003:00000000       keep                       0000000140003000     a.obj

 entry point at         0001:00000030

 Static symbols

 0001:00000020       hid                        0000000140001020     a.obj
";
        assert_eq!(in_map_of_microsoft(map), ["alpha", "beta"]);
        assert_eq!(in_map_of_microsoft("entry point"), [""; 0]);
    }
}
