//! What asks for a wider boundary than compilers give to functions: code in assembler, and some tables.

use super::shifts::GRAIN;

/// What a map of lld shows on a wider boundary in sections whose names begin with this, as the patterns of a
/// linker script.
///
/// A line of the map has the addresses of a section, its size, its alignment, and the file with the name of
/// the section behind it: `lib.rlib(part.o):(.text)`.
pub(super) fn wide(map: &str, sections: &str) -> String {
    let pattern = |line: &str| {
        let alignment: u64 = line.split_whitespace().nth(3)?.parse().ok()?;
        let (file, section) = line.rsplit_once(":(")?;
        let section = section.strip_suffix(')').filter(|section| section.starts_with(sections))?;
        // Of a library, the part.
        let name = file.trim_end_matches(')').rsplit(['/', '(']).next()?;
        // What the linker merges has no file.
        (alignment > GRAIN && !file.ends_with('>')).then(|| format!("*{name}({section}) "))
    };
    map.lines().filter_map(pattern).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_sections_are_named_with_their_files() {
        let map = "             VMA              LMA     Size Align Out     In      Symbol
           14f60            14f60    3f6a2    64 .text
           14f60            14f60       22    16         /usr/lib/Scrt1.o:(.text)
           14fc0            14fc0      1f0    64         /target/deps/libring-1.rlib(sha256.o):(.text)
           15200            15200       40    32         /my target/1-wide.o:(.text.wide)
           15200            15200       40     1                 wide
           25200            25200       40    64         /target/1-wide.o:(.rodata)
           25240            25240       40    32         <internal>:(.rodata.cst32)
";
        assert_eq!(wide(map, ".text"), "*sha256.o(.text) *1-wide.o(.text.wide) ");
        assert_eq!(wide(map, ".rodata"), "*1-wide.o(.rodata) ");
        assert_eq!(wide("no map at all", ".text"), "");
    }
}
