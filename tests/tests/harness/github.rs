//! The messages to a job on GitHub.

use std::fs;
use std::path::Path;

use crate::fixture::{VERDICTS, run_in, temporary_folder};

fn repository() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn a_job_is_told_by_itself() {
    let folder = temporary_folder();
    let summary = folder.path().join("summary.md");
    fs::write(&summary, "# Built\n").unwrap();
    let root = repository();
    // The workspace lies in a folder of the repository.
    let above = Path::new(&root).parent().unwrap().to_str().unwrap();
    let name = Path::new(&root).file_name().unwrap().to_str().unwrap();
    let job = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_WORKSPACE", above),
        ("GITHUB_STEP_SUMMARY", summary.to_str().unwrap()),
        ("CARGO_MANIFEST_DIR", env!("CARGO_MANIFEST_DIR")),
    ];
    let line = "equal five_times erratic --bench --format json";
    let ran = run_in(VERDICTS, line, &job).ends_with(101);
    assert_eq!(ran.records().len(), 3, "nothing else on standard output");
    let place = |line: u32| format!("file={name}/tests/src/bin/verdicts.rs,line={line},title=bench_diff%3A ");
    let mut annotations: Vec<&str> = ran.stderr.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(annotations.len(), 2, "{}", ran.stderr);
    annotations.sort_unstable();
    assert!(
        annotations[0].starts_with(&format!("::error {}five_times failed::measured: ", place(24))),
        "{annotations:?}"
    );
    assert!(
        annotations[1].starts_with(&format!("::warning {}erratic is inconclusive::", place(30))),
        "{annotations:?}"
    );
    let text = fs::read_to_string(&summary).unwrap();
    assert!(
        text.starts_with("# Built\n### `bench_diff_tests::verdicts`\n\n**1 passed, 1 failed, 1 inconclusive"),
        "{text}"
    );
    assert_eq!(text.matches("| `five_times` against `one` |").count(), 1, "{text}");

    let never = [&job[..], &[("BENCH_DIFF_GITHUB", "never")]].concat();
    let ran = run_in(VERDICTS, line, &never).ends_with(101);
    assert!(!ran.stderr.contains("::error"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(&summary).unwrap(), text);
}

#[test]
fn anybody_may_ask_for_annotations() {
    let ran = run_in(VERDICTS, "five_times --bench --github always", &[]).ends_with(101);
    let annotation = "::error file=tests/src/bin/verdicts.rs,line=24,";
    assert!(ran.stderr.lines().any(|line| line.starts_with(annotation)), "{}", ran.stderr);
    assert!(!run_in(VERDICTS, "five_times --bench", &[]).stderr.contains("::error"));
}

#[test]
fn a_summary_that_is_out_of_reach_fails_only_who_asked_for_it() {
    let summary = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", "/absent/summary.md")];
    let found = run_in(VERDICTS, "equal --bench", &summary).ends_with(0);
    found.complains("warning: cannot open GITHUB_STEP_SUMMARY, /absent/summary.md");
    let asked = run_in(VERDICTS, "equal --bench --github always", &summary).ends_with(3);
    asked.complains("error: cannot open GITHUB_STEP_SUMMARY, /absent/summary.md");
}
