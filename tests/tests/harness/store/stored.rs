//! The files that a run leaves behind.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::{files, lines};
use crate::fixture::{LASTING, VERDICTS, command, temporary_folder};
use crate::home::Home;

#[test]
fn a_run_is_stored_with_its_slots() {
    let home = Home::new();
    home.run(VERDICTS, "equal left_out --bench").ends_with(0);
    let stored = lines(&fs::read_to_string(home.verdicts()).unwrap());
    let events: Vec<_> = stored.iter().map(|line| line["event"].as_str().unwrap()).collect();
    let (rounds, rest): (Vec<usize>, Vec<usize>) =
        (0..events.len()).partition(|index| events[*index] == "round");
    let kinds: Vec<_> = rest.iter().map(|index| events[*index]).collect();
    assert_eq!(kinds, ["start", "pair", "pair", "run"]);
    let [_, ignored, equal, _] = rest[..] else { panic!("four lines") };
    assert!(stored[ignored]["outcome"] == "ignored" && equal > rounds[rounds.len() - 1]);
    assert_eq!(stored[equal]["rounds"]["n"], rounds.len());
    let of = |round: usize| {
        let duos = &stored[round]["processes"][0]["duos"];
        (duos["slots"].as_array().unwrap().len(), duos["first"].as_str().unwrap().len())
    };
    assert!(rounds.iter().all(|round| of(*round).0 == 4 * of(*round).1));
    let duos: usize = rounds.iter().map(|round| of(*round).1).sum();
    assert_eq!(stored[equal]["duos"], duos);
    assert_eq!(files(&home.folder("verdicts")), ["run.jsonl"]);
}

#[test]
fn what_measures_nothing_leaves_the_former_run() {
    let home = Home::new();
    home.run(VERDICTS, "equal --bench").ends_with(0);
    let stored = || fs::read_to_string(home.verdicts()).unwrap();
    let former = stored();
    for line in ["--list", "--test", "", "absent --bench", "left_out --bench"] {
        home.run(VERDICTS, line).ends_with(0);
        assert_eq!(stored(), former, "{line}");
    }
    home.run(VERDICTS, "equal --bench").ends_with(0);
    assert_ne!(stored(), former);
}

#[test]
fn a_folder_may_be_named() {
    let home = Home::new();
    let line = format!("equal --dir {} --bench", home.file("runs"));
    home.run(VERDICTS, &line).ends_with(0);
    assert!(home.path().join("runs/bench_diff_tests/verdicts/run.jsonl").is_file());
    let environment = [("BENCH_DIFF_DIR", &*home.file("more"))];
    home.run_in(VERDICTS, "equal --bench", &environment).ends_with(0);
    assert!(home.path().join("more/bench_diff_tests/verdicts/run.jsonl").is_file());
    assert!(!home.verdicts().exists());
}

/// A file in the place of a folder stands for a folder in which nothing can be written.
#[test]
fn a_folder_that_cannot_be_written_is_a_warning_or_an_error() {
    let home = Home::new();
    let file = home.file("file");
    fs::write(&file, "").unwrap();
    let automatic = home.run_in(VERDICTS, "equal --bench", &[("CARGO_TARGET_DIR", &file)]).ends_with(0);
    let automatic =
        automatic.says("1 passed").complains("warning: the run cannot be stored: cannot write to ");
    automatic.complains("--dir names another folder");

    let told = home.run(VERDICTS, &format!("equal --dir {file} --bench")).ends_with(3);
    assert_eq!(told.stdout, "", "known before anything is measured");
    told.complains("error: the run cannot be stored: cannot write to ");

    let nextest = [("CARGO_TARGET_DIR", &*file), ("NEXTEST", "1"), ("NEXTEST_RUN_ID", "1")];
    let nextest = home.run_in(VERDICTS, "--exact equal --nocapture --bench", &nextest).ends_with(3);
    nextest.complains("error: the run cannot be stored: cannot write to ");
}

#[test]
fn what_was_finished_before_a_kill_is_there() {
    let home = Home::new();
    let mut run =
        command(LASTING, "--format json --bench", home.path()).stdout(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(run.stdout.take().unwrap()).read_line(&mut first).unwrap();
    run.kill().unwrap();
    run.wait().unwrap();

    let missing = "run.jsonl: this run did not end, 1 of its 2 pairs are missing: `late`";
    let replay = format!("--replay {} --format json", home.stored("lasting").display());
    let replay = home.run(VERDICTS, &replay).ends_with(3);
    assert_eq!(replay.records(), lines(&first));
    replay.complains(missing);

    let merge = home.run(VERDICTS, &format!("--merge {}", home.path().display())).ends_with(3);
    merge.says("1 passed").complains(missing);
}

#[test]
fn two_runs_at_once_both_end_well() {
    let home = Home::new();
    // Folders of their own for temporary files, so that neither waits for the other.
    let temporary = [temporary_folder(), temporary_folder()];
    let runs = temporary.each_ref().map(|temporary| {
        let mut command = command(VERDICTS, "equal one_box --bench", temporary.path());
        command.env("CARGO_TARGET_DIR", home.path()).stdout(Stdio::null()).spawn().unwrap()
    });
    for mut run in runs {
        assert!(run.wait().unwrap().success());
    }
    home.run(VERDICTS, &home.replay("")).ends_with(0).says("2 passed");
    assert_eq!(files(&home.folder("verdicts")), ["run.jsonl"]);
}

#[test]
fn files_of_others_in_the_folder_of_a_store_stay() {
    let home = Home::new();
    home.run(VERDICTS, "equal --bench").ends_with(0);
    let folder = home.folder("verdicts");
    fs::copy(home.verdicts(), folder.join("run-before.jsonl")).unwrap();
    fs::write(folder.join("notes.jsonl"), "mine\n").unwrap();
    let json = folder.join("records.jsonl");
    home.run(VERDICTS, &format!("equal --json {} --bench", json.display())).ends_with(0);
    home.run(VERDICTS, "equal --bench").ends_with(0);
    assert_eq!(files(&folder), ["notes.jsonl", "records.jsonl", "run-before.jsonl", "run.jsonl"]);
}

#[test]
fn a_report_cannot_have_the_file_of_the_store_and_the_store_not_that_of_others() {
    let home = Home::new();
    let line = format!("equal --json {} --bench", home.verdicts().display());
    let refused = home.run(VERDICTS, &line).ends_with(2);
    refused.complains("for '--json': the run is stored in it; a report needs a separate file");
    assert!(!home.verdicts().exists());

    fs::write(home.verdicts(), "mine\n").unwrap();
    let warned = home.run(VERDICTS, "equal --bench").ends_with(0);
    warned.complains("run.jsonl is not a stored run, so it is left as it is: move it away");
    let line = format!("equal --dir {} --bench", home.path().join("bench_diff").display());
    home.run(VERDICTS, &line).ends_with(3).complains("the run cannot be stored: ");
    assert_eq!(fs::read_to_string(home.verdicts()).unwrap(), "mine\n");
}
