//! Adds benchmarks to a bench, each of them with different code.

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

const DIVAN: &str = "
#[divan::bench(consts = [RANGE])]
fn bench_diff_one_more<const N: usize>(bencher: divan::Bencher) {
    let numbers: Vec<usize> = (0..1_000).collect();
    bencher.bench_local(|| {
        numbers.iter().filter(|number| *number % (N + 1) == N).map(|number| number * N).sum::<usize>()
    });
}
";

/// Adds `count` benchmarks to the bench in this file.
pub(crate) fn add(file: &Path, count: usize) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let each = |write: &dyn Fn(usize) -> String| (0..count).map(write).collect::<Vec<_>>().join(", ");
    let with_more = match text.split_once("criterion_main!(") {
        Some((before, after)) => {
            let targets = each(&|number| format!("bench_diff_one_more::<{number}>"));
            let group = format!("criterion::criterion_group!(bench_diff_more, {targets});");
            let before = before.trim_end_matches("criterion::");
            format!("{before}{CRITERION}{group}\ncriterion::criterion_main!(bench_diff_more, {after}")
        }
        None if text.contains("divan::main") => {
            text + &DIVAN.replace("RANGE", &each(&|number| number.to_string()))
        }
        None => return Err(format!("{}: there is no place for more benchmarks", file.display()).into()),
    };
    Ok(fs::write(file, with_more)?)
}
