//! The subjects of the comparison: a dependency and the smallest benchmark that uses it.

use std::path::Path;

pub(crate) struct Library {
    pub(crate) name: &'static str,
    /// The text right of `=` in the manifest; nothing for the harness of this workspace, which has a path.
    requirement: &'static str,
    package: &'static str,
    pub(crate) bench: &'static str,
}

pub(crate) const LIBRARIES: [Library; 5] = [
    Library { name: "bench_diff", requirement: "", package: HARNESS, bench: OURS },
    other(REFERENCE, "\"=0.1.21\"", "divan", DIVAN),
    other("tango", "\"0.9\"", "tango-bench", TANGO),
    other("criterion", "\"0.8\"", "criterion", CRITERION),
    other("zenbench", "\"=0.1.11\"", "zenbench", ZENBENCH),
];

const fn other(
    name: &'static str,
    requirement: &'static str,
    package: &'static str,
    bench: &'static str,
) -> Library {
    Library { name, requirement, package, bench }
}

/// The library that the others are compared with.
pub(crate) const REFERENCE: &str = "divan";

const HARNESS: &str = "bench_diff_harness";

impl Library {
    pub(crate) fn named(name: &str) -> Result<&'static Self, String> {
        LIBRARIES.iter().find(|library| library.name == name).ok_or_else(|| {
            format!(
                "no crate is called {name}; there are {}",
                LIBRARIES.map(|library| library.name).join(", ")
            )
        })
    }

    /// The line of a manifest.
    pub(crate) fn dependency(&self) -> String {
        let Self { requirement, package, .. } = self;
        if *package == HARNESS {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(HARNESS);
            format!("{package} = {{ path = {path:?} }}")
        } else {
            format!("{package} = {requirement}")
        }
    }
}

const OURS: &str = "use std::hint::black_box;

use bench_diff_harness::bench_diff;

fn shifted() -> u64 {
    black_box(20_u64) << 3
}

#[bench_diff(baseline = shifted)]
fn multiply() -> u64 {
    black_box(20_u64) * 8
}

bench_diff_harness::main!();
";

const DIVAN: &str = "fn main() {
    divan::main();
}

#[divan::bench]
fn multiply() -> u64 {
    divan::black_box(20_u64) * 8
}
";

const TANGO: &str = "use std::hint::black_box;

use tango_bench::{IntoBenchmarks, benchmark_fn, tango_benchmarks};

fn multiply() -> impl IntoBenchmarks {
    [benchmark_fn(\"multiply\", |b| b.iter(|| black_box(20_u64) * 8))]
}

tango_benchmarks!(multiply());
";

const CRITERION: &str = "use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};

fn multiply(criterion: &mut Criterion) {
    criterion.bench_function(\"multiply\", |b| b.iter(|| black_box(20_u64) * 8));
}

criterion_group!(benches, multiply);
criterion_main!(benches);
";

const ZENBENCH: &str = "use std::hint::black_box;

use zenbench::prelude::*;

fn multiply(suite: &mut Suite) {
    suite.group(\"multiply\", |group| {
        group.bench(\"multiply\", |b| b.iter(|| black_box(20_u64) * 8));
    });
}

zenbench::main!(multiply);
";
