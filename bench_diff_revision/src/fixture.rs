//! Repositories and benches for tests.

use std::env;
use std::fs;
use std::path::Path;

use bench_diff_git::without_hooks;
use bench_diff_system::executable::Variables;

#[expect(dead_code, reason = "clones are for the tests of `bench_diff_git`")]
#[path = "../../bench_diff_git/src/fixture.rs"]
mod repository;

pub(super) use self::repository::Repository;
use super::bench::Bench;
use super::workspace::{Package, Workspace};

impl Bench<'_> {
    /// A bench without a folder.
    pub(super) fn example() -> Self {
        Self {
            package: "mine",
            name: "b".to_owned(),
            file: "benches/b.rs",
            folder: Path::new("/absent"),
            harness: Path::new("/absent"),
            rustc_call: &[],
            recorder: None,
            cargo_call: None,
            variables: Vec::new(),
        }
    }
}

impl Workspace {
    pub(super) fn of(packages: Vec<Package>) -> Self {
        Self { packages, ..Self::default() }
    }
}

/// The environment variables of this process. Cargo waits before it tries again to download what is gone.
pub(super) fn environment() -> Variables {
    env::vars_os().chain([("CARGO_NET_RETRY".into(), "0".into())]).collect()
}

/// The names of the entries of a folder, in order.
pub(super) fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}
