//! Several candidates for one baseline: the table shows them together, fastest first.

use std::collections::{BTreeMap, HashMap};

use bench_diff_harness::bench_diff;

/// A text whose words are counted.
fn text() -> &'static str {
    include_str!("../../LICENSE-APACHE")
}

type Counts = Vec<(&'static str, u32)>;

fn by_tree(text: &'static str) -> Counts {
    let mut counts = BTreeMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    counts.into_iter().collect()
}

#[bench_diff(baseline = by_tree, setup = text)]
fn by_std_map(text: &'static str) -> Counts {
    let mut counts = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    in_order(counts)
}

#[bench_diff(baseline = by_tree, setup = text)]
fn by_hashbrown(text: &'static str) -> Counts {
    let mut counts = hashbrown::HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    in_order(counts)
}

#[bench_diff(baseline = by_tree, setup = text)]
fn by_sorting(text: &'static str) -> Counts {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.sort_unstable();
    words.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
}

fn in_order(counts: impl IntoIterator<Item = (&'static str, u32)>) -> Counts {
    let mut counts: Counts = counts.into_iter().collect();
    counts.sort_unstable();
    counts
}

bench_diff_harness::main!();
