//! The progress bar: there on a terminal, gone afterwards, and nowhere else.

use std::num::NonZero;
use std::process::Stdio;

use crate::fixture::{VERDICTS, command, run_in, temporary_folder};
use crate::pseudo_terminal;

/// Two pairs, each of which takes so long in every round that there is something to see.
const LINE: &str = "equal five_times --warmup 300ms --bench";

/// All that was written on a terminal, and what it shows in the end.
fn on_a_terminal(line: &str, environment: &[(&str, &str)]) -> (String, String) {
    with_output(line, environment, None)
}

/// The same where the output may be no part of it.
fn with_output(line: &str, environment: &[(&str, &str)], output: Option<Stdio>) -> (String, String) {
    let folder = temporary_folder();
    let mut command = command(VERDICTS, line, folder.path());
    command.env("TERM", "xterm").envs(environment.iter().copied());
    let (_, written) = pseudo_terminal::run(command, 120, output).unwrap();
    let [rows, columns] = [100, 120].map(|size| NonZero::new(size).unwrap());
    let mut terminal = vt100::Parser::new(rows, columns, 0);
    terminal.process(&written);
    (String::from_utf8(written).unwrap(), terminal.screen().contents())
}

#[test]
fn a_bar_shows_the_round_and_what_is_open_and_leaves_no_trace() {
    for isolate in ["", "--isolate"] {
        let (written, screen) = on_a_terminal(&format!("{LINE} {isolate}"), &[]);
        for text in ["round 1, 2 pairs open", "round 2, 2 pairs open: equal", "open: five_times"] {
            assert!(written.contains(text), "no `{text}` in {written:?}");
        }
        assert!(!screen.contains("round 1") && !screen.contains(" open"), "it stays on\n{screen}");
        assert!(screen.contains("running 2 pairs") && screen.contains("1 passed, 1 failed"), "{screen}");
    }
}

#[test]
fn no_bar_where_nobody_looks_at_one() {
    for (line, environment) in [
        (LINE, ("CI", "true")),
        (LINE, ("NEXTEST", "1")),
        (LINE, ("TERM", "dumb")),
        ("equal --warmup 300ms --format json --bench", ("A", "b")),
        ("equal --warmup 300ms --format terse --bench", ("A", "b")),
    ] {
        let (written, _) = on_a_terminal(line, &[environment]);
        let lines = written.replace("\r\n", "\n");
        assert!(!lines.contains('\r') && !lines.contains("round 1"), "{line} {environment:?}: {written:?}");
    }
    // `cargo bench | less`, which shows the table on the same terminal.
    let (written, _) = with_output(LINE, &[], Some(Stdio::piped()));
    assert!(!written.contains("round 1"), "{written:?}");
    let piped = run_in(VERDICTS, LINE, &[]).ends_with(101);
    assert!(!piped.stderr.contains("round 1") && !piped.stdout.contains('\r'), "{}", piped.stderr);
}
