//! Code and data with a wider alignment than compilers give to functions: code in assembler, and some tables.

use super::shifts::GRAIN;

/// The parts with a wider alignment in sections whose names begin with `sections`, from a map of lld, as
/// patterns of a linker script.
///
/// A line of the map has the addresses of a section, its size, its alignment, and the file followed by the
/// name of the section: `lib.rlib(part.o):(.text)`.
pub(super) fn wide(map: &str, sections: &str) -> String {
    let pattern = |line: &str| {
        let alignment: u64 = line.split_whitespace().nth(3)?.parse().ok()?;
        let (file, section) = line.rsplit_once(":(")?;
        let section = section.strip_suffix(')').filter(|section| section.starts_with(sections))?;
        // For a library, the member.
        let name = file.trim_end_matches(')').rsplit(['/', '(']).next()?;
        // Parts merged by the linker have no file.
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
