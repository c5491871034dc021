//! The progress bar: there on a terminal, gone afterwards, and nowhere else.

use std::num::NonZero;
use std::process::Stdio;

use crate::fixture::{FAULTS, command, run_in, temporary_folder};
use crate::pseudo_terminal;

/// Two pairs, each of which takes longer in every round than the bar takes to be drawn anew.
const LINE: &str = "warms_up --bench";

/// The first of them alone.
const EQUAL: &str = "warms_up::equal --bench";

/// All that was written on a terminal, and what it shows in the end.
fn on_a_terminal(line: &str, environment: &[(&str, &str)]) -> (String, String) {
    with_output(line, environment, None)
}

/// Runs it on a terminal, to which the output may not belong.
fn with_output(line: &str, environment: &[(&str, &str)], output: Option<Stdio>) -> (String, String) {
    let folder = temporary_folder();
    let mut command = command(FAULTS, line, folder.path());
    command.env("TERM", "xterm").envs(environment.iter().copied());
    let (_, written) = pseudo_terminal::run(command, 120, output).unwrap();
    let [rows, columns] = [100, 120].map(|size| NonZero::new(size).unwrap());
    let mut terminal = vt100::Parser::new(rows, columns, 0);
    terminal.process(&written);
    (String::from_utf8(written).unwrap(), terminal.screen().contents())
}

#[test]
fn a_bar_shows_the_round_and_what_is_open_and_leaves_no_trace() {
    let (written, screen) = on_a_terminal(LINE, &[]);
    for text in ["round 1, 2 undecided", "2 undecided: warms_up::equal", "undecided: warms_up::five_times"] {
        assert!(written.contains(text), "no `{text}` in {written:?}");
    }
    assert!(!screen.contains("round ") && !screen.contains("undecided"), "it stays on\n{screen}");
    assert!(screen.contains("running 2 pairs") && screen.contains("1 passed, 1 failed"), "{screen}");
}

#[test]
fn no_bar_where_nobody_looks_at_one() {
    let (looked_at, _) = on_a_terminal(EQUAL, &[]);
    assert!(looked_at.contains("round 1"), "no bar that could be missing elsewhere: {looked_at:?}");
    for (arguments, environment) in [
        ("", ("CI", "true")),
        ("", ("NEXTEST_RUN_ID", "1")),
        ("", ("TERM", "dumb")),
        ("--format json", ("A", "b")),
        ("--format terse", ("A", "b")),
    ] {
        let (written, _) = on_a_terminal(&format!("{EQUAL} {arguments}"), &[environment]);
        let lines = written.replace("\r\n", "\n");
        assert!(
            !lines.contains('\r') && !lines.contains("round 1"),
            "{arguments} {environment:?}: {written:?}"
        );
    }
    // `cargo bench | less`, which shows the table on the same terminal.
    let (written, _) = with_output(EQUAL, &[], Some(Stdio::piped()));
    assert!(!written.contains("round 1"), "{written:?}");
    let piped = run_in(FAULTS, EQUAL, &[]).ends_with(0);
    assert!(!piped.stderr.contains("round 1") && !piped.stdout.contains('\r'), "{}", piped.stderr);
}

#[test]
fn a_terminal_has_colours_where_it_knows_them() {
    for (terminal, coloured) in [("xterm", true), ("dumb", false)] {
        let (written, _) = on_a_terminal(EQUAL, &[("TERM", terminal)]);
        assert_eq!(written.contains("\u{1b}[32mpass\u{1b}[0m"), coloured, "{terminal}: {written:?}");
        assert_eq!(written.contains("\u{1b}["), coloured, "{terminal}: {written:?}");
    }
}
