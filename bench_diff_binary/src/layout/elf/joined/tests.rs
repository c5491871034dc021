//! Tests with programs that rustc compiles, joined.

use std::fs;
use std::process::Command;

use bench_diff_system::stderr::skipped;
use object::{ObjectSection as _, SectionFlags, elf};
use tempfile::TempDir;

use super::*;
use crate::layout::stand_in::{output_of, words};
use crate::symbol;

/// Functions of many kinds.
const FUNCTIONS: &str = include_str!("../../../code/tests/sources/alike.rs");

/// A static library as a build script would make it.
const OWN: &str = "static const char *const TEXTS[] = {\"one\", \"two\", \"a two\"};
    double own(double x, int n) { return x * 3.25 + (n > 1 ? 1e9 : 0.1) + TEXTS[n & 1][0]; }";

/// The call that links a program in reversed order, and the call that links its joined object.
struct Fixture {
    folder: TempDir,
    whole: Link,
    link: Link,
}

fn run(program: &str, folder: &Path, arguments: &[&str]) -> [String; 2] {
    let ended = Command::new(program).current_dir(folder).args(arguments).output().unwrap();
    let [stdout, stderr] = [ended.stdout, ended.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(ended.status.success(), "{stderr}");
    [stdout, stderr]
}

impl Fixture {
    fn new(options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::write(path.join("own.c"), OWN).unwrap();
        run("cc", path, &["-O2", "-g", "-c", "own.c"]);
        run("ar", path, &["rcs", "libown.a", "own.o"]);
        let whole = whole(path, options);
        whole.0.make(&path.join("recorded")).unwrap();
        let joined = path.join(OBJECT);
        let exported = exports(&path.join("recorded")).unwrap();
        let is_of_bench = |argument: &String| is_object(argument) && whole.1.contains(argument);
        let link = joining(&whole.0, is_of_bench, &exported, &joined, path).unwrap();
        Self { whole: whole.0, link, folder }
    }

    fn is_same(&self) -> Result<(), String> {
        let folder = self.folder.path();
        require_same(&self.whole, &self.link, &folder.join(OBJECT), folder)
    }

    /// Returns whether changing these bytes of the object changes the program.
    fn sees(&self, change: impl FnOnce(&mut [u8])) -> bool {
        let path = self.folder.path().join(OBJECT);
        let joined = fs::read(&path).unwrap();
        let mut changed = joined.clone();
        change(&mut changed);
        assert_ne!(changed, joined);
        fs::write(&path, changed).unwrap();
        let is_same = self.is_same();
        fs::write(&path, joined).unwrap();
        is_same.is_err()
    }
}

/// The call of lld for a program that has a part only for the run, and the arguments of the compiler.
fn whole(folder: &Path, options: &[&str]) -> (Link, Vec<String>) {
    let [the_run, no_run] = [symbol!("the_run"), symbol!("no_run")];
    let source = FUNCTIONS.replace("fn main() {", &format!("fn main() {{ {the_run}();")).replace(
        "unsafe extern \"Rust\" {",
        &format!(
            "mod run {{
                #[unsafe(no_mangle)] extern \"Rust\" fn {the_run}() {{ println!(\"{{:?}}\", std::env::vars()); }}
                #[unsafe(no_mangle)] extern \"Rust\" fn {no_run}() {{ println!(\"{{}}\", super::own(1.5, 2)); }}
            }}
            unsafe extern \"C\" {{ safe fn own(x: f64, n: i32) -> f64; }}
            unsafe extern \"Rust\" {{ safe fn {the_run}(); "
        ),
    );
    fs::write(folder.join("main.rs"), source).unwrap();
    let plain = "main.rs --edition=2024 -Awarnings -Csave-temps --print=link-args -L. -lstatic=own";
    let plain: Vec<&str> = plain.split(' ').collect();
    let [printed, _] = run("rustc", folder, &[&plain[..], options].concat());
    let call = printed.lines().find(|line| line.contains("\"-o\"")).unwrap();
    let arguments: Vec<String> = words(call).into_iter().skip_while(|word| word != "cc").skip(1).collect();

    let [sysroot, _] = run("rustc", folder, &["--print=sysroot"]);
    let lld = format!("{}/lib/rustlib/x86_64-unknown-linux-gnu/bin/gcc-ld", sysroot.trim());
    let [by_lld, dry_run] = [format!("-B{lld}"), "-###".to_owned()];
    let arguments_of_cc = arguments.iter().chain([&by_lld, &dry_run]).map(String::as_str);
    let arguments_of_cc: Vec<&str> = arguments_of_cc.chain(["-fuse-ld=lld"]).collect();
    let [_, stderr] = run("cc", folder, &arguments_of_cc);
    let call = stderr.lines().rfind(|line| line.contains("collect2")).unwrap();
    // `-fuse-ld` chooses the linker, and is not for the linker itself.
    let words = words(call).into_iter().skip(1).filter(|word| !word.starts_with("-fuse-ld="));
    let of_lld: Vec<String> = words.chain(order(REVERSED)).chain([CUT.to_owned()]).collect();
    let (output, _) = output_of(&of_lld).unwrap();
    (Link::new(format!("{lld}/ld.lld"), folder.display().to_string(), of_lld, output), arguments)
}

#[track_caller]
fn assert_joined(options: &[&str]) {
    let fixture = Fixture::new(options);
    assert_eq!(fixture.is_same(), Ok(()), "{options:?}");
    let is_left = |argument: &String| is_object(argument) && !argument.ends_with(OBJECT);
    let rest: Vec<&String> = fixture.link.arguments.iter().filter(|argument| is_left(argument)).collect();
    assert!(rest.iter().all(|object| object.contains("crt")), "{rest:?}");
    assert!(!fixture.link.arguments.contains(&"-lown".to_owned()), "{options:?}");
}

#[test]
fn a_joined_object_makes_the_same_program() {
    assert_joined(&["-O", "-Ccodegen-units=1", "-Cdebuginfo=2"]);
    assert_joined(&["-O", "-Ccodegen-units=16", "-Clink-arg=-rdynamic", "-Cstrip=symbols"]);
    assert_joined(&["-Copt-level=0", "-Cpanic=abort", "-Crelocation-model=static"]);
}

#[test]
fn a_joined_object_makes_the_same_static_program() {
    const OF_MUSL: &str = "--target=x86_64-unknown-linux-musl";

    let [libraries, _] = run("rustc", Path::new("/"), &["--print=target-libdir", OF_MUSL]);
    if !Path::new(libraries.trim()).is_dir() {
        skipped("this takes `rustup target add x86_64-unknown-linux-musl`");
        return;
    }
    assert_joined(&[OF_MUSL, "-O", "-Ccodegen-units=16"]);
    assert_joined(&[OF_MUSL, "-O", "-Ccodegen-units=1", "-Crelocation-model=static"]);
}

#[test]
#[ignore = "links a program with fat LTO"]
fn a_joined_object_makes_the_same_program_with_lto() {
    assert_joined(&["-O", "-Clto=fat"]);
}

/// The loaded sections of an object: start, size, and the places in them that a linker writes to. A linker
/// that knows the target of a reference may even replace the instruction there.
type Loaded = Vec<(u64, u64, Vec<u64>)>;

/// The loaded sections of an object, and the places of the addends in relocations that are plain addresses
/// and distances.
fn parts(object: &[u8]) -> (Loaded, Vec<u64>) {
    let parsed = File::parse(object).unwrap();
    let is_loaded = |flags: SectionFlags| match flags {
        SectionFlags::Elf { sh_flags } => sh_flags & u64::from(SHF_ALLOC) != 0,
        _ => false,
    };
    let (mut loaded, mut addends) = (Vec::new(), Vec::new());
    for section in parsed.sections().filter(|section| is_loaded(section.flags())) {
        if let Some((start, size)) = section.file_range().filter(|(_, size)| *size > 0) {
            let filled = section.relocations().flat_map(|(at, _)| at.saturating_sub(4)..at + 8).collect();
            loaded.push((start, size, filled));
        }
        let table = parsed.section_by_name(&format!(".rela{}", section.name().unwrap()));
        if let Some((start, size)) = table.and_then(|table| table.file_range()) {
            let entries = (start..start + size).step_by(24);
            let kind = |entry: &u64| u32::from(object[*entry as usize + 8]);
            let plain = entries.filter(|entry| [elf::R_X86_64_64, elf::R_X86_64_PC32].contains(&kind(entry)));
            addends.extend(plain.map(|entry| entry + 16));
        }
    }
    (loaded, addends)
}

#[test]
fn every_change_of_a_joined_object_is_noticed() {
    let fixture = Fixture::new(&["-O"]);
    let joined = fs::read(fixture.folder.path().join(OBJECT)).unwrap();
    let (loaded, addends) = parts(&joined);
    let all: u64 = loaded.iter().map(|(_, size, _)| size).sum();
    assert!(loaded.len() > 300 && all > 100_000 && addends.len() > 1_000);
    let mut drawn: u64 = 1;
    let mut below = |end: u64| {
        drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (drawn >> 33) % end
    };
    let mut seen = 0;
    while seen < 24 {
        let flip = 1 << below(8);
        let mut place = addends[below(addends.len() as u64) as usize];
        if seen % 3 > 0 {
            // Small sections, such as constants, are chosen as often as large ones.
            let (start, size, filled) = &loaded[below(loaded.len() as u64) as usize];
            let at = below(*size);
            if filled.contains(&at) {
                continue;
            }
            place = start + at;
        }
        assert!(fixture.sees(|bytes| bytes[place as usize] ^= flip), "byte {place} by {flip}");
        seen += 1;
    }
    assert_eq!(fixture.is_same(), Ok(()));
}
