//! A repository that is moved together with its target directory.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::time::SystemTime;

use crate::repository::{Repository, bench, library};
use crate::user_crate::UserCrate;

#[test]
fn what_was_built_in_another_place_is_built_again() {
    let Some(before) = Repository::new("before") else { return };
    before.write("src/lib.rs", &library(&[("slowed", 1_000)]));
    before.write("benches/works.rs", &bench("before", &["slowed"]));
    before.commit("before");
    before.write("src/lib.rs", &library(&[("slowed", 4_000)]));
    // Links to the target directory of all crates, in which the harness is built.
    let targets = ["before_target", "after_target"].map(|name| before.beside(name));
    for target in &targets {
        let _ = fs::remove_file(target);
    }
    fs::create_dir_all(UserCrate::target()).unwrap();
    symlink(UserCrate::target(), &targets[0]).unwrap();
    let run = |repository: &Repository, target: usize| {
        let environment = [("CARGO_TARGET_DIR", targets[target].to_str().unwrap())];
        repository.bench_in("--against HEAD --alpha 30%", &environment)
    };
    run(&before, 0).ends_with(101).says("1 failed");

    let folder = before.folder().display().to_string();
    let after = before.moved("after");
    fs::rename(&targets[0], &targets[1]).unwrap();
    let gone = run(&after, 1).ends_with(3);
    gone.complains(&format!("this bench binary was built in {folder}, which is gone. "))
        .complains(": run `cargo clean` once");

    // Cargo builds the bench again, but would not do so with what is kept of the old side.
    let bench = File::options().write(true).open(after.folder().join("benches/works.rs")).unwrap();
    bench.set_modified(SystemTime::now()).unwrap();
    run(&after, 1).ends_with(101).says("1 failed");
}
