//! The crates of bench_diff that a bench is built with.

/// The package that users name in their manifests.
pub const HARNESS: &str = "bench_diff_harness";

/// The packages with the interfaces of Criterion and divan.
const FRONT_ENDS: [&str; 2] = ["bench_diff_criterion", "bench_diff_divan"];

/// Returns whether users name this package in their manifests.
#[must_use]
pub fn is_harness(name: &str) -> bool {
    name == HARNESS || FRONT_ENDS.contains(&name)
}

/// All of them.
pub const OWN_CRATES: [&str; 11] = [
    HARNESS,
    FRONT_ENDS[0],
    FRONT_ENDS[1],
    "bench_diff_core",
    "bench_diff_system",
    "bench_diff_binary",
    "bench_diff_git",
    "bench_diff_revision",
    "bench_diff_report",
    "bench_diff_macros",
    "bench_diff_divan_macros",
];
