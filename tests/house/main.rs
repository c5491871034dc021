//! The rules of the house that no tool of Rust looks after: imports run one way, every file begins with what
//! it is about, comments are no wider than code, and what the pages promise and link to is there.
//!
//! An import points to a module that stands above its own in the order of its crate, or stays in its folder.

mod imports;
mod pages;

use std::fs;
use std::path::{Path, PathBuf};

use imports::{House, files, production};

/// The modules of `bench_diff_core`, from those that everything may use to those that nothing uses.
const CORE: &[&str] = &[
    "stats",
    "error",
    "gate",
    "duo",
    "note",
    "coin",
    "clock",
    "plan",
    "sample",
    "apart",
    "overhead",
    "judge",
    "measurement",
    "measure",
];

/// The modules of `bench_diff_macros`.
const MACROS: &[&str] = &[
    "errors",
    "rustc_call",
    "args",
    "function_line",
    "key",
    "literal",
    "item",
    "lifetimes",
    "parsed_pair",
    "function",
    "shape",
    "validate",
    "expand",
    "attribute",
    "fuzz",
];

/// The modules of `bench_diff_harness`.
const HARNESS: &[&str] = &[
    "system",
    "settings",
    "call",
    "register",
    "plan",
    "machine",
    "record",
    "layout",
    "origin",
    "code",
    "against",
    "run",
    "proof",
    "other_side",
    "report",
    "program",
    "start",
    "front_end",
    "main_macro",
    "private",
    "fuzz",
];

/// The modules of `bench_diff_criterion`.
const CRITERION: &[&str] = &[
    "settings",
    "throughput",
    "batch_size",
    "benchmark_id",
    "profiler",
    "measurement",
    "async_executor",
    "registering",
    "groups",
    "wrapper_runner",
    "bencher",
    "async_bencher",
    "criterion",
    "benchmark_group",
    "benchmark_definition",
    "entry",
    "macros",
    "private",
];

/// The modules of `bench_diff_original`.
const ORIGINAL: &[&str] = &["interface", "loop_overhead", "noise_model"];

/// The modules of `bench_diff_divan`: a front end, which neither measures nor judges.
const DIVAN: &[&str] = &["work", "counter", "filter", "options", "bencher", "registry", "runner", "private"];

/// The modules of `bench_diff_divan_macros`.
const DIVAN_MACROS: &[&str] = &["text", "options", "instances", "bench", "group"];

/// The crates whose sources are read.
const CRATES: [&str; 7] = [
    "bench_diff_core",
    "bench_diff_macros",
    "bench_diff_harness",
    "bench_diff_criterion",
    "bench_diff_divan",
    "bench_diff_divan_macros",
    "bench_diff_original",
];

/// The columns that rustfmt keeps code to.
const WIDTH: usize = 110;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn src(krate: &str) -> PathBuf {
    workspace().join(krate).join("src")
}

fn assert_in_order(krate: &str, order: &[&str]) {
    let house = House::read(&src(krate));
    println!("{krate}: {} rooms, {} arrows", order.len(), house.arrows_between_rooms());
    let complaints = house.complaints(order);
    assert!(complaints.is_empty(), "{krate}:\n{}", complaints.join("\n"));
}

fn assert_commented(krate: &str) {
    for path in files(&src(krate)) {
        let text = fs::read_to_string(&path).expect("a source file can be read");
        assert!(text.starts_with("//! "), "{}: what is it about?", path.display());
        for (number, line) in (1..).zip(text.lines()) {
            // The row of a table has to be one line.
            let is_prose = line.trim_start().starts_with("//") && !line.contains("/// |");
            let is_too_wide = is_prose && line.chars().count() > WIDTH;
            assert!(!is_too_wide, "{}:{number}: a comment of more than {WIDTH} columns", path.display());
        }
    }
}

#[test]
fn core_is_in_order() {
    assert_in_order("bench_diff_core", CORE);
}

#[test]
fn macros_are_in_order() {
    assert_in_order("bench_diff_macros", MACROS);
}

#[test]
fn the_harness_is_in_order() {
    assert_in_order("bench_diff_harness", HARNESS);
}

#[test]
fn criterion_is_in_order() {
    assert_in_order("bench_diff_criterion", CRITERION);
}

#[test]
fn the_original_is_in_order() {
    assert_in_order("bench_diff_original", ORIGINAL);
}

#[test]
fn the_front_end_of_divan_is_in_order() {
    assert_in_order("bench_diff_divan", DIVAN);
    assert_in_order("bench_diff_divan_macros", DIVAN_MACROS);
}

#[test]
fn files_say_what_they_are_about_in_narrow_comments() {
    CRATES.into_iter().for_each(assert_commented);
}

/// The front doors that still do something themselves: the list only becomes shorter.
const BUSY: [&str; 12] = [
    "bench_diff_core/src/clock/mod.rs",
    "bench_diff_core/src/judge/mod.rs",
    "bench_diff_core/src/judge/rounds/mod.rs",
    "bench_diff_core/src/judge/sequential/mod.rs",
    "bench_diff_core/src/measure/mod.rs",
    "bench_diff_core/src/overhead/mod.rs",
    "bench_diff_core/src/stats/robust/mod.rs",
    "bench_diff_macros/src/expand/mod.rs",
    "bench_diff_harness/src/call/probe/mod.rs",
    "bench_diff_harness/src/call/probe/threads/mod.rs",
    "bench_diff_harness/src/plan/mod.rs",
    "bench_diff_harness/src/run/mod.rs",
];

#[test]
fn a_front_door_lists_and_re_exports() {
    let is_item = |line: &str| {
        let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
        let of_item = ["fn", "struct", "enum", "impl", "trait", "const", "static", "type", "macro_rules!"];
        words.next().is_some_and(|word| of_item.iter().any(|item| word.split('<').next() == Some(item)))
    };
    let mut busy = Vec::new();
    for krate in CRATES {
        for path in files(&src(krate)).iter().filter(|path| path.ends_with("mod.rs")) {
            let text = production(&fs::read_to_string(path).expect("a source file can be read"));
            if text.lines().any(|line| !line.starts_with(' ') && is_item(line)) {
                let below = path.strip_prefix(src(krate)).expect("it lies in the folder");
                busy.push(format!("{krate}/src/{}", below.display()));
            }
        }
    }
    // Whole folders of tests are no rooms of the house.
    busy.retain(|path| !path.contains("/tests/") && !path.contains("/fuzz/"));
    assert_eq!(busy, BUSY);
}

/// The loop of a clock is compiled where it becomes a `dyn SlotClock`, and a user may have the harness compiled
/// without optimization.
#[test]
fn what_is_timed_is_compiled_in_the_core() {
    let mut timing = 0;
    for path in files(&src("bench_diff_harness")) {
        let text = production(&fs::read_to_string(&path).expect("a source file can be read"));
        let own = ["InstantClock", "CpuClock", "impl Clock"].iter().find(|clock| text.contains(*clock));
        assert_eq!(own, None, "{}: take it from `SystemClocks`", path.display());
        timing += usize::from(text.contains("SystemClocks"));
    }
    assert_eq!(timing, 5, "files that time with the clocks of the system");
}

/// The fuzzing of the attribute compiles the modules of the macros by their paths, and cargo-fuzz runs by
/// hand.
#[test]
fn what_is_fuzzed_by_its_path_is_there() {
    let target = workspace().join("fuzz/fuzz_targets/attribute.rs");
    let text = fs::read_to_string(&target).expect("the target can be read");
    let paths: Vec<&str> = text.split('"').filter(|path| path.ends_with(".rs")).collect();
    for path in &paths {
        assert!(target.with_file_name(path).is_file(), "{path}");
    }
    assert!(paths.len() > 10, "{paths:?}");
}

/// The complaints about these files, by their paths, in the order `low`, `high`.
fn complaints(files: &[(&str, &str)]) -> Vec<String> {
    House::of(files.iter().map(|(path, text)| (path.into(), (*text).to_owned()))).complaints(&["low", "high"])
}

#[test]
fn an_import_against_the_order_is_refused() {
    let found = |low: &str| complaints(&[("low.rs", low), ("high.rs", "use crate::low::Low;")]);
    assert_eq!(found("use std::fmt;\n"), [""; 0]);
    for wrong in ["use crate::high::High;", "use super::high;", "fn f() { crate::high::f() }"] {
        assert_eq!(found(&format!("\n{wrong}\n")), ["low.rs:2: low uses high, which stands below it"]);
    }
    assert_eq!(
        found("use crate::{\n    high::{High, Higher},\n};"),
        ["low.rs:1: low uses high, which stands below it"; 2]
    );
    assert_eq!(found("use crate::High;"), ["low.rs:1: low uses the crate's root: name the module"]);
}

#[test]
fn tests_and_comments_may_name_anything() {
    let low = "/// See [`crate::high`].\n#[cfg(test)]\nmod more;\n\n#[cfg(test)]\nmod tests {\n    use crate::high;\n}\n";
    assert_eq!(
        complaints(&[("low/mod.rs", low), ("low/more.rs", "use crate::high;"), ("high.rs", "")]),
        [""; 0]
    );
}

#[test]
fn a_circle_inside_a_room_is_refused() {
    let found = |b: &str| {
        complaints(&[
            ("low.rs", ""),
            ("high/mod.rs", "mod a;\nmod b;\nmod c;\n\npub(crate) use self::a::{A, Other as _};"),
            ("high/c.rs", "use super::{a, b};"),
            ("high/a.rs", "use super::b;"),
            ("high/b.rs", b),
        ])
    };
    assert_eq!(found("use super::High;"), [""; 0]);
    for import in ["use crate::high::a::A;", "use super::A;", "use super::{A, High};"] {
        assert_eq!(found(import), ["high: a, b use each other in a circle"], "{import}");
    }
}

#[test]
fn every_room_has_its_place() {
    assert_eq!(
        complaints(&[("low.rs", ""), ("high.rs", ""), ("other.rs", "")]),
        ["other is not in the order"]
    );
    assert_eq!(complaints(&[("low.rs", "")]), ["high is in the order, and there is no such module"]);
}
