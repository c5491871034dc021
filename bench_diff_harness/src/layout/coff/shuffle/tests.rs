//! Tests with a program for Windows that rust-lld links. Nothing starts it.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use bench_diff_core::Seed;
use object::read::archive::ArchiveFile;
use object::{File, Object as _, ObjectSection as _, ObjectSymbol};
use tempfile::TempDir;

use super::*;
use crate::layout::compiled::{Compiled, Name, add};
use crate::layout::image::is_same;
use crate::layout::shifts::{GRAIN, Shifts};

/// Code with a wide alignment.
const WIDE: [&str; 5] = [".text", ".p2align 6", ".globl wide", "wide:", ".space 64"];

const TARGET: &str = "x86_64-pc-windows-msvc";

/// The new names of sections with functions, and of those with data.
const CODE: [&str; 1] = [".t"];
const DATA: [&str; 3] = [".r", ".d", ".b"];

const MAP: &str = "layout.map";

struct Fixture {
    shuffle: Shuffle,
    folder: TempDir,
}

impl Fixture {
    /// The program; `None` if rustc cannot make it here, which is reported.
    fn new(options: &[&str]) -> Option<Self> {
        let Compiled { folder, lld, inputs } = Compiled::new(TARGET, &WIDE, options)?;
        let missing = missing(folder.path(), &inputs);
        let arguments: Vec<String> = ["-flavor", "link", "/NOLOGO", "/OUT:old.exe"]
            .into_iter()
            .chain(["/ENTRY:main", "/SUBSYSTEM:console", "/NODEFAULTLIB"])
            .chain(["/OPT:REF,ICF", "/DEBUG", "/PDBALTPATH:%_PDB%"])
            .map(str::to_owned)
            .chain(inputs)
            .chain([format!("/MAP:{MAP}")])
            // In place of the libraries of the system.
            .chain(missing.iter().map(|name| format!("/ALTERNATENAME:{name}=counted")))
            .collect();
        let here = folder.path().to_str().unwrap().to_owned();
        let link = Link::new(lld.display().to_string(), here, arguments, 3);
        Some(Self { shuffle: Shuffle::new(&link).unwrap(), folder })
    }

    /// Links a layout with these shifts, in grains.
    fn linked(&self, [code, data]: [u64; 2], seed: u64) -> Linked {
        let program = self.folder.path().join(format!("layout-{seed}-{code}-{data}.exe"));
        let shifts = Shifts { code: code * GRAIN, data: data * GRAIN, heap: 0, stack: 0 };
        let layout = Layout { program, shifts, seed: Seed(seed) };
        self.shuffle.link(&layout).unwrap();
        Linked { map: fs::read_to_string(self.folder.path().join(MAP)).unwrap(), layout }
    }
}

struct Linked {
    layout: Layout,
    map: String,
}

impl Linked {
    /// The addresses of the symbols in sections of these names. The linker gives those of one name the same
    /// order in all programs of a seed.
    fn addresses(&self, names: &[&str]) -> BTreeMap<Name, u64> {
        let bytes = fs::read(&self.layout.program).unwrap();
        let program = File::parse(&*bytes).unwrap();
        let sections = program.sections().filter(|section| names.contains(&section.name().unwrap()));
        let ranges: Vec<_> =
            sections.map(|section| section.address()..section.address() + section.size()).collect();
        let mut found = BTreeMap::new();
        for line in self.map.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [place, name, address, ..] = words[..] else { continue };
            let Ok(address) = u64::from_str_radix(address, 16) else { continue };
            if place.contains(':') && ranges.iter().any(|range| range.contains(&address)) {
                add(&mut found, name, address);
            }
        }
        found
    }

    /// The functions in the order of their addresses.
    fn order(&self) -> Vec<Name> {
        // Parts of a function that only a panic reaches have such names, and stay in its section.
        let functions =
            self.addresses(&CODE).into_iter().filter(|((name, _), _)| !name.starts_with(['?', '$']));
        let by_address: BTreeMap<u64, Name> = functions.map(|(name, address)| (address, name)).collect();
        by_address.into_values().collect()
    }
}

/// The symbols that no object or library defines.
fn missing(folder: &Path, inputs: &[String]) -> BTreeSet<String> {
    let (mut used, mut defined) = (BTreeSet::new(), BTreeSet::new());
    let mut read = |object: &[u8]| {
        let Ok(object) = File::parse(object) else { return };
        for symbol in object.symbols().filter(ObjectSymbol::is_global) {
            let names = if symbol.is_undefined() { &mut used } else { &mut defined };
            names.insert(symbol.name().unwrap().to_owned());
        }
    };
    for input in inputs {
        let bytes = fs::read(folder.join(input)).unwrap();
        match ArchiveFile::parse(&*bytes) {
            Ok(library) => {
                library.members().for_each(|member| read(member.unwrap().data(&*bytes).unwrap()));
            }
            Err(_) => read(&bytes),
        }
    }
    used.difference(&defined).cloned().collect()
}

#[test]
fn every_function_moves_by_the_shift_and_all_data_by_its_own() {
    let Some(fixture) = Fixture::new(&[]) else { return };
    assert!(!fixture.shuffle.objects.has_wide_code());
    let first = fixture.linked([0, 3], 1);
    let [functions, data] = [first.addresses(&CODE), first.addresses(&DATA)];
    assert!(functions.len() > 500 && data.len() > 100, "{} {}", functions.len(), data.len());
    assert_eq!(first.addresses(&[".text"]), BTreeMap::new(), "functions with their former name");
    for [of_code, of_data] in [[1, 1], [2, 0], [3, 2]] {
        let linked = fixture.linked([of_code, of_data], 1);
        assert!(!is_same(&first.layout.program, &linked.layout.program).unwrap());
        let moved = |(name, address)| (name, address + of_code * GRAIN);
        assert_eq!(linked.addresses(&CODE), functions.clone().into_iter().map(moved).collect());
        // The code in front takes more or less space.
        let place = |(name, address): (&_, &u64)| (Clone::clone(name), address % (4 * GRAIN));
        let moved = |(name, address): (&_, &u64)| place((name, &(address + (of_data + 1) * GRAIN)));
        let moved: Vec<(Name, u64)> = data.iter().map(moved).collect();
        assert_eq!(linked.addresses(&DATA).iter().map(place).collect::<Vec<_>>(), moved);
    }
}

#[test]
fn the_seed_decides_the_order() {
    let Some(fixture) = Fixture::new(&[]) else { return };
    let [one, other] = [1, 2].map(|seed| fixture.linked([0, 0], seed).order());
    let neighbors: HashSet<&[Name]> = one.windows(2).collect();
    let kept = other.windows(2).filter(|names| neighbors.contains(names)).count();
    assert!(one.len() > 300 && one.len() == other.len() && kept < 10, "{kept} of {}", one.len());

    let linked = fixture.linked([2, 1], 3);
    let before = fs::read(&linked.layout.program).unwrap();
    fixture.shuffle.link(&linked.layout).unwrap();
    assert!(fs::read(&linked.layout.program).unwrap() == before, "not the same bytes");
}

#[test]
fn code_with_a_wide_alignment_keeps_no_other_from_being_moved() {
    let Some(fixture) = Fixture::new(&["--cfg=wide"]) else { return };
    assert!(fixture.shuffle.objects.has_wide_code());
    let [one, other] = [0, 3].map(|grains| fixture.linked([grains, 0], 1).addresses(&CODE));
    let moved = |name: &Name| other[name] - one[name];
    assert_eq!(moved(&("wide".to_owned(), 0)), 0);
    let others: Vec<&Name> = one.keys().filter(|name| name.0 != "wide").collect();
    assert!(others.len() > 500 && others.iter().all(|name| moved(name) == 3 * GRAIN), "{others:?}");
}

#[test]
fn a_program_is_the_same_with_another_date_and_id() {
    let Some(fixture) = Fixture::new(&[]) else { return };
    let link = &fixture.shuffle.link;
    let linked = |folder: &str, date: &str| {
        let program = fixture.folder.path().join(folder).join("program.exe");
        make_folder(program.parent().unwrap()).unwrap();
        let arguments = [link.arguments_to(&program), vec![format!("/TIMESTAMP:{date}")]].concat();
        link.run(&arguments, &program).unwrap();
        program
    };
    let [one, other] = [linked("one", "1"), linked("other", "2")];
    assert!(is_same(&one, &other).unwrap());
    let bytes = fs::read(&other).unwrap();
    assert!(bytes != fs::read(&one).unwrap(), "the dates differ");
    let program = File::parse(&*bytes).unwrap();
    let id = program.pdb_info().unwrap().unwrap().guid();
    let id = bytes.windows(16).position(|window| window == id).unwrap();
    let code = program.section_by_name(".text").unwrap().file_range().unwrap().0 as usize;
    for (place, is_loaded) in [(id, false), (id + 20, true), (code, true)] {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        fs::write(&other, changed).unwrap();
        assert_eq!(is_same(&one, &other).unwrap(), !is_loaded, "{place}");
    }
}
