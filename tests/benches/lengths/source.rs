//! A package whose functions take from 5 nanoseconds to 5 seconds.

use std::path::Path;

/// The name of the package, of its library and of its bench.
pub(crate) const NAME: &str = "lengths";

/// The turns of the unchanged functions, each of about 1 ns.
pub(crate) const TURNS: [u64; 12] = [
    5,
    10,
    20,
    100,
    1_000,
    100_000,
    1_000_000,
    5_000_000,
    20_000_000,
    200_000_000,
    1_000_000_000,
    5_000_000_000,
];

/// The files of the package. The loops of its longer functions have `percent` percent more turns.
pub(crate) fn files(percent: u64) -> [(&'static str, String); 3] {
    let harness = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("bench_diff_harness");
    let manifest = format!(
        "[package]\nname = \"{NAME}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\nbench = false\n\n\
         [dev-dependencies]\nbench_diff_harness = {{ path = {harness:?} }}\n\n\
         [[bench]]\nname = \"{NAME}\"\nharness = false\n\n[workspace]\n"
    );
    let longer = TURNS.map(|turns| turns + (turns * percent).div_ceil(100));
    let library = format!(
        "{WORK}\npub const SAME: [u64; 12] = {TURNS:?};\npub const LONGER: [u64; 12] = {longer:?};\n"
    );
    let functions = (0..TURNS.len()).map(|index| function(index, "same") + &function(index, "longer"));
    let bench = format!(
        "use bench_diff_harness::bench_diff;\nuse {NAME}::{{LONGER, SAME, work}};\n\n{}bench_diff_harness::main!();\n",
        functions.collect::<String>()
    );
    [("Cargo.toml", manifest), ("src/lib.rs", library), ("benches/lengths.rs", bench)]
}

/// A function of the bench, and a pair of it with the unchanged one.
fn function(index: usize, kind: &str) -> String {
    let turns = format!("{}[{index}]", kind.to_uppercase());
    format!(
        "#[bench_diff]\nfn {kind}_{index}() {{\n    work({turns}, \"{kind}_{index}\");\n}}\n\n\
         #[bench_diff(baseline = base_{kind}_{index})]\n\
         fn pair_{kind}_{index}() {{\n    work({turns}, \"pair_{kind}_{index}\");\n}}\n\n\
         fn base_{kind}_{index}() {{\n    work(SAME[{index}], \"base_{kind}_{index}\");\n}}\n\n"
    )
}

/// Calls that take a while are counted in a file, in any process and on either side.
const WORK: &str = r#"use std::fs::OpenOptions;
use std::hint::black_box;
use std::io::Write;

#[inline(never)]
pub fn work(turns: u64, name: &str) {
    if turns >= 1_000_000 {
        let folder = std::env::var("LENGTHS_CALLS").unwrap();
        let mut file = OpenOptions::new().create(true).append(true).open(format!("{folder}/{name}")).unwrap();
        file.write_all(b".").unwrap();
    }
    let mut state = turns;
    for turn in 0..black_box(turns) {
        state = state.rotate_left(1) ^ turn;
    }
    black_box(state);
}
"#;
