//! A crate of somebody else, outside the workspace, made from the README and run by the real cargo.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fixture::{Ran, isolate, temporary_folder};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The first block of this kind in the README.
fn block(kind: &str) -> String {
    let readme = fs::read_to_string(workspace().join("README.md")).unwrap();
    let (_, rest) = readme.split_once(&format!("```{kind}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

struct Crate {
    folder: PathBuf,
}

impl Crate {
    /// Follows the README letter by letter, but takes the harness from this workspace.
    fn from_readme() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside");
        let path = workspace().join("bench_diff_harness");
        let dependency = format!("bench_diff_harness = {{ path = {path:?} }}");
        let manifest = block("toml").replace("bench_diff_harness = \"0.1\"", &dependency);
        assert!(manifest.contains(&dependency), "the README has another version");
        let package = "[package]\nname = \"outside\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n";
        let own_workspace = "\n[workspace]\n\n[lib]\nbench = false\n\n[profile.dev]\nopt-level = 1\n";

        fs::create_dir_all(folder.join("src")).unwrap();
        fs::create_dir_all(folder.join("benches")).unwrap();
        fs::write(folder.join("Cargo.toml"), format!("{package}{manifest}{own_workspace}")).unwrap();
        fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        fs::write(folder.join("src/lib.rs"), "//! A crate of somebody else.\n").unwrap();
        let this = Self { folder };
        this.write(&block("rust,no_run"));
        this
    }

    fn write(&self, bench: &str) {
        fs::write(self.folder.join("benches/digits.rs"), bench).unwrap();
    }

    fn cargo(&self, arguments: &str) -> Ran {
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments.split_whitespace()).current_dir(&self.folder);
        isolate(&mut command);
        let temporary = temporary_folder();
        command.env("TMPDIR", temporary.path()).env("TMP", temporary.path());
        command.env("CARGO_TARGET_DIR", self.folder.join("target")).env("BENCH_DIFF_WARMUP", "10ms");
        Ran::from(command.output().unwrap())
    }
}

/// One test, since all of it is one crate and one build after the other.
#[test]
fn a_newcomer_follows_the_readme() {
    let newcomer = Crate::from_readme();

    let ran = newcomer.cargo("bench").ends_with(0).says("running 1 pair (seed ");
    let row = ran.stdout.lines().find(|line| line.starts_with("by_logarithm ")).unwrap();
    assert!(row.contains("x faster") && row.contains("pass"), "{row}");
    ran.says("1 passed, 0 failed, 0 inconclusive, 0 errors");

    newcomer.cargo("bench -- --list").ends_with(0).says("by_logarithm: benchmark");
    newcomer.cargo("test --benches").ends_with(0).says("test by_logarithm ... ok");
    newcomer.cargo("bench -- --max-slowdwon 5%").ends_with(2).complains("--max-slowdown");
    newcomer.cargo("bench -- --alpha none").ends_with(2).complains("'none' for '--alpha'");

    // The other way round: the slow one is the candidate.
    let slower = block("rust,no_run")
        .replace("#[bench_diff(baseline = by_text)]\n", "")
        .replace("fn by_text()", "#[bench_diff(baseline = by_logarithm)]\nfn by_text()");
    newcomer.write(&slower);
    newcomer
        .cargo("bench")
        .ends_with(101)
        .says("FAIL")
        .says("--bench digits -- --exact by_text --warmup 10ms --seed ");
    let debug = newcomer.cargo("bench --profile dev").ends_with(0).says("1 measured, not judged");
    debug.complains("warning: debug assertions are on");

    newcomer.write("fn a() {}\n#[bench_diff_harness::bench_diff(baseline = a)]\nfn b() { panic!(\"no\") }\nbench_diff_harness::main!();");
    newcomer.cargo("bench").ends_with(3).says("benches/digits.rs:3:10: no");

    newcomer.write("bench_diff_harness::main!();");
    newcomer.cargo("bench").ends_with(3).complains("no pair is registered");

    let manifest = newcomer.folder.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("harness = false\n", "")).unwrap();
    newcomer.cargo("bench").ends_with(101).complains("add `harness = false`");
}
