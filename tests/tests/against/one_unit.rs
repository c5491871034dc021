//! A failure that disappears if each crate is one codegen unit. `allowed` has one that stays.

use crate::repository::Repository;

/// A sort that is fast only if the compiler inlines its comparison into std's functions.
const SORTING: &str = include_str!("in_units.rs");

const BENCH: &str = "\
#[bench_diff_harness::bench_diff(max_slowdown = \"50%\")]
fn sorted() -> u64 {
    let mut numbers: Vec<u64> = (0..200_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    units::sorting::sorted(&mut numbers);
    numbers[0]
}
bench_diff_harness::main!();
";

#[test]
fn a_failure_of_codegen_units_alone_is_inconclusive() {
    let Some(units) = Repository::new("units") else { return };
    let manifest = units.read("Cargo.toml");
    let in_units = |count| format!("{manifest}\n[profile.bench.package.units]\ncodegen-units = {count}\n");
    units.write("Cargo.toml", &in_units(1));
    units.write("src/lib.rs", SORTING);
    units.write("benches/works.rs", BENCH);
    units.lock();
    units.commit("units");

    // One source, divided otherwise.
    units.write("Cargo.toml", &in_units(16));
    let (records, said) = units.records("--alpha 30% --against HEAD", 0);
    assert!(
        said.contains("building both sides with one codegen unit for each crate, since `sorted`"),
        "{said}"
    );
    let pair = &records[0];
    let of = |field: &str| pair[field].as_str().unwrap();
    assert_eq!((of("outcome"), pair["doubt"]["kind"].as_str()), ("inconclusive", Some("units")), "{pair}");
    assert!(
        of("reason").starts_with("your users get slower code, but not because of its source: "),
        "{pair}"
    );
}
