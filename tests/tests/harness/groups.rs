//! Several candidates for one baseline.

use crate::fixture::{GROUPS, run};

#[test]
fn candidates_of_one_baseline_stand_together_fastest_first_beside_its_name() {
    let ran = run(GROUPS, "--bench").ends_with(0).says("6 passed");
    let starts = ran.stdout.lines().skip_while(|line| !line.starts_with("pair "));
    let starts = starts.filter(|line| !line.starts_with(' ')).take_while(|line| !line.is_empty());
    let ends: Vec<[&str; 2]> =
        starts.map(|line| [line.split("  ").next().unwrap(), line.rsplit("  ").next().unwrap()]).collect();
    let expected = [
        ["pair", "against"],
        ["fast/1", "reference/1"],
        ["slow/1", "reference/1"],
        ["fast/2", "reference/2"],
        ["slow/2", "reference/2"],
        ["alone", "alone"],
        ["nested::elsewhere/1", "nested::reference/1"],
    ];
    assert_eq!(ends, expected);
}
