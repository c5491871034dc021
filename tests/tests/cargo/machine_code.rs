//! The machine code of what is timed.

use std::collections::BTreeSet;
use std::fs;

use object::{Object, ObjectSymbol};

use crate::from_readme::manifest;
use crate::user_crate::UserCrate;

/// Types of outputs, and what makes one of `x`.
const OUTPUTS: [(&str, &str); 20] = [
    ("()", "{ black_box(x); }"),
    ("bool", "x == 7"),
    ("char", "if x == 7 { 'a' } else { 'b' }"),
    ("u64", "x + 1"),
    ("u128", "u128::from(x) << 64 | 1"),
    ("f64", "x as f64"),
    ("(u64, u64)", "(x, x + 1)"),
    ("(u8, u64, u16)", "(x as u8, x, 3)"),
    ("[u64; 4]", "[x; 4]"),
    ("[u64; 64]", "[x; 64]"),
    ("std::ops::Range<u64>", "x..x + 1"),
    ("std::cmp::Ordering", "x.cmp(&7)"),
    ("Option<u64>", "(x != 7).then_some(x)"),
    ("&'static str", "if x == 7 { \"seven\" } else { \"other\" }"),
    ("&'static [u64]", "if x == 7 { &[7] } else { &[] }"),
    ("Box<u64>", "Box::new(x)"),
    ("String", "String::from(if x == 7 { \"seven\" } else { \"other\" })"),
    ("Option<String>", "(x != 7).then(|| String::from(\"other\"))"),
    ("Vec<u64>", "vec![x, 1, 2]"),
    ("Result<(u64, u64), String>", "if x == 8 { Err(String::new()) } else { Ok((x, x)) }"),
];

/// Equal functions of every type, not compared, compared with a function, and compared with `==`.
fn bench() -> String {
    let mut bench = String::from("use std::hint::black_box;\n\nuse bench_diff_harness::bench_diff;\n");
    bench += "fn same<T: PartialEq>(a: &T, b: &T) -> bool { a == b }\n";
    for (number, (ty, output)) in OUTPUTS.iter().enumerate() {
        for (name, check) in [("off", "check = false, "), ("path", "check = same, "), ("eq", "")] {
            let of = |name: &str| format!("fn {name}() -> {ty} {{ let x = black_box(7_u64); {output} }}\n");
            let (candidate, baseline) = (format!("{name}_{number}"), format!("{name}_{number}_baseline"));
            let attribute = format!("#[bench_diff({check}baseline = {baseline})]\n");
            bench += &(of(&baseline) + &attribute + &of(&candidate));
        }
    }
    bench + "bench_diff_harness::main!();\n"
}

/// Functions of equal machine code in one unit are merged by LLVM, each with what is timed around it.
#[test]
fn what_is_timed_differs_neither_between_the_sides_nor_with_the_check() {
    let unit = "\n[profile.bench.package.outputs]\ncodegen-units = 1\n";
    let outputs = UserCrate::new("outputs", &(manifest("digits") + unit));
    outputs.write("benches/digits.rs", &bench());
    let ran = outputs.cargo("bench -- --layouts linked").ends_with(0);
    let same = ran.stdout.matches("unchanged").count();
    assert_eq!(same, 3 * OUTPUTS.len(), "{}", ran.stdout);

    let (_, program) = ran.stderr.split_once("Running benches/digits.rs (").unwrap();
    let program = fs::read(program.split_once(')').unwrap().0).unwrap();
    let program = object::File::parse(&*program).unwrap();
    let addresses = |part: &str| -> BTreeSet<u64> {
        let named = program.symbols().filter(|symbol| symbol.name().unwrap_or_default().contains(part));
        named.map(|symbol| symbol.address()).collect()
    };
    let calls = addresses("clock..slot..Call$GT$4call");
    // Of each type that of the functions, and that of the empty call.
    assert!((OUTPUTS.len()..=2 * OUTPUTS.len()).contains(&calls.len()), "{}", calls.len());
    // A copy for each function could be inlined or not, depending on the others.
    assert_eq!(addresses("5Cases4push17h").len(), 1);
}
