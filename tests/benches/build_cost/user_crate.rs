//! A crate with one benchmark, and how long its build takes.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::library::Library;
use crate::user_cargo::cargo;

pub(crate) const COMMAND: &str = "bench --no-run --offline --quiet";

/// The cost of a build.
pub(crate) struct Cost {
    pub(crate) seconds: f64,
    /// Of the compilers, which other programs on the machine move less. NaN where the system does not tell.
    pub(crate) cpu_seconds: f64,
}

pub(crate) struct UserCrate {
    pub(crate) folder: PathBuf,
}

impl UserCrate {
    /// Writes the crate with this bench and fetches what it depends on.
    pub(crate) fn new(parent: &Path, library: &Library, bench: &str) -> Result<Self, Box<dyn Error>> {
        let folder = parent.join(library.name);
        fs::create_dir_all(folder.join("src"))?;
        fs::create_dir_all(folder.join("benches"))?;
        fs::write(folder.join("Cargo.toml"), library.manifest())?;
        fs::write(folder.join("src/lib.rs"), "")?;
        fs::write(folder.join("benches/functions.rs"), bench)?;
        let this = Self { folder };
        cargo(&this.folder, "fetch --quiet")?;
        Ok(this)
    }

    /// The crates that are compiled for it, besides itself.
    pub(crate) fn dependencies(&self) -> Result<usize, Box<dyn Error>> {
        let tree = cargo(&self.folder, "tree --edges normal,build,dev --prefix none --format {p} --offline")?;
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
        cargo(&self.folder, COMMAND)?;
        let (seconds, cpu_seconds) = (start.elapsed().as_secs_f64(), cpu_seconds_of_children() - cpu_before);
        fs::remove_dir_all(&target)?;
        Ok(Cost { seconds, cpu_seconds })
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
