//! One source, built in several ways.

use std::env;
use std::error::Error;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a build differs in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Build {
    padding: usize,
    codegen_units: usize,
}

const fn build(padding: usize, codegen_units: usize) -> Build {
    Build { padding, codegen_units }
}

pub(crate) const BUILDS: [Build; 10] = [
    build(0, 16),
    build(1, 16),
    build(2, 16),
    build(3, 16),
    build(4, 16),
    build(0, 1),
    build(1, 1),
    build(2, 1),
    build(3, 1),
    build(4, 1),
];

impl Build {
    /// The program of this build.
    pub(crate) fn make(self) -> Result<PathBuf, Box<dyn Error>> {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("layouts");
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
            cargo.arg(format!("profile.bench.package.{package}.codegen-units={}", self.codegen_units));
        }
        cargo.env("CARGO_TARGET_DIR", &target).env("UNCHANGED_PADDING", self.padding.to_string());
        let status = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).stdout(Stdio::null()).status()?;
        if !status.success() {
            return Err(format!("the build with {self} ended with {status}").into());
        }
        Ok(target.join("release").join("unchanged").with_extension(env::consts::EXE_EXTENSION))
    }
}

impl Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "padding {}, codegen units {}", self.padding, self.codegen_units)
    }
}
