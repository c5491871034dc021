//! A slowdown that the change allows.

use std::fs;

use crate::repository::{Repository, bench, library};

#[test]
fn a_slowdown_passes_with_a_line_in_the_change_and_fails_without() {
    let Some(allowed) = Repository::new("allowed") else { return };
    allowed.write("src/lib.rs", &library(&[("parse", 1_000)]));
    allowed.write("benches/works.rs", &bench("allowed", &["parse"]));
    allowed.lock();
    allowed.commit("before");
    let base = allowed.git("rev-parse HEAD");
    allowed.git("checkout --quiet -b change");
    allowed.write("src/lib.rs", &library(&[("parse", 2_000)]));
    allowed.commit("slower");
    let flags = "--against base --alpha 30% --layouts linked";
    let failed = allowed.bench(flags).ends_with(101).says("1 failed");
    failed.complains("`parse` fails with one codegen unit for each crate as well");

    let line = "Allow-Slowdown: par* 400%";
    let event = allowed.beside("event.json");
    let [base, head] = [base, allowed.git("rev-parse HEAD")].map(|id| id.trim().to_owned());
    let request = format!(
        r#"{{"pull_request": {{"body": "{line}", "base": {{"sha": "{base}"}}, "head": {{"sha": "{head}"}}}}}}"#
    );
    fs::write(&event, request).unwrap();
    let of_job = [("GITHUB_EVENT_NAME", "pull_request"), ("GITHUB_EVENT_PATH", event.to_str().unwrap())];
    let described = allowed.bench_in(flags, &of_job).ends_with(0);
    described.says("    allowed by the description: 400 %\n").says("1 passed (1 allowed)\n");

    let message = format!("slower\n\n{line}\nAllow-Slowdown: parse\nAllow-Slowdown: lex 5%");
    allowed.git_with(&["commit", "--quiet", "--amend", "-m", &message]);
    let id = allowed.git("rev-parse --short HEAD");
    let id = id.trim();
    let by_commit = allowed.bench(flags).ends_with(0);
    let by_commit = by_commit.says(&format!("    allowed by {id}: 400 %\n")).complains(&format!(
        "`Allow-Slowdown: parse` in {id} allows nothing: expected a name and a percentage"
    ));
    assert!(!by_commit.stderr.contains("lex"), "{}", by_commit.stderr);
    // Another name than `base` asks for the slowdown itself.
    allowed.bench("--against main --alpha 30% --layouts linked").ends_with(101);
}
