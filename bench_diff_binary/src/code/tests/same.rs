//! Functions of one source, compiled and linked in many ways.

use super::different::assert_unlike;
use super::mutated::assert_seen;
use super::*;

const KINDS: &str = "index vec format map sort dynamic recursion statics text table bytes located all";

/// Requires that functions of one source are the same, in one program and in two.
pub(super) fn assert_alike(options: &[&str]) {
    let one = program(ALIKE, options);
    for kind in KINDS.split(' ') {
        let [left, right] = ["1", "2"].map(|end| one.named(&format!("{kind}_{end}")).unwrap());
        assert_eq!(same(&one, left, &one, right), Ok(()), "{kind} {options:?}");
    }
    let options = [options, &["--cfg=single"]].concat();
    let [one, other] = [program(ALIKE, &options), program(&further_down(ALIKE), &options)];
    for kind in KINDS.split(' ') {
        assert_eq!(compared(&one, &other, &format!("{kind}_1")), Ok(()), "{kind} {options:?}");
    }
}

#[test]
fn functions_of_one_source_are_the_same() {
    assert_alike(&["-Ccodegen-units=1", "-Cdebuginfo=2"]);
    assert_alike(&["-Ccodegen-units=16", "-Ctarget-cpu=native"]);
}

#[test]
fn how_symbols_are_called_and_who_links_makes_no_difference() {
    assert_alike(&["-Csymbol-mangling-version=v0", "-Clink-arg=-fuse-ld=bfd"]);
}

/// Code that is not optimized loads both halves of a constant that linkers merge.
#[test]
fn halves_of_merged_constants_are_followed() {
    let source = |value: u32| {
        let constant = format!("const HALVES: Option<u32> = Some({value});");
        let function = "#[unsafe(no_mangle)] #[inline(never)] fn halves() -> Option<u32> { HALVES }";
        program(
            &format!("{constant} {function} fn main() {{ println!(\"{{:?}}\", halves()) }}"),
            &["-Copt-level=0"],
        )
    };
    let [five, again, six] = [5, 5, 6].map(source);
    assert_eq!(compared(&five, &again, "halves"), Ok(()));
    assert!(matches!(compared(&five, &six, "halves"), Err(Unproven::Differ(_))));
}

#[test]
#[ignore = "links three programs with fat LTO"]
fn functions_are_the_same_with_lto() {
    assert_alike(&["-Clto=fat"]);
}

#[test]
#[ignore = "links three programs with thin LTO"]
fn functions_are_the_same_with_thin_lto() {
    assert_alike(&["-Clto=thin"]);
}

/// A map does not show merged data, nor an object that contributes nothing else to the program.
#[test]
fn an_object_that_no_map_names_is_read() {
    const UNITS: &str = include_str!("sources/units.rs");
    const LIBRARY: [&str; 5] =
        ["units.rs", "-O", "--edition=2024", "--crate-type=rlib", "-Ccodegen-units=16"];

    let folder = tempfile::tempdir().unwrap();
    // The rule for `make` has to escape these characters.
    let folder = folder.path().join("o#d d $x y");
    fs::create_dir(&folder).unwrap();
    let of_library = |source: &str| {
        fs::write(folder.join("units.rs"), source).unwrap();
        run("rustc", &folder, &LIBRARY);
        compile(&folder, "fn main() { units::main() }", &["-L.", "--extern=units"])
    };
    let of_program = |source: &str| compile(&folder, source, &["-Ccodegen-units=16"]);
    for is_library in [false, true] {
        let way = |source: &str| if is_library { of_library(source) } else { of_program(source) }.unwrap();
        let [one, other] = [UNITS, &further_down(UNITS)].map(way);
        let changed = way(&UNITS.replace("another of {} texts", "another of {} words"));
        for name in ["units_1", "units_2", "units_3"] {
            assert_eq!(compared(&one, &other, name), Ok(()), "{name}");
        }
        assert_ne!(compared(&one, &changed, "units_2"), Ok(()));
    }
}

#[test]
#[ignore = "needs `rustup target add aarch64-unknown-none`"]
fn functions_for_aarch64_are_compared() {
    let bare = include_str!("sources/bare.rs");
    for model in ["static", "pic"].map(|model| format!("-Crelocation-model={model}")) {
        let [alike, unlike] =
            [&[][..], &["--cfg=changed"]].map(|more| program(bare, &[&[OF_AARCH64, &model], more].concat()));
        for kind in ["constant", "table", "text", "callee", "float"] {
            let compare = |program: &Program| {
                let [one, other] = ["1", "2"].map(|end| program.named(&format!("{kind}_{end}")).unwrap());
                same(program, one, program, other)
            };
            assert_eq!(compare(&alike), Ok(()), "{kind} {model}");
            assert_ne!(compare(&unlike), Ok(()), "{kind} {model}");
        }
    }
}

#[test]
fn a_static_c_library_with_members_of_one_name_is_read() {
    let libraries = run("rustc", Path::new("/"), &["--print=target-libdir", OF_MUSL]);
    if !Path::new(libraries.trim()).is_dir() {
        skipped("this takes `rustup target add x86_64-unknown-linux-musl`");
        return;
    }
    assert_alike(&[OF_MUSL, "-Ccodegen-units=16"]);
    assert_unlike(&[&[OF_MUSL, "-Ccodegen-units=1"]]);
}

#[test]
fn functions_for_aarch64_linux_are_compared() {
    let Some(target) = for_aarch64() else { return };
    assert_alike(&[&target[..], &["-Ccodegen-units=16"]].concat());
    assert_unlike(&[&[&target[..], &["-Ccodegen-units=1"]].concat()]);
    assert_seen(200, 1, &target);
}
