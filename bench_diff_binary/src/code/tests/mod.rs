//! Tests with programs that rustc compiles, of which `sources` has the longer ones.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use bench_diff_system::stderr::skipped;

use super::program::{Program, Root};
use super::walk::{self, Called, Unproven};
use crate::layout::link::Link;
use crate::layout::map::options;

mod different;
mod mutated;
mod same;
mod surroundings;
mod trees;

/// Functions that do the same, each twice.
const ALIKE: &str = include_str!("sources/alike.rs");

/// The beginning of the names of counters, of which these programs have none.
const COUNTERS: &str = "counters::";

/// The option that compiles for another processor. For that target, rustc calls the linker directly.
const OF_AARCH64: &str = "--target=aarch64-unknown-none";

fn run(program: &str, folder: &Path, arguments: &[&str]) -> String {
    let ended = Command::new(program).current_dir(folder).args(arguments).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).unwrap()
}

/// Compiles a source in a folder and reads the program.
fn compile(folder: &Path, source: &str, more: &[&str]) -> Result<Program, String> {
    fs::write(folder.join("main.rs"), source).unwrap();
    let [map, rule] = ["map", "rule"].map(|name| folder.join(name));
    let by_compiler = if more.contains(&OF_AARCH64) { "" } else { "-Wl," };
    let reports = options(&map, &rule).map(|option| format!("-Clink-arg={by_compiler}{option}"));
    let mut arguments =
        vec!["main.rs", "-O", "--edition=2024", "-Csave-temps", "--print=link-args", "-Awarnings"];
    arguments.extend(reports.iter().map(String::as_str).chain(more.iter().copied()));
    let printed = run("rustc", folder, &arguments);
    let call = printed.lines().find(|line| line.contains("-Map=")).unwrap();
    let is_temporary =
        |word: &&str| word.contains("-Map=") || word.contains("-file=") || word.starts_with("PATH");
    let arguments = call
        .split('"')
        .skip(1)
        .step_by(2)
        .filter(|word| !is_temporary(word))
        .map(|word| word.replace(r"\\", r"\"))
        .collect();
    Program::of(&Link::new(String::new(), folder.display().to_string(), arguments, 0), folder)
}

fn program(source: &str, more: &[&str]) -> Program {
    let folder = tempfile::tempdir().unwrap();
    compile(folder.path(), source, more).unwrap()
}

/// Moves the source to other lines, as an edit above it would.
fn further_down(source: &str) -> String {
    source.replacen("\n\n", "\n\n// A line.\n\n", 1)
}

fn same(left: &Program, from: Root, right: &Program, to: Root) -> Result<(), Unproven> {
    let none = &HashSet::new();
    let called =
        |program, root| Called { program, roots: root, others: none, idle: none, counters: COUNTERS };
    walk::same(called(left, &[from]), called(right, &[to]), None)
}

fn compared(one: &Program, other: &Program, symbol: &str) -> Result<(), Unproven> {
    let root = |program: &Program| program.named(symbol).unwrap_or_else(|| panic!("{symbol} is not there"));
    same(one, root(one), other, root(other))
}

/// Compiles a program in a new folder, in which `make` has prepared files.
fn program_with(source: &str, options: &[&str], make: impl FnOnce(&Path)) -> Program {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path());
    compile(folder.path(), source, options).unwrap()
}

/// The functions of a source whose names are their symbols.
fn named(source: &'static str) -> impl Iterator<Item = &'static str> {
    source.split("#[unsafe(no_mangle)]\nfn ").skip(1).filter_map(|rest| Some(rest.split_once('(')?.0))
}

const OF_MUSL: &str = "--target=x86_64-unknown-linux-musl";

/// The options that compile for aarch64 Linux, if there is what it takes.
fn for_aarch64() -> Option<[&'static str; 2]> {
    const LINKER: &str = "aarch64-linux-gnu-gcc";
    const TARGET: &str = "--target=aarch64-unknown-linux-gnu";

    let has_linker = Command::new(LINKER).arg("--version").output().is_ok();
    let libraries = run("rustc", Path::new("/"), &["--print=target-libdir", TARGET]);
    if has_linker && Path::new(libraries.trim()).is_dir() {
        return Some([TARGET, "-Clinker=aarch64-linux-gnu-gcc"]);
    }
    skipped(&format!("this takes {LINKER} and `rustup target add aarch64-unknown-linux-gnu`"));
    None
}

const COPIES: &str = "#[inline(never)]
    #[unsafe(no_mangle)]
    fn copies(from: &[u8]) -> Vec<u8> { from.to_vec() }
    fn main() { println!(\"{:?}\", copies(&std::hint::black_box([7; 99]))); }";

static COPYING: LazyLock<Program> = LazyLock::new(|| program(COPIES, &[]));

#[test]
fn an_address_is_of_a_function() {
    for linker in [&[][..], &["-Clink-arg=-fuse-ld=bfd"]] {
        let program = program(ALIKE, linker);
        let (start, size, section) =
            *program.places.iter().find(|place| program.named("map_1").unwrap().section == place.2).unwrap();
        for address in [start, start + size - 1] {
            assert_eq!(program.at(address), Some(Root { section, offset: address - start }));
        }
        assert_ne!(program.at(start - 1).map(|root| root.section), Some(section));
        assert_eq!(program.at(u64::MAX), None);
    }
}

#[test]
fn what_is_no_machine_code_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let object = folder.path().join("main.o");
    fs::write(&object, b"BC\xc0\xde, and more").unwrap();
    let map = "VMA LMA Size Align Out In Symbol\n 14f60 14f60 22 16         main.o:(.text)\n";
    fs::write(folder.path().join("map"), map).unwrap();
    fs::write(folder.path().join("rule"), "").unwrap();
    let link = Link::new(String::new(), folder.path().display().to_string(), Vec::new(), 0);
    let refusal = || Program::of(&link, folder.path()).unwrap_err();
    let expected = "it is no 64-bit ELF file, and bench_diff compares neither 32-bit code nor bitcode";
    assert!(refusal().ends_with(expected), "{}", refusal());
    fs::write(&object, b"\x7fELF\x01, and more").unwrap();
    assert!(refusal().ends_with(expected), "{}", refusal());
}
