//! Builds of all kinds, each of which is linked again.

use crate::from_readme::manifest;
use crate::user_crate::UserCrate;

/// The name of a build, its variables, and the edition or the folder of its crate.
type Kind = (&'static str, &'static [(&'static str, &'static str)], &'static str);

const BUILDS: [Kind; 15] = [
    ("plain", &[], ""),
    // What release profiles often have. Cargo ignores `panic = "abort"` for benches, so rustc gets it as
    // a flag. Once rustc crashed on such a build, and once the compiler saw through the benchmark.
    (
        "fat LTO, one codegen unit, panic = abort",
        &[
            ("CARGO_PROFILE_BENCH_LTO", "fat"),
            ("CARGO_PROFILE_BENCH_CODEGEN_UNITS", "1"),
            ("CARGO_PROFILE_BENCH_PANIC", "abort"),
            ("RUSTFLAGS", "-C panic=abort"),
        ],
        "",
    ),
    ("thin LTO", &[("CARGO_PROFILE_BENCH_LTO", "thin")], ""),
    ("stripped", &[("CARGO_PROFILE_BENCH_STRIP", "true")], ""),
    ("debug information", &[("CARGO_PROFILE_BENCH_DEBUG", "true")], ""),
    (
        "debug information apart",
        &[("CARGO_PROFILE_BENCH_DEBUG", "true"), ("CARGO_PROFILE_BENCH_SPLIT_DEBUGINFO", "packed")],
        "",
    ),
    ("incremental", &[("CARGO_INCREMENTAL", "1")], ""),
    ("panic = abort", &[("RUSTFLAGS", "-C panic=abort")], ""),
    ("of this CPU", &[("RUSTFLAGS", "-C target-cpu=native")], ""),
    ("functions on half lines", &[("RUSTFLAGS", "-C llvm-args=-align-all-functions=5")], ""),
    ("the linker of GNU", &[("RUSTFLAGS", "-C link-arg=-fuse-ld=bfd")], ""),
    ("a linker by name", &[("RUSTFLAGS", "-C linker=gcc")], ""),
    ("LTO by the linker", &[("RUSTFLAGS", "-C linker-plugin-lto")], ""),
    ("edition 2018", &[], "2018"),
    ("a path with a blank", &[], "a path with ü"),
];

/// A function that does the work of its baseline twice: what fails in every build, so that the report says in
/// what it was found.
pub(crate) const TWICE: &str = "
use std::hint::black_box;

#[inline(never)]
fn once() -> u64 {
    (0..2_000_u64).fold(1, |sum, number| black_box(sum).rotate_left(5) ^ number)
}

#[bench_diff_harness::bench_diff(baseline = once, check = false)]
fn twice() -> u64 {
    once() ^ once()
}

bench_diff_harness::main!();
";

#[test]
#[ignore = "builds the harness in a dozen ways, which takes ten minutes"]
fn every_build_is_linked_again() {
    let manifest = manifest("digits");
    for (name, environment, change) in BUILDS {
        let newcomer = UserCrate::new(if change.contains(' ') { change } else { "builds" }, &manifest);
        let edition = if change == "2018" { "2018" } else { "2024" };
        let own =
            newcomer.read("Cargo.toml").replace("edition = \"2024\"", &format!("edition = \"{edition}\""));
        newcomer.write("Cargo.toml", &own.replace("name = \"a path with ü\"", "name = \"blank\""));
        newcomer.write("benches/digits.rs", TWICE);
        let ran = newcomer.cargo_in("bench -- --verbose", environment);
        assert!(ran.stdout.contains(" slower as linked"), "{name}:\n{}\n{}", ran.stdout, ran.stderr);
        assert!(!ran.stderr.contains("layouts here move"), "{name}: {}", ran.stderr);
        println!("{name}: linked again");
        ran.ends_with(101);
    }
}
