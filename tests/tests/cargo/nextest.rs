//! The real nextest, on a crate outside the workspace.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::ran::{Ran, temporary_folder};
use crate::neighbour::neighbour;
use crate::user_crate::{LINKED, UserCrate, has_nextest};

/// The crate, where this machine has nextest.
fn neighbour_with_nextest() -> Option<UserCrate> {
    has_nextest().then(neighbour)
}

const SLOWER: &str = "neighbour::bench/a_slower";
const FASTER: &str = "neighbour::bench/b_faster";

/// The pairs that nextest says this of, each with its bench, in the order of their names.
fn told(ran: &Ran, word: &str) -> Vec<String> {
    let lines = ran.stderr.lines().filter(|line| line.trim_start().starts_with(&format!("{word} [")));
    // The end tells failures again.
    let lines = lines.filter_map(|line| line.find("neighbour::").map(|at| line[at..].to_owned()));
    let mut told: Vec<String> = lines.collect();
    told.sort();
    told.dedup();
    told
}

/// The records in this file, in its order.
fn records_in(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn pairs(names: &[(&str, &str)]) -> Vec<String> {
    names.iter().map(|(bench, name)| format!("{bench} {name}")).collect()
}

fn faster() -> Vec<String> {
    pairs(&[(FASTER, "a_fifth/1"), (FASTER, "a_fifth/2"), (FASTER, "nested::a_fifth")])
}

const MEASURE: &str = "nextest run --benches --cargo-profile bench -P perf";

#[test]
fn a_run_of_the_benches_is_a_test() {
    let Some(neighbour) = neighbour_with_nextest() else { return };
    let ran =
        neighbour.cargo("nextest run --benches --cargo-profile bench --success-output final").ends_with(0);
    assert_eq!(told(&ran, "PASS"), [pairs(&[(SLOWER, "five_times")]), faster()].concat());
    ran.complains("test five_times ... ok").complains("4 passed, 1 skipped");
}

#[test]
fn a_profile_of_nextest_measures_and_tells_why_a_pair_fails() {
    let Some(neighbour) = neighbour_with_nextest() else { return };
    let ran = neighbour.cargo(MEASURE).ends_with(100);
    assert_eq!(told(&ran, "PASS"), faster());
    assert_eq!(told(&ran, "FAIL"), pairs(&[(SLOWER, "five_times")]));
    let ran =
        ran.complains("x slower").complains("repeat:   cargo bench -p neighbour@0.1.0 --bench a_slower");
    ran.complains("4 tests run: 3 passed, 1 failed, 1 skipped");
}

#[test]
fn an_ignored_pair_runs_where_nextest_is_told_to() {
    let Some(neighbour) = neighbour_with_nextest() else { return };
    let ran = neighbour.cargo_in(&format!("{MEASURE} --run-ignored only"), &[LINKED]).ends_with(100);
    assert_eq!(told(&ran, "FAIL"), pairs(&[(SLOWER, "left_out")]));
    assert_eq!(told(&ran, "PASS"), [""; 0]);
}

#[test]
fn all_functions_of_a_run_are_in_one_file_of_records() {
    let Some(neighbour) = neighbour_with_nextest() else { return };
    let folder = temporary_folder();
    let path = folder.path().join("records.jsonl");
    let run = |arguments: &str| {
        let environment =
            [LINKED, ("BENCH_DIFF_JSON", path.to_str().unwrap()), ("BENCH_DIFF_HTML", "page.html")];
        let ran = neighbour.cargo_in(&format!("{MEASURE} --no-fail-fast {arguments}"), &environment);
        let mut records: Vec<String> = records_in(&path)
            .iter()
            .map(|record| {
                ["bench", "name", "outcome"].map(|field| record[field].as_str().unwrap().to_owned()).join(" ")
            })
            .collect();
        records.sort();
        (ran, records)
    };
    let faster = ["b_faster a_fifth/1 pass", "b_faster a_fifth/2 pass", "b_faster nested::a_fifth pass"];
    let (ran, records) = run("");
    assert_eq!(records, [&["a_slower five_times fail"], &faster[..]].concat());
    ran.ends_with(100).complains("only --json is written, and not BENCH_DIFF_HTML");
    assert!(!neighbour.folder().join("page.html").exists());
    // The next run begins the file anew, and a retry adds a line.
    let (ran, records) = run("--retries 1 five_times");
    assert_eq!(records, ["a_slower five_times fail"; 2]);
    ran.ends_with(100);
}

/// So a suite can be spread over machines: alpha is divided by what is registered in a bench binary.
#[test]
fn neither_a_partition_nor_a_filter_changes_the_level_of_a_function() {
    let Some(neighbour) = neighbour_with_nextest() else { return };
    let folder = temporary_folder();
    let path = folder.path().join("records.jsonl");
    let levels = |command: &str| {
        let environment = [LINKED, ("BENCH_DIFF_JSON", path.to_str().unwrap())];
        neighbour.cargo_in(command, &environment).ends_with(0);
        let pairs = records_in(&path).into_iter().filter(|record| record["event"] == "pair");
        let level = |pair: Value| (pair["name"].as_str().unwrap().to_owned(), pair["gate"]["alpha"].as_f64());
        let mut levels: Vec<(String, Option<f64>)> = pairs.map(level).collect();
        levels.sort_by(|one, other| one.0.cmp(&other.0));
        levels
    };
    let whole = levels("bench --bench b_faster");
    let names: Vec<&str> = whole.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["a_fifth/1", "a_fifth/2", "nested::a_fifth"]);
    let level = whole[0].1.unwrap();
    assert!((level - 0.01 / 3.0).abs() < 1e-9, "three gates share alpha: {level}");
    let part = |part| {
        let run = "nextest run --bench b_faster --cargo-profile bench -P perf";
        levels(&format!("{run} --partition slice:{part}/3"))
    };
    let mut parts = [1, 2, 3].map(part).concat();
    parts.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(parts, whole);
    assert_eq!(levels("bench --bench b_faster nested"), whole[2..]);
}

#[test]
fn the_command_for_benchmarks_measures() {
    let Some(neighbour) = neighbour_with_nextest() else { return };
    let experimental = [LINKED, ("NEXTEST_EXPERIMENTAL_BENCHMARKS", "1")];
    let ran = neighbour.cargo_in("nextest bench --no-fail-fast", &experimental).ends_with(100);
    assert_eq!(told(&ran, "PASS"), faster());
    assert_eq!(told(&ran, "FAIL"), pairs(&[(SLOWER, "five_times")]));
    ran.says("running 1 pair (seed ")
        .says("x slower")
        .complains("4 benchmarks run: 3 passed, 1 failed, 1 skipped");
}

#[test]
fn the_parts_of_an_archive_together_run_every_pair_once() {
    let Some(neighbour) = neighbour_with_nextest() else { return };
    let folder = temporary_folder();
    let archive = folder.path().join("benches.tar.zst");
    let archive = archive.to_str().unwrap();
    let pack = format!("nextest archive --benches --cargo-profile bench --archive-file {archive}");
    neighbour.cargo(&pack).ends_with(0);
    let parts = [1, 2].map(|part| {
        let run = format!("nextest run --archive-file {archive} -P perf --partition slice:{part}/2");
        let ran = neighbour.cargo_in(&run, &[LINKED]);
        let ran = ran.complains("tests run: ");
        [told(&ran, "PASS"), told(&ran, "FAIL")].concat()
    });
    assert_eq!(parts.each_ref().map(Vec::len), [2, 2], "{parts:?}");
    let mut all = parts.concat();
    all.sort();
    assert_eq!(all, [pairs(&[(SLOWER, "five_times")]), faster()].concat());

    // In another checkout, which the archive is meant for.
    for file in ["Cargo.toml", ".config/nextest.toml"] {
        let copy = folder.path().join("checkout").join(file);
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::write(copy, neighbour.read(file)).unwrap();
    }
    let checkout = folder.path().join("checkout");
    let run =
        format!("nextest run --archive-file {archive} -P perf --workspace-remap {}", checkout.display());
    let ran = neighbour.cargo_in(&format!("{run} nested"), &[LINKED]).ends_with(0);
    assert_eq!(told(&ran, "PASS"), pairs(&[(FASTER, "nested::a_fifth")]));
}
