//! The command that repeats a pair, given to a shell.

use std::fs;
use std::process::Command;

use crate::common::ran::{Ran, temporary_folder};
use crate::common::skip::skipped;
use crate::user_crate::{UserCrate, dependency, git};

const BENCH: &str = "use copied as _;

fn short() -> u64 {
    (0..std::hint::black_box(2_000_u64)).fold(1, |sum, turn| std::hint::black_box(sum ^ turn))
}

#[bench_diff_harness::bench_diff(baseline = short, check = false)]
fn long() -> u64 {
    (0..5).map(|_| short()).sum()
}

bench_diff_harness::main!();
";

#[test]
fn it_works_beside_a_copy_of_the_same_version() {
    let folder = temporary_folder();
    let copy = folder.path().join("copy");
    fs::create_dir_all(copy.join("src")).unwrap();
    fs::write(copy.join("Cargo.toml"), "[package]\nname = \"repeated\"\nversion = \"0.1.0\"\n").unwrap();
    fs::write(copy.join("src/lib.rs"), "").unwrap();
    let commands = ["init --quiet", "add .", "commit --quiet -m copy"];
    if !commands.iter().all(|words| git(&copy, &words.split(' ').collect::<Vec<_>>()).is_some()) {
        skipped("there is no git");
        return;
    }
    let git = format!("copied = {{ package = \"repeated\", git = \"file://{}\" }}", copy.display());
    let bench = "[[bench]]\nname = \"five\"\nharness = false\n";
    let manifest = format!("[dev-dependencies]\n{}\n{git}\n\n{bench}", dependency());
    let repeated = UserCrate::new("repeated", &manifest);
    repeated.write("benches/five.rs", BENCH);
    let failed = repeated.cargo("bench -- --layouts linked").ends_with(101);
    let command = failed.stdout.lines().find_map(|line| line.trim().strip_prefix("repeat:   ")).unwrap();
    assert!(command.contains("#repeated@0.1.0"), "{command}");
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).current_dir(repeated.folder());
    UserCrate::surround(&mut shell);
    Ran::from(shell.output().unwrap()).ends_with(101).says("1 failed");
}
