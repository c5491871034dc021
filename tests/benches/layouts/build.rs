//! One source, built in several ways, and against several variants that cost the same.

use std::env;
use std::error::Error;
use std::fmt::{self, Display};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::changes::changed;
use crate::ways::Way;

/// The settings in which builds differ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Build {
    way: Way,
    /// The seed of what the new functions are changed by.
    changes: Option<u64>,
}

impl Build {
    /// Of unchanged source.
    pub(crate) fn unchanged(way: Way) -> Self {
        Self { way, changes: None }
    }

    /// The new functions changed by what this seed draws.
    pub(crate) fn changed(seed: u64) -> Self {
        Self { way: Way::of_variant(seed), changes: Some(seed) }
    }

    /// The program of this build, in which the new functions work on this many numbers.
    pub(crate) fn make(self, numbers: &str) -> Result<PathBuf, Box<dyn Error>> {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        let (folder, target) = match self.changes {
            None => (PathBuf::from(env!("CARGO_MANIFEST_DIR")), temporary("layouts")),
            Some(seed) => (workspace(&changed(seed))?, temporary("changed").join("target")),
        };
        cargo.args([
            "build",
            "--quiet",
            "--profile",
            "bench",
            "-p",
            "bench_diff_tests",
            "--bin",
            "unchanged",
        ]);
        for package in ["bench_diff_tests", "bench_diff_kernels_old", "bench_diff_kernels_new"] {
            cargo.arg("--config");
            cargo.arg(format!("profile.bench.package.{package}.codegen-units={}", self.way.codegen_units));
        }
        cargo.env("CARGO_TARGET_DIR", &target).env("UNCHANGED_PADDING", self.way.padding.to_string());
        // Incremental builds inline less, and no release is one.
        cargo.env("UNCHANGED_NUMBERS", numbers).env("CARGO_INCREMENTAL", "0");
        let status = cargo.current_dir(folder).stdout(Stdio::null()).status()?;
        if !status.success() {
            return Err(format!("the build with {self} ended with {status}").into());
        }
        Ok(target.join("release").join("unchanged").with_extension(env::consts::EXE_EXTENSION))
    }
}

impl Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(seed) = self.changes {
            write!(f, "changes {seed}, ")?;
        }
        self.way.fmt(f)
    }
}

fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A workspace that differs from this one in the source of the new functions. Its folder comes back.
fn workspace(source_of_new: &str) -> Result<PathBuf, Box<dyn Error>> {
    let (folder, tests) = (temporary("changed"), Path::new(env!("CARGO_MANIFEST_DIR")));
    let new = folder.join("new");
    fs::create_dir_all(&new)?;
    fs::write(new.join("lib.rs"), source_of_new)?;
    fs::write(new.join("Cargo.toml"), package("kernels_new") + "\n[lib]\npath = \"lib.rs\"\n")?;
    let manifest = format!(
        "{}\n[[bin]]\nname = \"unchanged\"\npath = {:?}\n\n[dependencies]\n\
         bench_diff_harness = {{ path = {:?} }}\n\
         bench_diff_kernels_old = {{ path = {:?} }}\n\
         bench_diff_kernels_new = {{ path = \"new\" }}\n\n\
         [workspace]\n\n[profile.bench]\ndebug = \"line-tables-only\"\n",
        package("tests"),
        tests.join("src/bin/unchanged.rs"),
        tests.with_file_name("bench_diff_harness"),
        tests.join("kernels/old"),
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::copy(tests.with_file_name("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(folder)
}

fn package(name: &str) -> String {
    format!("[package]\nname = \"bench_diff_{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")
}
