//! What functions find outside of their machine code: programs, files and crates.

use std::fs;
use std::os::unix::fs::symlink;

use crate::repository::Repository;

const LIBRARY: &str = "\
use std::hint::black_box;
use std::process::Command;

pub fn steady() -> u64 {
    outside::steady()
}
pub fn tool() -> bool {
    let program = std::env::var_os(\"CARGO_BIN_EXE_surroundings\").unwrap();
    Command::new(program).status().unwrap().success()
}
pub fn named() -> u64 {
    let folder = std::env::var(\"CARGO_MANIFEST_DIR\").unwrap();
    bytes(&std::fs::read(std::path::Path::new(&folder).join(\"named.rs\")).unwrap())
}
pub fn added() -> u64 {
    let folder = std::env::var(\"CARGO_MANIFEST_DIR\").unwrap();
    bytes(&std::fs::read(folder + \"/named.rs\").unwrap())
}
pub fn above() -> u64 {
    bytes(&std::fs::read(inner::folder().join(\"data/linked.rs\")).unwrap())
}
pub fn relative() -> u64 {
    bytes(&std::fs::read(\"named.rs\").unwrap())
}
pub fn itself() -> u64 {
    std::env::current_exe().unwrap().exists().into()
}
pub fn linked() -> u64 {
    bytes(&std::fs::read(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/link/linked.rs\")).unwrap())
}
fn bytes(text: &[u8]) -> u64 {
    text.iter().fold(0, |sum, byte| black_box(sum + u64::from(*byte)))
}
";

/// A program whose loop makes this many turns.
fn program(turns: u32) -> String {
    format!("fn main() {{\n    (0..{turns}_u64).for_each(|turn| _ = std::hint::black_box(turn));\n}}\n")
}

const INNER: &str = "\
pub fn folder() -> &'static std::path::Path {
    std::path::Path::new(env!(\"CARGO_MANIFEST_DIR\")).parent().unwrap()
}
";

const FUNCTIONS: [&str; 8] = ["above", "added", "itself", "linked", "named", "relative", "steady", "tool"];

/// All but three of them do more work, and the machine code of each is unchanged. Both sides have the file with
/// a relative path from the working tree.
#[test]
fn what_functions_start_or_read_is_not_proven_by_their_code() {
    let Some(surroundings) = Repository::new("surroundings") else { return };
    let outside = surroundings.beside("outside");
    fs::create_dir_all(outside.join("src")).unwrap();
    fs::write(outside.join("Cargo.toml"), "[package]\nname = \"outside\"\nversion = \"0.1.0\"\n").unwrap();
    fs::write(outside.join("src/lib.rs"), "pub fn steady() -> u64 {\n    std::hint::black_box(1)\n}\n")
        .unwrap();
    let manifest = surroundings.read("Cargo.toml");
    // With several codegen units, a feature may change how the compiler splits the crate.
    let with = |features: &str| {
        format!(
            "{manifest}\n[dependencies]\ninner = {{ path = \"inner\" }}\noutside = {{ path = \"../outside\" }}\n\n\
             [profile.bench.package.surroundings]\ncodegen-units = 1\n\n[features]\n{features}\n"
        )
    };
    surroundings.write("Cargo.toml", &with(""));
    surroundings.write("src/lib.rs", LIBRARY);
    surroundings.write("inner/Cargo.toml", "[package]\nname = \"inner\"\nversion = \"0.1.0\"\n");
    surroundings.write("inner/src/lib.rs", INNER);
    surroundings.write("src/main.rs", &program(1_000));
    surroundings.write("named.rs", &"a".repeat(1_000));
    surroundings.write("data/linked.rs", &"a".repeat(1_000));
    surroundings.remove("link");
    symlink("data", surroundings.folder().join("link")).unwrap();
    let function = |name: &&str| {
        format!(
            "#[bench_diff_harness::bench_diff]\nfn {name}() {{\n    std::hint::black_box(surroundings::{name}());\n}}\n"
        )
    };
    let bench: String = FUNCTIONS.iter().map(function).collect();
    surroundings.write("benches/works.rs", &(bench + "bench_diff_harness::main!();\n"));
    surroundings.lock();
    surroundings.commit("before");

    surroundings.write("src/main.rs", &program(20_000_000));
    surroundings.write("named.rs", &"a".repeat(20_000));
    surroundings.write("data/linked.rs", &"a".repeat(20_000));
    surroundings.write("Cargo.toml", &with("quick = []"));
    let line = "bench --features quick --bench works -- --against HEAD --alpha 30% --format json";
    let ran = surroundings.cargo_in(line, &[]).ends_with(101);
    let ran = ran
        .complains("outside of the repository, so both sides have it as it is now: ")
        .complains("the old revision has no feature quick");
    let records = Repository::records_of(&ran);
    let outcome = |name: &&str| {
        let record = records.iter().find(|record| record["name"] == *name).unwrap();
        (record["outcome"].as_str().unwrap().to_owned(), record["same_code"] == true)
    };
    let [fail, pass] = ["fail", "pass"].map(str::to_owned);
    let failed = || (fail.clone(), false);
    let proven = || (pass.clone(), true);
    let outcomes = FUNCTIONS.each_ref().map(outcome);
    let expected =
        [failed(), failed(), (pass.clone(), false), failed(), failed(), proven(), proven(), failed()];
    assert_eq!(outcomes, expected, "{}", ran.stdout);
}
