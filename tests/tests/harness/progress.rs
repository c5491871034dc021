//! The progress bar: there on a terminal, gone afterwards, and nowhere else.

use std::num::NonZero;
use std::process::Stdio;

use crate::fixture::{VERDICTS, command, run_in, temporary_folder};
use crate::pseudo_terminal;

/// A pair that takes all of its time, and one that does not.
const LINE: &str = "erratic equal --judge sequential --warmup 300ms --max-time 700ms --bench";

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
fn a_bar_shows_the_pair_the_rest_and_the_time_and_leaves_no_trace() {
    let expected = [
        "[1/2]",
        "warming up equal, at most ",
        "[2/2]",
        "warming up erratic, at most ",
        "measuring erratic, at most ",
        "s of the run",
    ];
    let shown =
        |times: &str| on_a_terminal(&format!("erratic equal --judge sequential {times} --bench"), &[]);
    let absent = |written: &str| expected.iter().find(|text| !written.contains(**text));
    let (mut written, mut screen) = shown("--warmup 300ms --max-time 700ms");
    // A busy machine may take so long for a block that a short time ends before anything is drawn.
    for times in ["--warmup 2s --max-time 3s", "--warmup 8s --max-time 10s"] {
        if absent(&written).is_some() {
            (written, screen) = shown(times);
        }
    }
    assert_eq!(absent(&written), None, "{written:?}");
    for text in ["[1/2]", "[2/2]", "warming up", "measuring", "s left", "█", "░"] {
        assert!(!screen.contains(text), "`{text}` stays on\n{screen}");
    }
    assert!(
        screen.contains("running 2 pairs") && screen.contains("1 passed, 0 failed, 1 inconclusive"),
        "{screen}"
    );
}

/// The functions of a pair may take seconds until there is more to tell.
#[test]
fn a_bar_is_there_as_soon_as_a_pair_starts() {
    for isolate in ["", "--isolate"] {
        let (written, _) = on_a_terminal(&format!("{LINE} {isolate}"), &[]);
        for text in
            ["  0 % warming up equal, at most 1.0s left", "  0 % warming up erratic, at most 1.0s left"]
        {
            assert!(written.contains(text), "no `{text}` in {written:?}");
        }
    }
}

#[test]
fn no_bar_where_nobody_looks_at_one() {
    for (line, environment) in [
        (LINE, ("CI", "true")),
        (LINE, ("NEXTEST", "1")),
        (LINE, ("TERM", "dumb")),
        ("erratic equal --judge sequential --warmup 300ms --format json --bench", ("A", "b")),
        ("erratic equal --judge sequential --warmup 300ms --format terse --bench", ("A", "b")),
    ] {
        let (written, _) = on_a_terminal(line, &[environment]);
        let lines = written.replace("\r\n", "\n");
        assert!(
            !lines.contains('\r') && !lines.contains("warming up"),
            "{line} {environment:?}: {written:?}"
        );
    }
    // `cargo bench | less`, which shows the table on the same terminal.
    let (written, _) = with_output(LINE, &[], Some(Stdio::piped()));
    assert!(!written.contains("warming up"), "{written:?}");
    let piped = run_in(VERDICTS, LINE, &[]).ends_with(0);
    assert!(!piped.stderr.contains("warming up") && !piped.stdout.contains('\r'), "{}", piped.stderr);
}
