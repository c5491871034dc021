//! A repository of a user: a crate with a bench of a library, which lies beside it.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::git::git;
use crate::history::Commit;
use crate::user_cargo;

/// The part of the bench before its functions.
const PRELUDE: &str = include_str!("prelude.rs");
pub(crate) const INPUTS: &str = include_str!("../inputs.rs");

/// The harness, on which a user's crate depends.
pub(crate) fn harness() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("bench_diff_harness")
}

/// The bench of the functions of this library, which it calls `release`.
pub(crate) fn bench_of(library: &str) -> Result<String, Box<dyn Error>> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/releases/sources");
    let functions = sources.join(library).with_extension("rs");
    let functions = fs::read_to_string(&functions)
        .map_err(|error| format!("no functions of {library}, {}: {error}", functions.display()))?;
    Ok(format!("{PRELUDE}\nfunctions! {{\n{functions}}}\n\nbench_diff_harness::main!();\n"))
}

/// The repository.
pub(crate) struct UserRepository(PathBuf);

impl UserRepository {
    /// A new one, with the functions of the library of this name.
    pub(crate) fn create(folder: &Path, library: &str) -> Result<Self, Box<dyn Error>> {
        let bench = bench_of(library)?;
        let harness = harness();
        let manifest = format!(
            "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [lib]\npath = \"lib.rs\"\nbench = false\n\n\
             [[bench]]\nname = \"functions\"\npath = \"functions.rs\"\nharness = false\n\n\
             [dependencies]\nbench_diff_harness = {{ path = {harness:?} }}\n\
             release = {{ package = {library:?}, path = \"library\" }}\n\n\
             [workspace]\nexclude = [\"library\"]\n"
        );
        fs::create_dir_all(folder)?;
        for (name, text) in [
            ("Cargo.toml", manifest.as_str()),
            ("lib.rs", ""),
            ("inputs.rs", INPUTS),
            ("functions.rs", &bench),
            (".gitignore", "/target\n"),
        ] {
            fs::write(folder.join(name), text)?;
        }
        git(folder, ["init", "--quiet"])?;
        Ok(Self(folder.to_owned()))
    }

    /// The folder of the library.
    pub(crate) fn library(&self) -> PathBuf {
        self.0.join("library")
    }

    /// Commits the library as it is now, with the lock file of its dependencies, which are fetched.
    pub(crate) fn commit(&self, commit: &Commit) -> Result<(), Box<dyn Error>> {
        user_cargo::cargo(&self.0, "fetch --quiet")?;
        // Files that the library ignores belong to it as well, and a commit may leave it as it was.
        git(&self.0, ["add", "--all", "--force", "library"])?;
        git(&self.0, ["add", "--all"])?;
        git(&self.0, ["commit", "--quiet", "--allow-empty", "--message", &commit.id]).map(drop)
    }

    /// The command that runs the bench against this revision, and builds both.
    pub(crate) fn against(&self, revision: &str) -> Command {
        let arguments = format!("bench --quiet --bench functions -- --against {revision} --format json");
        user_cargo::command(&self.0, &arguments)
    }

    /// Has every input read a file below the path that was compiled into it, as tests with data do.
    #[allow(dead_code, reason = "of the edits alone")]
    pub(crate) fn read_data(&self) -> Result<(), Box<dyn Error>> {
        let read = "black_box(std::fs::read(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/data.txt\")).unwrap());";
        let begun = |line: &str| {
            if line.starts_with("pub fn ") { format!("{line}\n    {read}\n") } else { format!("{line}\n") }
        };
        fs::write(self.0.join("data.txt"), "data")?;
        Ok(fs::write(self.0.join("inputs.rs"), INPUTS.lines().map(begun).collect::<String>())?)
    }
}
