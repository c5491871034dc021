//! The part of the bench binary that rounds do without: everything that only the run needs.

/// The symbol of a function at which binaries are cut. It contains the version, since a binary with two
/// versions of the harness has two such functions.
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

pub(crate) use symbol;

/// The linker option that replaces the run by an empty function, so that nothing refers to the run.
pub(super) const CUT: &str = concat!("--defsym=", symbol!("the_run"), "=", symbol!("no_run"));
