//! A crate with one benchmark, and how long its build takes.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::library::Library;

pub(crate) const COMMAND: &str = "bench --no-run --offline --quiet";

/// What a build took.
pub(crate) struct Cost {
    pub(crate) seconds: f64,
    /// Of the compilers, which other programs on the machine move less. NaN where the system does not tell.
    pub(crate) cpu_seconds: f64,
}

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

    /// A build from clean.
    pub(crate) fn build(&self) -> Result<Cost, Box<dyn Error>> {
        let target = self.folder.join("target");
        if target.exists() {
            fs::remove_dir_all(&target)?;
        }
        let (start, cpu_before) = (Instant::now(), cpu_seconds_of_children());
        self.cargo(COMMAND)?;
        let cost = Cost {
            seconds: start.elapsed().as_secs_f64(),
            cpu_seconds: cpu_seconds_of_children() - cpu_before,
        };
        fs::remove_dir_all(&target)?;
        Ok(cost)
    }

    /// What cargo says to these arguments, without the variables that the cargo of this process has set, and
    /// without a cache of compiled crates.
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

/// The CPU time of the processes that ended so far.
#[cfg(unix)]
fn cpu_seconds_of_children() -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    getrusage(UsageWho::RUSAGE_CHILDREN)
        .map_or(f64::NAN, |usage| (usage.user_time() + usage.system_time()).num_microseconds() as f64 / 1e6)
}

#[cfg(not(unix))]
fn cpu_seconds_of_children() -> f64 {
    f64::NAN
}
