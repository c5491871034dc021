//! The arguments that the real cargo passes, and its reaction to the exit codes.

use crate::common::pages::nextest_profile;
use crate::user_crate::{LINKED, UserCrate, dependency};

/// A crate with two benches: in a run the pairs of the first one fail, and those of the second one pass.
pub(crate) fn neighbour() -> UserCrate {
    let bench = |name: &str| format!("[[bench]]\nname = \"{name}\"\nharness = false\n\n");
    let manifest =
        format!("[dev-dependencies]\n{}\n\n{}{}", dependency(), bench("a_slower"), bench("b_faster"));
    let neighbour = UserCrate::new("neighbour", &manifest);
    neighbour.write("benches/a_slower.rs", &format!("{WORK}{SLOWER}"));
    neighbour.write("benches/b_faster.rs", &format!("{WORK}{FASTER}"));
    // The profile that is there to be copied.
    neighbour.write(".config/nextest.toml", &nextest_profile());
    neighbour
}

/// Differences that no noise of a machine hides.
const WORK: &str = "use bench_diff_harness::bench_diff;

fn work(turns: u64) -> u64 {
    let chain = |sum: u64, turn| std::hint::black_box(sum ^ turn);
    (0..std::hint::black_box(turns)).fold(1, chain).min(1)
}

fn short() -> u64 {
    work(2_000)
}

fn long() -> u64 {
    work(10_000)
}

";

const SLOWER: &str = "#[bench_diff(baseline = short)]
fn five_times() -> u64 {
    long()
}

#[bench_diff(baseline = short)]
#[ignore]
fn left_out() -> u64 {
    long()
}

bench_diff_harness::main!();
";

const FASTER: &str = "fn long_with(_: u64) -> u64 {
    long()
}

#[bench_diff(baseline = long_with, args = [1, 2])]
fn a_fifth(_: u64) -> u64 {
    short()
}

mod nested {
    #[bench_diff_harness::bench_diff(baseline = super::long)]
    fn a_fifth() -> u64 {
        super::short()
    }
}

bench_diff_harness::main!();
";

#[test]
fn every_bench_runs_where_cargo_does_not_stop_at_the_first_that_fails() {
    let neighbour = neighbour();
    let stopped = neighbour.cargo_in("bench", &[LINKED]).ends_with(101).says("five_times");
    assert!(!stopped.stdout.contains("a_fifth"), "{}", stopped.stdout);
    let all = neighbour.cargo_in("bench --no-fail-fast", &[LINKED]).ends_with(101);
    all.says("1 failed").says("3 passed").complains("--bench a_slower");
}

#[test]
fn a_filter_goes_to_every_bench() {
    let ran = neighbour().cargo_in("bench nested -- --skip /1", &[LINKED]).ends_with(0).says("\n1 passed, ");
    let ran = ran.complains("warning: no pair matches the filter; 2 left out");
    assert_eq!(ran.stdout.matches("running").count(), 1, "{}", ran.stdout);
}

#[test]
fn lists_and_tests_of_every_bench() {
    let neighbour = neighbour();
    let list =
        neighbour.cargo("bench -- --list").ends_with(0).says("five_times: benchmark\nleft_out: benchmark");
    list.says(
        "a_fifth/1: benchmark\na_fifth/2: benchmark\nnested::a_fifth: benchmark\n\n0 tests, 3 benchmarks",
    );
    let ignored = neighbour.cargo("bench -- --list --ignored --format terse").ends_with(0);
    assert_eq!(ignored.stdout, "left_out: benchmark\n");
    neighbour.cargo("bench -- --test").ends_with(0).says("test five_times ... ok").says("3 passed; 0 failed");
    neighbour
        .cargo("test --profile bench --benches -- -q")
        .ends_with(0)
        .says("running 2 tests\n.i\n")
        .says("\n...\n");
    neighbour.cargo_in("bench --bench b_faster -- -- nested", &[LINKED]).ends_with(0).says("\n1 passed, ");
}
