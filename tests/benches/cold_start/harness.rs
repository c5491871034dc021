//! The harnesses, and how each compares two revisions.

/// A harness, and the benchmarks that are written for it.
pub(crate) struct Harness {
    /// The name of its library among those whose builds are measured.
    pub(crate) library: &'static str,
    pub(crate) bench: &'static str,
    pub(crate) runs: Runs,
}

/// The arguments of the runs that compare two revisions.
#[derive(Clone, Copy)]
pub(crate) enum Runs {
    /// One run, in the newer revision.
    Both(&'static str),
    /// One in the older revision, then one in the newer.
    Each { older: &'static str, newer: &'static str },
}

const OURS: Harness = Harness {
    library: "bench_diff",
    bench: include_str!("sources/bench_diff.rs"),
    runs: Runs::Both("--against HEAD~1"),
};

pub(crate) const HARNESSES: [Harness; 4] = [
    OURS,
    Harness { library: "bench_diff_opt_0", ..OURS },
    Harness {
        library: "criterion",
        bench: include_str!("sources/criterion.rs"),
        runs: Runs::Each { older: "--save-baseline old", newer: "--baseline old" },
    },
    Harness {
        library: "divan",
        bench: include_str!("sources/divan.rs"),
        runs: Runs::Each { older: "", newer: "" },
    },
];
