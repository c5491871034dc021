//! The linker script that moves the code and data of a program.

use std::fs;
use std::path::Path;

use object::{File, Object, ObjectSection, SectionKind};

use super::cut::CUT;
use super::link::Link;
use super::map::{Placed, placed};
use super::shifts::{GRAIN, Shifts};
use crate::system::text::cannot;

/// The sections that a script moves: code, constants, variables that are read-only once the program runs, and
/// other variables.
const MOVED: [&str; 5] = [".text", ".rodata", ".data.rel.ro", ".data", ".bss"];

/// The content of a linker script for a program, except for the shifts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Script {
    /// The parts of each of these sections with a wider alignment than a shift keeps, as patterns of a
    /// script.
    wide: [String; MOVED.len()],
    /// True if some of the data is read-only once the program runs; the rest begins behind it.
    has_relro: bool,
}

impl Script {
    /// The script for the program that this call links from one object.
    pub(super) fn of_object(link: &Link, object: &Path) -> Result<Self, String> {
        let bytes = fs::read(object).map_err(|error| cannot("read", object, error))?;
        let parsed = File::parse(&*bytes).map_err(|error| cannot("read", object, error))?;
        let is_wide = |section: &object::Section<'_, '_>| {
            // The linker also aligns what it merges.
            section.align() > GRAIN && section.kind() != SectionKind::ReadOnlyString
        };
        let sections = parsed.sections().filter(is_wide);
        let names: Vec<String> = sections.filter_map(|it| Some(it.name().ok()?.to_owned())).collect();
        let wide = MOVED.map(|moved| {
            let names = names.iter().filter(|name| name.starts_with(moved));
            names.map(|name| format!("*({name}) ")).collect()
        });
        Ok(Self { wide, has_relro: has_relro(link) })
    }

    /// The script for the program of this call of lld, which is linked once more for its map. Intermediate
    /// files go to `folder`.
    pub(super) fn of_call(link: &Link, folder: &Path) -> Result<Self, String> {
        let (plain, map) = (folder.join("plain"), folder.join("map"));
        let options = [link.passed(CUT), link.passed(&format!("--Map={}", map.display()))];
        link.run(&[link.arguments_to(&plain)?, options.concat()].concat(), &plain)?;
        let _ = fs::remove_file(&plain);
        let map = fs::read_to_string(&map).map_err(|error| cannot("read", &map, error))?;
        let parts = placed(&map).unwrap_or_default();
        Ok(Self { wide: MOVED.map(|section| wide(&parts, section)), has_relro: has_relro(link) })
    }

    /// The text of the script, which places the first function, constant and variable of a program; all
    /// others follow in their order. Parts with a wider alignment than compilers give to functions come
    /// first: otherwise they would take up the shift of everything behind them.
    pub(super) fn text(&self, Shifts { code, data, .. }: Shifts) -> String {
        let section = |index: usize, shift: u64| {
            let (name, wide) = (MOVED[index], &self.wide[index]);
            // Parts merged by the linker have no file.
            let merged = if name == ".rodata" { "*(.rodata.cst32 .rodata.cst64) " } else { "" };
            format!("{name} : {{ {wide}{merged}. = ALIGN(64) + {shift}; *({name} {name}.*) }}")
        };
        let mut script = format!(
            "SECTIONS {{ {} }} INSERT AFTER .rodata;\nSECTIONS {{ {} }} INSERT BEFORE .eh_frame_hdr;\n",
            section(0, code),
            section(1, data)
        );
        if self.has_relro {
            script.push_str(&format!(
                "SECTIONS {{ {} }} INSERT BEFORE .dynamic;\nSECTIONS {{ {} {} }} INSERT AFTER .relro_padding;\n",
                section(2, data),
                section(3, data),
                section(4, data)
            ));
        }
        script
    }
}

fn has_relro(link: &Link) -> bool {
    link.arguments.iter().any(|argument| argument.contains("relro") && !argument.contains("norelro"))
}

/// The parts of a program with a wider alignment than a shift keeps, in sections whose names begin with this
/// one, as patterns of a script: code in assembler, and some tables.
fn wide(parts: &[Placed<'_>], section: &str) -> String {
    let pattern = |part: &Placed<'_>| {
        // For a library, the member.
        let file = part.file.trim_end_matches(')').rsplit(['/', '(']).next().unwrap_or_default();
        format!("*{file}({}) ", part.name)
    };
    let wide = parts.iter().filter(|part| part.align > GRAIN && part.name.starts_with(section));
    wide.map(pattern).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_sections_are_named_with_their_files() {
        let part =
            |file, name, align| Placed { file, name, address: 0, size: 64, align, symbols: Vec::new() };
        let parts = [
            part("/usr/lib/Scrt1.o", ".text", 16),
            part("/target/deps/libring-1.rlib(sha256.o)", ".text", 64),
            part("/my target/1-wide.o", ".text.wide", 32),
            part("/target/1-wide.o", ".rodata", 64),
        ];
        assert_eq!(wide(&parts, ".text"), "*sha256.o(.text) *1-wide.o(.text.wide) ");
        assert_eq!(wide(&parts, ".rodata"), "*1-wide.o(.rodata) ");
    }

    #[test]
    fn what_is_wide_stands_before_the_place() {
        let wide = MOVED.map(|section| format!("*wide.o({section}) "));
        let script = Script { wide, has_relro: true };
        let text = script.text(Shifts { code: 32, data: 48, heap: 0, stack: 0 });
        assert!(text.contains(".text : { *wide.o(.text) . = ALIGN(64) + 32; *(.text .text.*) }"), "{text}");
        for section in [".rodata", ".data.rel.ro", ".data", ".bss"] {
            assert!(text.contains(&format!(". = ALIGN(64) + 48; *({section} {section}.*) }}")), "{text}");
        }
    }
}
