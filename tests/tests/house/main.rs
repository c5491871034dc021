//! The order of the modules of each crate: an import points to a module that stands above its own, or stays
//! in its folder.

mod imports;

use std::path::Path;

use imports::House;

/// The modules of `bench_diff_core`, from those that everything may use to those that nothing uses.
const CORE: &[&str] = &[
    "stats",
    "error",
    "gate",
    "duo",
    "note",
    "coin",
    "clock",
    "plan",
    "sample",
    "overhead",
    "judge",
    "control",
    "measurement",
    "measure",
    "original",
];

/// The modules of `bench_diff_macros`.
const MACROS: &[&str] = &[
    "errors",
    "paths",
    "values",
    "rustc_call",
    "args",
    "key",
    "literal",
    "item",
    "lifetimes",
    "pair",
    "function",
    "shape",
    "validate",
    "expand",
];

fn assert_in_order(krate: &str, order: &[&str]) {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(krate).join("src");
    let house = House::read(&src);
    println!("{krate}: {} rooms, {} arrows", order.len(), house.arrows_between_rooms());
    let complaints = house.complaints(order);
    assert!(complaints.is_empty(), "{krate}:\n{}", complaints.join("\n"));
}

#[test]
fn core_is_in_order() {
    assert_in_order("bench_diff_core", CORE);
}

#[test]
fn macros_are_in_order() {
    assert_in_order("bench_diff_macros", MACROS);
}

/// What there is to say against these files, by their paths, in the order `low`, `high`.
fn complaints(files: &[(&str, &str)]) -> Vec<String> {
    House::of(files.iter().map(|(path, text)| (path.into(), (*text).to_owned()))).complaints(&["low", "high"])
}

#[test]
fn an_import_against_the_order_is_refused() {
    let found = |low: &str| complaints(&[("low.rs", low), ("high.rs", "use crate::low::Low;")]);
    assert_eq!(found("use std::fmt;\n"), [""; 0]);
    for wrong in ["use crate::high::High;", "use super::high;", "fn f() { crate::high::f() }"] {
        assert_eq!(found(&format!("\n{wrong}\n")), ["low.rs:2: low uses high, which stands below it"]);
    }
    assert_eq!(
        found("use crate::{\n    high::{High, Higher},\n};"),
        ["low.rs:1: low uses high, which stands below it"; 2]
    );
    assert_eq!(found("use crate::High;"), ["low.rs:1: low uses the crate's root: name the module"]);
}

#[test]
fn tests_and_comments_may_name_anything() {
    let low = "/// See [`crate::high`].\n#[cfg(test)]\nmod more;\n\n#[cfg(test)]\nmod tests {\n    use crate::high;\n}\n";
    assert_eq!(
        complaints(&[("low/mod.rs", low), ("low/more.rs", "use crate::high;"), ("high.rs", "")]),
        [""; 0]
    );
}

#[test]
fn a_circle_inside_a_room_is_refused() {
    let found = |b: &str| {
        complaints(&[
            ("low.rs", ""),
            ("high/mod.rs", "mod a;\nmod b;\nmod c;"),
            ("high/c.rs", "use super::{a, b};"),
            ("high/a.rs", "use super::b;"),
            ("high/b.rs", b),
        ])
    };
    assert_eq!(found("use super::High;"), [""; 0]);
    assert_eq!(found("use crate::high::a::A;"), ["high: a, b use each other in a circle"]);
}

#[test]
fn every_room_has_its_place() {
    assert_eq!(
        complaints(&[("low.rs", ""), ("high.rs", ""), ("other.rs", "")]),
        ["other is not in the order"]
    );
    assert_eq!(complaints(&[("low.rs", "")]), ["high is in the order, and there is no such module"]);
}
