//! Calls of cargo from other folders and in other words: the old side is what the same call would have built in
//! the old tree.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::common::ran::Ran;
use crate::repository::{Repository, bench};
use crate::user_crate::UserCrate;

/// Twenty times the work with a variable or a feature.
const LIBRARY: &str = "\
pub fn work() -> u64 {
    let is_long = std::env::var_os(\"KNOB\").is_some() || cfg!(feature = \"extra\");
    (0..if is_long { 40_000 } else { 2_000 }).fold(0, |sum, turn| std::hint::black_box(sum ^ turn))
}
";

const KNOB: &str = "[env]\nKNOB = \"1\"\n";

/// One test, since each call compares with the same commit, which is built once.
#[test]
fn the_old_side_is_the_same_call_in_the_old_tree() {
    let Some(calls) = Repository::new("calls") else { return };
    let manifest = calls.read("Cargo.toml").replace("edition", "rust-version = \"1.999\"\nedition");
    calls.write("Cargo.toml", &(manifest + "\n[features]\nextra = []\n"));
    calls.write("src/lib.rs", LIBRARY);
    calls.write("benches/works.rs", &bench("calls", &["work"]));
    calls.write("src/.cargo/config.toml", KNOB);
    calls.write("knob.toml", KNOB);
    let settings = "include = [{ path = \"ignored.toml\", optional = true }]\n\
                    [alias]\ngate = [\"bench\", \"--ignore-rust-version\", \"--\", \"--against\", \"main\"]\n";
    calls.write(".cargo/config.toml", settings);
    calls.write(".gitignore", "target\nignored.toml\n");
    calls.remove(".cargo/ignored.toml");
    calls.write("scripts/wrap.sh", "#!/bin/sh\nexec \"$@\"\n");
    let script = calls.folder().join("scripts/wrap.sh");
    fs::set_permissions(script, fs::Permissions::from_mode(0o755)).unwrap();
    calls.commit("calls");
    calls.write("src/lib.rs", &format!("// A line more.\n{LIBRARY}"));

    let in_folder = |folder: &str, words: &str, variables: &[(&str, &str)]| -> Ran {
        let there = UserCrate { folder: calls.folder().join(folder) };
        there.cargo_in(words, variables).ends_with(0).says("the function is unchanged")
    };
    let bench = "bench --ignore-rust-version --bench works";
    let against = format!("{bench} -- --against main");
    in_folder(".", &against, &[]);
    in_folder("src", &against, &[]).complains("same compiler and flags");
    in_folder("..", &format!("{bench} --manifest-path calls/Cargo.toml -- --against main"), &[]);
    in_folder(".", "gate", &[]);
    in_folder(".", &against, &[("RUSTC_WRAPPER", "scripts/wrap.sh")]);
    in_folder("src", &format!("{bench} --config ../knob.toml -- --against main"), &[]);
    in_folder(".", "bench -qF extra --ignore-rust-version -- --against main", &[]);
    let wrapper = "--config build.rustc-wrapper=\"scripts/wrap.sh\"";
    in_folder(".", &format!("{bench} {wrapper} -- --against main"), &[]);
    calls.write(".cargo/ignored.toml", KNOB);
    in_folder(".", &against, &[]);
    calls.remove(".cargo/ignored.toml");
    in_folder(".", &against, &[]);

    // The same machine code does twenty times the work, because a variable says so.
    calls.write(".cargo/config.toml", &format!("{settings}{KNOB}"));
    let differs = calls.cargo_in(&format!("{against} --alpha 30%"), &[]).ends_with(101);
    differs.complains("environment variables at run time differ: KNOB");
    calls.write(".cargo/config.toml", settings);

    calls.write("src/lib.rs", &LIBRARY.replace("2_000", "40_000"));
    let failed = UserCrate { folder: calls.folder().with_file_name("") };
    let words = format!("{bench} --manifest-path calls/Cargo.toml -- --against main --alpha 30%");
    let red = failed.cargo(&words).ends_with(101);
    let repeat = red.stdout.lines().find_map(|line| line.trim().strip_prefix("repeat:")).unwrap();
    failed.cargo(repeat.trim().trim_start_matches("cargo ")).ends_with(101);
}
