//! A crate of somebody else, outside the workspace, made from the README and run by the real cargo.

use crate::common::skip::skipped;
use crate::from_readme::{DIGITS, manifest};
use crate::quick_start::QuickStart;
use crate::user_crate::{UserCrate, git};

/// Follows the README, but takes the harness from this workspace.
#[test]
fn a_newcomer_follows_the_readme() {
    let QuickStart { pair, function, library, slower, .. } = QuickStart::read();
    let newcomer =
        UserCrate::new("fields", &(manifest("digits") + "\n[[bench]]\nname = \"sums\"\nharness = false\n"));
    // The README asks for no change of it.
    newcomer.write("Cargo.toml", &newcomer.read("Cargo.toml").replace("\n[lib]\nbench = false\n", ""));
    newcomer.write("src/lib.rs", library);
    newcomer.write("benches/digits.rs", &pair);
    newcomer.write("benches/sums.rs", &function);
    newcomer.cargo("bench").ends_with(0).says("\n2 passed\n").says("\n1 measured without a verdict\n");
    if git(newcomer.folder(), &["--version"]).is_none() {
        skipped("there is no git");
        return;
    }
    for step in ["init --quiet", "add --all", "commit --quiet --allow-empty --message Fields"] {
        let step: Vec<&str> = step.split(' ').collect();
        assert!(git(newcomer.folder(), &step).is_some(), "git {step:?}");
    }

    newcomer.write("src/lib.rs", &slower);
    let ran = newcomer.cargo_in("bench --no-fail-fast", &[("BENCH_DIFF_AGAINST", "HEAD")]).ends_with(101);
    ran.says("FAIL").says("\n1 failed\n");
}

/// Debug assertions in the benchmark, as with `--profile dev`, which would build the harness once more.
const DEBUG: &str = "--config profile.bench.package.outside.debug-assertions=true";

/// One test, since all of it is one crate and one build after the other.
#[test]
fn a_newcomer_compares_two_functions() {
    let newcomer = UserCrate::new("outside", &manifest("digits"));
    newcomer.write("benches/digits.rs", DIGITS);

    let ran = newcomer.cargo("bench").ends_with(0).says("running 1 pair (seed ");
    let row = ran.stdout.lines().find(|line| line.starts_with("by_logarithm ")).unwrap();
    assert!(row.contains(" faster") && row.contains("pass"), "{row}");
    ran.says("\n1 passed\n");

    // The other way round: the slow one is the candidate.
    let slower = DIGITS
        .replace("#[bench_diff(baseline = by_text)]\n", "")
        .replace("fn by_text()", "#[bench_diff(baseline = by_logarithm)]\nfn by_text()");
    newcomer.write("benches/digits.rs", &slower);
    newcomer.cargo("bench").ends_with(101).says("FAIL").says("--bench digits -- --exact by_text --seed ");
    let debug =
        newcomer.cargo(&format!("bench {DEBUG}")).ends_with(0).says("\n1 measured without a verdict\n");
    debug.complains("warning: no verdicts: debug assertions are on");
    let strict = newcomer.cargo(&format!("bench {DEBUG} -- --strict")).ends_with(3);
    strict.complains("error: nothing was judged: debug assertions are on");
    newcomer
        .cargo_in(&format!("bench {DEBUG}"), &[("CI", "true")])
        .ends_with(3)
        .complains("error: nothing was judged: debug assertions are on");

    newcomer.write("benches/digits.rs", "bench_diff_harness::main!();");
    newcomer.cargo("bench").ends_with(3).complains("no benchmark is registered");

    let manifest = newcomer.read("Cargo.toml").replace("harness = false\n", "");
    newcomer.write("Cargo.toml", &manifest);
    newcomer.cargo("bench").ends_with(101).complains("add `harness = false`");
}
