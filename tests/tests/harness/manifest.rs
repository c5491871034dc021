//! Limits in the manifest of the package.

use std::fs;

use crate::fixture::{Ran, VERDICTS};
use crate::home::Home;

const SETTINGS: &str = "
[[package.metadata.bench_diff.settings]]
name = \"five_*\"
report_only = true

[[package.metadata.bench_diff.settings]]
name = \"fife_*\"
max_slowdown = \"1%\"
";

const BENCH: &str = "[[bench]]\nname = \"verdicts\"\n";

const NOTE: &str = "note: Cargo.toml has settings for `fife_*`, which match no benchmark\n";

#[test]
fn limits_apply_to_benchmarks_of_their_name_and_others_are_told() {
    let home = Home::new();
    let run = |manifest: Option<String>| -> Ran {
        manifest.iter().for_each(|text| fs::write(home.path().join("Cargo.toml"), text).unwrap());
        let folder = home.path().to_str().unwrap();
        home.run_in(VERDICTS, "five_times --bench", &[("CARGO_MANIFEST_DIR", folder)])
    };
    let without = run(None).ends_with(101);
    without.complains("note: no Cargo.toml in ").complains(", so no limits of a manifest apply\n");
    run(Some(format!("{BENCH}{SETTINGS}"))).ends_with(0).complains(NOTE);
    let of_two_benches = run(Some(format!("{BENCH}{BENCH}{SETTINGS}"))).ends_with(0);
    assert!(!of_two_benches.stderr.contains("note: "), "{}", of_two_benches.stderr);
}
