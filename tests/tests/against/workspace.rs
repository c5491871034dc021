//! A workspace of two packages with three benches, as its users run them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use crate::repository::{READERS, Repository, STEADY, bench, library};
use crate::user_crate::{UserCrate, has_nextest};

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
    let names = ["summed"].into_iter().chain(READERS).chain(STEADY).chain(["slowed", "gone"]);
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
    assert_eq!(of("PASS", "inner::bench/first steady"), 1, "{}", ran.stderr);
    assert_eq!(of("PASS", "inner::bench/second steady"), 1, "{}", ran.stderr);
    assert!(of("FAIL", "inner::bench/first slowed") > 0, "{}", ran.stderr);
    let ran =
        ran.complains(" slower").complains("differs:  `inner::slowed::slowed`").complains(" --against ");
    ran.complains("3 tests run: 2 passed, 1 failed");
}

#[test]
fn a_worktree_of_a_bare_clone_is_compared_with_a_commit_and_a_folder() {
    let Some(repository) = Repository::works("clone") else { return };
    let [bare, inner] = ["bare clone.git", "a worktree"].map(|name| repository.beside(name));
    for folder in [&bare, &inner] {
        let _ = fs::remove_dir_all(folder);
    }
    repository.git_with(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let bare = bare.to_str().unwrap();
    let add = ["-C", bare, "worktree", "add", "--quiet", "-b", "mine", inner.to_str().unwrap(), "main"];
    repository.git_with(&add);
    let worktree = UserCrate { folder: inner };
    worktree.write("inner/src/lib.rs", &library(&[("steady", 1_000), ("slowed", 4_000)]));
    let run =
        |flags: &str| worktree.cargo(&format!("bench -p inner --bench first -- --layouts linked {flags}"));
    // An earlier run may have left what is of an older harness.
    repository.old_sides().iter().for_each(|folder| drop(fs::remove_dir_all(folder.join("target"))));
    let red = run("--against main -v").ends_with(101).says("1 passed, 1 failed");
    red.complains("\"works\", the end of main\n");

    let deps = repository.old_sides()[0].join("target/release/deps");
    let [harness, today] = [harness_in(&deps), harness_in(&UserCrate::target().join("release/deps"))];
    assert!(!harness.is_empty() && harness.is_subset(&today), "{harness:?} is compiled again, {today:?}");

    // From the root of the package.
    let folder = run("--against ../../changes").ends_with(101);
    folder
        .complains("against ../../changes\n")
        .complains("built the old bench in ")
        .says("1 passed, 1 failed");
}

/// The names of the compiled harness in a folder, with their times.
fn harness_in(deps: &Path) -> BTreeSet<(String, SystemTime)> {
    let files = fs::read_dir(deps).unwrap().map(|file| file.unwrap());
    let named = files
        .map(|file| (file.file_name().into_string().unwrap(), file.metadata().unwrap().modified().unwrap()));
    named.filter(|(name, _)| name.starts_with("libbench_diff_") && name.ends_with(".rlib")).collect()
}

/// A bench that has a function more with a feature.
pub(crate) fn second() -> String {
    let featured = "#[cfg(feature = \"more\")]\n#[bench_diff_harness::bench_diff(baseline = inner::steady)]\n\
                    fn featured() -> u64 {\n    inner::steady() + 1\n}\n";
    featured.to_owned() + &bench("inner", &["steady"])
}
