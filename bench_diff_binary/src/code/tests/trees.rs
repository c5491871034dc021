//! Functions that know the path of the tree in which they were compiled.

use bench_diff_system::rustc_call::Trees;

use super::*;

/// Functions that read files below `/TREE`, the path of the tree, and that differ with `--cfg=changed`.
const MOVED: &str = include_str!("sources/moved.rs");

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
fn where_a_build_script_writes_is_no_difference() {
    let source = "#[inline(never)]
        #[unsafe(no_mangle)]
        fn first(from: &[u8]) -> u8 { inner::first(from) }
        #[path = \"OUT/lib.rs\"]
        mod inner;
        fn main() { println!(\"{}\", first(&std::hint::black_box([7; 99]))); }";
    let with = |out: &str| {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join(out);
        fs::create_dir_all(&out).unwrap();
        fs::write(out.join("lib.rs"), "#[inline(never)] pub fn first(from: &[u8]) -> u8 { from[3] }")
            .unwrap();
        compile(folder.path(), &source.replace("OUT", out.to_str().unwrap()), &[]).unwrap()
    };
    let one = with("release/build/it-0123456789abcdef/out");
    for (out, is_same) in [
        ("bench_diff/release/build/it-fedcba9876543210/out", true),
        ("release/build/other-fedcba9876543210/out", false),
        ("release/build/it-fedcba9876543210/src", false),
    ] {
        assert_eq!(compared(&one, &with(out), "first") == Ok(()), is_same, "{out}");
    }
}

#[test]
fn all_environment_variables_may_not_differ() {
    let source = "#[inline(never)]
        #[unsafe(no_mangle)]
        fn counts() -> usize { std::env::vars().filter(|(name, _)| name.starts_with(\"APP_\")).count() }
        fn main() { println!(\"{}\", counts()); }";
    let one = program(source, &[]);
    let other = program(source, &["-Cmetadata=b"]);
    assert_eq!(compared_trees([&one, &other], "counts", Some(&TREES)), Ok(()));
    let differ = Trees { variables: vec![("APP_SIZE".to_owned(), false)], ..TREES.clone() };
    let reason = "they read all environment variables, of which some differ".to_owned();
    assert_eq!(compared_trees([&one, &other], "counts", Some(&differ)), Err(Unproven::Unknown(reason)));
}

#[test]
fn what_main_reads_below_its_tree_may_not_differ() {
    let source = "use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
        static TURNS: AtomicU64 = AtomicU64::new(1);
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn turns() -> u64 { (0..TURNS.load(Relaxed)).map(std::hint::black_box).sum() }
        fn main() {
            TURNS.store(std::fs::read(\"/TREE/turns.txt\").unwrap().len() as u64, Relaxed);
            println!(\"{}\", turns());
        }";
    let programs = [0, 1].map(|side| program(&source.replace("/TREE", &TREES.paths[side]), &[]));
    assert_eq!(compared_trees(programs.each_ref(), "turns", Some(&TREES)), Ok(()));
    let differs = Trees { reason: Some("turns.txt differs".to_owned()), ..TREES.clone() };
    let reason = Err(Unproven::Unknown("turns.txt differs".to_owned()));
    assert_eq!(compared_trees(programs.each_ref(), "turns", Some(&differs)), reason);
}

#[test]
fn a_program_that_reads_its_own_file_reads_another_one_on_each_side() {
    let source = "#[inline(never)]
        #[unsafe(no_mangle)]
        fn reads() -> usize { std::fs::read(\"/proc/self/exe\").unwrap().len() }
        fn main() { println!(\"{} {}\", reads(), cfg!(changed)); }";
    let [one, changed] = [&[][..], &["--cfg=changed"]].map(|options| program(source, options));
    let reason = "they may read their executable, which differs".to_owned();
    assert_eq!(compared(&one, &changed, "reads"), Err(Unproven::Unknown(reason)));
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
