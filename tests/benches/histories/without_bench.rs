//! A clone of a library's repository, in which no revision has a bench: the working tree alone gets one.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::git::git;
use crate::user_cargo;
use crate::user_repository::{INPUTS, bench_of, harness};

/// The clone.
pub(crate) struct WithoutBench {
    tree: PathBuf,
    library: String,
}

impl WithoutBench {
    /// A new one of this repository.
    pub(crate) fn clone(repository: &Path, tree: &Path, library: &str) -> Result<Self, Box<dyn Error>> {
        let [from, to] = [repository, tree].map(|path| path.display().to_string());
        fs::create_dir_all(tree)?;
        git(tree, ["clone", "--quiet", from.as_str(), to.as_str()])?;
        Ok(Self { tree: tree.to_owned(), library: library.to_owned() })
    }

    /// Checks out a revision and adds the bench, which is not committed.
    pub(crate) fn check_out(&self, revision: &str) -> Result<(), Box<dyn Error>> {
        git(&self.tree, ["checkout", "--quiet", "--force", "--detach", revision])?;
        let folder = self.tree.join("benches/looking_back");
        fs::create_dir_all(&folder)?;
        let ident = self.library.replace('-', "_");
        fs::write(
            folder.join("main.rs"),
            format!("{}\nuse {ident} as release;\n", bench_of(&self.library)?),
        )?;
        fs::write(folder.join("inputs.rs"), INPUTS)?;
        let manifest = self.tree.join("Cargo.toml");
        fs::write(&manifest, with_bench(&fs::read_to_string(&manifest)?))?;
        Ok(())
    }

    /// The command that runs the bench against this revision, and builds both.
    pub(crate) fn against(&self, revision: &str) -> Command {
        let arguments = format!("bench --quiet --bench looking_back -- --against {revision} --format json");
        user_cargo::command(&self.tree, &arguments)
    }
}

/// The manifest with the bench and its dependency.
fn with_bench(manifest: &str) -> String {
    let library = if manifest.contains("\n[lib]\n") {
        manifest.replacen("\n[lib]\n", "\n[lib]\nbench = false\n", 1)
    } else {
        format!("{manifest}\n[lib]\nbench = false\n")
    };
    format!(
        "{library}\n[[bench]]\nname = \"looking_back\"\npath = \"benches/looking_back/main.rs\"\nharness = false\n\n\
         [dev-dependencies.bench_diff_harness]\npath = {:?}\n",
        harness()
    )
}
