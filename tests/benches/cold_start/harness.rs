//! The harnesses, and how each compares two revisions.

use std::path::Path;

pub(crate) struct Harness {
    pub(crate) name: &'static str,
    /// The name of its library.
    pub(crate) library: &'static str,
    /// The text right of `=` in the manifest; nothing for the harness of this workspace, which has a path.
    requirement: &'static str,
    /// The end of the manifest.
    pub(crate) profile: &'static str,
    pub(crate) bench: &'static str,
    /// The arguments of each run; the first of two is in the older revision.
    pub(crate) runs: &'static [&'static str],
}

const OURS: Harness = Harness {
    name: "bench_diff",
    library: "bench_diff_harness",
    requirement: "",
    profile: "",
    bench: include_str!("sources/bench_diff.rs"),
    runs: &["--against HEAD~1"],
};

pub(crate) const HARNESSES: [Harness; 4] = [
    OURS,
    Harness {
        name: "bench_diff_opt_0",
        profile: "\n[profile.bench.package.bench_diff_harness]\nopt-level = 0\n",
        ..OURS
    },
    Harness {
        name: "criterion",
        library: "criterion",
        requirement: "\"0.8\"",
        profile: "",
        bench: include_str!("sources/criterion.rs"),
        runs: &["--save-baseline old", "--baseline old"],
    },
    Harness {
        name: "divan",
        library: "divan",
        requirement: "\"=0.1.21\"",
        profile: "",
        bench: include_str!("sources/divan.rs"),
        runs: &["", ""],
    },
];

impl Harness {
    pub(crate) fn named(name: &str) -> Result<&'static Self, String> {
        HARNESSES.iter().find(|harness| harness.name == name).ok_or_else(|| {
            format!(
                "no harness is called {name}; there are {}",
                HARNESSES.map(|harness| harness.name).join(", ")
            )
        })
    }

    /// The line of a manifest.
    pub(crate) fn dependency(&self) -> String {
        let Self { library, requirement, .. } = self;
        if requirement.is_empty() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(library);
            format!("{library} = {{ path = {path:?} }}")
        } else {
            format!("{library} = {requirement}")
        }
    }
}
