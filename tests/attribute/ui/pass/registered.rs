//! An attribute registers what it says.

use bench_diff_harness::__private::{PairEntry, inventory};
use bench_diff_harness::bench_diff;

fn slow() -> u64 {
    1
}

#[bench_diff(baseline = slow)]
fn plain() -> u64 {
    2
}

#[bench_diff(
    baseline = slow,
    name = "group::every_option",
    max_slowdown = "3%",
    judge = "welch",
    alpha = "0.5%",
    beta = 0.1,
    slots = 1_000,
    warmup = "1.5 ms",
    layouts = "none",
    ignore,
)]
fn every_option() -> u64 {
    2
}

#[bench_diff(baseline = slow, max_slowdown = 0.1)]
fn share_as_number() -> u64 {
    2
}

#[bench_diff(baseline = slow, min_speedup = 1.5)]
fn min_speedup() -> u64 {
    2
}

#[bench_diff(baseline = slow, judge = "sequential", max_time = "1s", clock = "cpu")]
fn sequential() -> u64 {
    2
}

#[bench_diff(baseline = slow, min_speedup = 2)]
fn whole_speedup() -> u64 {
    2
}

#[bench_diff(baseline = slow, max_difference = "0.1%", warmup = "0s")]
fn max_difference() -> u64 {
    2
}

#[bench_diff(baseline = slow, max_allocations = "0%", report_only)]
fn max_allocations() -> u64 {
    2
}

mod module {
    #[bench_diff_harness::bench_diff(baseline = super::slow, report_only)]
    #[ignore = "takes long"]
    fn r#type() -> u64 {
        2
    }
}

#[bench_diff(baseline = slow)]
#[bench_diff(baseline = slow, name = "twice")]
#[ignore]
fn stacked() -> u64 {
    2
}

#[bench_diff]
fn alone() -> impl Sized {
    2
}

#[bench_diff(max_slowdown = "5%", args = [1, 2], max_time = "1s", clock = "wall", items = 3)]
fn gated_against_another_revision(n: u64) -> u64 {
    n
}

fn main() {
    let mut registered: Vec<String> = inventory::iter::<PairEntry>().map(summary).collect();
    registered.sort();
    assert_eq!(
        registered,
        [
            r#"line: 10, function: "plain", baseline: Some("slow")"#,
            r#"line: 15, function: "every_option", baseline: Some("slow"), name: Some("group::every_option"), max_slowdown: Some(0.03), judge: Some(Welch), alpha: Some(0.005), beta: Some(0.1), layouts: Some(None), slots: Some(1000), warmup: Some(1.5ms), ignore: Some("")"#,
            r#"line: 31, function: "share_as_number", baseline: Some("slow"), max_slowdown: Some(0.1)"#,
            r#"line: 36, function: "min_speedup", baseline: Some("slow"), min_speedup: Some(1.5)"#,
            r#"line: 41, function: "sequential", baseline: Some("slow"), judge: Some(Sequential), max_time: Some(1s), clock: Some(Cpu)"#,
            r#"line: 46, function: "whole_speedup", baseline: Some("slow"), min_speedup: Some(2.0)"#,
            r#"line: 51, function: "max_difference", baseline: Some("slow"), max_difference: Some(0.001), warmup: Some(0ns)"#,
            r#"line: 56, function: "max_allocations", baseline: Some("slow"), max_allocations: Some(0.0), report_only: Some(true)"#,
            r#"line: 62, function: "type", baseline: Some("super::slow"), report_only: Some(true), ignore: Some("takes long")"#,
            r#"line: 69, function: "stacked", baseline: Some("slow"), ignore: Some("")"#,
            r#"line: 70, function: "stacked", baseline: Some("slow"), name: Some("twice"), ignore: Some("")"#,
            r#"line: 76, function: "alone""#,
            r#"line: 81, function: "gated_against_another_revision", max_slowdown: Some(0.05), max_time: Some(1s), clock: Some(Wall)"#,
        ]
    );
}

/// The line, the function, and what is not none.
fn summary(entry: &PairEntry) -> String {
    let text = format!("{entry:?}").replace("settings: PairSettings { ", "").replace(" }", "");
    let text = text.replace("context: [None, None, None, None], ", "");
    let elsewhere = ["PairEntry", "file:", "column:", "cases:", "may_"];
    let written =
        |field: &&str| !field.ends_with(": None") && !elsewhere.iter().any(|start| field.starts_with(start));
    text.split(", ").filter(written).collect::<Vec<_>>().join(", ")
}
