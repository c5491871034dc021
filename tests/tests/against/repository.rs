//! A repository with a crate of somebody else, at a path with blanks.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::common::pages::{nextest_profile, text};
use crate::common::ran::Ran;
use crate::common::skip::skipped;
use crate::user_crate::{UserCrate, dependency, git};
use crate::workspace::second;

pub(crate) struct Repository {
    krate: UserCrate,
    #[expect(dead_code, reason = "held")]
    alone: Option<MutexGuard<'static, ()>>,
}

/// Held by a test that changes the package `changes`. Otherwise one test would rebuild what another one
/// measures.
static CHANGES: Mutex<()> = Mutex::new(());

const BENCH: &str = "[[bench]]\nname = \"works\"\nharness = false\n";

impl Repository {
    /// One without a commit; none where there is no git.
    pub(crate) fn new(name: &str) -> Option<Self> {
        let manifest = format!("[dev-dependencies]\n{}\n\n{BENCH}", dependency());
        Self { krate: UserCrate::below("a repository", name, &manifest), alone: None }.with_git()
    }

    fn with_git(self) -> Option<Self> {
        self.write(".gitignore", "target\n");
        self.lock();
        let _ = fs::remove_dir_all(self.krate.folder().join(".git"));
        if git(self.krate.folder(), &["init", "--quiet", "-b", "main"]).is_none() {
            skipped("there is no git");
            return None;
        }
        Some(self)
    }

    /// The one that several tests change, each in a folder of its own: a workspace with one commit, whose tree
    /// is the same for all of them, so that its benches are built once.
    pub(crate) fn works(name: &str) -> Option<Self> {
        let above = format!("a repository/{name}");
        let alone = CHANGES.lock().unwrap_or_else(PoisonError::into_inner);
        let this = Self { krate: UserCrate::below(&above, "changes", ""), alone: Some(alone) };
        // Cargo goes by times: sources of an earlier run may be older than what another repository has built.
        for folder in ["benches", "inner", "src", "trees"] {
            let _ = fs::remove_dir_all(this.krate.folder().join(folder));
        }
        let package = |name: &str, more: &str, benches: &[&str]| {
            let bench = |name: &&str| format!("[[bench]]\nname = {name:?}\nharness = false\n\n");
            let benches: String = benches.iter().map(bench).collect();
            format!(
                "[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n\n{more}[lib]\nbench = false\n\n\
                 [dev-dependencies]\n{}\n\n{benches}",
                dependency()
            )
        };
        // With several units, each failure would be judged again with one.
        let workspace = "[workspace]\nmembers = [\"inner\", \"trees\"]\n\n[profile.fast]\ninherits = \"bench\"\nopt-level = 1\n\n\
                         [profile.fast.package.\"*\"]\nopt-level = 0\n\n\
                         [profile.bench.package.changes]\ncodegen-units = 1\n\n\
                         [profile.bench.package.trees]\ncodegen-units = 16\n\n\
                         [dependencies]\ntrees = { path = \"trees\" }\n\n";
        // What both packages use has a feature if they are built together.
        let inner = "[features]\nmore = []\n\n[dependencies]\ntrees = { path = \"../trees\", features = [\"unified\"] }\n\n";
        this.write("Cargo.toml", &package("changes", workspace, &["works"]));
        this.write("inner/Cargo.toml", &package("inner", inner, &["first", "second"]));
        this.write("trees/Cargo.toml", &package("trees", "[features]\nunified = []\n\n", &[]));
        this.write("src/lib.rs", "pub use trees::*;\n");
        this.write("trees/src/lib.rs", &trees(&[("slowed", 1_000), ("gone", 500)]));
        this.write("trees/data/numbers.txt", "1 2 3\n");
        this.write("benches/works.rs", &bench_of_trees(&["slowed", "gone"]));
        this.write("inner/src/lib.rs", &library(&[("steady", 1_000), ("slowed", 1_000)]));
        this.write("inner/benches/first.rs", &bench("inner", &["steady", "slowed"]));
        this.write("inner/benches/second.rs", &second());
        this.write(".config/nextest.toml", &nextest_profile());
        let this = this.with_git()?;
        this.commit("works");
        Some(this)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.krate.folder()
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        self.krate.write(path, text);
    }

    /// Removes what an earlier run of its test may have left.
    pub(crate) fn remove(&self, path: &str) {
        let _ = fs::remove_file(self.krate.folder().join(path));
    }

    pub(crate) fn read(&self, path: &str) -> String {
        self.krate.read(path)
    }

    /// The same under another name.
    pub(crate) fn moved(self, name: &str) -> Self {
        let folder = self.beside(name);
        let _ = fs::remove_dir_all(&folder);
        fs::rename(self.folder(), &folder).unwrap();
        Self { krate: UserCrate { folder }, ..self }
    }

    /// A path beside its folder.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.krate.folder().with_file_name(name)
    }

    pub(crate) fn git(&self, arguments: &str) -> String {
        self.git_with(&arguments.split(' ').collect::<Vec<_>>())
    }

    pub(crate) fn git_with(&self, arguments: &[&str]) -> String {
        git(self.krate.folder(), arguments).unwrap_or_else(|| panic!("git {arguments:?}"))
    }

    /// Commits all that is there, with a subject of one word.
    pub(crate) fn commit(&self, subject: &str) {
        self.git("add --all");
        self.git(&format!("commit --quiet -m {subject}"));
    }

    /// The folders of its last commit below the target directory, with and without copied benches.
    pub(crate) fn old_sides(&self) -> Vec<PathBuf> {
        let tree = self.git("rev-parse HEAD^{tree}");
        let folders = fs::read_dir(UserCrate::target().join("bench_diff/against")).into_iter().flatten();
        let folders = folders.map(|entry| entry.unwrap());
        let is_old = |folder: &DirEntry| folder.file_name().to_string_lossy().starts_with(tree.trim());
        folders.filter(is_old).map(|folder| folder.path()).collect()
    }

    /// Runs its bench with these flags.
    pub(crate) fn bench(&self, flags: &str) -> Ran {
        self.bench_in(flags, &[])
    }

    pub(crate) fn bench_in(&self, flags: &str, environment: &[(&str, &str)]) -> Ran {
        self.cargo_in(&format!("bench --bench works -- {flags}"), environment)
    }

    pub(crate) fn cargo_in(&self, arguments: &str, environment: &[(&str, &str)]) -> Ran {
        self.krate.cargo_in(arguments, environment)
    }

    /// The records of a run with these flags, which ends so, and what it says beside them.
    pub(crate) fn records(&self, flags: &str, code: i32) -> (Vec<Value>, String) {
        let ran = self.bench(&format!("{flags} --format json")).ends_with(code);
        (Self::records_of(&ran), ran.stderr)
    }

    pub(crate) fn records_of(ran: &Ran) -> Vec<Value> {
        let lines = ran.stdout.lines().filter(|line| line.starts_with('{'));
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Gives it the lock file of this workspace, without what it does not need.
    pub(crate) fn lock(&self) {
        self.write("Cargo.lock", &text("Cargo.lock"));
        self.krate.cargo("metadata --format-version 1").ends_with(0);
    }
}

/// A library whose functions take so many turns, each in a module of its own, which units of code generation
/// share out.
pub(crate) fn library(functions: &[(&str, u32)]) -> String {
    let of = |(name, count): &(&str, u32)| format!("    {name}: {count},\n");
    let functions: String = functions.iter().map(of).collect();
    format!("{MACRO}functions! {{\n{functions}}}\n")
}

/// Makes functions that may panic, as far as the compiler knows: each has a line of its own in its data.
const MACRO: &str = "\
macro_rules! functions {
    ($($name:ident: $count:literal,)*) => {$(
        mod $name {
            pub fn $name() -> u64 {
                let count: u64 = $count;
                let numbers = std::hint::black_box([1_u64, 3, 5, 7]);
                (0..std::hint::black_box(count)).fold(1, |turned, turn| {
                    turned ^ numbers[std::hint::black_box(turn as usize % 4)].wrapping_mul(turned | 1)
                })
            }
        }
        pub use $name::$name;
    )*};
}
";

/// Functions that no test changes.
pub(crate) const STEADY: [&str; 19] = [
    "steady", "ash", "birch", "cedar", "elder", "elm", "fir", "hazel", "holly", "larch", "lime", "maple",
    "oak", "pine", "plum", "rowan", "spruce", "willow", "yew",
];

const READING: &str = "\
pub fn text() -> Vec<u8> {
    let name = std::hint::black_box(\"numbers\");
    std::fs::read(format!(\"{}/data/{name}.txt\", env!(\"CARGO_MANIFEST_DIR\"))).unwrap()
}
pub fn lines(text: &[u8]) -> u64 {
    text.iter().fold(0, |sum, byte| std::hint::black_box(sum + u64::from(*byte)))
}
";

/// A library of the steady functions, of these functions with their numbers of turns, and of those that need an
/// input, with the functions that make it.
pub(crate) fn trees(functions: &[(&str, u32)]) -> String {
    let steady: Vec<(&str, u32)> = STEADY.into_iter().zip((1_000..).step_by(10)).collect();
    library(&[&steady, functions].concat())
        + "pub fn numbers() -> Vec<u64> {\n    (0..if cfg!(feature = \"unified\") { 900 } else { 1_000 }).collect()\n}\n\
           pub fn sum(numbers: &[u64]) -> u64 {\n    \
               numbers.iter().fold(1, |sum, number| std::hint::black_box(sum ^ number))\n}\n"
        + READING
}

/// A bench of all functions of that library.
pub(crate) fn bench_of_trees(functions: &[&str]) -> String {
    "#[global_allocator]\n\
     static ALLOCATOR: bench_diff_harness::CountingAllocator = bench_diff_harness::CountingAllocator::system();\n\n\
     struct Hidden(Vec<u64>);\n\
     fn hidden() -> Hidden {\n    Hidden(changes::numbers())\n}\n\
     #[bench_diff_harness::bench_diff(setup = hidden)]\n\
     fn summed(hidden: &Hidden) -> u64 {\n    changes::sum(&hidden.0)\n}\n\
     #[bench_diff_harness::bench_diff(setup = changes::text)]\n\
     fn reads(text: &[u8]) -> u64 {\n    changes::lines(text)\n}\n"
        .to_owned()
        + &bench("changes", &[&STEADY, functions].concat())
}

/// A bench of these functions of the library.
pub(crate) fn bench(krate: &str, functions: &[&str]) -> String {
    let of = |name: &&str| {
        format!(
            "#[bench_diff_harness::bench_diff(baseline = {krate}::{name})]\n\
             fn {name}() -> u64 {{\n    {krate}::{name}()\n}}\n"
        )
    };
    functions.iter().map(of).collect::<String>() + "bench_diff_harness::main!();\n"
}
