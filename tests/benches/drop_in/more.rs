//! Adds benchmarks to a bench for Criterion, each of them with different code, or an allocation before its own.

use std::error::Error;
use std::fs;
use std::path::Path;

const CRITERION: &str = "
fn bench_diff_one_more<const N: usize>(c: &mut criterion::Criterion) {
    let numbers: Vec<usize> = (0..1_000).collect();
    c.bench_function(&format!(\"one more {N}\"), |b| {
        b.iter(|| numbers.iter().filter(|number| *number % (N + 1) == N).map(|number| number * N).sum::<usize>());
    });
}
";

const ALLOCATION: &str = "
fn bench_diff_allocation(_: &mut criterion::Criterion) {
    std::mem::forget(std::hint::black_box(vec![1_u8; 64]));
}
";

/// Adds `count` benchmarks to the bench in this file.
pub(crate) fn add(file: &Path, count: usize) -> Result<(), Box<dyn Error>> {
    let targets: Vec<String> = (0..count).map(|number| format!("bench_diff_one_more::<{number}>")).collect();
    insert(file, CRITERION, &targets.join(", "))
}

/// Lets the bench in this file allocate 64 bytes before its benchmarks, and never free them.
pub(crate) fn allocate(file: &Path) -> Result<(), Box<dyn Error>> {
    insert(file, ALLOCATION, "bench_diff_allocation")
}

/// Adds a group with these targets before all others.
fn insert(file: &Path, code: &str, targets: &str) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let Some((before, after)) = text.split_once("criterion_main!(") else {
        return Err(format!("{}: there is no place for more benchmarks", file.display()).into());
    };
    let before = before.trim_end_matches("criterion::");
    let group = format!("criterion::criterion_group!(bench_diff_more, {targets});");
    let main = format!("criterion::criterion_main!(bench_diff_more, {after}");
    Ok(fs::write(file, format!("{before}{code}{group}\n{main}"))?)
}
