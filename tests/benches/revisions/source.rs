//! A package of the measured functions, as one of the revisions has it.

use std::path::Path;

use crate::changes::SOURCE;
use crate::ways::Way;

/// The name of the package, of its library and of its bench.
pub(crate) const NAME: &str = "kernels";

/// Code that nobody calls, so that one source makes programs of many layouts.
const PADDING: &str = include_str!("../padding.rs");

/// The files of the package.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) way: Way,
    /// The functions.
    pub(crate) library: String,
    /// The count of numbers that they work on.
    pub(crate) numbers: String,
}

impl Source {
    pub(crate) fn new(way: Way, numbers: &str) -> Self {
        Self { way, library: SOURCE.to_owned(), numbers: numbers.to_owned() }
    }

    /// The files by their paths.
    pub(crate) fn files(&self) -> [(&'static str, String); 3] {
        let Self { way: Way { padding, codegen_units }, library, numbers } = self;
        let harness = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("bench_diff_harness");
        let manifest = format!(
            "[package]\nname = \"{NAME}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\nbench = false\n\n\
             [dev-dependencies]\nbench_diff_harness = {{ path = {harness:?} }}\n\n\
             [[bench]]\nname = \"{NAME}\"\nharness = false\n\n\
             [workspace]\n\n[profile.bench.package.{NAME}]\ncodegen-units = {codegen_units}\n"
        );
        let names = names(library).join(" ");
        let bench = format!(
            "use std::hint::black_box;\n\nuse bench_diff_harness::bench_diff;\n\n\
             fn inputs() -> Vec<u64> {{\n    black_box({NAME}::numbers({NAME}::COUNT))\n}}\n\n\
             macro_rules! functions {{\n    ($($name:ident)*) => {{\n        $(\n            \
             #[bench_diff(setup_once = inputs)]\n            \
             fn $name(numbers: &Vec<u64>) -> u64 {{\n                {NAME}::$name(numbers)\n            }}\n        \
             )*\n    }};\n}}\n\nfunctions! {{ {names} }}\n\nbench_diff_harness::main!();\n"
        );
        [
            ("Cargo.toml", manifest),
            // Both sides run the bench of the newer one, so what makes a function slower is in the library.
            (
                "src/lib.rs",
                format!(
                    "{library}\n/// The numbers to work on.\npub const COUNT: usize = {numbers};\n\n\
                     const PADDING: usize = {padding};\n\n{PADDING}"
                ),
            ),
            ("benches/kernels.rs", bench),
        ]
    }
}

/// The functions of a library that are measured, in its order.
fn names(library: &str) -> Vec<&str> {
    let heads = library.lines().filter_map(|line| line.strip_prefix("pub fn "));
    heads.filter_map(|head| head.strip_suffix("(numbers: &[u64]) -> u64 {")).collect()
}
