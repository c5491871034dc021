//! The part of a program that rounds leave out: everything that only the run needs.

/// The symbol of a function at which programs are cut. It holds the version, since each of two harnesses in
/// one program has its own.
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

/// The linker option that puts another function in the place of the run, so that nothing refers to it.
pub(super) const CUT: &str = concat!("--defsym=", symbol!("the_run"), "=", symbol!("no_run"));
