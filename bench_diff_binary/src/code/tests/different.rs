//! Functions that do different work, and how the first difference is described.

use super::*;

/// Functions that do different work with `--cfg=changed`.
const UNLIKE: &str = include_str!("sources/unlike.rs");

#[track_caller]
pub(super) fn assert_unlike(ways: &[&[&str]]) {
    for way in ways {
        let one = program(UNLIKE, way);
        let changed = program(UNLIKE, &[*way, &["--cfg=changed"]].concat());
        // Functions that LTO inlined everywhere have no symbol.
        let is_found = |symbol: &&str| one.named(symbol).is_some() && changed.named(symbol).is_some();
        let found: Vec<&str> = named(UNLIKE).filter(is_found).collect();
        assert!(found.len() > 10, "{way:?}");
        let wrongly_same = found.iter().find(|symbol| compared(&one, &changed, symbol) == Ok(()));
        assert_eq!(wrongly_same, None, "{way:?}");
    }
}

const V0: &str = "-Csymbol-mangling-version=v0";

#[test]
fn other_work_is_never_the_same_however_it_is_compiled() {
    assert_unlike(&[&["-Ccodegen-units=1"], &[V0]]);
}

#[test]
#[ignore = "links four programs with LTO"]
fn other_work_is_never_the_same_with_lto() {
    assert_unlike(&[&["-Clto=fat", V0], &["-Clto=thin"]]);
}

#[test]
fn other_work_is_never_the_same() {
    let one = program(UNLIKE, &[]);
    let [moved, changed] = [program(&further_down(UNLIKE), &[]), program(UNLIKE, &["--cfg=changed"])];
    for symbol in named(UNLIKE) {
        assert_ne!(compared(&one, &changed, symbol), Ok(()), "{symbol}");
        let is_by_line = symbol.starts_with("by_line");
        assert_eq!(compared(&one, &moved, symbol) == Ok(()), !is_by_line, "{symbol}");
    }
    let difference = |symbol| match compared(&one, &changed, symbol) {
        Err(Unproven::Differ(difference)) => {
            let ([left, right], [left_bytes, right_bytes]) = (&difference.functions, difference.bytes);
            let why = difference.why.words(["one", "other"], None);
            format!("`{left}`: {left_bytes} bytes, `{right}`: {right_bytes} bytes, {why}")
        }
        other => format!("{other:?}"),
    };
    assert_eq!(
        difference("three_deep"),
        "`main::third`: 20 bytes, `main::third`: 20 bytes, changed machine code"
    );
    assert!(
        difference("in_static").ends_with(", its constants or statics changed"),
        "{}",
        difference("in_static")
    );
    let inlined = "`other` calls `helper`, which `one` inlines or leaves out; `main::main` calls it as well, \
         which may be why";
    assert!(difference("inlines").ends_with(inlined), "{}", difference("inlines"));
    assert_eq!(difference("limited"), "Err(Unknown(\"they use a variable that main::main uses too\"))");
    for (symbol, as_new, as_old) in [
        (
            "allocates",
            "now calls the allocator; 3f2c9e1 did not",
            "no longer calls the allocator; 3f2c9e1 did",
        ),
        (
            "may_panic",
            "now calls a function that panics; 3f2c9e1 did not",
            "no longer calls a function that panics; 3f2c9e1 did",
        ),
        ("copies", "now calls memcpy; 3f2c9e1 did not", "no longer calls memcpy; 3f2c9e1 did"),
        ("harnessed", "changed machine code", "changed machine code"),
        (
            "inlines",
            "now calls `helper`, which 3f2c9e1 inlined or left out; `main::main` calls it as well, which may be why",
            "now inlines or leaves out `helper`, which 3f2c9e1 called; `main::main` calls it as well, which may be why",
        ),
    ] {
        for (new, old, expected) in [(&changed, &one, as_new), (&one, &changed, as_old)] {
            let Err(Unproven::Differ(difference)) = compared(new, old, symbol) else { panic!("{symbol}") };
            assert_eq!(difference.why.words([""; 2], Some("3f2c9e1")), expected);
        }
    }
}

/// The limit of the rule for panic locations.
#[test]
fn work_by_the_line_of_a_caller_is_seen_only_where_the_compiler_knows_it() {
    let source = "use std::hint::black_box;
        use std::panic::Location;

        #[track_caller]
        fn lines() -> u64 {
            let location = Location::caller();
            let location = if cfg!(hidden) { black_box(location) } else { location };
            (0..location.line()).map(|line| u64::from(black_box(line))).sum()
        }
        #[inline(never)]
        #[unsafe(no_mangle)]
        fn by_line() -> u64 { lines() }
        fn main() { println!(\"{}\", by_line()); }";
    let is_seen = |options: &[&str]| {
        let [one, other] = [source, &further_down(source)].map(|source| program(source, options));
        compared(&one, &other, "by_line") != Ok(())
    };
    assert!(is_seen(&[]));
    assert!(!is_seen(&["--cfg=hidden"]), "this is no limit any more");
}

#[test]
fn other_callers_of_a_function_that_one_side_inlined_are_reported() {
    let program = program(include_str!("sources/expanded.rs"), &["-Ccodegen-units=1"]);
    let [one, other] = ["machine_1", "machine_2"].map(|symbol| program.named(symbol).unwrap());
    let Err(Unproven::Differ(difference)) = same(&program, one, &program, other) else {
        panic!("no difference")
    };
    let expected = "`machine_2` calls `next`, which `machine_1` inlines or leaves out; `unrelated` calls it as \
        well, which may be why";
    assert_eq!(difference.why.words(["machine_1", "machine_2"], None), expected);
}
