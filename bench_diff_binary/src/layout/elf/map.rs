//! The map of a linker: which sections of which objects are in the program, at which addresses, and which of
//! their symbols won.

use std::path::Path;

/// The linker options for a map with the names of the objects, and for a `make` rule with all files that the
/// linker read.
pub(crate) fn options(map: &Path, rule: &Path) -> [String; 3] {
    let (map, rule) = (map.display(), rule.display());
    [format!("-Map={map}"), format!("--dependency-file={rule}"), "--no-demangle".to_owned()]
}

/// A section of an object that is in the program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Placed<'m> {
    /// The path of the object; for a library, with the member in parentheses.
    pub(crate) file: &'m str,
    pub(crate) name: &'m str,
    pub(crate) address: u64,
    pub(crate) size: u64,
    /// In bytes; 0 in a map of GNU ld, which does not show it.
    pub(super) align: u64,
    /// The symbols that are defined in the section and were not replaced by those of another object.
    pub(crate) symbols: Vec<&'m str>,
}

/// The sections in a map of lld or of GNU ld; `None` if another linker wrote it.
pub(crate) fn placed(map: &str) -> Option<Vec<Placed<'_>>> {
    let mut sections = match is_of_lld(map) {
        true => lld(map),
        false => gnu(map.split_once("\nLinker script and memory map\n")?.1),
    };
    // Sections that the linker itself makes have no file.
    sections.retain(|section| !["", "<internal>", "linker stubs"].contains(&section.file));
    (!sections.is_empty()).then_some(sections)
}

/// Returns whether lld wrote a map.
pub(crate) fn is_of_lld(map: &str) -> bool {
    map.lines().next().is_some_and(|line| line.split_whitespace().eq(COLUMNS_OF_LLD))
}

const COLUMNS_OF_LLD: [&str; 7] = ["VMA", "LMA", "Size", "Align", "Out", "In", "Symbol"];

fn lld(map: &str) -> Vec<Placed<'_>> {
    let mut sections: Vec<Placed<'_>> = Vec::new();
    for line in map.lines().skip(1) {
        let mut rest = line;
        let [address, _, size, align] = std::array::from_fn(|_| {
            let (word, behind) = rest.trim_start().split_once(' ').unwrap_or_default();
            rest = behind;
            word
        });
        let text = rest.trim_start();
        // The indentation shows the level: an object's section, and the symbols in it.
        match rest.len() - text.len() {
            8 => {
                let section = text.strip_suffix(')').and_then(|text| text.rsplit_once('('));
                let (file, name) = section.unwrap_or_default();
                let file = file.strip_suffix(':').unwrap_or_default();
                sections.push(Placed {
                    file,
                    name,
                    address: hex(address),
                    size: hex(size),
                    align: align.parse().unwrap_or_default(),
                    symbols: Vec::new(),
                });
            }
            16 => sections.last_mut().into_iter().for_each(|section| section.symbols.push(text)),
            _ => {}
        }
    }
    sections
}

fn gnu(map: &str) -> Vec<Placed<'_>> {
    let mut sections: Vec<Placed<'_>> = Vec::new();
    // If the name of a section is too long for its column, it is alone on a line.
    let mut name = "";
    for line in map.lines() {
        let text = line.trim_start();
        let (address, behind) = match (line.len() - text.len(), text.split_once(' ')) {
            (1, None) => {
                name = text;
                continue;
            }
            // The bytes of a gap between sections, which may stand behind its size.
            (1, Some(("*fill*", _))) => {
                name = "";
                continue;
            }
            (1, Some((word, behind))) => {
                name = word;
                behind.trim_start().split_once(' ').unwrap_or_default()
            }
            (16, Some(both)) => both,
            _ => {
                name = "";
                continue;
            }
        };
        let behind = behind.trim_start();
        match behind.split_once(' ') {
            Some((size, file)) if size.starts_with("0x") && !name.is_empty() => {
                let [address, size] = [address, size].map(|word| hex(word.trim_start_matches("0x")));
                sections.push(Placed { file, name, address, size, align: 0, symbols: Vec::new() });
                name = "";
            }
            None => sections.last_mut().into_iter().for_each(|section| section.symbols.push(behind)),
            Some(_) => {}
        }
    }
    sections
}

fn hex(digits: &str) -> u64 {
    u64::from_str_radix(digits, 16).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section<'m>(
        file: &'m str,
        name: &'m str,
        [address, size, align]: [u64; 3],
        symbols: &[&'m str],
    ) -> Placed<'m> {
        Placed { file, name, address, size, align, symbols: symbols.to_owned() }
    }

    #[test]
    fn a_map_of_lld_is_read() {
        let map = "             VMA              LMA     Size Align Out     In      Symbol
             2e0              2e0       1c     1 .interp
             2e0              2e0       1c     1         <internal>:(.interp)
           14f60            14f60    3f6a2    64 .text
           14f60            14f60       22    16         /my lib/libring-1.rlib(a.o):(.text.one)
           14f60            14f60       22     1                 one
           14f70            14f70        0     1                 also one
           14fc0            14fc0      1f0    64         main.o:(.text)
";
        let one =
            section("/my lib/libring-1.rlib(a.o)", ".text.one", [0x14f60, 0x22, 16], &["one", "also one"]);
        assert_eq!(placed(map), Some(vec![one, section("main.o", ".text", [0x14fc0, 0x1f0, 64], &[])]));
    }

    #[test]
    fn a_map_of_gnu_ld_is_read() {
        let map = "Discarded input sections

 .text          0x0000000000000000        0x0 gone.o

Linker script and memory map

LOAD main.o

.text           0x000000000000a2c0     0x1234
 *(.text.unlikely .text.*_unlikely .text.unlikely.*)
 .text          0x000000000000a2c0       0x22 /my lib/crt.o
                0x000000000000a2c0                _start
 *fill*         0x000000000000a2e2        0xe\u{20}
 *fill*         0x000000000000a2e8        0x8 1f2003d5
 .text.of_a_long_name
                0x000000000000a2f0       0x14 lib.rlib(a.o)
                0x000000000000a2f0                one
                0x000000000000a304                PROVIDE (etext = .)
";
        let start = section("/my lib/crt.o", ".text", [0xa2c0, 0x22, 0], &["_start"]);
        let one = section("lib.rlib(a.o)", ".text.of_a_long_name", [0xa2f0, 0x14, 0], &["one"]);
        assert_eq!(placed(map), Some(vec![start, one]));
    }

    #[test]
    fn no_other_map_is_read() {
        assert_eq!(placed("# Path: a.out\n# Arch: x86_64\n"), None);
        assert_eq!(placed(""), None);
    }
}
