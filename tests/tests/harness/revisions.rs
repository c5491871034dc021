//! Two programs, of which each function of the one is compared with that of the other. What differs does so
//! fourfold, and the margin is wide.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::common::skip::skipped;
use crate::fixture::{Ran, command, run, run_in, temporary_folder};
use crate::processes::{FOR_EVER, descendants, wait_for_all};
use crate::sabotage::sabotaged_of;
use crate::sides::{against_old, executable};

pub(crate) fn line(more: &str) -> String {
    let against = against_old();
    format!("--bench {against} --max-slowdown 100% --format json {more}")
}

fn against(more: &str) -> Ran {
    run(executable("functions"), &line(more))
}

/// The record of each function.
pub(crate) fn by_name(ran: &Ran) -> BTreeMap<String, Value> {
    let named = |record: Value| (record["name"].as_str().unwrap().to_owned(), record);
    ran.records().into_iter().map(named).collect()
}

#[track_caller]
fn reason<'a>(records: &'a BTreeMap<String, Value>, name: &str, outcome: &str) -> &'a str {
    let record = &records[name];
    assert_eq!(record["outcome"], outcome, "{record}");
    record["reason"].as_str().unwrap_or_default()
}

#[test]
fn functions_are_compared_with_those_of_their_names_in_every_way_of_calling_them() {
    let filter = "equal four_times quarter with_args by_value by_mut on_threads starts_threads keeps_threads \
                  future long added --alpha 30%";
    let ran = against(filter).ends_with(101);
    assert!(ran.stdout.lines().last().unwrap().contains("\"not_compared\":[\"added\"]"), "{}", ran.stdout);
    let records = by_name(&ran);
    let ratios = [
        ("equal", 1.0),
        ("four_times", 4.0),
        ("quarter", 0.25),
        ("with_args/2000", 1.0),
        ("with_args/3000", 1.0),
        ("by_value", 1.0),
        ("by_mut", 4.0),
        ("on_threads/threads=2", 4.0),
        ("starts_threads", 4.0),
        ("keeps_threads", 4.0),
        ("future", 4.0),
        ("long", 4.0),
    ];
    assert_eq!(records.len(), ratios.len(), "{:?}", records.keys());
    for (name, expected) in ratios {
        let record = &records[name];
        let ratio = record["ratio"].as_f64().unwrap();
        // Threads also wait for cores that other programs keep busy. That time is a part of the ratio, and it
        // may leave even such a difference undecided.
        let is_of_threads = name.contains("threads");
        let is_open = is_of_threads && record["outcome"] == "inconclusive";
        assert!(is_open || record["outcome"] == if expected > 2.0 { "fail" } else { "pass" }, "{record}");
        assert!(is_of_threads || (expected / 2.0..expected * 2.0).contains(&ratio), "{name}: {ratio}");
        assert_eq!(record["against"], "sides", "its baseline has no part in it");
    }
    assert_eq!(records["long"]["clock"], "wall");
    assert_eq!(records["equal"]["check"], "none");
}

#[test]
fn calls_that_last_long_are_compared_by_few_of_them() {
    let records = by_name(&against("lasts --alpha 30%").ends_with(101));
    assert_eq!(records.len(), 2);
    for (name, outcome, expected) in [("lasts", "fail", 4.0), ("lasts_as_before", "pass", 1.0)] {
        let record = &records[name];
        assert_eq!(record["outcome"], outcome, "{record}");
        let ratio = record["ratio"].as_f64().unwrap();
        assert!((expected / 1.5..expected * 1.5).contains(&ratio), "{name}: {ratio}");
        assert_eq!((&record["iterations"], &record["clock"]), (&1.into(), &"wall".into()), "{record}");
        assert_eq!(record["duos"], record["rounds"]["n"], "one in a round");
    }
}

#[test]
fn allocations_are_a_gate_as_well() {
    // As many rounds as a busy machine needs.
    let records = by_name(&against("allocates --alpha 20% --max-time 1min").ends_with(101));
    let allocates = reason(&records, "allocates", "fail");
    assert!(allocates.starts_with("2 allocations (128 B) per call against 1 "), "{allocates}");
}

#[test]
fn what_the_old_program_cannot_list_is_told() {
    const NOTE: &str =
        "note: a part of the old bench did not list its functions, so these are not compared: ";

    let ran = against("unlisted unread").ends_with(0);
    assert!(ran.stdout.contains("\"not_compared\":[\"unlisted/2000\",\"unread/2000\"]"), "{}", ran.stdout);
    ran.complains(&format!("{NOTE}while its `args` were listed: ended the process with code 7"))
        .complains(&format!("{NOTE}`unread`: panicked at "));
}

#[test]
fn functions_find_the_flags_of_cargo() {
    let records = by_name(&against("flagged").ends_with(0));
    assert_eq!(records["flagged/1"]["outcome"], "pass", "{records:?}");
}

#[test]
fn short_reports_tell_on_the_error_stream_what_is_not_compared() {
    let line = line("--exact equal added").replace("--format json", "--format terse");
    let ran = run(executable("functions"), &line).ends_with(0);
    ran.complains("\nnot compared: added: sides has no function of this name, or another number of them\n")
        .says("equal");
}

#[test]
fn a_limit_also_ends_what_answers_in_time() {
    let ran = against("--exact lasts_as_before --timeout 300ms").ends_with(3);
    let late = "took longer than --timeout 300ms and was ended";
    assert_eq!(reason(&by_name(&ran), "lasts_as_before", "error"), late);
}

#[test]
fn a_budget_ends_what_never_answers() {
    let records = by_name(&against("--exact sleeps_on --budget 1s").ends_with(0));
    let why = "the budget is spent: it was not measured yet";
    assert_eq!(reason(&records, "sleeps_on", "inconclusive"), why);
}

#[test]
fn what_a_function_prints_is_no_part_of_what_processes_say() {
    let ran = against("prints_words").ends_with(0);
    let record = &by_name(&ran)["prints_words"];
    // What is printed takes time as well, and a slot of no time would be no ratio like this.
    let ratio = record["ratio"].as_f64().unwrap();
    assert!(record["outcome"] == "pass" && (0.001..0.9).contains(&ratio), "{record}");
    assert!(ran.stderr.contains(" end null"), "it is shown");
}

#[test]
fn a_program_evaluates_the_args_of_a_round_once_and_no_others() {
    let folder = temporary_folder();
    let in_folder = [("NOTES", folder.path().to_str().unwrap())];
    let records = by_name(&run_in(executable("functions"), &line("with_args"), &in_folder).ends_with(0));
    let rounds = records.values().map(|record| record["rounds"]["n"].as_u64().unwrap());
    let evaluated = |folder: &TempDir| fs::read_dir(folder.path()).unwrap().count() as u64;
    // By both sides, each of which was listed before.
    assert_eq!(evaluated(&folder), 2 + 2 * rounds.max().unwrap(), "{records:?}");
    assert_eq!(evaluated(&noted("equal")), 2, "each program is listed");
}

/// The notes of a function on this side: the process, and its words.
fn notes_of(side: &str, folder: &TempDir) -> Vec<(String, Vec<String>)> {
    let notes = fs::read_dir(folder.path()).unwrap();
    let names = notes.map(|note| note.unwrap().file_name().into_string().unwrap());
    let words = names.filter_map(|name| {
        let mut words = name.strip_prefix(side)?.split('-').skip(1).map(str::to_owned).collect::<Vec<_>>();
        let process = words.split_off(words.len() - 2).join("-");
        Some((process, words))
    });
    words.collect()
}

/// The folder in which the processes of such a run have noted something.
fn noted(flags: &str) -> TempDir {
    let folder = temporary_folder();
    let in_folder = [("NOTES", folder.path().to_str().unwrap())];
    run_in(executable("functions"), &line(flags), &in_folder).ends_with(0);
    folder
}

#[test]
fn a_function_of_one_thread_stays_on_one_cpu_after_its_first_call() {
    let all = thread::available_parallelism().unwrap().get();
    if all == 1 {
        skipped("this machine has one CPU");
        return;
    }
    let folder = noted("notes_cpus");
    for side in ["new", "old"] {
        let notes = notes_of(side, &folder);
        // The processes that note this, and how many CPUs they have then.
        let of = |when: &str| -> (BTreeSet<&str>, BTreeSet<&str>) {
            let notes = notes.iter().filter(|(_, words)| words[0] == when);
            notes.map(|(process, words)| (&**process, &*words[1])).unzip()
        };
        let ((processes, first), (same, later)) = (of("first"), of("later"));
        assert!(processes.len() >= 3, "one in each round: {notes:?}");
        assert_eq!(first, BTreeSet::from([&*all.to_string()]), "{side}");
        assert_eq!((same, later), (processes, BTreeSet::from(["1"])), "{side}");
    }
}

#[test]
fn threads_may_use_all_cpus_however_briefly_they_work() {
    // They say so themselves, and a busy machine may decide nothing.
    let records = by_name(&against("starts_brief_threads --max-time 2s").ends_with(0));
    let outcome = records["starts_brief_threads"]["outcome"].as_str().unwrap();
    assert!(["pass", "inconclusive"].contains(&outcome), "{records:?}");
}

#[test]
#[cfg(target_env = "gnu")]
fn the_heap_of_each_process_begins_elsewhere() {
    // Four rounds have equal blocks.
    let folder = noted("notes_block --seed 8f3a --alpha 0.000001%");
    let [new, old] = ["new", "old"].map(|side| {
        let places = notes_of(side, &folder).into_iter().map(|(_, words)| words.concat());
        places.collect::<BTreeSet<String>>()
    });
    assert!(new.len() > 1 && old.len() > 1 && new != old, "{new:?} {old:?}");
}

#[test]
fn functions_are_called_by_copies_of_a_process_unless_it_has_other_threads() {
    let processes_and_parents = |more: &[(&str, &str)]| {
        let notes = temporary_folder();
        let folder = [("NOTES", notes.path().to_str().unwrap())];
        run_in(executable("functions"), &line("with_args"), &[&folder, more].concat()).ends_with(0);
        let notes = fs::read_dir(notes.path()).unwrap();
        let names: Vec<String> = notes.map(|note| note.unwrap().file_name().into_string().unwrap()).collect();
        let parents: BTreeSet<&str> = names.iter().filter_map(|name| name.rsplit('-').next()).collect();
        (names.len(), parents.len())
    };
    let (processes, parents) = processes_and_parents(&[]);
    // The run, and one of each program in a round of at least three.
    assert!(parents > 6 && processes > parents, "{processes} {parents}");
    let (processes, parents) = processes_and_parents(&[("THREAD", "1")]);
    assert!(parents == 1 && processes > 12, "{processes} {parents}");
}

#[test]
fn what_meddles_is_harmless_or_the_error_of_its_function() {
    // With such a rate a verdict takes a few rounds.
    let line = |more: &str| {
        let against = against_old();
        format!("--bench {against} --max-slowdown 300% --alpha 45% --format json --timeout 1min {more}")
    };
    let most = line("--skip forks_beside_others --skip leaves_a_handler_that_waits");
    let mut records = by_name(&sabotaged_of(executable("saboteurs"), &most).ends_with(3));
    // The run waits for each process of this function to end. Without layouts, each side has only one.
    let waiting = line("--exact linux::leaves_a_handler_that_waits --layouts none");
    records.extend(by_name(&run(executable("saboteurs"), &waiting)));
    let is_waiting = records.contains_key("linux::leaves_a_handler_that_waits");
    assert!(records.len() > 15 && is_waiting, "{:?}", records.keys());
    for (name, record) in &records {
        let is_fair = ["first", "last"].contains(&name.as_str());
        let outcome = record["outcome"].as_str().unwrap();
        // Both sides meddle, so the old one is not to blame alone, except for what one side finds gone.
        let is_blamed = outcome == "error" || outcome == "ignored" && name.ends_with("removes_the_folder");
        assert!(outcome == "pass" || is_blamed && !is_fair, "{record}");
    }
}

#[test]
fn nothing_outlives_a_run_that_is_killed() {
    for function in ["breaks::new/hangs", "breaks::old/hangs", "long"] {
        let folder = temporary_folder();
        let mut command =
            command(executable("functions"), &line(&format!("--exact {function}")), folder.path());
        let mut run =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        // Both programs of a round, and a copy of one of them, which calls the function.
        while descendants(run.id()).iter().filter(|process| process.what() == "round").count() < 3 {
            assert!(run.try_wait().unwrap().is_none() && start.elapsed() < FOR_EVER, "{function}");
            thread::sleep(Duration::from_millis(1));
        }
        run.kill().unwrap();
        run.wait().unwrap();
        wait_for_all(folder.path());
    }
}
