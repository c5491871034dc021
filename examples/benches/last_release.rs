//! A gate against the last release: an older version of a crate is a dependency under another name, and the
//! baseline.
//!
//! ```toml
//! [dev-dependencies]
//! semver = "1.0"
//! semver_0_9 = { package = "semver", version = "=0.9.0" }
//! ```

use bench_diff_harness::bench_diff;

const VERSIONS: [&str; 3] = ["1.2.3", "10.20.30-rc.1", "1.0.0-alpha.beta+build.2026"];

/// The types of two versions of a crate are different types, so `check` compares their values.
#[bench_diff(baseline = semver_0_9::Version::parse, args = VERSIONS, check = reads_the_same)]
fn parse(text: &str) -> Result<semver::Version, semver::Error> {
    semver::Version::parse(text)
}

fn reads_the_same(new: &semver::Version, old: &semver_0_9::Version) -> bool {
    new.to_string() == old.to_string()
}

bench_diff_harness::main!();
