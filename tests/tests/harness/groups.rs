//! Several candidates for one baseline.

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
