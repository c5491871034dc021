//! Each bench target of `hygiene/` registers all of its pairs. That they compile at all is the larger part of
//! the proof.

#![expect(clippy::unwrap_used, reason = "what is missing fails the test")]

use std::collections::HashMap;
use std::env;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

const SHAPES: &str = include_str!("../hygiene/shapes.txt");

#[test]
fn every_edition() {
    for bench in ["hygiene_2018", "hygiene_2021", "hygiene_2024"] {
        assert_eq!(registered(bench), SHAPES.lines().collect::<Vec<_>>(), "{bench}");
    }
}

#[test]
fn without_the_prelude() {
    let pairs = ["fast", "named", "input/1", "changed", "awaited/threads=2", "instance<u8,1>"];
    assert_eq!(registered("hygiene_no_prelude"), pairs);
}

#[test]
fn with_shadowed_names() {
    let pairs = [
        "Some",
        "probe",
        "__bench_diff_probe",
        "run",
        "input<u8,2>/1",
        "label",
        "awaited/threads=1",
        "awaited/threads=2",
        "state/2",
    ];
    assert_eq!(registered("hygiene_shadowed"), pairs);
}

#[test]
fn of_a_renamed_harness() {
    let pairs = ["bare_path", "absolute_path", "module::relative_path", "module::crate_path"];
    assert_eq!(registered("hygiene_renamed"), pairs);
}

#[test]
fn of_a_reexported_harness() {
    assert_eq!(registered("hygiene_reexported"), ["full_path", "imported"]);
}

#[test]
fn of_the_original_with_another_dependency() {
    let [stdout, _] = run("hygiene_original_interface", &[]);
    assert_eq!(stdout, "the interface is whole\n");

    let [stdout, stderr] = run("hygiene_original_simple", &[]);
    let line = |start: &str| stdout.lines().find_map(|line| line.strip_prefix(start)).unwrap();
    assert_eq!(stdout.lines().next(), Some("slow against fast in Micro, 7 executions"));
    assert!(line("ratio_medians_f1_f2=").parse::<f64>().unwrap() > 2.0, "{stdout}");
    assert!(line("welch_ln_test_gt=").ends_with("accepted: Alt(Gt) }"), "{stdout}");
    assert!(line("summary_f1=").starts_with("SummaryStats { count: 7, mean: "), "{stdout}");
    let (warmup, executions) = stderr.split_once(" Executing bench_diff ... ").unwrap();
    assert!(warmup.contains("Warming up ... ") && warmup.ends_with(" millis of 1."), "{stderr}");
    assert!(executions.starts_with("2 of 7.") && executions.contains("7 of 7."), "{stderr}");
}

/// The output of `--list`.
fn registered(bench: &str) -> Vec<String> {
    let [stdout, _] = run(bench, &["--list", "--format", "terse"]);
    stdout.lines().filter_map(|line| line.strip_suffix(": benchmark")).map(str::to_owned).collect()
}

/// The executables of the bench targets by name. The whole workspace is named so that cargo builds with the
/// features of any other run of it.
static BENCHES: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap());
    cargo.args(["test", "--offline", "--workspace", "--bench", "hygiene_*", "--no-run"]);
    cargo.args(["--message-format", "json", "--target-dir"]);
    cargo.arg(Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap());
    let [messages, _] = said(cargo.current_dir(env!("CARGO_MANIFEST_DIR")));
    let messages = messages.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let text = |value: &Value| value.as_str().map(str::to_owned);
    messages
        .filter_map(|message| text(&message["target"]["name"]).zip(text(&message["executable"])))
        .collect()
});

/// The stdout and the stderr of this bench target, run with these arguments.
fn run(bench: &str, arguments: &[&str]) -> [String; 2] {
    said(Command::new(&BENCHES[bench]).args(arguments))
}

/// The stdout and the stderr of a program that ends well.
fn said(command: &mut Command) -> [String; 2] {
    let output = command.output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{stdout}{stderr}");
    [stdout, stderr]
}
