//! The options with which lld links a layout: the order of functions and data, and the run left out.

/// The sections that lld shuffles: functions, constants, variables, and thread-local variables.
const SHUFFLED: [&str; 6] = [".text*", ".rodata*", ".data*", ".bss*", ".tdata*", ".tbss*"];

/// The seed that reverses the order.
pub(in crate::layout) const REVERSED: u32 = u32::MAX;

/// Keeps code as it was compiled. On aarch64, lld would otherwise shorten the instructions that load a near
/// address, so the instructions of a function would depend on the order.
const AS_COMPILED: &[&str] = if cfg!(target_arch = "aarch64") { &["--no-relax"] } else { &[] };

/// The options for the order of this seed.
pub(in crate::layout) fn order(seed: u32) -> impl Iterator<Item = String> {
    let shuffles = SHUFFLED.iter().map(move |sections| format!("--shuffle-sections={sections}={seed}"));
    let others = ["--call-graph-profile-sort=none"].iter().chain(AS_COMPILED);
    shuffles.chain(others.map(|option| (*option).to_owned()))
}

/// The symbol of a function at which binaries are cut, as a literal: `symbol!("the_run")` or
/// `symbol!("no_run")`. It contains the version, since a binary with two versions of the harness has two such
/// functions.
#[macro_export]
macro_rules! symbol {
    ($name:literal) => {
        concat!(
            "bench_diff_",
            $name,
            "_",
            env!("CARGO_PKG_VERSION_MAJOR"),
            "_",
            env!("CARGO_PKG_VERSION_MINOR"),
            "_",
            env!("CARGO_PKG_VERSION_PATCH")
        )
    };
}

/// The symbol of the function that lists, measures and reports. The binaries of a round are linked without it,
/// and the addresses of functions are distances from it.
pub(crate) const THE_RUN: &str = symbol!("the_run");

/// The linker option that replaces the run by an empty function, so that nothing refers to the run.
pub(in crate::layout) const CUT: &str = concat!("--defsym=", symbol!("the_run"), "=", symbol!("no_run"));
