//! The help: every setting with its value and where that comes from.

use crate::fixture::{VERDICTS, run_in};

/// The help on a flag.
fn of(arguments: &str, environment: &[(&str, &str)], flag: &str) -> String {
    let help = run_in(VERDICTS, arguments, environment).ends_with(0).stdout;
    let line = help.lines().find(|line| line.trim_start().starts_with(&format!("--{flag} ")));
    let (_, bracket) = line.unwrap_or_else(|| panic!("no --{flag} in\n{help}")).split_once(" [").unwrap();
    bracket.trim_end_matches(']').to_owned()
}

#[test]
fn a_value_comes_from_a_flag_or_the_environment() {
    let variable = [("BENCH_DIFF_ALPHA", "3%"), ("BENCH_DIFF_STRICT", "1")];
    assert!(of("--help", &variable, "alpha").starts_with("now: 3%, from BENCH_DIFF_ALPHA; default: 0.01"));
    assert_eq!(of("--help", &variable, "strict"), "now: on, from BENCH_DIFF_STRICT");
    let flag = of("--alpha 0.5% --help --bench", &variable, "alpha");
    assert!(flag.starts_with("now: 0.5%, from --alpha; default: 0.01"), "{flag}");
    assert_eq!(of("--no-proof -h", &[], "no-proof"), "now: on, from --no-proof");
    assert_eq!(of("--seed 8f3a -h", &[], "seed"), "now: 8f3a, from --seed; default: a new one");
}

#[cfg(unix)]
#[test]
fn a_narrow_terminal_gets_short_lines() {
    use crate::fixture::{command, temporary_folder};
    use crate::pseudo_terminal;

    let shown = |columns: u16| {
        let folder = temporary_folder();
        let (status, written) =
            pseudo_terminal::run(command(VERDICTS, "--help", folder.path()), columns, None).unwrap();
        assert!(status.success());
        String::from_utf8(written).unwrap()
    };
    for columns in [60, 100] {
        let help = shown(columns);
        let longest = help.lines().map(|line| line.trim_end().chars().count()).max().unwrap();
        assert!(longest <= usize::from(columns), "{longest} of {columns} columns\n{help}");
        assert!(help.contains("--max-slowdown <SHARE>") && help.contains("Exit codes: 0"), "{help}");
    }
}
