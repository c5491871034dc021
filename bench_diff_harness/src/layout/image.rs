//! Whether two programs are one, as far as they are loaded.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

/// Whether two files hold the same program: the same bytes, or, as ELF files (System V ABI, chapter 5), the same bytes in every
/// segment that is loaded, but for notes. Symbols beyond those have names that differ from one compilation to the next, and a
/// note holds a checksum of them.
pub(super) fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let (one, other) = (fs::read(one)?, fs::read(other)?);
    Ok(one == other || loaded(&one).zip(loaded(&other)).is_some_and(|(one, other)| one == other))
}

/// A part of a file that is loaded, with its header.
#[derive(Debug, PartialEq)]
struct Segment {
    header: Vec<u8>,
    bytes: Vec<u8>,
}

const HEADER: usize = 64;
const SEGMENT: usize = 56;
const LOADED: u64 = 1;
const NOTE: u64 = 4;
/// What the header of a file says of parts that are not loaded: where the table of sections is, and how many it has.
const OF_SECTIONS: [Range<usize>; 2] = [40..48, 60..64];

/// The segments of a little-endian ELF file of 64 bits; none of any other file.
fn loaded(file: &[u8]) -> Option<Vec<Segment>> {
    if !file.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let mut file = file.to_vec();
    OF_SECTIONS.into_iter().try_for_each(|range| file.get_mut(range).map(|bytes| bytes.fill(0)))?;
    let (table, count) = (number(&file, 32, 8)?, number(&file, 56, 2)?);
    let table = usize::try_from(table).ok().filter(|table| *table >= HEADER)?;
    let header = |index: u64| {
        let start = table.checked_add(SEGMENT * usize::try_from(index).ok()?)?;
        file.get(start..start.checked_add(SEGMENT)?)
    };
    let headers: Vec<Vec<u8>> =
        (0..count).map(|index| header(index).map(<[u8]>::to_vec)).collect::<Option<_>>()?;
    let of_kind = |kind| headers.iter().filter(move |header| number(header, 0, 4) == Some(kind));
    for note in of_kind(NOTE) {
        file.get_mut(place(note)?)?.fill(0);
    }
    let segment = |header: &Vec<u8>| {
        Some(Segment { header: header.clone(), bytes: file.get(place(header)?)?.to_vec() })
    };
    of_kind(LOADED).map(segment).collect()
}

/// Where the bytes of a segment are in the file.
fn place(header: &[u8]) -> Option<Range<usize>> {
    let of = |at| number(header, at, 8).and_then(|number| usize::try_from(number).ok());
    let (start, length) = of(8).zip(of(32))?;
    Some(start..start.checked_add(length)?)
}

/// A little-endian number of so many bytes.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(one: &[u8], other: &[u8]) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["one", "other"].map(|name| folder.path().join(name));
        fs::write(&paths[0], one).unwrap();
        fs::write(&paths[1], other).unwrap();
        is_same(&paths[0], &paths[1]).unwrap()
    }

    /// A program of one loaded segment of 4 bytes, and of a byte beyond it.
    fn program() -> Vec<u8> {
        let mut file = vec![0; HEADER + SEGMENT];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        (file[32], file[56]) = (HEADER as u8, 1);
        (file[HEADER], file[HEADER + 8], file[HEADER + 32]) = (1, (HEADER + SEGMENT) as u8, 4);
        file.extend([1, 2, 3, 4, 9]);
        file
    }

    #[test]
    fn what_is_loaded_makes_a_program() {
        let mut names_differ = program();
        *names_differ.last_mut().unwrap() = 8;
        names_differ.push(7);
        names_differ[40] = 200;
        assert!(same(&program(), &names_differ));
        for place in [HEADER + 4, HEADER + SEGMENT, HEADER + SEGMENT + 3] {
            let mut other = program();
            other[place] ^= 1;
            assert!(!same(&program(), &other), "{place}");
        }
    }

    #[test]
    fn another_kind_of_file_has_to_be_equal() {
        assert!(same(b"program", b"program"));
        assert!(!same(b"program", b"programs"));
        let mut torn = program();
        torn.truncate(HEADER + SEGMENT + 2);
        assert!(same(&torn, &torn) && !same(&torn, &program()));
        assert!(!same(b"\x7fELF\x02\x01", b"\x7fELF\x02\x01."));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_program_is_read() {
        let program = fs::read("/proc/self/exe").unwrap();
        assert!(loaded(&program).is_some_and(|segments| segments.len() >= 2));
    }
}
