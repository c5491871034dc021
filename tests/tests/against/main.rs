//! `--against`, with the real cargo and git, on repositories that the tests make.

#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod allowed;
#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
#[path = "../harness/chance.rs"]
mod chance;
#[path = "../common/mod.rs"]
mod common;
mod front_end;
#[cfg(target_os = "linux")]
mod kills;
#[cfg(target_os = "linux")]
mod moved;
mod one_unit;
#[cfg(target_os = "linux")]
#[path = "../harness/processes.rs"]
mod processes;
mod repository;
#[cfg(target_os = "linux")]
mod surroundings;
#[path = "../cargo/user_crate.rs"]
#[expect(dead_code, reason = "other tests need the rest")]
mod user_crate;
mod workspace;

use repository::{Repository, STEADY, bench, bench_of_trees, library, trees};

/// One test, since each step compares with the same commit, which is built once.
#[test]
fn a_change_is_compared_with_what_it_started_from() {
    let Some(compared) = Repository::works("changes") else { return };
    let untouched = compared.bench("--against main").ends_with(0);
    untouched.complains(" \"works\", the end of main: nothing has changed since\n");

    // One of 20 functions does more work, and nothing of it is committed.
    // The bench of the new function does not build in the old revision.
    compared.write("trees/src/lib.rs", &trees(&[("slowed", 4_000), ("gone", 500), ("new", 500)]));
    compared.write("benches/works.rs", &bench_of_trees(&["slowed", "gone", "new"]));
    let status = compared.git("status --porcelain");
    // As a hook sets them.
    let of_hook =
        [("GIT_DIR", "/absent"), ("GIT_INDEX_FILE", "/absent/index"), ("BENCH_DIFF_AGAINST", "base")];
    // With such an alpha a few rounds prove a failure.
    let red = compared.bench_in("--alpha 30%", &of_hook).ends_with(101);
    let id = compared.git("rev-parse --short HEAD");
    let id = id.trim();
    let red = red
        .complains(&format!("against {id} \"works\", the last commit\n"))
        .complains("built the old bench in ")
        .complains("; same compiler and flags\n")
        .complains(&format!("today's benchmarks do not build in {id}:\nerror[E0425]: "))
        .complains(&format!("\n{id} runs its own, to which today's only added items\n"))
        .says("22 of 23 functions are unchanged: same machine code, not measured\n")
        .says(&format!("not compared: new: {id} has no function of this name, or another number of them\n"))
        .says("22 passed, 1 failed, 1 not compared\n")
        .says("differs:  `trees::slowed::slowed`")
        .says(&format!(" --against {id} --seed"));
    assert_eq!(red.stdout.matches("differs: ").count(), 1, "{}", red.stdout);
    let header = red.stdout.lines().find(|line| line.starts_with("function ")).unwrap();
    assert!(header.contains(id) && header.contains(" now "), "{header}");
    let has_row = |name: &&str| red.stdout.lines().any(|line| line.starts_with(&format!("{name} ")));
    assert!(has_row(&"slowed") && !STEADY.iter().any(has_row), "{}", red.stdout);
    assert_eq!(compared.git("status --porcelain"), status, "nothing of the user is touched");
    assert_eq!(compared.git("worktree list").lines().count(), 1);

    // A line in front of all functions moves them, in 16 units of code generation, and changes no machine
    // code.
    let before = trees(&[("slowed", 1_000), ("gone", 500)]);
    compared.write("trees/src/lib.rs", &format!("// The beginning.\n{before}"));
    compared.write("benches/works.rs", &bench_of_trees(&["slowed", "gone"]));
    let (records, said) = compared.records("--against HEAD", 0);
    assert!(said.contains("built the old bench in "), "{said}");
    let [pairs @ .., run] = &records[..] else { panic!("no records") };
    assert_eq!(pairs.len(), 23);
    for pair in pairs {
        assert_eq!((pair["outcome"].as_str(), pair["against"].as_str()), (Some("pass"), Some(id)), "{pair}");
        assert_eq!(pair["same_code"].as_bool(), Some(true), "{pair}");
    }
    assert_eq!(run["against"]["same_code"].as_u64(), Some(23), "{run}");
    assert_eq!(run["against"]["subject"].as_str(), Some("works"), "{run}");

    // `reads` gets its input from a file below its own tree, and that file differs now.
    compared.write("trees/data/numbers.txt", "3 2 1\n");
    let (records, _) = compared.records("reads --against HEAD --max-time 1ms", 0);
    let pair = &records[0];
    // So it is measured, but too briefly to rely on the verdict.
    assert_eq!(pair["same_code"].as_bool(), Some(false), "{pair}");
    assert!(pair["notes"].to_string().contains("trees/data/numbers.txt differs"), "{pair}");
    compared.write("trees/data/numbers.txt", "1 2 3\n");

    // The benchmark itself, and not the function of the library, which both sides run.
    let other =
        bench_of_trees(&["slowed", "gone"]).replace("slowed()\n", "slowed() + changes::slowed() + 1\n");
    compared.write("benches/works.rs", &other);
    compared.write("trees/src/lib.rs", &before.replace("{ 1_000 }", "{ 8_000 }"));
    // On both sides, `slowed` is the same function and `numbers` is not.
    let flags = "slowed summed --alpha 30% --against HEAD";
    let both = compared.bench(&format!("{flags} -v")).ends_with(101);
    both.says("\n1 passed, 1 failed, ")
        .complains(&format!(
            "both sides run today's benches/works.rs, not that of {id}: code in it is judged by "
        ))
        .complains("copied into it: benches/works.rs\n");
    // What `setup` alone calls is compared as well.
    let (records, said) = compared.records(&format!("{flags} --against-benches own"), 101);
    assert!(said.contains("each side runs its own benches/works.rs, and the two differ\n"), "{said}");
    for (name, differs) in [("slowed", None), ("summed", Some("trees::numbers"))] {
        let pair = records.iter().find(|record| record["name"] == name).unwrap();
        assert_eq!(
            (pair["outcome"].as_str(), pair["same_code"].as_bool()),
            (Some("fail"), Some(false)),
            "{pair}"
        );
        assert!(differs.is_none() || pair["differs"]["function"].as_str() == differs, "{pair}");
    }

    // The bench needs what the old revision lacks, and more than that has changed in it.
    compared.write("trees/src/lib.rs", &trees(&[("slowed", 4_000), ("gone", 500), ("new", 500)]));
    compared.write("benches/works.rs", &other.replace("changes::gone", "changes::new"));
    let (records, _) = compared.records("slowed --alpha 30% --against HEAD", 0);
    let slowed = &records[0];
    let reason = slowed["reason"].as_str().unwrap();
    assert_eq!(slowed["outcome"].as_str(), Some("inconclusive"), "{slowed}");
    assert!(
        reason
            .starts_with(&format!("today's benchmarks do not build in {id}, and its own may do other work")),
        "{reason}"
    );
}

#[test]
fn what_cannot_be_compared_is_new_or_an_error() {
    let Some(others) = Repository::new("others") else { return };
    let with_bench = others.read("Cargo.toml");
    others.write(
        "Cargo.toml",
        "[package]\nname = \"others\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n",
    );
    others.write("src/lib.rs", "pub fn broken() -> u64 {\n    \"1\"\n}\n");
    others.remove("benches/works.rs");
    others.lock();
    others.commit("before");
    // As a change that introduces this harness.
    others.write("Cargo.toml", &with_bench);
    others.write("src/lib.rs", &library(&[("steady", 1_000)]));
    others.write("benches/works.rs", &bench("others", &["steady"]));
    others.lock();
    let (records, said) = others.records("--against HEAD --strict", 0);
    let [run] = &records[..] else { panic!("{records:?}") };
    assert_eq!(run["against"]["not_compared"][0].as_str(), Some("steady"), "{run}");
    assert_eq!(run["against"]["uncompared"].as_str(), Some("new_bench"), "{run}");
    assert!(said.ends_with("nothing was compared: this bench is new\n"), "{said}");

    others.write("src/own.rs", &library(&[("turned", 1_000)]));
    others.commit("own");
    others.write("src/lib.rs", &library(&[("steady", 4_000)]));
    // Renamed benchmarks are today's on both sides, with each side's own source.
    let of_own = "#[path = \"../src/own.rs\"]\nmod own;\n\
                  #[bench_diff_harness::bench_diff]\nfn of_own() -> u64 {\n    own::turned()\n}\n";
    let renamed = bench("others", &["steady"]).replace("fn steady", "fn renamed") + of_own;
    others.write("benches/works.rs", &renamed);
    others.write("src/own.rs", &library(&[("turned", 4_000)]));
    let renamed = others.bench("--against HEAD --alpha 30% --layouts linked").ends_with(101);
    renamed.complains("both sides run today's benches/works.rs, not that of ").says("2 failed");
    let package = others.bench("--against HEAD --against-package nonsense").ends_with(3);
    package.complains("error: it has no package `nonsense`, which --against-package names\n");
}
