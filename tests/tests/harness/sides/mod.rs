//! Two packages of one name, as cargo builds them: the new benches, and a folder with those of an old revision,
//! which runs compare with by `--against`.

pub(crate) mod ways;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::Value;

use crate::common::pages::workspace;
use crate::user_crate::{UserCrate, dependency, git};

/// The benches, each with the paths of its sources, the new one first.
const BENCHES: [(&str, [&str; 2]); 3] = [
    ("ends", ["tests/harness/sides/ends.rs"; 2]),
    ("functions", ["tests/harness/sides/new.rs", "tests/harness/sides/old.rs"]),
    ("saboteurs", ["src/bin/saboteurs.rs"; 2]),
];

/// The files that `functions` has on both sides.
const MODULES: [&str; 4] = ["breaks.rs", "functions.rs", "ways.rs", "work.rs"];

struct Sides {
    /// The new executables, in the order of the benches.
    executables: [String; 3],
    old: UserCrate,
}

static SIDES: LazyLock<Sides> = LazyLock::new(|| {
    let [new, old] = ["new", "old"].map(package);
    let ran = new.cargo("bench --no-run --message-format=json").ends_with(0);
    let messages: Vec<Value> =
        ran.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let executables = BENCHES.map(|(bench, ..)| {
        let mut of_bench = messages.iter().filter(|message| message["target"]["name"] == bench);
        of_bench.find_map(|message| message["executable"].as_str()).unwrap().to_owned()
    });
    Sides { executables, old }
});

/// The package of a side.
fn package(side: &str) -> UserCrate {
    let mut manifest = format!(
        "[dev-dependencies]\n{}\ndivan = {{ package = \"bench_diff_divan\", path = {:?} }}\nlibc = \"0.2\"\n\n",
        dependency(),
        workspace().join("drop_in/divan"),
    );
    for (bench, ..) in BENCHES {
        manifest += &format!("[[bench]]\nname = {bench:?}\nharness = false\n\n");
    }
    let package = UserCrate::below(&format!("sides/{side}"), "sides", &manifest);
    let source = |path: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    for (bench, sources) in BENCHES {
        package.write(&format!("benches/{bench}/main.rs"), &source(sources[usize::from(side == "old")]));
    }
    for module in MODULES {
        let text = source(&format!("tests/harness/sides/{module}"));
        package.write(&format!("benches/functions/{module}"), &text);
    }
    // A harness inside the package's repository would be compiled again for the old side, so the package gets a
    // repository of its own.
    let _ = git(package.folder(), &["init", "--quiet"]);
    // With a lock file of its own.
    package.cargo("metadata --format-version 1").ends_with(0);
    package
}

/// The new executable of a bench.
pub(crate) fn executable(bench: &str) -> &'static str {
    let place = BENCHES.iter().position(|(name, ..)| *name == bench).unwrap();
    &SIDES.executables[place]
}

/// The flags that compare it with the old revision.
pub(crate) fn against_old() -> String {
    // Functions that are the same would be proven to be so.
    format!("--against {} --no-proof", SIDES.old.folder().display())
}

/// The folder below which the old revision is built, once for all runs.
pub(crate) fn builds() -> PathBuf {
    UserCrate::target().with_file_name("sides").join("builds")
}

/// Has runs with this target directory find what others have built of the old revision.
pub(crate) fn share_builds(target: &Path) {
    let folder = target.join("bench_diff");
    fs::create_dir_all(&folder).unwrap();
    fs::create_dir_all(builds()).unwrap();
    let _ = symlink(builds(), folder.join("against"));
}
