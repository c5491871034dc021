//! A crate with one benchmark, and how long its build takes.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::library::Library;

pub(crate) const COMMAND: &str = "bench --no-run --offline --quiet";

pub(crate) struct UserCrate {
    folder: PathBuf,
}

impl UserCrate {
    /// Writes the crate and fetches what it depends on.
    pub(crate) fn new(parent: &Path, library: &Library) -> Result<Self, Box<dyn Error>> {
        let folder = parent.join(library.name);
        let dependency = library.dependency();
        let manifest = format!(
            "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\nbench = false\n\n\
             [dev-dependencies]\n{dependency}\n\n[[bench]]\nname = \"multiply\"\nharness = false\n\n[workspace]\n"
        );
        fs::create_dir_all(folder.join("src"))?;
        fs::create_dir_all(folder.join("benches"))?;
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::write(folder.join("src/lib.rs"), "")?;
        fs::write(folder.join("benches/multiply.rs"), library.bench)?;
        let this = Self { folder };
        this.cargo("fetch --quiet")?;
        Ok(this)
    }

    /// The crates that are compiled for it, besides itself.
    pub(crate) fn dependencies(&self) -> Result<usize, Box<dyn Error>> {
        let tree = self.cargo("tree --edges normal,build,dev --prefix none --format {p} --offline")?;
        // What was shown before has `(*)` behind it.
        let crates: BTreeSet<&str> =
            tree.lines().map(|line| line.trim_end_matches(" (*)")).filter(|line| !line.is_empty()).collect();
        Ok(crates.len() - 1)
    }

    /// The seconds of a build from clean.
    pub(crate) fn build(&self) -> Result<f64, Box<dyn Error>> {
        let target = self.folder.join("target");
        if target.exists() {
            fs::remove_dir_all(&target)?;
        }
        let start = Instant::now();
        self.cargo(COMMAND)?;
        let seconds = start.elapsed().as_secs_f64();
        fs::remove_dir_all(&target)?;
        Ok(seconds)
    }

    /// What cargo says to these arguments, without the variables that the cargo of this process has set, and without a
    /// cache of compiled crates.
    fn cargo(&self, arguments: &str) -> Result<String, Box<dyn Error>> {
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments.split_whitespace()).current_dir(&self.folder).stderr(Stdio::inherit());
        let set = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        let kept = ["CARGO_HOME", "CARGO_BUILD_JOBS", "CARGO_HTTP_CAINFO", "CARGO_HTTP_PROXY"];
        for name in set.filter(|name| name.starts_with("CARGO") || name.starts_with("RUSTC_")) {
            if !kept.contains(&name.as_str()) && !name.starts_with("CARGO_REGISTRIES_") {
                command.env_remove(name);
            }
        }
        command.env("RUSTC_WRAPPER", "").env("CARGO_TARGET_DIR", self.folder.join("target"));
        let output = command.output()?;
        if !output.status.success() {
            return Err(format!("cargo {arguments} in {}: {}", self.folder.display(), output.status).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }
}
