//! The subjects of the comparison: a dependency and the smallest benchmark that uses it.

use std::path::Path;

use self::Source::{Here, Published};

pub(crate) struct Library {
    pub(crate) name: &'static str,
    source: Source,
    /// The name of the dependency, which is that of its library.
    pub(crate) package: &'static str,
    pub(crate) bench: &'static str,
    /// The end of the manifest.
    profile: &'static str,
}

enum Source {
    /// The text right of `=` in the manifest.
    Published(&'static str),
    /// The folder of a crate of this workspace, perhaps under the name of the one that it stands in for.
    Here(&'static str),
}

pub(crate) const LIBRARIES: [Library; 6] = [
    library("bench_diff", Here(HARNESS), HARNESS, OURS),
    Library {
        profile: "\n[profile.bench.package]\nbench_diff_harness.opt-level = 0\nbench_diff_binary.opt-level = 0\n\
                  bench_diff_report.opt-level = 0\nbench_diff_revision.opt-level = 0\nbench_diff_git.opt-level = 0\nbench_diff_system.opt-level = 0\n",
        ..library("bench_diff_opt_0", Here(HARNESS), HARNESS, OURS)
    },
    library("bench_diff_divan", Here("drop_in/divan"), "divan", DIVAN),
    library("bench_diff_criterion", Here("drop_in/criterion"), "criterion", CRITERION),
    library(REFERENCE, Published("\"=0.1.21\""), "divan", DIVAN),
    library("criterion", Published("\"0.8\""), "criterion", CRITERION),
];

const fn library(name: &'static str, source: Source, package: &'static str, bench: &'static str) -> Library {
    Library { name, source, package, bench, profile: "" }
}

/// The library that the others are compared with.
pub(crate) const REFERENCE: &str = "divan";

const HARNESS: &str = "bench_diff_harness";

impl Library {
    /// The manifest of a crate that has the bench `functions` with it.
    pub(crate) fn manifest(&self) -> String {
        format!(
            "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\nbench = false\n\n\
             [dev-dependencies]\n{}\n\n[[bench]]\nname = \"functions\"\nharness = false\n\n[workspace]\n{}",
            self.dependency(),
            self.profile
        )
    }

    /// The line of a manifest.
    fn dependency(&self) -> String {
        let package = self.package;
        match self.source {
            Published(requirement) => format!("{package} = {requirement}"),
            Here(folder) => {
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(folder);
                let name = folder.replace("drop_in/", "bench_diff_");
                format!("{package} = {{ package = {name:?}, path = {path:?} }}")
            }
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

const CRITERION: &str = "use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};

fn multiply(criterion: &mut Criterion) {
    criterion.bench_function(\"multiply\", |b| b.iter(|| black_box(20_u64) * 8));
}

criterion_group!(benches, multiply);
criterion_main!(benches);
";
