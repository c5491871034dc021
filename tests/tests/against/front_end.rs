//! A bench for Criterion, as it is, whose old revision has the real one.

use crate::common::pages::workspace;
use crate::repository::{Repository, library};

const BENCH: &str = "\
use criterion::{Criterion, criterion_group, criterion_main};

fn all(c: &mut Criterion) {
    c.bench_function(\"steady\", |b| b.iter(front_end::steady));
    c.bench_function(\"slowed\", |b| b.iter(front_end::slowed));
}

criterion_group!(benches, all);
criterion_main!(benches);
";

#[test]
fn the_benches_of_an_old_revision_run_without_the_library_that_they_were_written_for() {
    let Some(front_end) = Repository::new("front_end") else { return };
    let manifest = |dependency: &str| {
        format!(
            "[package]\nname = \"front_end\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\nbench = false\n\n[workspace]\n\n\
             [[bench]]\nname = \"works\"\nharness = false\n\n[dev-dependencies]\n{dependency}\n"
        )
    };
    // Cargo neither locks nor builds this version, so the machine need not have it.
    front_end.write(".gitignore", "target\nCargo.lock\n");
    front_end
        .write("Cargo.toml", &manifest("criterion = { version = \"0.5\", features = [\"html_reports\"] }"));
    front_end.write("src/lib.rs", &library(&[("steady", 1_000), ("slowed", 1_000)]));
    front_end.write("benches/works.rs", BENCH);
    front_end.remove("Cargo.lock");
    front_end.commit("criterion");

    let path = workspace().join("bench_diff_criterion");
    front_end.write(
        "Cargo.toml",
        &manifest(&format!("criterion = {{ package = \"bench_diff_criterion\", path = {path:?} }}")),
    );
    front_end.write("src/lib.rs", &library(&[("steady", 1_000), ("slowed", 4_000)]));
    front_end.lock();
    let red = front_end.bench("--against HEAD --alpha 30%").ends_with(101);
    let id = front_end.git("rev-parse --short HEAD");
    let in_place = "runs its own benches, with bench_diff_criterion in place of criterion 0.5";
    red.complains(&format!("\n{} {in_place}\n", id.trim()))
        .complains("; same compiler and flags\n")
        .says("1 of 2 functions is unchanged: same machine code, not measured\n")
        .says("1 passed, 1 failed");
}
