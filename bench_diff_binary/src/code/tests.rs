//! Tests with programs that rustc compiles.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use std::time::Instant;

use super::difference::Sides;
use super::harmless::{Trees, file_of_location};
use super::program::{Header, Program, Root, Target};
use super::walk::{self, Called, Unproven, Walk};
use crate::layout::link::Link;
use crate::layout::map::options;
use bench_diff_system::stderr::skipped;

/// Functions that do the same, each twice.
const ALIKE: &str = include_str!("tests/alike.rs");

/// Functions that do different work with `--cfg=changed`.
const UNLIKE: &str = include_str!("tests/unlike.rs");

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

#[test]
fn what_codegen_units_compile_in_two_ways_is_named() {
    let [one, many] = ["1", "16"].map(|units| {
        let units = format!("-Ccodegen-units={units}");
        program(include_str!("tests/in_units.rs"), &[&units, "-Csymbol-mangling-version=v0"])
    });
    let Err(Unproven::Differ(difference)) = compared(&one, &many, "sorted") else { panic!("no difference") };
    let paths = difference.compiled_in_two_ways();
    assert!(paths.iter().any(|path| super::paths::is_foreign(path, &["main".to_owned()])), "{difference:?}");
}

/// A function that calls std, unless `without` is set.
const CALLS_OF_STD: &str = "use std::hint::black_box;
    #[cfg(without)]
    #[unsafe(no_mangle)]
    fn lower() -> usize { black_box(\"ABC\").len() }
    #[cfg(not(without))]
    #[unsafe(no_mangle)]
    fn lower() -> usize { black_box(\"ABC\").to_lowercase().len() + black_box(\"ABC\").len() }
    fn main() { println!(\"{}\", black_box(lower as fn() -> usize)()) }";

#[test]
fn a_call_that_is_new_is_not_compiled_in_two_ways() {
    let [with, without] = [&[][..], &["--cfg=without"]].map(|options| program(CALLS_OF_STD, options));
    for (new, old) in [(&with, &without), (&without, &with)] {
        let Err(Unproven::Differ(difference)) = compared(new, old, "lower") else { panic!("no difference") };
        assert!(matches!(difference.why, super::difference::Why::Calls { .. }), "{difference:?}");
        assert_eq!(difference.compiled_in_two_ways(), ["lower"], "{difference:?}");
    }
}

const KINDS: [&str; 13] = [
    "index",
    "vec",
    "format",
    "map",
    "sort",
    "dynamic",
    "recursion",
    "statics",
    "text",
    "table",
    "bytes",
    "located",
    "all",
];

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

/// Requires that functions of one source are the same, in one program and in two.
fn assert_alike(options: &[&str]) {
    let one = program(ALIKE, options);
    for kind in KINDS {
        let [left, right] = ["1", "2"].map(|end| one.named(&format!("{kind}_{end}")).unwrap());
        assert_eq!(same(&one, left, &one, right), Ok(()), "{kind} {options:?}");
    }
    let options = [options, &["--cfg=single"]].concat();
    let [one, other] = [program(ALIKE, &options), program(&further_down(ALIKE), &options)];
    for kind in KINDS {
        assert_eq!(compared(&one, &other, &format!("{kind}_1")), Ok(()), "{kind} {options:?}");
    }
}

#[test]
fn functions_of_one_source_are_the_same() {
    assert_alike(&["-Ccodegen-units=1", "-Cdebuginfo=2"]);
    assert_alike(&["-Ccodegen-units=16", "-Ctarget-cpu=native"]);
}

#[test]
fn how_symbols_are_called_and_who_links_makes_no_difference() {
    assert_alike(&["-Csymbol-mangling-version=v0", "-Clink-arg=-fuse-ld=bfd"]);
}

/// Code that is not optimized loads both halves of a constant that linkers merge.
#[test]
fn halves_of_merged_constants_are_followed() {
    let source = |value: u32| {
        let constant = format!("const HALVES: Option<u32> = Some({value});");
        let function = "#[unsafe(no_mangle)] #[inline(never)] fn halves() -> Option<u32> { HALVES }";
        program(
            &format!("{constant} {function} fn main() {{ println!(\"{{:?}}\", halves()) }}"),
            &["-Copt-level=0"],
        )
    };
    let [five, again, six] = [5, 5, 6].map(source);
    assert_eq!(compared(&five, &again, "halves"), Ok(()));
    assert!(matches!(compared(&five, &six, "halves"), Err(Unproven::Differ(_))));
}

#[test]
#[ignore = "links three programs with fat LTO"]
fn functions_are_the_same_with_lto() {
    assert_alike(&["-Clto=fat"]);
}

#[test]
#[ignore = "links three programs with thin LTO"]
fn functions_are_the_same_with_thin_lto() {
    assert_alike(&["-Clto=thin"]);
}

/// A map does not show merged data, nor an object that contributes nothing else to the program.
#[test]
fn an_object_that_no_map_names_is_read() {
    const UNITS: &str = include_str!("tests/units.rs");
    const LIBRARY: [&str; 5] =
        ["units.rs", "-O", "--edition=2024", "--crate-type=rlib", "-Ccodegen-units=16"];

    let folder = tempfile::tempdir().unwrap();
    // The rule for `make` has to escape these characters.
    let folder = folder.path().join("o#d d $x y");
    fs::create_dir(&folder).unwrap();
    let of_library = |source: &str| {
        fs::write(folder.join("units.rs"), source).unwrap();
        run("rustc", &folder, &LIBRARY);
        compile(&folder, "fn main() { units::main() }", &["-L.", "--extern=units"])
    };
    let of_program = |source: &str| compile(&folder, source, &["-Ccodegen-units=16"]);
    for is_library in [false, true] {
        let way = |source: &str| if is_library { of_library(source) } else { of_program(source) }.unwrap();
        let [one, other] = [UNITS, &further_down(UNITS)].map(way);
        let changed = way(&UNITS.replace("another of {} texts", "another of {} words"));
        for name in ["units_1", "units_2", "units_3"] {
            assert_eq!(compared(&one, &other, name), Ok(()), "{name}");
        }
        assert_ne!(compared(&one, &changed, "units_2"), Ok(()));
    }
}

#[test]
#[ignore = "needs `rustup target add aarch64-unknown-none`"]
fn functions_for_aarch64_are_compared() {
    let bare = include_str!("tests/bare.rs");
    for model in ["static", "pic"].map(|model| format!("-Crelocation-model={model}")) {
        let [alike, unlike] =
            [&[][..], &["--cfg=changed"]].map(|more| program(bare, &[&[OF_AARCH64, &model], more].concat()));
        for kind in ["constant", "table", "text", "callee", "float"] {
            let compare = |program: &Program| {
                let [one, other] = ["1", "2"].map(|end| program.named(&format!("{kind}_{end}")).unwrap());
                same(program, one, program, other)
            };
            assert_eq!(compare(&alike), Ok(()), "{kind} {model}");
            assert_ne!(compare(&unlike), Ok(()), "{kind} {model}");
        }
    }
}

#[test]
fn a_static_c_library_with_members_of_one_name_is_read() {
    let libraries = run("rustc", Path::new("/"), &["--print=target-libdir", OF_MUSL]);
    if !Path::new(libraries.trim()).is_dir() {
        skipped("this takes `rustup target add x86_64-unknown-linux-musl`");
        return;
    }
    assert_alike(&[OF_MUSL, "-Ccodegen-units=16"]);
    assert_unlike(&[&[OF_MUSL, "-Ccodegen-units=1"]]);
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

#[test]
fn functions_for_aarch64_linux_are_compared() {
    let Some(target) = for_aarch64() else { return };
    assert_alike(&[&target[..], &["-Ccodegen-units=16"]].concat());
    assert_unlike(&[&[&target[..], &["-Ccodegen-units=1"]].concat()]);
    assert_seen(200, 1, &target);
}

/// Takes minutes.
#[test]
#[ignore = "like the test above, with 100 times as many changes"]
fn whatever_is_changed_for_aarch64_is_seen() {
    let Some([target, linker]) = for_aarch64() else { return };
    assert_alike(&[target, linker, "-Ccodegen-units=1"]);
    assert_seen(10_000, 2, &[target, linker, "-Ccodegen-units=1"]);
    assert_seen(10_000, 3, &[target, linker, "-Ccodegen-units=16"]);
}

/// The functions of a source whose names are their symbols.
fn named(source: &'static str) -> impl Iterator<Item = &'static str> {
    source.split("#[unsafe(no_mangle)]\nfn ").skip(1).filter_map(|rest| Some(rest.split_once('(')?.0))
}

const V0: &str = "-Csymbol-mangling-version=v0";

#[test]
fn other_work_is_never_the_same_however_it_is_compiled() {
    assert_unlike(&[&["-Ccodegen-units=1"], &[V0]]);
}

#[test]
#[ignore = "links four programs with LTO"]
fn other_work_is_never_the_same_with_lto() {
    assert_unlike(&[&["-Clto=fat", V0], &["-Clto=thin"]]);
}

#[track_caller]
fn assert_unlike(ways: &[&[&str]]) {
    for way in ways {
        let one = program(UNLIKE, way);
        let changed = program(UNLIKE, &[*way, &["--cfg=changed"]].concat());
        // Functions that LTO inlined everywhere have no symbol.
        let is_found = |symbol: &&str| one.named(symbol).is_some() && changed.named(symbol).is_some();
        let found: Vec<&str> = named(UNLIKE).filter(is_found).collect();
        assert!(found.len() > 10, "{way:?}");
        let wrongly_same = found.iter().find(|symbol| compared(&one, &changed, symbol) == Ok(()));
        assert_eq!(wrongly_same, None, "{way:?}");
    }
}

#[test]
fn other_work_is_never_the_same() {
    let one = program(UNLIKE, &[]);
    let [moved, changed] = [program(&further_down(UNLIKE), &[]), program(UNLIKE, &["--cfg=changed"])];
    for symbol in named(UNLIKE) {
        assert_ne!(compared(&one, &changed, symbol), Ok(()), "{symbol}");
        let is_by_line = symbol.starts_with("by_line");
        assert_eq!(compared(&one, &moved, symbol) == Ok(()), !is_by_line, "{symbol}");
    }
    let difference = |symbol| match compared(&one, &changed, symbol) {
        Err(Unproven::Differ(difference)) => {
            let [left, right] = &difference.functions;
            let why = difference.why.words(Sides::Functions(["one", "other"]));
            format!("`{}`: {} bytes, `{}`: {} bytes, {why}", left.name, left.bytes, right.name, right.bytes)
        }
        other => format!("{other:?}"),
    };
    assert_eq!(
        difference("three_deep"),
        "`main::third`: 20 bytes, `main::third`: 20 bytes, changed machine code"
    );
    assert!(
        difference("in_static").ends_with(", its constants or statics changed"),
        "{}",
        difference("in_static")
    );
    let inlined = "`other` calls `helper`, which `one` inlines or leaves out; `main::main` calls it as well, \
         which may be why";
    assert!(difference("inlines").ends_with(inlined), "{}", difference("inlines"));
    assert_eq!(difference("limited"), "Err(Unknown(\"they use a variable that main::main uses too\"))");
    for (symbol, as_new, as_old) in [
        (
            "allocates",
            "now calls the allocator; 3f2c9e1 did not",
            "no longer calls the allocator; 3f2c9e1 did",
        ),
        (
            "may_panic",
            "now calls a function that panics; 3f2c9e1 did not",
            "no longer calls a function that panics; 3f2c9e1 did",
        ),
        ("copies", "now calls memcpy; 3f2c9e1 did not", "no longer calls memcpy; 3f2c9e1 did"),
        ("harnessed", "changed machine code", "changed machine code"),
        (
            "inlines",
            "now calls `helper`, which 3f2c9e1 inlined or left out; `main::main` calls it as well, which may be why",
            "now inlines or leaves out `helper`, which 3f2c9e1 called; `main::main` calls it as well, which may be why",
        ),
    ] {
        for (new, old, expected) in [(&changed, &one, as_new), (&one, &changed, as_old)] {
            let Err(Unproven::Differ(difference)) = compared(new, old, symbol) else { panic!("{symbol}") };
            assert_eq!(difference.why.words(Sides::Revisions("3f2c9e1")), expected);
        }
    }
}

/// The limit of the rule for panic locations.
#[test]
fn work_by_the_line_of_a_caller_is_seen_only_where_the_compiler_knows_it() {
    let source = "use std::hint::black_box;
        use std::panic::Location;

        #[track_caller]
        fn lines() -> u64 {
            let location = Location::caller();
            let location = if cfg!(hidden) { black_box(location) } else { location };
            (0..location.line()).map(|line| u64::from(black_box(line))).sum()
        }
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn by_line() -> u64 { lines() }
        fn main() { println!(\"{}\", by_line()); }";
    let is_seen = |options: &[&str]| {
        let [one, other] = [source, &further_down(source)].map(|source| program(source, options));
        compared(&one, &other, "by_line") != Ok(())
    };
    assert!(is_seen(&[]));
    assert!(!is_seen(&["--cfg=hidden"]), "this is no limit any more");
}

#[test]
fn other_callers_of_a_function_that_one_side_inlined_are_reported() {
    let program = program(include_str!("tests/expanded.rs"), &["-Ccodegen-units=1"]);
    let [one, other] = ["machine_1", "machine_2"].map(|symbol| program.named(symbol).unwrap());
    let Err(Unproven::Differ(difference)) = same(&program, one, &program, other) else {
        panic!("no difference")
    };
    let expected = "`machine_2` calls `next`, which `machine_1` inlines or leaves out; `unrelated` calls it as \
        well, which may be why";
    assert_eq!(difference.why.words(Sides::Functions(["machine_1", "machine_2"])), expected);
}

/// Functions that read files below `/TREE`, the path of the tree, and that differ with `--cfg=changed`.
const MOVED: &str = include_str!("tests/moved.rs");

/// The trees of two sides: as in a real run, the old one is below the working tree.
static TREES: LazyLock<Trees> = LazyLock::new(|| {
    let new = "/home/runner/work/repo";
    let old = format!("{new}/target/bench_diff/against/{}/tree", "01234567".repeat(5));
    Trees { paths: [new.to_owned(), old], reason: None, variables: Vec::new() }
});

/// Compiles `MOVED` for the tree of a side.
fn moved(side: usize, options: &[&str]) -> Program {
    program(&MOVED.replace("/TREE", &TREES.paths[side]), options)
}

static MOVED_TWICE: LazyLock<[Program; 2]> = LazyLock::new(|| [0, 1].map(|side| moved(side, &[])));

fn compared_trees(programs: [&Program; 2], symbol: &str, trees: Option<&Trees>) -> Result<(), Unproven> {
    let none = &HashSet::new();
    let roots = programs.map(|program| [program.named(symbol).unwrap()]);
    let called = |side: usize| Called {
        program: programs[side],
        roots: &roots[side],
        others: none,
        idle: none,
        counters: COUNTERS,
    };
    let [new, old] = [0, 1].map(called);
    walk::same(new, old, trees)
}

#[test]
fn where_a_tree_lies_is_no_difference() {
    let units = ["-Ccodegen-units=1", "-Ctarget-cpu=x86-64-v3"];
    for programs in [&*MOVED_TWICE, &[0, 1].map(|side| moved(side, &units))] {
        for symbol in named(MOVED) {
            let compared = compared_trees(programs.each_ref(), symbol, Some(&TREES));
            assert_eq!(compared == Ok(()), !symbol.starts_with("no_"), "{symbol} {compared:?}");
            assert_ne!(compared_trees(programs.each_ref(), symbol, None), Ok(()), "{symbol}");
        }
    }
    let changed = moved(1, &["--cfg=changed"]);
    for symbol in named(MOVED) {
        assert_ne!(compared_trees([&MOVED_TWICE[0], &changed], symbol, Some(&TREES)), Ok(()), "{symbol}");
    }
}

#[test]
fn files_that_may_be_read_by_the_path_of_their_tree_may_not_differ() {
    let reason = "they may read files below their tree, of which data/a.txt differs";
    let trees = Trees { reason: Some(reason.to_owned()), ..TREES.clone() };
    for symbol in named(MOVED).filter(|symbol| !symbol.starts_with("no_")) {
        let compared = compared_trees(MOVED_TWICE.each_ref(), symbol, Some(&trees));
        assert_eq!(compared, Err(Unproven::Unknown(reason.to_owned())), "{symbol}");
    }
    let [one, other] = [&[][..], &["-Cmetadata=b"]].map(|options| program(COPIES, options));
    assert_eq!(compared_trees([&one, &other], "copies", Some(&trees)), Ok(()), "it knows no path");
}

/// Compiles a program in a new folder, in which `make` has prepared files.
fn program_with(source: &str, options: &[&str], make: impl FnOnce(&Path)) -> Program {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path());
    compile(folder.path(), source, options).unwrap()
}

const FORMATS: &str = "use std::alloc::{GlobalAlloc, Layout, System};
    struct Slow;
    unsafe impl GlobalAlloc for Slow {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            #[cfg(slow)]
            (0..100).for_each(|n| drop(std::hint::black_box(n)));
            unsafe { System.alloc(layout) }
        }
        unsafe fn dealloc(&self, at: *mut u8, layout: Layout) { unsafe { System.dealloc(at, layout) } }
    }
    #[cfg(any(slow, own))]
    #[global_allocator]
    static ALLOCATOR: Slow = Slow;
    #[inline(never)]
    #[unsafe(no_mangle)]
    fn formats(n: u64) -> String { format!(\"{n} and {n}\") }
    fn main() { println!(\"{}\", formats(7)); }";

#[test]
fn another_allocator_makes_other_code_of_what_std_does() {
    let [plain, own, moved, slow] =
        [&[][..], &["--cfg=own"], &["--cfg=own", "-Cmetadata=b"], &["--cfg=slow"]]
            .map(|more| program(FORMATS, more));
    assert_ne!(compared(&plain, &own, "formats"), Ok(()));
    assert_ne!(compared(&own, &slow, "formats"), Ok(()));
    assert_eq!(compared(&own, &moved, "formats"), Ok(()));
}

const COPIES: &str = "#[inline(never)]
    #[unsafe(no_mangle)]
    fn copies(from: &[u8]) -> Vec<u8> { from.to_vec() }
    fn main() { println!(\"{:?}\", copies(&std::hint::black_box([7; 99]))); }";

static COPYING: LazyLock<Program> = LazyLock::new(|| program(COPIES, &[]));

#[test]
fn what_libraries_define_is_looked_at() {
    let with = |code: &'static str| {
        program_with(COPIES, &["-L.", "-lstatic=own"], move |folder| {
            fs::write(folder.join("own.c"), code).unwrap();
            run("cc", folder, &["-O1", "-fno-builtin", "-c", "own.c"]);
            run("ar", folder, &["rcs", "libown.a", "own.o"]);
        })
    };
    let other = "void *memcpy(char *to, const char *from, unsigned long n) { while (n--) *to++ = *from++; return to; }";
    let slow = "void *memcpy(volatile char *to, const char *from, unsigned long n) { for (unsigned long at = 0; at < n; at++) { to[at] = 0; to[at] = from[at]; } return (void *)to; }";
    let [one, same, slow] = [other, other, slow].map(with);
    assert_ne!(compared(&COPYING, &one, "copies"), Ok(()));
    assert_ne!(compared(&one, &slow, "copies"), Ok(()));
    assert_eq!(compared(&one, &same, "copies"), Ok(()));
}

#[test]
fn shared_libraries_have_to_be_equal() {
    let with = |code: &'static str| {
        let source = "unsafe extern \"C\" { safe fn work(n: u64) -> u64; }
            #[inline(never)]
            #[unsafe(no_mangle)]
            fn works(n: u64) -> u64 { work(n) + 1 }
            fn main() { println!(\"{}\", works(std::hint::black_box(7))); }";
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("work.c"), code).unwrap();
        run("cc", folder.path(), &["-O1", "-shared", "-nostdlib", "-o", "libwork.so", "work.c"]);
        let program = compile(folder.path(), source, &["-L.", "-ldylib=work"]).unwrap();
        (folder, program)
    };
    let [quick, same, slow] = [1, 1, 9].map(|factor| match factor {
        1 => with("long work(long n) { return n; }"),
        _ => with("long work(long n) { for (volatile long i = 0; i < 99; i++); return n; }"),
    });
    assert_ne!(compared(&quick.1, &slow.1, "works"), Ok(()));
    assert_eq!(compared(&quick.1, &same.1, "works"), Ok(()));
}

#[test]
fn a_feature_of_a_dependency_is_seen() {
    let source = "#[inline(never)]
        #[unsafe(no_mangle)]
        fn uses(n: u64) -> u64 { helper::help(n) }
        fn main() { println!(\"{}\", uses(std::hint::black_box(7))); }";
    let helper = "#[inline(never)]
        pub fn help(n: u64) -> u64 { if cfg!(feature = \"slow\") { n.count_ones() as u64 } else { n * 3 } }";
    let with = |options: &'static [&'static str]| {
        program_with(source, &["-L.", "--extern=helper"], move |folder| {
            fs::write(folder.join("helper.rs"), helper).unwrap();
            run("rustc", folder, &[&["helper.rs", "--crate-type=rlib", "-O"][..], options].concat());
        })
    };
    let [one, same, slow] = [with(&[]), with(&["-Cmetadata=b"]), with(&["--cfg=feature=\"slow\""])];
    let Err(Unproven::Differ(difference)) = compared(&one, &slow, "uses") else { panic!("it is not seen") };
    assert!(difference.functions.iter().all(|function| function.name == "helper::help"), "{difference:?}");
    assert_eq!(compared(&one, &same, "uses"), Ok(()));
}

#[test]
fn two_variables_are_not_one() {
    let source = "use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
        static ONE: AtomicU64 = AtomicU64::new(1);
        static TWO: [AtomicU64; 1] = [AtomicU64::new(1)];
        static THREE: AtomicU64 = AtomicU64::new(1);
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn once() -> u64 { ONE.fetch_add(1, SeqCst) ^ ONE.fetch_add(1, SeqCst) }
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn twice() -> u64 { TWO[0].fetch_add(1, SeqCst) ^ THREE.fetch_add(1, SeqCst) }
        fn main() { println!(\"{}\", once() + twice()); }";
    let program = program(source, &[]);
    let [once, twice] = ["once", "twice"].map(|symbol| program.named(symbol).unwrap());
    let compared = same(&program, once, &program, twice);
    assert!(
        matches!(&compared, Err(Unproven::Unknown(why)) if why.ends_with("ONE has no single counterpart")),
        "{compared:?}"
    );
}

/// One function registers two benchmarks, and the second one calls the code of the first.
const TOGETHER: &str = "use std::hint::black_box;
    static mut CALLS: u64 = 0;
    #[inline(never)]
    fn step(times: u64) -> u64 { (0..times).map(black_box).sum() }
    #[unsafe(no_mangle)]
    fn first() -> u64 { step(if cfg!(first) { 3 } else { 2 }) }
    #[unsafe(no_mangle)]
    fn second() -> u64 { first() + step(if cfg!(second) { 5 } else { 4 }) }
    #[unsafe(no_mangle)]
    fn register(add: &mut dyn FnMut(fn() -> u64)) {
        add(black_box(first));
        add(black_box(second));
        unsafe { CALLS += if cfg!(registered) { 3 } else { 2 } };
    }
    fn main() { black_box(register as fn(&mut dyn FnMut(fn() -> u64)))(&mut |body| println!(\"{}\", body())) }";

#[test]
fn of_what_registers_several_benchmarks_the_others_do_not_count() {
    let before = program(TOGETHER, &[]);
    let is_same = |changed: &Program, own: &str, other: &str| {
        let none = HashSet::new();
        let sides = [&before, changed];
        let root = |side: usize, symbol| sides[side].named(symbol).unwrap();
        let roots = [0, 1].map(|side| [root(side, own), root(side, "register")]);
        let others = [0, 1].map(|side| HashSet::from([root(side, other).section]));
        let [new, old] = [0, 1].map(|side| Called {
            program: sides[side],
            roots: &roots[side],
            others: &others[side],
            idle: &none,
            counters: COUNTERS,
        });
        walk::same(new, old, None)
    };
    let changed = |what: &str| program(TOGETHER, &[&format!("--cfg={what}")]);
    let second = changed("second");
    assert_eq!(is_same(&second, "first", "second"), Ok(()), "it never runs in a process of the first one");
    assert!(is_same(&second, "second", "first").is_err());
    let first = changed("first");
    assert!(is_same(&first, "first", "second").is_err());
    assert!(is_same(&first, "second", "first").is_err(), "the second one calls it as well");
    assert!(is_same(&changed("registered"), "first", "second").is_err());
}

const SHARED: &str = "use std::hint::black_box;
    use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
    static SHARED: AtomicU64 = AtomicU64::new(2);
    #[inline(never)]
    fn next() -> u64 { SHARED.fetch_add(1, SeqCst) }
    #[inline(never)]
    fn reset() { SHARED.store(if cfg!(changed) { 100_000 } else { 2 }, SeqCst) }
    #[unsafe(no_mangle)]
    fn one() -> u64 { (0..next()).map(black_box).sum() }
    #[inline(never)]
    fn reset_again(times: u64) { reset(); if times > 0 { black_box(reset_again as fn(u64))(times - 1) } }
    #[unsafe(no_mangle)]
    fn two() -> u64 { reset_again(3); next() + next() }
    #[cfg(before_main)]
    #[used]
    #[unsafe(link_section = \".init_array\")]
    static BEFORE_MAIN: extern \"C\" fn() = before_main;
    #[cfg(before_main)]
    extern \"C\" fn before_main() { black_box(&BEFORE_MAIN); reset() }
    static REGISTERED: [fn() -> u64; 2] = [one, two];
    fn main() {
        #[cfg(in_main)]
        reset();
        println!(\"{}\", black_box(&REGISTERED)[0]());
    }";

#[test]
fn a_variable_may_be_shared_with_code_that_never_runs_in_the_same_process() {
    let compiled = |options: &[&str]| {
        [&[][..], &["--cfg=changed"]].map(|more| program(SHARED, &[more, options].concat()))
    };
    let compare_both = |symbol: &str, programs: &[Program; 2]| {
        let [one, two] =
            ["one", "two"].map(|symbol| programs.each_ref().map(|program| program.named(symbol).unwrap()));
        let idle = [0, 1].map(|side| programs[side].reached_only_from([one[side], two[side]]));
        let (roots, none) = (if symbol == "one" { one } else { two }, HashSet::new());
        let [new, old] = [0, 1].map(|side| Called {
            program: &programs[side],
            roots: &roots[side..=side],
            others: &none,
            idle: &idle[side],
            counters: COUNTERS,
        });
        (same(&programs[0], roots[0], &programs[1], roots[1]), walk::same(new, old, None))
    };
    let is_shared = |compared: &Result<(), Unproven>| match compared {
        Err(Unproven::Unknown(why)) => why.starts_with("they use a variable that "),
        _ => false,
    };
    let programs = compiled(&[]);
    let (together, alone) = compare_both("one", &programs);
    assert!(is_shared(&together), "{together:?}");
    assert_eq!(alone, Ok(()));
    assert!(matches!(compare_both("two", &programs).1, Err(Unproven::Differ(_))));
    for elsewhere in ["--cfg=in_main", "--cfg=before_main"] {
        let (_, alone) = compare_both("one", &compiled(&[elsewhere]));
        assert!(is_shared(&alone), "{elsewhere} {alone:?}");
    }
}

const HASHES: &str = "use std::cell::Cell;
    use std::collections::HashMap;
    use std::hint::black_box;
    thread_local!(static TURNS: Cell<u64> = const { Cell::new(1) });
    #[inline(never)]
    #[unsafe(no_mangle)]
    fn hashes(n: u64) -> u64 { (0..n).map(|n| (n % 7, n)).collect::<HashMap<_, _>>()[&3] }
    #[inline(never)]
    #[unsafe(no_mangle)]
    fn turns(n: u64) -> u64 { (0..TURNS.get()).map(|turn| black_box(turn ^ n)).sum() }
    fn main() {
        #[cfg(changed)]
        black_box(std::hash::RandomState::new());
        TURNS.set(if cfg!(changed) { 1000 } else { 2 });
        println!(\"{} {}\", hashes(9), turns(9));
    }";

#[test]
fn a_variable_of_std_is_not_one_of_the_program() {
    let [one, changed] = [&[][..], &["--cfg=changed"]].map(|options| program(HASHES, options));
    assert_eq!(compared(&one, &changed, "hashes"), Ok(()));
    let compared_turns = compared(&one, &changed, "turns");
    assert!(
        matches!(&compared_turns, Err(Unproven::Unknown(why)) if why.starts_with("they use a variable")),
        "{compared_turns:?}"
    );
}

/// Both have the same size.
#[test]
fn one_function_of_std_is_not_another() {
    let source = "#[inline(never)]
        #[unsafe(no_mangle)]
        fn lower(n: u64) -> String { format!(\"{n:x}\") }
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn upper(n: u64) -> String { format!(\"{n:X}\") }
        fn main() { println!(\"{} {}\", lower(7), upper(7)); }";
    let program = program(source, &[]);
    let [lower, upper] = ["lower", "upper"].map(|symbol| program.named(symbol).unwrap());
    assert_eq!(same(&program, lower, &program, lower), Ok(()));
    assert!(matches!(same(&program, lower, &program, upper), Err(Unproven::Differ(_))));
}

#[test]
fn what_the_linker_collects_is_seen() {
    let with = |second: &'static str| {
        let source = "unsafe extern \"C\" { safe fn walk(n: u64) -> u64; }
            #[inline(never)]
            #[unsafe(no_mangle)]
            fn walks(n: u64) -> u64 { walk(n) + 1 }
            fn main() { println!(\"{}\", walks(std::hint::black_box(7))); }";
        program_with(source, &["-L.", "-lstatic=own"], move |folder| {
            let code = format!(
                "typedef long (*F)(long);
                extern F __start_steps[] __attribute__((weak));
                extern F __stop_steps[] __attribute__((weak));
                long walk(long n) {{ for (F *f = __start_steps; f < __stop_steps; f++) n = (*f)(n); return n; }}
                static long one(long n) {{ return n + 1; }}
                static F first __attribute__((section(\"steps\"), used, retain)) = one;
                {second}"
            );
            fs::write(folder.join("own.c"), code).unwrap();
            run("cc", folder, &["-O1", "-ffunction-sections", "-c", "own.c"]);
            run("ar", folder, &["rcs", "libown.a", "own.o"]);
        })
    };
    let slow = "static long slow(long n) { for (volatile long i = 0; i < 99999; i++); return n; }
        static F second __attribute__((section(\"steps\"), used, retain)) = slow;";
    let [one, other] = ["", slow].map(with);
    assert_ne!(compared(&one, &other, "walks"), Ok(()));
}

#[test]
fn two_functions_of_equal_code_are_not_one() {
    let source = "use std::hint::black_box;
        mod one {
            #[inline(never)]
            #[unsafe(no_mangle)]
            pub fn quick(n: u64) -> u64 { std::hint::black_box(n) + 1 }
        }
        mod two {
            #[inline(never)]
            #[unsafe(no_mangle)]
            pub fn quicker(n: u64) -> u64 { std::hint::black_box(n) + 1 }
        }
        static BOTH: [fn(u64) -> u64; 2] = [one::quick, if cfg!(changed) { one::quick } else { two::quicker }];
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn compares() -> u64 {
            let [a, b] = black_box(&BOTH);
            if *a as usize == *b as usize { (0..100_000).map(black_box).sum() } else { a(1) + b(2) }
        }
        fn main() { println!(\"{} {} {}\", compares(), one::quick(1), two::quicker(2)); }";
    let [one, other] =
        [&[][..], &["--cfg=changed"]].map(|more| program(source, &[more, &["-Ccodegen-units=16"]].concat()));
    assert_ne!(one.named("quick"), one.named("quicker"));
    assert_ne!(compared(&one, &other, "compares"), Ok(()));
}

#[test]
fn other_options_of_the_linker_are_seen() {
    let ways = [
        &["-Clink-arg=-Wl,-z,lazy"][..],
        &["-Clink-arg=-z", "-Clink-arg=now"],
        &["-Clink-arg=-z", "-Clink-arg=lazy"],
    ];
    let [lazily, now, later] = ways.map(|options| program(COPIES, options));
    let unknown = Err(Unproven::Unknown("they are linked with different options".to_owned()));
    for (one, other) in [(&*COPYING, &lazily), (&now, &later)] {
        assert_eq!(compared(one, other, "copies"), unknown);
    }
    let folder = tempfile::tempdir().unwrap();
    let refusal = compile(folder.path(), COPIES, &["-Clink-arg=-Wl,--defsym=here=main"]).unwrap_err();
    assert!(refusal.starts_with("it is linked with -Wl,--defsym=here=main, which replaces"), "{refusal}");
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

/// Pseudo-random numbers, the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }
}

/// Returns whether two sections have equal content, so that exchanging them changes nothing.
fn are_equal(program: &Program, one: usize, other: usize) -> bool {
    let [one, other] = [one, other].map(|section| &program.sections[section]);
    one.header == other.header && one.bytes == other.bytes
}

/// Changes something that a walk reached, and describes the change; `None` if the change means nothing.
fn mutate(
    program: &mut Program,
    reached: &[usize],
    parts: &[Root],
    locations: &[usize],
    draw: &mut Draw,
) -> Option<String> {
    let flip = 1 << draw.below(8);
    match draw.below(10) {
        // A byte of merged data.
        0 if !parts.is_empty() => {
            let part = parts[draw.below(parts.len())];
            let length = program.sections[part.section].part(part.offset)?.len();
            let at = part.offset as usize + draw.below(length);
            program.sections[part.section].bytes[at] ^= flip;
            Some(format!("byte {at} of merged data"))
        }
        // A panic location, except its line and column, which the proof ignores.
        1 if !locations.is_empty() => {
            let section = &mut program.sections[locations[draw.below(locations.len())]];
            let what = draw.below(9);
            match what {
                0 => section.references[0].at ^= u64::from(flip),
                1 => section.references[0].addend ^= i64::from(flip),
                2 => section.references[0].kind ^= u32::from(flip),
                3 => section.header.align ^= u64::from(flip),
                6 => section.header.flags ^= u64::from(flip),
                4 => {
                    section.symbol.insert_str(0, "own");
                    section.bytes[16] ^= flip;
                }
                5 => section.bytes[16 + 4 * draw.below(2)..][..4].fill(0),
                _ => section.bytes[draw.below(16)] ^= flip,
            }
            Some(format!("a location, its part {what}"))
        }
        kind => {
            let section = reached[draw.below(reached.len())];
            let name = program.sections[section].name();
            let count = program.sections.len();
            let of = &mut program.sections[section];
            if kind < 6 {
                let at = draw.below(of.bytes.len().max(1));
                *of.bytes.get_mut(at)? ^= flip;
                return Some(format!("byte {at} of {name}"));
            }
            if kind == 6 {
                let Header { flags, align, size, .. } = &mut of.header;
                *[flags, align, size][draw.below(3)] ^= u64::from(flip);
                return Some(format!("the header of {name}"));
            }
            let index = draw.below(of.references.len().max(1));
            let before = of.references.get(index)?.clone();
            let reference = &mut of.references[index];
            let what = draw.below(5);
            match what {
                0 => reference.at ^= u64::from(flip),
                1 => reference.addend ^= i64::from(flip),
                2 => reference.kind ^= u32::from(flip),
                3 => drop(of.references.remove(index)),
                _ => {
                    let Target::Place(root) = &mut reference.to else { return None };
                    let (old, new) = (root.section, draw.below(count));
                    root.section = new;
                    let now = &program.sections[section].references[index];
                    let [file, other] = [&before, now].map(|reference| file_of_location(program, reference));
                    if are_equal(program, old, new) || file.is_some() && file == other {
                        return None;
                    }
                }
            }
            Some(format!("reference {index} of {name}, its part {what}"))
        }
    }
}

/// Makes this many changes to the code and data that a walk has reached. The next walk has to notice each
/// one.
fn assert_seen(mutations: usize, seed: u64, options: &[&str]) {
    let options = [&["--cfg=single"], options].concat();
    let one = program(ALIKE, &options);
    let root = one.named("all_1").unwrap();
    let none = &HashSet::new();
    let called = Called { program: &one, roots: &[root], others: none, idle: none, counters: COUNTERS };
    let mut walk = Walk::new([called, called], None);
    assert!(walk.run().is_ok());
    let mut reached: Vec<usize> = walk.reached.keys().map(|pair| pair[0]).collect();
    reached.sort_unstable();
    let (mut locations, mut parts) = (Vec::new(), Vec::new());
    let of_reached = reached.iter().flat_map(|section| &one.sections[*section].references);
    for reference in of_reached {
        match reference.to {
            Target::Place(root) if file_of_location(&one, reference).is_some() => {
                locations.push(root.section);
            }
            Target::Place(root) if one.sections[root.section].is_merged() => parts.push(root),
            _ => {}
        }
    }
    for location in &locations {
        let Target::Place(file) = one.sections[*location].references[0].to else { unreachable!() };
        parts.push(file);
    }
    locations.sort_unstable();
    locations.dedup();
    parts.sort_unstable_by_key(|part| (part.section, part.offset));
    parts.dedup();
    assert!(
        reached.len() > 40 && locations.len() > 2 && parts.len() > 5,
        "{reached:?} {locations:?} {parts:?}"
    );

    let mut other = one.clone();
    assert_eq!(same(&one, root, &other, root), Ok(()));
    let mut draw = Draw(seed);
    let mut done = 0;
    while done < mutations {
        if let Some(what) = mutate(&mut other, &reached, &parts, &locations, &mut draw) {
            other.referrers.take();
            assert_ne!(same(&one, root, &other, root), Ok(()), "{what}");
            done += 1;
        }
        for (section, original) in other.sections.iter_mut().zip(&one.sections) {
            if section.bytes != original.bytes
                || section.references != original.references
                || section.header != original.header
                || section.symbol != original.symbol
            {
                section.clone_from(original);
            }
        }
    }
    other.referrers.take();
    assert_eq!(same(&one, root, &other, root), Ok(()));
}

#[test]
fn whatever_is_changed_is_seen() {
    assert_seen(500, 1, &["-Ccodegen-units=4"]);
}

/// Takes minutes.
#[test]
#[ignore = "like the test above, with 60 times as many changes"]
fn whatever_is_changed_is_seen_each_of_many_times() {
    assert_seen(10_000, 2, &["-Ccodegen-units=1"]);
    assert_seen(10_000, 3, &["-Ccodegen-units=16"]);
    assert_seen(10_000, 4, &["-Clto=fat"]);
}

/// Takes a build of the test program `unchanged`, in the folder that `BENCH_DIFF_BUILD` names.
#[test]
#[ignore = "prints how long it takes to compare the functions of a program"]
fn what_it_costs() {
    let Ok(folder) = std::env::var("BENCH_DIFF_BUILD") else {
        skipped("BENCH_DIFF_BUILD names no build");
        return;
    };
    let link = Link::read(&Path::new(&folder).join("link.json")).unwrap();
    for _ in 0..5 {
        let start = Instant::now();
        let program = Program::of(&link, Path::new(&folder)).unwrap();
        let read_took = start.elapsed();
        let named = |crate_name: &str| -> HashMap<String, Root> {
            let code = program.places.iter().map(|(.., section)| Root { section: *section, offset: 0 });
            let name = |root: Root| program.sections[root.section].name();
            code.filter_map(|root| Some((name(root).strip_prefix(crate_name)?.to_owned(), root))).collect()
        };
        let [old, new] = ["bench_diff_kernels_old", "bench_diff_kernels_new"].map(named);
        let pairs: Vec<[Root; 2]> =
            old.iter().filter_map(|(name, old)| Some([*old, *new.get(name)?])).collect();
        let start = Instant::now();
        let is_same = |[old, new]: &&[Root; 2]| same(&program, *old, &program, *new) == Ok(());
        let count = pairs.iter().filter(is_same).count();
        println!(
            "read {read_took:?}, {} sections, walk {count} of {} {:?}",
            program.sections.len(),
            pairs.len(),
            start.elapsed()
        );
    }
}
