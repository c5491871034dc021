//! Several candidates for one baseline.

use serde_json::Value;

use crate::fixture::{GROUPS, run};

#[test]
fn candidates_of_one_baseline_stand_together_fastest_first() {
    let ran = run(GROUPS, "--bench").ends_with(0).says("6 passed");
    let starts = ran.stdout.lines().skip_while(|line| !line.starts_with("pair "));
    let starts = starts.filter(|line| !line.starts_with(' ')).take_while(|line| !line.is_empty());
    let starts: Vec<&str> = starts.map(|line| line.split("  ").next().unwrap()).collect();
    let expected = [
        "pair",
        "reference/1, the baseline of 2:",
        "fast/1",
        "slow/1",
        "reference/2, the baseline of 2:",
        "fast/2",
        "slow/2",
        "alone",
        "nested::elsewhere/1",
    ];
    assert_eq!(starts, expected);
}

#[test]
fn records_name_the_group_in_the_order_of_the_run() {
    let records = |arguments: &str| {
        let ran = run(GROUPS, &format!("{arguments} --format json --bench")).ends_with(0);
        let records = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let of = |record: Value| [&record["name"], &record["group"]].map(|it| it.as_str().map(str::to_owned));
        records.filter(|record| record["event"] == "pair").map(of).collect::<Vec<_>>()
    };
    let pair = |name: &str, group: Option<&str>| [Some(name), group].map(|it| it.map(str::to_owned));
    let [one, two] = ["reference/1", "reference/2"].map(Some);
    let expected = [
        pair("slow/1", one),
        pair("fast/1", one),
        pair("slow/2", two),
        pair("fast/2", two),
        pair("alone", None),
        pair("nested::elsewhere/1", None),
    ];
    assert_eq!(records(""), expected);
    assert_eq!(records("--exact fast/2"), [pair("fast/2", None)]);
}
