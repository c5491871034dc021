//! The linker script that moves the code and data of a program.

use std::fs;
use std::path::Path;

use bench_diff_system::files::{cannot, read, read_text};
use object::{File, Object, ObjectSection, SectionKind};

use super::map::{Placed, placed};
use super::shuffle::CUT;
use super::startup::{self, is_starting};
use crate::layout::link::Link;
use crate::layout::shifts::{GRAIN, LINE, PAGE, Shifts};

/// The sections that a script moves: code, constants, variables that become read-only before `main`, and
/// other variables.
const MOVED: [&str; 5] = [".text", ".rodata", ".data.rel.ro", ".data", ".bss"];

/// The content of a linker script for a program, except for the shifts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::layout) struct Script {
    /// The parts of the startup objects that have a wider alignment, for each moved section.
    starting: Box<[String; MOVED.len()]>,
    /// For each of these sections, the parts with a wider alignment than a shift preserves.
    wide: Box<[Wide; MOVED.len()]>,
    /// True if some data become read-only before `main`; the other variables follow behind them.
    has_relro: bool,
}

/// The parts of a section with a wider alignment than a shift preserves, as patterns of a script: some
/// assembler code and tables, and code for processors that prefer wide alignment for loops.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Wide {
    /// Aligned to a page or more: only one place on the page is possible. What follows gets its own.
    page: String,
    /// Aligned to 64 bytes or more: only one offset in the cache line is possible.
    line: String,
    /// Aligned to 32 bytes: two offsets are possible.
    half: String,
}

impl Wide {
    fn new(patterns: impl Fn(fn(u64) -> bool) -> String) -> Self {
        Self {
            page: patterns(|align| align >= PAGE),
            line: patterns(|align| align > HALF && align < PAGE),
            half: patterns(|align| align == HALF),
        }
    }
}

/// Half a cache line, in bytes.
const HALF: u64 = 32;

impl Script {
    /// The script for the program that this call links from one object.
    pub(in crate::layout) fn of_object(link: &Link, object: &Path) -> Result<Self, String> {
        let bytes = read(object)?;
        let parsed = File::parse(&*bytes).map_err(|error| cannot("read", object, error))?;
        let sections = parsed.sections().filter(is_wide);
        let parts: Vec<(u64, String)> =
            sections.filter_map(|section| Some((section.align(), section.name().ok()?.to_owned()))).collect();
        // lld shuffles only the sections in the same pattern.
        let pattern = |moved: &str, has_alignment: fn(u64) -> bool| {
            let belongs = |(align, name): &&(u64, String)| has_alignment(*align) && name.starts_with(moved);
            let names: Vec<&str> = parts.iter().filter(belongs).map(|(_, name)| &**name).collect();
            if names.is_empty() { String::new() } else { format!("*({}) ", names.join(" ")) }
        };
        let wide = MOVED.map(|moved| Wide::new(|has_alignment| pattern(moved, has_alignment)));
        Ok(Self {
            starting: Box::new(of_startup_objects(link)?),
            wide: Box::new(wide),
            has_relro: has_relro(link),
        })
    }

    /// The script for the program of this lld call, which is linked once more to get its map. Intermediate
    /// files go to `folder`.
    pub(in crate::layout) fn of_call(link: &Link, folder: &Path) -> Result<Self, String> {
        let (plain, map) = (folder.join("plain"), folder.join("map"));
        let options = [link.passed(CUT), link.passed(&format!("--Map={}", map.display()))];
        link.run(&[link.arguments_to(&plain), options.concat()].concat(), &plain)?;
        let _ = fs::remove_file(&plain);
        let map = read_text(&map)?;
        let is_of_startup = |part: &Placed<'_>| is_starting(Path::new(part.file));
        let (starting, parts): (Vec<_>, Vec<_>) =
            placed(&map).unwrap_or_default().into_iter().partition(is_of_startup);
        let starting = MOVED.map(|section| patterns(&starting, section, |align| align > GRAIN));
        let wide = MOVED.map(|section| Wide::new(|has_alignment| patterns(&parts, section, has_alignment)));
        Ok(Self { starting: Box::new(starting), wide: Box::new(wide), has_relro: has_relro(link) })
    }

    /// Returns whether some code, except the startup code, has a wider alignment than a shift preserves.
    pub(in crate::layout) fn has_wide_code(&self) -> bool {
        self.wide[0] != Wide::default()
    }

    /// The text of the script, which places the first function, constant and variable of a program; all
    /// others follow in their order. Parts with a wider alignment come first, since otherwise they would undo
    /// the shift of everything behind them within a line.
    pub(in crate::layout) fn text(&self, Shifts { code, data, .. }: Shifts) -> String {
        let [text, rodata] = [self.section(0, code), self.section(1, data)];
        let [relro, variables, bss] = [2, 3, 4].map(|index| self.section(index, data));
        let mut script = format!(
            "SECTIONS {{ {text} }} INSERT AFTER .rodata;\nSECTIONS {{ {rodata} }} INSERT BEFORE .eh_frame_hdr;\n"
        );
        if self.has_relro {
            script.push_str(&format!(
                "SECTIONS {{ {relro} }} INSERT BEFORE .dynamic;\nSECTIONS {{ {variables} {bss} }} INSERT AFTER .relro_padding;\n"
            ));
        }
        script
    }

    /// The part of the script for one of the moved sections.
    fn section(&self, index: usize, shift: u64) -> String {
        let (name, starting) = (MOVED[index], &self.starting[index]);
        let Wide { page, line, half } = &self.wide[index];
        // Parts that the linker merges have no file.
        let merged = if name == ".rodata" { "*(.rodata.cst32 .rodata.cst64) " } else { "" };
        let (lines, grains) = (shift / LINE * LINE, shift % LINE);
        let half = match &**half {
            "" => String::new(),
            half => format!(". = ALIGN(64) + {}; {half}", grains & HALF),
        };
        let start = format!("{starting}{page}. = ALIGN(64) + {lines}; {line}{merged}{half}");
        format!("{name} : {{ {start}. = ALIGN(64) + {grains}; *({name} {name}.*) }}")
    }
}

fn is_wide(section: &object::Section<'_, '_>) -> bool {
    // The linker merges strings into a section that it aligns itself.
    section.align() > GRAIN && section.kind() != SectionKind::ReadOnlyString
}

/// The parts with a wider alignment in the startup objects of a linker call, which are not joined with the
/// other objects.
fn of_startup_objects(link: &Link) -> Result<[String; MOVED.len()], String> {
    let mut patterns = MOVED.map(|_| String::new());
    for (path, bytes) in startup::read_all(link)? {
        let parsed = File::parse(&*bytes).map_err(|error| cannot("read", &path, error))?;
        let file = path.file_name().unwrap_or_default().display();
        for section in parsed.sections().filter(is_wide) {
            let name = section.name().unwrap_or_default();
            for (moved, pattern) in MOVED.iter().zip(&mut patterns) {
                if name.starts_with(moved) {
                    pattern.push_str(&format!("*{file}({name}) "));
                }
            }
        }
    }
    Ok(patterns)
}

/// Returns whether the program has data that become read-only before `main`. A static program at a fixed
/// address has none.
fn has_relro(link: &Link) -> bool {
    let has = |names: &[&str]| link.arguments.iter().any(|argument| names.contains(&&**argument));
    let is_fixed = has(&["-static"]) && !has(&["-pie", "-static-pie"]);
    // `-z relro`, `-zrelro` or `-Wl,-z,relro`; the last one wins.
    let relro = link.words().filter_map(|word| match word.strip_prefix("-z").unwrap_or(word) {
        "relro" => Some(true),
        "norelro" => Some(false),
        _ => None,
    });
    !is_fixed && relro.last() == Some(true)
}

/// The parts of a program with such an alignment, in sections whose names begin with `section`, as patterns
/// of a script.
fn patterns(parts: &[Placed<'_>], section: &str, has_alignment: fn(u64) -> bool) -> String {
    let mut patterns = String::new();
    for Placed { file, name, align, .. } in parts {
        if has_alignment(*align) && name.starts_with(section) {
            // The file name of an object, or the member of a library.
            let file = file.trim_end_matches(')').rsplit(['/', '(']).next().unwrap_or_default();
            patterns.push_str(&format!("*{file}({name}) "));
        }
    }
    patterns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::link::tests::link;

    #[test]
    fn wide_sections_are_named_with_their_files() {
        let part =
            |file, name, align| Placed { file, name, address: 0, size: 64, align, symbols: Vec::new() };
        let parts = [
            part("/usr/lib/Scrt1.o", ".text", 16),
            part("/target/deps/libring-1.rlib(sha256.o)", ".text", 64),
            part("/my target/1-wide.o", ".text.wide", 32),
            part("/target/1-wide.o", ".rodata", 64),
            part("/target/2-tables.o", ".rodata", 4096),
        ];
        let of = |section| Wide::new(|has_alignment| patterns(&parts, section, has_alignment));
        let [line, half] = ["*sha256.o(.text) ", "*1-wide.o(.text.wide) "].map(str::to_owned);
        assert_eq!(of(".text"), Wide { page: String::new(), line, half });
        assert_eq!(
            [of(".rodata").page, of(".rodata").line],
            ["*2-tables.o(.rodata) ", "*1-wide.o(.rodata) "]
        );
    }

    #[test]
    fn only_relocated_data_are_made_read_only() {
        let has = |arguments: &[&str]| has_relro(&link("cc", arguments));
        assert!(has(&["-pie", "-Wl,-z,relro,-z,now"]) && has(&["-static-pie", "-Wl,-z,relro"]));
        assert!(has(&["-static", "-pie", "-z", "relro"]));
        assert!(!has(&["-static", "-no-pie", "-Wl,-z,relro"]) && !has(&["-pie", "-Wl,-z,norelro"]));
        assert!(!has(&["-Wl,-z,relro,-z,now", "-znorelro"]) && !has(&["-z", "relro", "-z", "norelro"]));
        assert!(!has(&["-Wl,-z,relro,-z,norelro"]) && has(&["-z", "norelro", "-Wl,-z,now,-zrelro"]));
    }

    #[test]
    fn parts_with_wide_alignment_precede_the_shift() {
        let pattern = |file: &str, section: &str| format!("*{file}.o({section}) ");
        let wide = MOVED.map(|section| {
            let [page, line, half] = ["page", "line", "half"].map(|file| pattern(file, section));
            Wide { page, line, half }
        });
        let starting = MOVED.map(|section| pattern("start", section));
        let script = Script { starting: Box::new(starting), wide: Box::new(wide), has_relro: true };
        let text = script.text(Shifts { code: 640 + 16, data: 48, heap: 0, stack: 0 });
        let code = ".text : { *start.o(.text) *page.o(.text) . = ALIGN(64) + 640; *line.o(.text) . = ALIGN(64) + 0; *half.o(.text) . = ALIGN(64) + 16; *(.text .text.*) }";
        assert!(text.contains(code), "{text}");
        for section in [".rodata", ".data.rel.ro", ".data", ".bss"] {
            assert!(text.contains(&format!(". = ALIGN(64) + 48; *({section} {section}.*) }}")), "{text}");
        }
    }
}
