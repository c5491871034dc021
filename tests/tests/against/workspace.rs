//! A workspace of two packages with three benches, as its users run them.

use crate::repository::{Repository, STEADY, bench, library};
use crate::user_crate::has_nextest;

/// The repository whose function `slowed` of the inner package takes four times as long as before.
fn slowed(name: &str) -> Option<Repository> {
    let repository = Repository::works(name)?;
    repository.write("inner/src/lib.rs", &library(&[("steady", 1_000), ("slowed", 4_000)]));
    Some(repository)
}

#[test]
fn every_bench_of_a_workspace_has_its_other_side() {
    let Some(workspace) = slowed("workspace") else { return };
    let all = "bench --workspace --no-fail-fast --features inner/more -- --against main --format json";
    let ran = workspace.cargo_in(all, &[]).ends_with(101);
    let records: Vec<_> = Repository::records_of(&ran);
    let of_bench = |name: &str| {
        let pairs = records.iter().filter(|record| record["event"] == "pair" && record["bench"] == name);
        let said = pairs.map(|pair| format!("{}: {}", pair["name"], pair["outcome"]).replace('"', ""));
        said.collect::<Vec<_>>().join(", ")
    };
    let names = ["summed", "reads"].into_iter().chain(STEADY).chain(["slowed", "gone"]);
    let all = names.map(|name| format!("{name}: pass")).collect::<Vec<_>>().join(", ");
    assert_eq!(of_bench("works"), all);
    let of_works = records.iter().filter(|record| record["event"] == "pair" && record["bench"] == "works");
    for pair in of_works {
        assert_eq!(pair["same_code"].as_bool(), Some(true), "with the features of a workspace: {pair}");
    }
    assert_eq!(of_bench("first"), "steady: pass, slowed: fail");
    assert_eq!(of_bench("second"), "featured: pass, steady: pass", "with a feature");
    assert_eq!(ran.stderr.matches("built the old bench in ").count(), 3, "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("; same compiler and flags").count(), 3, "{}", ran.stderr);
}

#[test]
fn nextest_passes_on_what_is_compared_with() {
    let Some(workspace) = slowed("nextest") else { return };
    if !has_nextest() {
        return;
    }
    let run = "nextest run --benches --cargo-profile bench -P perf -p inner";
    let ran = workspace.cargo_in(run, &[("BENCH_DIFF_AGAINST", "main")]).ends_with(100);
    let of = |word: &str, name: &str| {
        let lines = ran.stderr.lines();
        lines
            .filter(|line| line.trim_start().starts_with(&format!("{word} [")) && line.ends_with(name))
            .count()
    };
    assert!(of("PASS", "inner::bench/first steady") > 0, "{}", ran.stderr);
    assert!(of("PASS", "inner::bench/second steady") > 0, "{}", ran.stderr);
    assert!(of("FAIL", "inner::bench/first slowed") > 0, "{}", ran.stderr);
    let ran =
        ran.complains(" slower").complains("differs:  `inner::slowed::slowed`").complains(" --against ");
    ran.complains("3 tests run: 2 passed, 1 failed");
}

/// A bench that has a function more with a feature.
pub(crate) fn second() -> String {
    let featured = "#[cfg(feature = \"more\")]\n#[bench_diff_harness::bench_diff(baseline = inner::steady)]\n\
                    fn featured() -> u64 {\n    inner::steady() + 1\n}\n";
    featured.to_owned() + &bench("inner", &["steady"])
}
