//! Benches for Criterion and divan, as they are, whose old revisions have the real ones.

use std::fs;

use crate::common::pages::workspace;
use crate::common::ran::{Ran, temporary_folder};
use crate::repository::{Repository, library as functions};
use crate::user_crate::dependency;

const OF_CRITERION: &str = "\
use criterion::{Criterion, criterion_group, criterion_main};

fn all(c: &mut Criterion) {
    let folder = std::env::var_os(\"SCRATCH\").expect(\"it is set\");
    let file = std::path::Path::new(&folder).join(std::process::id().to_string());
    std::fs::write(&file, \"data\").expect(\"the folder is there\");
    c.bench_function(\"steady\", |b| b.iter(front_end::steady));
    c.bench_function(\"slowed\", |b| b.iter(front_end::slowed));
    c.bench_function(&format!(\"elsewhere/{}\", std::process::id()), |b| {
        std::thread::scope(|threads| threads.spawn(|| b.iter(front_end::slowed)).join().unwrap());
    });
    std::fs::remove_file(file).expect(\"it is there\");
}

fn none(_: &mut Criterion) {}

criterion_group!(benches, all, none);
criterion_main!(benches);
";

const OF_DIVAN: &str = "\
fn main() {
    divan::main();
}

#[divan::bench_group(threads = [1, 2], items_count = 3_u8)]
mod all {
    macro_rules! benchmarks {
        ($($name:ident)*) => {$(
            #[divan::bench]
            fn $name() -> u64 {
                front_end::$name()
            }
        )*};
    }

    benchmarks!(steady slowed);
}
";

/// The manifest of a package of this name: cargo would give the libraries of two packages of one name the same
/// file.
fn manifest(package: &str, dependency: &str) -> String {
    format!(
        "[package]\nname = \"{package}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [lib]\nname = \"front_end\"\nbench = false\n\n[workspace]\n\n\
         [[bench]]\nname = \"works\"\nharness = false\n\n[dev-dependencies]\n{dependency}\n"
    )
}

/// The dependency on what stands in for this library, and on the harness as other crates have built it.
fn drop_in(library: &str) -> String {
    let path = workspace().join("drop_in").join(library);
    format!("{library} = {{ package = \"bench_diff_{library}\", path = {path:?} }}\n{}", dependency())
}

/// Compares with a revision that depends on the real library in this version. `None` if there is no git.
fn against_real(library: &str, version: &str, bench: &str) -> Option<Ran> {
    let package = format!("front_end_{library}");
    let front_end = Repository::new(&package)?;
    // Cargo neither locks nor builds this version, so the machine need not have it.
    front_end.write(".gitignore", "target\nCargo.lock\n");
    front_end.write("Cargo.toml", &manifest(&package, &format!("{library} = {version}")));
    front_end.write("src/lib.rs", &functions(&[("steady", 1_000), ("slowed", 1_000)]));
    front_end.write("benches/works.rs", bench);
    front_end.remove("Cargo.lock");
    front_end.commit(library);

    front_end.write("Cargo.toml", &manifest(&package, &drop_in(library)));
    front_end.write("src/lib.rs", &functions(&[("steady", 1_000), ("slowed", 4_000)]));
    front_end.lock();
    let scratch = temporary_folder();
    let environment = [("SCRATCH", scratch.path().to_str().unwrap())];
    let red = front_end.bench_in("--against HEAD --alpha 30%", &environment).ends_with(101);
    let left = fs::read_dir(scratch.path()).unwrap().count();
    assert_eq!(left, 0, "each process runs its target to the end");
    let with_harness = front_end.read("Cargo.toml").replace("harness = false\n", "");
    front_end.write("Cargo.toml", &with_harness);
    front_end.bench("--against HEAD").ends_with(101).complains("add `harness = false`");
    Some(red.complains("; same compiler and flags\n"))
}

#[test]
fn an_old_revision_runs_benches_without_the_library_that_its_own_were_written_for() {
    let version = "{ version = \"0.5\", features = [\"html_reports\"] }";
    let Some(red) = against_real("criterion", version, OF_CRITERION) else { return };
    let red = red.complains(
        "bench_diff finds benchmarks whose names differ from process to process by their order: `elsewhere/",
    );
    red.says("1 of 3 functions is unchanged: same machine code, not measured\n").says("1 passed, 2 failed");
}

#[test]
fn options_of_a_group_do_not_prevent_the_proof_of_its_benchmarks() {
    let Some(red) = against_real("divan", "\"0.1\"", OF_DIVAN) else { return };
    red.says("2 of 4 functions are unchanged: same machine code, not measured\n").says("2 passed, 2 failed");
}

#[test]
fn a_main_by_hand_is_proven_and_judged_as_well() {
    const BY_HAND: &str = "\
use criterion::Criterion;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    criterion.bench_function(\"steady\", |b| b.iter(front_end::steady));
    criterion.bench_function(\"slowed\", |b| b.iter(front_end::slowed));
    criterion.final_summary();
}
";
    let Some(by_hand) = Repository::new("by_hand") else { return };
    by_hand.write("Cargo.toml", &manifest("by_hand", &drop_in("criterion")));
    let without_summary = BY_HAND.replace("    criterion.final_summary();\n", "");
    for bench in [BY_HAND, &without_summary] {
        by_hand.write("src/lib.rs", &functions(&[("steady", 1_000), ("slowed", 1_000)]));
        by_hand.write("benches/works.rs", bench);
        by_hand.lock();
        by_hand.commit("unchanged");
        by_hand.write("src/lib.rs", &functions(&[("steady", 1_000), ("slowed", 4_000)]));
        let red = by_hand.bench("--against HEAD --alpha 30%").ends_with(101);
        let red = red.says("1 of 2 functions is unchanged: same machine code, not measured\n");
        red.says("slower").says("1 passed, 1 failed").complains("compiling the old bench once more");
    }
}
