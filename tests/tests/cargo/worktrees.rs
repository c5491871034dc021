//! Two checkouts of one package that share a target directory.

use std::fs::File;
use std::time::{Duration, SystemTime};

use crate::user_crate::{LINKED, UserCrate, dependency};

const FILES: [&str; 5] =
    ["Cargo.toml", "src/lib.rs", "benches/work.rs", "inner/Cargo.toml", "inner/src/lib.rs"];

/// A checkout whose function takes so many turns, of which all files have this age.
fn checkout(name: &str, turns: u32, days: u64) -> UserCrate {
    let manifest = format!(
        "[dependencies]\ninner = {{ path = \"inner\" }}\n\n[dev-dependencies]\n{}\n\n\
         [[bench]]\nname = \"work\"\nharness = false\n",
        dependency()
    );
    let checkout = UserCrate::below(&format!("worktrees/{name}"), "twin", &manifest);
    checkout.write("src/lib.rs", "pub fn work() -> u64 {\n    inner::work()\n}\n");
    checkout
        .write("inner/Cargo.toml", "[package]\nname = \"inner\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    let turns = format!("(0..std::hint::black_box({turns}))");
    let work =
        format!("pub fn work() -> u64 {{\n    {turns}.fold(1, |a, b| std::hint::black_box(a ^ b))\n}}\n");
    checkout.write("inner/src/lib.rs", &work);
    checkout.write(
        "benches/work.rs",
        "#[bench_diff_harness::bench_diff]\nfn work() -> u64 {\n    twin::work()\n}\nbench_diff_harness::main!();\n",
    );
    FILES.iter().for_each(|file| age(&checkout, file, days));
    checkout
}

fn age(checkout: &UserCrate, file: &str, days: u64) {
    let file = File::options().write(true).open(checkout.folder().join(file)).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(days * 24 * 60 * 60)).unwrap();
}

#[test]
fn a_program_is_measured_in_the_checkout_that_it_was_built_from() {
    let one = checkout("one", 1_000, 0);
    let other = checkout("other", 4_000, 2);
    let run = |checkout: &UserCrate, flags: &str| checkout.cargo_in(&format!("bench {flags}"), &[LINKED]);
    run(&one, "").ends_with(0).says("1 measured");
    let [there, here] = [&one, &other].map(|checkout| checkout.folder().canonicalize().unwrap());
    let [there, here] = [there.display(), here.display()];

    // Its files are older than what was built from others.
    let whole = run(&other, "").ends_with(3);
    assert_eq!(whole.stdout, "", "nothing is measured");
    let whole = whole.complains(&format!(
        "this bench binary was built from another checkout: from {there}, and not from {here}. If two"
    ));
    whole.complains(&format!("with `touch '{here}/benches/work.rs'`"));
    run(&other, "-- --test").ends_with(0).says("test work ... ok");

    // Then the library of the other checkout is older than its own.
    age(&other, "benches/work.rs", 0);
    let library = run(&other, "").ends_with(3);
    library.complains(&format!(
        "the crate `inner` in this bench binary was built from another checkout: from {there}/inner/src/lib.rs, \
         and not from {here}/inner/src/lib.rs. If two"
    ));
    age(&other, "inner/src/lib.rs", 0);
    run(&other, "").ends_with(0).says("1 measured");
}
