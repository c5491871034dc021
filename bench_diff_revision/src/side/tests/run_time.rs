//! What the processes of each side get at run time: environment variables and shared libraries.

use super::*;

impl User {
    /// A bench that prints these variables, and a build script with these lines.
    fn printing(&self, names: &[&str], script: &str) {
        let said = names.iter().map(|name| format!("std::env::var({name:?}).unwrap_or_default()"));
        let said = said.collect::<Vec<_>>().join(", ");
        self.0.write(&[
            ("benches/b.rs", &format!("fn main() {{ bench_diff_harness::main(&[{said}].join(\" \")) }}")),
            ("build.rs", &format!("fn main() {{ {script} }}")),
        ]);
    }
}

#[test]
fn each_side_has_the_variables_of_its_tree() {
    let user = User::new(1);
    let names = ["SIZE", "MADE", "CARGO_MANIFEST_DIR", "RUSTC"];
    let settings = |size: u32| {
        let text = format!("[env]\nSIZE = \"{size}\"\nPLACE = {{ value = \"data\", relative = true }}\n");
        user.0.write(&[(".cargo/config.toml", &text)]);
    };
    user.printing(&names, "println!(\"cargo::rustc-env=MADE=1\")");
    settings(1);
    user.commit();
    user.printing(&names, "println!(\"cargo::rustc-env=MADE=2\")");
    settings(2);
    let variables = |more: &[(&str, &str)]| -> Vec<_> {
        let more = more.iter().map(|(name, value)| (name.into(), value.into()));
        std::env::vars_os().filter(|(name, _)| name == "PATH" || name == "HOME").chain(more).collect()
    };
    let place = user.0.path("data");
    let both = |size: &str, made: &str| {
        let mut call = user.call("");
        call.variables = variables(&[]);
        let place = ("PLACE", place.to_str().unwrap());
        let given = variables(&[("SIZE", size), ("MADE", made), place]);
        let bench = Bench { cargo_call: Some(call), variables: given, ..user.bench(&[]) };
        let side = user.found("HEAD", &bench).unwrap();
        let [_, of_one_unit] = side.both_of_one_unit();
        [side, of_one_unit].map(|side| side.build(&bench, &user.against()).unwrap().program.unwrap())
    };
    let [other, of_one_unit] = both("2", "2");
    let tree = user.tree("HEAD");
    assert_eq!(said(&other), format!("today's: 1 1 {} ", tree.display()));
    assert_eq!(other.other_variables.as_deref(), Some("environment variables at run time differ: SIZE"));
    assert_eq!(other.settings, ["environment variables at run time differ: MADE, SIZE"]);
    // Only code with its name reads that of the build script.
    for Program { moved_variables, .. } in [&other, &of_one_unit] {
        assert!(moved_variables.contains(&("MADE".to_owned(), false)), "{moved_variables:?}");
    }
    assert_eq!(both("1", "1")[0].other_variables, None, "paths of the trees don't count");
}

#[test]
fn a_build_script_of_one_side_explains_what_it_may_set() {
    let user = User::new(1);
    let unexplained = || {
        let mut bench = Bench { cargo_call: Some(user.call("")), ..user.bench(&[]) };
        bench.variables.push(("MADE".into(), "1".into()));
        let side = user.found("HEAD", &bench).unwrap().build(&bench, &user.against()).unwrap();
        side.program.unwrap().unexplained
    };
    user.commit();
    assert_eq!(unexplained().unwrap(), "environment variable MADE");
    user.0.write(&[("build.rs", "fn main() { println!(\"cargo::rustc-env=MADE=1\") }")]);
    assert_eq!(unexplained(), None);
}

#[test]
fn each_side_loads_its_own_shared_library() {
    let user = User::new(1);
    let script = "let out = std::env::var(\"OUT_DIR\").unwrap();
        let library = format!(\"{out}/libnumber.so\");
        let made = std::process::Command::new(\"cc\").args([\"-shared\", \"-fPIC\", \"-o\", &library, \"number.c\"]).status();
        assert!(made.unwrap().success());
        println!(\"cargo::rerun-if-changed=number.c\\ncargo::rustc-link-search=native={out}\\ncargo::rustc-link-lib=dylib=number\")";
    user.printing(&[], script);
    let library = "unsafe extern \"C\" { fn number() -> i32; }
        pub fn said() -> String { unsafe { number() }.to_string() }";
    let bench = "fn main() { bench_diff_harness::main(&mine::said()) }";
    user.0.write(&[
        ("src/lib.rs", library),
        ("benches/b.rs", bench),
        ("number.c", "int number(void) { return 1; }\n"),
    ]);
    user.commit();
    user.0.write(&[("number.c", "int number(void) { return 2; }\n")]);
    let now = user.program(".");
    assert_eq!(said(&now), "today's: 2");
    assert_eq!(said(&user.program("HEAD")), "today's: 1");
}
