//! Cases that cargo checks, and what rustc says of them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

/// The cases in a directory of `ui`.
pub(crate) fn cases(dir: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui").join(dir);
    let paths = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The name of a case.
pub(crate) fn stem(case: &Path) -> String {
    case.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// The lines that `cargo check` prints for a package which has the cases as its binaries.
pub(crate) fn check(name: &str, features: &str, cases: &[PathBuf]) -> Vec<Value> {
    let package_of_tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let package = target.join(name);
    fs::create_dir_all(&package).unwrap();
    let manifest = manifest(name, &package_of_tests.join("../../bench_diff_harness"), features, cases);
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    fs::copy(package_of_tests.join("../../Cargo.lock"), package.join("Cargo.lock")).unwrap();
    let output = Command::new(env::var_os("CARGO").unwrap())
        .args(["check", "--offline", "--keep-going", "--message-format=json"])
        .arg("--target-dir")
        .arg(target.parent().unwrap())
        .current_dir(&package)
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(!stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn manifest(name: &str, harness: &Path, features: &str, cases: &[PathBuf]) -> String {
    let mut manifest = format!(
        "[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[workspace]\n\n[profile.dev]\ndebug = false\n\n\
         [dependencies]\nbench_diff_harness = {{ path = '{}', features = {features} }}\n",
        harness.display()
    );
    for case in cases {
        manifest += &format!("\n[[bin]]\nname = \"{}\"\npath = '{}'\n", stem(case), case.display());
    }
    manifest
}
