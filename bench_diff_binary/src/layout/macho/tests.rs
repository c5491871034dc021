//! Tests with programs for macOS that rust-lld links. Nothing starts them.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::process::Command;

use bench_diff_core::Seed;
use bench_diff_system::stderr::skipped;
use object::{File, Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind};
use tempfile::TempDir;

use super::*;
use crate::layout::image::is_same;
use crate::layout::shifts::Shifts;

/// Code with a wide alignment.
const WIDE: [&str; 5] = [".text", ".p2align 6", "_wide:", ".space 64", ".no_dead_strip _wide"];

/// A program with constants and variables of all kinds. With `--cfg=wide`, it has the assembly code `WIDE`.
const SOURCE: &str = "use std::collections::HashMap;
    use std::sync::atomic::{AtomicU64, Ordering};
    static ZERO: AtomicU64 = AtomicU64::new(0);
    static FIVE: AtomicU64 = AtomicU64::new(5);
    static TEXTS: [&str; 3] = [\"one\", \"two\", \"three\"];
    #[cfg(wide)]
    std::arch::global_asm!(WIDE);
    #[unsafe(no_mangle)]
    #[inline(never)]
    fn counted(number: u64) -> u64 {
        ZERO.fetch_add(number, Ordering::Relaxed) + FIVE.fetch_add(1, Ordering::Relaxed)
    }
    fn main() {
        let words: HashMap<String, u64> =
            std::env::args().map(|word| { let size = word.len() as u64; (word, counted(size)) }).collect();
        println!(\"{words:?} {}\", TEXTS[words.len() % 3]);
    }";

/// The compiled program.
struct Compiled {
    folder: TempDir,
    lld: PathBuf,
    /// The objects and libraries, in the order of the linker call.
    inputs: Vec<String>,
}

impl Compiled {
    /// The program for a target, with these lines of assembly code whose alignment is wide; `None` if rustc
    /// cannot compile it here, which is reported.
    fn new(target: &str, wide: &[&str], options: &[&str]) -> Option<Self> {
        let sysroot = PathBuf::from(printed(Command::new("rustc").args(["--print", "sysroot"])).trim());
        let host = printed(Command::new("rustc").args(["--print", "host-tuple"]));
        let libraries = sysroot.join("lib/rustlib");
        let lld = libraries.join(host.trim()).join("bin/rust-lld");
        for needed in [&lld, &libraries.join(target).join("lib")] {
            if !needed.exists() {
                skipped(&format!("layouts on {target}: there is no {}", needed.display()));
                return None;
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let source = SOURCE.replace("WIDE", &format!("{:?}", wide.join("\n")));
        fs::write(folder.path().join("main.rs"), source).unwrap();
        let mut rustc = Command::new("rustc");
        rustc.current_dir(&folder).args(["main.rs", "-O", "--edition=2024", "--target", target]);
        rustc.args(["-Csave-temps", "-Clinker=true", "--print=link-args"]).args(options);
        let call = printed(&mut rustc);
        let is_input = |word: &&str| word.ends_with(".o") || word.ends_with(".rlib");
        let inputs = call.split('"').filter(is_input).map(str::to_owned).collect();
        Some(Self { folder, lld, inputs })
    }
}

fn printed(command: &mut Command) -> String {
    let ended = command.output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).unwrap()
}

/// The name of a symbol, and a number if there are several of that name.
type Name = (String, usize);

/// Adds the address of a symbol under the first number that its name has left.
fn add(found: &mut BTreeMap<Name, u64>, name: &str, address: u64) {
    let number = (0..).find(|number| !found.contains_key(&(name.to_owned(), *number))).unwrap();
    found.insert((name.to_owned(), number), address);
}

/// A target, its architecture for the linker, and the unit of its shifts.
const TARGETS: [(&str, &str, u64); 2] =
    [("aarch64-apple-darwin", "arm64", 32), ("x86_64-apple-darwin", "x86_64", 16)];

const KINDS: [SymbolKind; 2] = [SymbolKind::Text, SymbolKind::Data];

/// The program for all targets that rustc can compile for here.
fn fixtures(options: &[&str]) -> impl Iterator<Item = Fixture> {
    TARGETS.into_iter().filter_map(|target| Fixture::new(target, options))
}

struct Fixture {
    shuffle: Shuffle,
    grain: u64,
    folder: TempDir,
}

impl Fixture {
    /// The program for a target; `None` if rustc cannot make it here, which is reported.
    fn new((target, architecture, grain): (&str, &str, u64), options: &[&str]) -> Option<Self> {
        let Compiled { folder, lld, inputs } = Compiled::new(target, &WIDE, options)?;
        // Without the system's libraries.
        let arguments = format!(
            "-flavor darwin -arch {architecture} -o old -platform_version macos 13.0 13.0 \
             -undefined dynamic_lookup -dead_strip"
        );
        let arguments = arguments.split(' ').map(str::to_owned).chain(inputs).collect();
        let here = folder.path().to_str().unwrap().to_owned();
        let link = Link::new(lld.display().to_string(), here.clone(), arguments, 5);
        let call = RustcCall::of(&["rustc", &here, "--target", target]).unwrap();
        let shuffle = Shuffle::of(&link, &call, folder.path(), grain).unwrap();
        Some(Self { shuffle, grain, folder })
    }

    /// Links a layout with these shifts, in grains.
    fn linked(&self, [code, data]: [u64; 2], seed: u64) -> Layout {
        let program = self.folder.path().join(format!("layout-{seed}-{code}-{data}"));
        let shifts = Shifts { code: code * self.grain, data: data * self.grain, heap: 0, stack: 0 };
        let layout = Layout { program, shifts, seed: Seed(seed) };
        self.shuffle.link(&layout).unwrap();
        layout
    }
}

/// The addresses of the functions or the data that blocks move, by name. The linker gives those of one name
/// the same order in all programs of a seed.
fn addresses(layout: &Layout, kind: SymbolKind) -> BTreeMap<Name, u64> {
    let bytes = fs::read(&layout.program).unwrap();
    let program = File::parse(&*bytes).unwrap();
    let mut found = BTreeMap::new();
    for symbol in program.symbols().filter(|symbol| symbol.kind() == kind) {
        let Some(section) = symbol.section_index() else { continue };
        let section = program.section_by_index(section).unwrap();
        let [segment, section] = [section.segment_name().unwrap().unwrap(), section.name().unwrap()];
        let is_moved = MOVED.iter().any(|moved| *moved == [segment.trim_end_matches("_CONST"), section]);
        let name = symbol.name().unwrap();
        if is_moved && !name.starts_with("_bench_diff_gap") && !name.starts_with("__mh_") {
            add(&mut found, name, symbol.address());
        }
    }
    found
}

/// The functions in the order of their addresses, by the last of their names: the compiler merges equal ones.
fn order(layout: &Layout) -> Vec<Name> {
    let functions = addresses(layout, SymbolKind::Text).into_iter();
    let by_address: BTreeMap<u64, Name> = functions.map(|(name, address)| (address, name)).collect();
    by_address.into_values().collect()
}

#[test]
fn every_function_moves_by_the_shift_and_all_data_by_its_own() {
    for fixture in fixtures(&[]) {
        assert!(!fixture.shuffle.order.has_wide_code);
        let first = fixture.linked([0, 3], 1);
        let [functions, data] = KINDS.map(|kind| addresses(&first, kind));
        assert!(functions.len() > 500 && data.len() > 10, "{} {}", functions.len(), data.len());
        for [of_code, of_data] in [[1, 1], [2, 0], [3, 2]] {
            let layout = fixture.linked([of_code, of_data], 1);
            assert!(!is_same(&first.program, &layout.program).unwrap());
            let [moved_functions, moved_data] = KINDS.map(|kind| addresses(&layout, kind));
            let moved = |(name, address)| (name, address + of_code * fixture.grain);
            assert_eq!(moved_functions, functions.clone().into_iter().map(moved).collect());
            // The code in front takes more or less space.
            let place = |(name, address): (&_, &u64)| (Clone::clone(name), address % (4 * fixture.grain));
            let moved =
                |(name, address): (&_, &u64)| place((name, &(address + (of_data + 1) * fixture.grain)));
            let moved: Vec<(Name, u64)> = data.iter().map(moved).collect();
            assert_eq!(moved_data.iter().map(place).collect::<Vec<_>>(), moved);
        }
    }
}

#[test]
fn the_seed_decides_the_order() {
    for fixture in fixtures(&[]) {
        let [one, other] = [1, 2].map(|seed| order(&fixture.linked([0, 0], seed)));
        let neighbors: HashSet<&[Name]> = one.windows(2).collect();
        let kept = other.windows(2).filter(|names| neighbors.contains(names)).count();
        assert!(one.len() > 400 && one.len() == other.len() && kept < 10, "{kept} of {}", one.len());

        let layout = fixture.linked([2, 1], 3);
        let before = fs::read(&layout.program).unwrap();
        fixture.shuffle.link(&layout).unwrap();
        assert!(fs::read(&layout.program).unwrap() == before, "not the same bytes");
    }
}

#[test]
fn code_with_a_wide_alignment_keeps_no_other_from_being_moved() {
    for fixture in fixtures(&["--cfg=wide", "-Ccodegen-units=1"]) {
        assert!(fixture.shuffle.order.has_wide_code);
        let [one, other] = [0, 3].map(|grains| addresses(&fixture.linked([grains, 0], 1), SymbolKind::Text));
        let moved = |name: &Name| other[name] - one[name];
        assert_eq!(moved(&("_counted".to_owned(), 0)), 0);
        let count = one.keys().filter(|name| moved(name) == 3 * fixture.grain).count();
        assert!(
            count > 500 && one.keys().all(|name| [0, 3 * fixture.grain].contains(&moved(name))),
            "{count}"
        );
    }
}

#[test]
fn a_program_is_the_same_under_another_name_and_signature() {
    for fixture in fixtures(&[]) {
        let one = fixture.linked([0, 0], 1);
        let program = fixture.folder.path().join("other");
        let other = Layout { program, shifts: one.shifts, seed: one.seed };
        fixture.shuffle.link(&other).unwrap();
        assert!(is_same(&one.program, &other.program).unwrap());
        let bytes = fs::read(&other.program).unwrap();
        let program = File::parse(&*bytes).unwrap();
        let uuid = program.mach_uuid().unwrap().unwrap();
        let uuid = bytes.windows(16).position(|window| window == uuid).unwrap();
        let text = program.section_by_name("__text").unwrap().file_range().unwrap().0 as usize;
        // The signature, if any, is at the end.
        for (place, is_loaded) in [(uuid, false), (bytes.len() - 1, false), (text, true)] {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            fs::write(&other.program, changed).unwrap();
            assert_eq!(is_same(&one.program, &other.program).unwrap(), !is_loaded, "{place}");
        }
    }
}
