//! What a run says of the one before it.

use std::fs;

use super::lines;
use crate::fixture::{Ran, VERDICTS};
use crate::home::Home;

fn last_runs(ran: &Ran) -> Vec<&str> {
    ran.stdout.lines().filter_map(|line| line.trim().strip_prefix("last run (")).collect()
}

#[test]
fn the_second_run_shows_how_a_change_has_moved() {
    let home = Home::new();
    let page = home.file("page.html");
    let line = format!("five_times -v --html {page} --bench");
    let first = home.run(VERDICTS, &line).ends_with(101);
    assert_eq!(last_runs(&first), [""; 0]);
    assert!(!fs::read_to_string(&page).unwrap().contains("last run ("));

    let second = home.run(VERDICTS, &line).ends_with(101);
    let [shown] = &last_runs(&second)[..] else { panic!("{}", second.stdout) };
    assert!(shown.contains(" UTC): ") && shown.contains("x slower; now: "), "{shown}");
    assert!(fs::read_to_string(&page).unwrap().contains(&format!("last run ({shown}")));
    let replayed = home.run(VERDICTS, &home.replay("-v --bench")).ends_with(101);
    assert_eq!(last_runs(&replayed), [*shown], "as the run did");

    let stored = lines(&fs::read_to_string(home.verdicts()).unwrap());
    let second = stored.iter().find(|line| line["event"] == "pair").unwrap();
    let third = home.run(VERDICTS, "five_times --format json --bench").ends_with(101).records();
    let last_run = serde_json::json!({"ratio": second["ratio"], "started": stored[0]["started"]});
    assert!(last_run["started"].is_string());
    assert_eq!(third[0]["last_run"], last_run);
    let other = home.run(VERDICTS, "nested::one_box -v --bench").ends_with(0);
    assert_eq!(last_runs(&other), [""; 0], "the pair was not in it");
}

#[test]
fn a_damaged_run_is_no_reason_to_stop() {
    let home = Home::new();
    home.run(VERDICTS, "five_times --bench").ends_with(101);
    let run = fs::read_to_string(home.verdicts()).unwrap();
    let start = run.lines().next().unwrap();
    fs::write(home.verdicts(), format!("{start}\n{{\"event\":\"pair\",\"ratio\":\u{1}\n")).unwrap();
    let ran = home.run(VERDICTS, "five_times -v --bench").ends_with(101);
    assert_eq!(last_runs(&ran), [""; 0]);
    assert!(!ran.stderr.contains("run.jsonl"), "{}", ran.stderr);
}
