//! `--replay`: a stored run, judged again.

use std::fs;

use super::lines;
use crate::fixture::{BROKEN, GROUPS, NOTHING, VERDICTS};
use crate::home::Home;

/// A part of the line of a pair.
const PAIR: &str = "\"event\":\"pair\"";

#[test]
fn without_settings_every_record_is_the_same() {
    for (executable, bench, line) in [
        (VERDICTS, "verdicts", "--include-ignored"),
        (VERDICTS, "verdicts", "--seed 8f3a"),
        (VERDICTS, "verdicts", "--judge welch --max-slowdown 5%"),
        (BROKEN, "broken", ""),
        (GROUPS, "groups", ""),
    ] {
        let home = Home::new();
        let live = home.run(executable, &format!("{line} --format json --bench"));
        let again = format!("--replay {} --format json", home.stored(bench).display());
        // How it ends is up to the machine, which may be busy: both have to end alike, with all that they
        // say.
        let replay = home.run(executable, &again).ends_with(live.code.unwrap());
        // A run tells a pair when it is decided, a replay in the order of the source.
        let by_name = |stdout: &str| {
            let mut records = lines(stdout);
            records.sort_by_key(|record| record["name"].to_string());
            records
        };
        assert_eq!(by_name(&replay.stdout), by_name(&live.stdout), "{bench} {line}");
        assert!(lines(&live.stdout).len() > 1, "{bench} {line}: {}", live.stdout);
    }
}

#[test]
fn other_settings_other_verdicts() {
    let home = Home::new();
    home.run(VERDICTS, "five_times erratic one_box --bench").ends_with(101);
    let replay = |arguments: &str| home.run(VERDICTS, &home.replay(arguments));
    replay("").ends_with(101).says("1 passed, 1 failed, 1 inconclusive");
    replay("--max-slowdown 3000%").ends_with(0).says("2 passed, 0 failed, 1 inconclusive");
    replay("--max-slowdown 3000% --strict").ends_with(101);
    replay("erratic --strict").ends_with(101).says("0 passed, 0 failed, 1 inconclusive");
    replay("--exact nested::one_box").ends_with(0).says("1 passed, 0 failed, 0 inconclusive");
    replay("--skip five_times").ends_with(0).says("1 passed, 0 failed, 1 inconclusive");
    replay("absent").ends_with(0).complains("warning: no pair matches the filter; 3 left out");
    replay("five_times -q").ends_with(101).says("FAIL five_times: ");
    let welch = replay("five_times --judge welch --alpha 5% --format json").ends_with(101);
    let record = &welch.records()[0];
    assert_eq!((&record["judge"], &record["welch"]["nominal"]), (&"welch".into(), &true.into()));
    // Five pairs of the fixture have a gate.
    assert!((record["gate"]["alpha"].as_f64().unwrap() - 0.01).abs() < 1e-15, "{record}");
}

#[test]
fn a_replay_needs_no_pair_and_stores_nothing() {
    let home = Home::new();
    home.run(VERDICTS, "five_times --bench").ends_with(101);
    let stored = fs::read_to_string(home.verdicts()).unwrap();
    home.run(NOTHING, &home.replay("--bench")).ends_with(101).says("1 failed");
    home.run(VERDICTS, &home.replay("--max-slowdown 3000%")).ends_with(0);
    assert_eq!(fs::read_to_string(home.verdicts()).unwrap(), stored);
    assert!(!home.folder("nothing").exists());
}

#[test]
fn a_folder_is_every_run_below_it() {
    let home = Home::new();
    home.run(VERDICTS, "equal --bench").ends_with(0);
    home.run(GROUPS, "--bench").ends_with(0);
    let ran = home.run(VERDICTS, &format!("--replay {}", home.path().display())).ends_with(0);
    ran.says("verdicts::equal").says("groups::").complains("evaluated again: ");
}

#[test]
fn a_torn_file_is_judged_as_far_as_it_is_whole() {
    let home = Home::new();
    home.run(VERDICTS, "equal one_box --bench").ends_with(0);
    let text = fs::read_to_string(home.verdicts()).unwrap();
    let last = text.rfind(PAIR).unwrap();
    fs::write(home.verdicts(), &text[..last + 100]).unwrap();
    let torn = home.run(VERDICTS, &home.replay("")).ends_with(3).says("1 passed, 0 failed");
    let line = text[..last].lines().count();
    torn.complains(&format!("verdicts/run.jsonl ends in the middle of line {line}, after 1 whole pair"));
}

#[test]
fn a_file_that_is_not_there_says_where_runs_are() {
    let home = Home::new();
    let stored = format!("the runs of this bench are stored in {}", home.folder("verdicts").display());
    let ran = home.run(VERDICTS, "--replay absent.jsonl").ends_with(3);
    let ran = ran.complains("error: --replay: cannot read ").complains("absent.jsonl");
    ran.complains(&stored);
    let json = home.file("records.json");
    home.run(VERDICTS, &format!("equal --json {json} --bench")).ends_with(0);
    let ran = home.run(VERDICTS, &format!("--replay {json}")).ends_with(3);
    ran.complains("a file of `--json` has no slots to evaluate").complains(&stored);
    home.run(VERDICTS, "equal --layouts linked --bench").ends_with(0);
    let others = home.run(VERDICTS, &home.replay("--layouts all")).ends_with(3);
    others.complains("--layouts linked, and --layouts all asks for others: measure again");
    home.run(VERDICTS, "--replay a --list").ends_with(2).complains("--list cannot be used with --replay");
}

/// As `head`, an editor or a script leave it.
#[test]
fn a_file_that_lost_a_line_is_never_green() {
    let home = Home::new();
    home.run(VERDICTS, "equal five_times one_box --bench").ends_with(101);
    let text = fs::read_to_string(home.verdicts()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|line| line.contains(PAIR)).unwrap();
    let failing = lines.iter().position(|line| line.contains("\"outcome\":\"fail\"")).unwrap();
    let merge = format!("--merge {}", home.path().display());
    for (left, expected) in [
        (lines[..=first].to_vec(), "run.jsonl: this run did not end, 2 of its 3 pairs are missing: "),
        (
            [&lines[..failing], &lines[failing + 1..]].concat(),
            "its last line says 1 failed, and its records are 0",
        ),
    ] {
        fs::write(home.verdicts(), left.join("\n") + "\n").unwrap();
        home.run(VERDICTS, &home.replay("")).ends_with(3).complains(expected);
        home.run(VERDICTS, &merge).ends_with(3).complains(expected);
    }
    let changed = text
        .replacen("\"outcome\":\"fail\"", "\"outcome\":\"pass\"", 1)
        .replace("\"failed\":1", "\"failed\":0");
    fs::write(home.verdicts(), changed).unwrap();
    for line in [home.replay(""), merge] {
        home.run(VERDICTS, &line).ends_with(3).complains("its verdict is pass, but its figures give fail");
    }
}

/// The records go by another name of their file.
#[cfg(unix)]
#[test]
fn a_report_cannot_replace_what_it_is_made_of_by_another_name() {
    let home = Home::new();
    home.run(VERDICTS, "equal --bench").ends_with(0);
    let stored = fs::read(home.verdicts()).unwrap();
    let other = home.file("other");
    fs::hard_link(home.verdicts(), &other).unwrap();
    for flag in ["--json", "--markdown"] {
        let refused = home.run(VERDICTS, &home.replay(&format!("{flag} {other}"))).ends_with(2);
        refused.complains(&format!("for '{flag}': the records of this run are read from it"));
    }
    assert_eq!(fs::read(home.verdicts()).unwrap(), stored);
}
