//! Runs the benches of the working tree in old trees, or those of the trees where these do not build.

use super::*;

impl User {
    /// The old side with these benches, and the output of its program, which shows whose benches it runs.
    fn laid(&self, name: &str, benches: Benches) -> (String, BuiltSide) {
        let side = self.side(name, benches).unwrap();
        (said(side.program.as_ref().unwrap()), side)
    }
}

const HARNESS: &str = "bench_diff_harness = { path = \"../harness\" }";

#[test]
fn a_tree_without_the_bench_gets_todays() {
    let user = User::new(1);
    user.0.write(&[("Cargo.toml", "[package]\nname = \"mine\"\nversion = \"0.1.0\"\nedition = \"2015\"\n")]);
    fs::remove_dir_all(user.0.path("benches")).unwrap();
    fs::remove_file(user.0.path("Cargo.lock")).unwrap();
    let old = user.commit();

    // A bench in a newer edition, with a module and data.
    user.source(2);
    user.manifest(HARNESS, "[workspace]\n");
    user.0.write(&[
        ("benches/b.rs", "mod more;\nfn main() { let Some(text) = more::text() else { return }; bench_diff_harness::main(&text) }"),
        ("benches/more/mod.rs", "pub async fn unused() {}\npub fn text() -> Option<String> { Some(mine::said() + include_str!(\"data.txt\")) }"),
        ("benches/more/data.txt", " with data"),
    ]);
    user.lock();
    user.0.git("add benches/b.rs");
    let (words, side) = user.laid(&old, Benches::Auto);
    assert_eq!(words, "today's: 1 with data");
    assert_eq!(side.lines, [runs_todays(&old)]);
    assert_eq!(side.laid_over, ["benches/b.rs", "benches/more/data.txt", "benches/more/mod.rs"]);
    let built = side.program.unwrap();
    let first = built_at(&built);
    let again = user.laid(&old, Benches::Auto).1.program.unwrap();
    assert_eq!(
        (built_at(&again), &again.executable),
        (first, &built.executable),
        "cargo compiles nothing again"
    );
    assert!(user.0.git("status --porcelain").lines().all(|line| !line.contains("target")));

    // An edit makes no new checkout, and a file that is gone is gone there.
    user.0.write(&[
        ("benches/more/data.txt", " with other data"),
        (
            "benches/more/mod.rs",
            "pub fn text() -> Option<String> { Some(mine::said() + include_str!(\"../data.txt\")) }",
        ),
    ]);
    fs::rename(user.0.path("benches/more/data.txt"), user.0.path("benches/data.txt")).unwrap();
    let (words, edited) = user.laid(&old, Benches::Auto);
    assert_eq!((&*words, &edited.checkout.tree), ("today's: 1 with other data", &side.checkout.tree));
    assert!(!edited.checkout.tree.join("benches/more/data.txt").exists());

    // The bench needs an API that the old revision lacks.
    user.0.write(&[
        ("src/lib.rs", "pub fn newer() -> String { String::new() }"),
        ("benches/b.rs", "fn main() { bench_diff_harness::main(&mine::newer()) }"),
    ]);
    let side = user.side(&old, Benches::Auto).unwrap();
    assert_eq!(side.program.unwrap_err(), Missing::NewBench);
    let note = side.lines.concat();
    let start = format!(
        "today's benchmarks do not build in {}:\nerror[E0425]: cannot find function `newer`",
        &old[..7]
    );
    assert!(note.starts_with(&start), "{note}");
    assert!(note.ends_with("or compare with a later revision"), "{note}");
}

#[test]
fn a_bench_that_needs_a_newer_crate_of_the_repository_is_new() {
    let user = User::new(1);
    let package = |more: &str| {
        format!("[package]\nname = \"beside\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n{more}")
    };
    fs::remove_dir_all(user.0.path("benches")).unwrap();
    user.manifest(HARNESS, "[workspace]\n");
    let without = user.commit();
    user.0.write(&[("beside/Cargo.toml", &package("")), ("beside/src/lib.rs", "")]);
    let without_feature = user.commit();
    user.0.write(&[("benches/b.rs", "fn main() { println!(\"another harness\") }")]);
    user.manifest("", "[workspace]\n");
    let with_another_harness = user.commit();

    user.0.write(&[("beside/Cargo.toml", &package("[features]\nnewer = []\n"))]);
    user.manifest(
        &format!("{HARNESS}\nbeside = {{ path = \"beside\", version = \"0.1\", features = [\"newer\"] }}"),
        "[workspace]\n",
    );
    user.source(2);
    user.lock();
    for (old, expected) in [
        (without, "beside/Cargo.toml`\nput what is newer"),
        (without_feature, "but `beside` does not have that feature"),
        (with_another_harness.clone(), "but `beside` does not have that feature"),
    ] {
        let side = user.side(&old, Benches::Auto).unwrap();
        let is_new = old != with_another_harness;
        let why = if is_new { Missing::NewBench } else { Missing::OtherHarness };
        assert_eq!(side.program.unwrap_err(), why);
        let note = side.lines.concat();
        assert!(note.contains(expected), "{note}");
    }
}

#[test]
fn a_front_end_in_the_repository_that_was_added_later_is_todays() {
    let user = User::new(1);
    user.0.write(&[("benches/b.rs", "fn main() { println!(\"another harness\") }")]);
    user.manifest("", "[workspace]\n");
    user.lock();
    let old = user.commit();

    let mut files = harness("today's", "0.1.0");
    files[0].1 = files[0].1.replace("[workspace]\n", "");
    written(&user.0.path("tools/harness"), &files);
    let manifest = "[package]\nname = \"bench_diff_criterion\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
                    [dependencies]\nbench_diff_harness = { path = \"../harness\" }\n";
    user.0.write(&[
        ("tools/front_end/Cargo.toml", manifest),
        ("tools/front_end/src/lib.rs", "pub use bench_diff_harness::main;"),
    ]);
    let front_end = "criterion = { package = \"bench_diff_criterion\", path = \"tools/front_end\" }";
    user.manifest(front_end, "[workspace]\n");
    user.source(2);
    user.0.write(&[("benches/b.rs", "fn main() { criterion::main(&mine::said()) }")]);
    user.lock();
    let side = user.side(&old, Benches::Auto).unwrap();
    assert_eq!(said(&side.program.unwrap()), "today's: 1");
}

#[test]
fn a_module_in_another_form_is_replaced_and_a_package_without_a_library_gets_none() {
    let user = User::new(1);
    for gone in ["benches", "src"] {
        fs::remove_dir_all(user.0.path(gone)).unwrap();
    }
    user.manifest("", "[workspace]\n");
    let manifest = fs::read_to_string(user.0.path("Cargo.toml")).unwrap();
    user.0.write(&[
        ("Cargo.toml", &manifest.replace("name = \"b\"", "name = \"common\"")),
        ("src/main.rs", "fn main() {}"),
        ("benches/common.rs", "pub fn said() -> &'static str { \"then\" }"),
    ]);
    let old = user.commit();

    fs::remove_file(user.0.path("benches/common.rs")).unwrap();
    user.source(2);
    user.manifest(HARNESS, "[lib]\nbench = false\n\n[workspace]\n");
    user.0.write(&[
        ("benches/b.rs", "mod common;\nfn main() { bench_diff_harness::main(common::said()) }"),
        ("benches/common/mod.rs", "pub fn said() -> &'static str { \"now\" }"),
    ]);
    user.lock();
    for _ in 0..2 {
        assert_eq!(user.laid(&old, Benches::Auto).0, "today's: now");
    }

    // The library is what does not compile, and not the bench.
    user.0.write(&[("src/lib.rs", "fn said( {")]);
    let broken = user.commit();
    user.source(3);
    let error = user.side(&broken, Benches::Now).map(drop).unwrap_err();
    assert!(error.starts_with("its bench does not compile:\nerror: "), "{error}");
}

#[test]
fn a_package_below_the_benches_keeps_its_sources() {
    let user = User::new(1);
    user.0.write(&[
        ("benches/util/Cargo.toml", "[package]\nname = \"util\"\nversion = \"0.1.0\"\n"),
        ("benches/util/src/lib.rs", "pub fn one() {}\n"),
        ("benches/former.rs", "pub fn one() {}\n"),
    ]);
    let old = user.commit();
    fs::remove_dir_all(user.0.path("benches/util")).unwrap();
    fs::remove_file(user.0.path("benches/former.rs")).unwrap();
    user.0.write(&[("benches/b.rs", "fn main() { bench_diff_harness::main(&mine::said()) }\n")]);
    let tree = user.laid(&old, Benches::Auto).1.checkout.tree;
    let exists = ["util/src/lib.rs", "former.rs"].map(|file| tree.join("benches").join(file).exists());
    assert_eq!(exists, [true, false]);
}

#[test]
fn a_bench_beside_the_library_is_copied_without_it() {
    let user = User::new(1);
    fs::remove_dir_all(user.0.path("benches")).unwrap();
    let manifest = fs::read_to_string(user.0.path("Cargo.toml")).unwrap();
    user.0.write(&[("Cargo.toml", manifest.split("[[bench]]").next().unwrap())]);
    let old = user.commit();

    user.source(2);
    fs::rename(user.0.path("benches/b.rs"), user.0.path("src/b.rs")).unwrap();
    user.0.write(&[(
        "Cargo.toml",
        &manifest.replace("harness = false", "harness = false\npath = \"src/b.rs\""),
    )]);
    let bench = Bench { file: "src/b.rs", ..user.bench(&[]) };
    let side = user.found(&old, &bench).unwrap().build(&bench, &user.against()).unwrap();
    assert_eq!(
        (&*said(&side.program.unwrap()), &*side.laid_over),
        ("today's: 1", &["src/b.rs".to_owned()][..])
    );
}

#[test]
fn a_bench_for_another_harness_is_replaced_and_a_renamed_one_is_not() {
    let user = User::new(1);
    let bench = "fn main() { println!(\"a bench of another harness, and long enough to be known again\") }";
    user.0.write(&[("benches/b.rs", bench)]);
    user.manifest("", "[workspace]\n");
    user.lock();
    let other = user.commit();
    user.source(2);
    user.manifest(HARNESS, "[workspace]\n");
    user.lock();
    let now = user.commit();
    let (words, side) = user.laid(&other, Benches::Auto);
    assert_eq!(words, "today's: 1");
    assert_eq!(side.lines, [runs_todays(&other)]);

    // A renamed bench is the same.
    let manifest = fs::read_to_string(user.0.path("Cargo.toml")).unwrap();
    user.0.git("mv benches/b.rs benches/a.rs");
    user.0.write(&[("Cargo.toml", &manifest.replace("name = \"b\"", "name = \"a\""))]);
    let before = user.commit();
    user.0.git("mv benches/a.rs benches/b.rs");
    user.0.write(&[("Cargo.toml", &manifest)]);
    user.source(3);
    let (words, side) = user.laid(&before, Benches::Auto);
    assert_eq!((words.as_str(), side.lines), ("today's: 2", Vec::new()));
    let (words, side) = user.laid(&before, Benches::Own);
    assert_eq!((words.as_str(), side.lines), ("today's: 2", Vec::new()));

    user.0.write(&[("benches/b.rs", "fn main() { bench_diff_harness::main(&(mine::said() + \" now\")) }")]);
    let (words, side) = user.laid(&now, Benches::Now);
    assert_eq!(words, "today's: 2 now");
    assert_eq!(side.lines, [runs_todays(&now)]);
    let error = user.side(".", Benches::Now).map(drop).unwrap_err();
    assert_eq!(error, "--against-benches now needs a revision: bench_diff changes nothing in `.`");
}

#[test]
fn a_package_is_found_in_another_folder_and_under_another_name() {
    let user = User::new(1);
    // It used to be a member with another name, in another folder, and inherited nothing.
    let member =
        "[package]\nname = \"former\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\nname = \"mine\"\n";
    for gone in ["benches", "src"] {
        fs::remove_dir_all(user.0.path(gone)).unwrap();
    }
    user.0.write(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\nresolver = \"3\"\n"),
        ("crates/former/Cargo.toml", member),
        ("crates/former/src/lib.rs", "pub fn said() -> String { \"1\".to_owned() }"),
        (
            "crates/beside/Cargo.toml",
            "[package]\nname = \"beside\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
        ),
        ("crates/beside/src/lib.rs", "pub fn said() -> String { \" beside 1\".to_owned() }"),
    ]);
    user.lock();
    let old = user.commit();
    fs::remove_dir_all(user.0.path("crates/former")).unwrap();
    user.source(2);
    user.manifest(
        "bench_diff_harness.workspace = true\nbeside.workspace = true",
        "[workspace]\nmembers = [\"crates/*\"]\n\n[workspace.dependencies]\nbeside = { path = \"crates/beside\" }\n\
         bench_diff_harness = { path = \"../harness\" }\n",
    );
    user.0.write(&[
        ("benches/b.rs", "fn main() { bench_diff_harness::main(&(mine::said() + &beside::said())) }"),
        ("crates/beside/src/lib.rs", "pub fn said() -> String { \" beside 2\".to_owned() }"),
    ]);
    user.lock();
    let bench = user.bench(&[]);
    let side = user.found(&old, &bench).unwrap().running(Benches::Auto, Some("former".to_owned()));
    let side = side.build(&bench, &user.against()).unwrap();
    let words = said(side.program.as_ref().unwrap());
    assert_eq!(words, "today's: 1 beside 1", "code of the repository comes from the old tree");
    assert_eq!(side.laid_over, ["crates/former/benches/b.rs"]);
}

#[test]
fn a_bench_of_the_standard_harness_is_not_built_for_nothing() {
    let user = User::new(1);
    user.0.write(&[
        (".gitignore", "target\nCargo.lock\n"),
        ("Cargo.toml", "[package]\nname = \"mine\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        ("benches/b.rs", "compile_error!(\"it needs a nightly compiler\");"),
    ]);
    let old = user.commit();
    user.source(2);
    user.manifest(HARNESS, "[workspace]\n");
    user.lock();
    let (words, side) = user.laid(&old, Benches::Auto);
    assert_eq!(words, "today's: 1");
    assert_eq!(side.lines, [runs_todays(&old)]);
}

/// The line about a bench that differs in this revision.
fn runs_todays(old: &str) -> String {
    let short = &old[..7];
    format!(
        "both sides run today's benches/b.rs, not that of {short}: code in it is judged by `--against-benches own`"
    )
}

const OTHER_WORK: &str = "and its own may do other work: `--against-benches own` judges them all the same";

#[test]
fn the_old_bench_runs_where_todays_does_not_build() {
    let user = User::new(1);
    let old = user.commit();
    let short = &old[..7];
    let of_own = |benches| {
        let (words, side) = user.laid(&old, benches);
        assert_eq!(words, "today's: 1");
        (side.lines.concat(), side.other_work)
    };
    assert_eq!(of_own(Benches::Auto), (String::new(), None), "nothing differs");

    // A function was renamed, and its bench with it.
    user.0.write(&[
        ("src/lib.rs", "pub fn newer() -> String { String::new() }"),
        ("benches/b.rs", "fn main() { bench_diff_harness::main(&mine::newer()) }"),
    ]);
    for _ in 0..2 {
        let (line, other_work) = of_own(Benches::Auto);
        let start = format!("today's benchmarks do not build in {short}");
        assert!(line.starts_with(&format!("{start}:\nerror[E0425]: cannot find function `newer`")), "{line}");
        assert!(line.ends_with(&format!("{short} runs its own, which may do other work")), "{line}");
        assert_eq!(other_work.unwrap(), format!("{start}, {OTHER_WORK}"));
    }
    let each = "each side runs its own benches/b.rs, and the two differ".to_owned();
    assert_eq!(of_own(Benches::Own), (each, None));
    let side = user.side(&old, Benches::Now).unwrap();
    assert_eq!(side.program.unwrap_err(), Missing::Uncompilable);

    // What is new came with its benchmark, and the rest is as it was.
    let bench = "fn main() { bench_diff_harness::main(&mine::said()) }";
    user.0.write(&[("benches/b.rs", &format!("{bench}\nfn newer() {{\n    mine::newer();\n}}\n"))]);
    let (line, other_work) = of_own(Benches::Auto);
    assert!(line.ends_with(&format!("{short} runs its own, to which today's only added items")), "{line}");
    assert_eq!(other_work, None);

    // It builds again, in the same checkout.
    user.0.write(&[("benches/b.rs", "fn main() { bench_diff_harness::main(&(mine::said() + \" now\")) }")]);
    let (words, side) = user.laid(&old, Benches::Auto);
    assert_eq!((words.as_str(), side.lines), ("today's: 1 now", vec![runs_todays(&old)]));
    assert_eq!(user.laid(&old, Benches::Own).0, "today's: 1");
    assert_eq!(user.laid(&old, Benches::Auto).0, "today's: 1 now");
}

#[test]
fn features_that_the_old_bench_alone_requires_do_not_stop_todays() {
    let user = User::new(1);
    let today = fs::read_to_string(user.0.path("Cargo.toml")).unwrap();
    let old = today.replace("harness = false\n", "harness = false\nrequired-features = [\"internals\"]\n");
    let old = old.replace("[features]\n", "[features]\ninternals = []\n");
    assert!(old.contains("required") && old.contains("internals = []"), "{old}");
    user.0.write(&[("Cargo.toml", &old)]);
    user.commit();
    user.0.write(&[("Cargo.toml", &today)]);
    user.source(2);
    let (words, _) = user.laid("HEAD", Benches::Auto);
    assert_eq!(words, "today's: 1");
}

#[test]
fn a_library_of_another_name_has_its_own_bench() {
    let user = User::new(1);
    let manifest = fs::read_to_string(user.0.path("Cargo.toml")).unwrap();
    user.0.write(&[
        ("Cargo.toml", &manifest.replace("name = \"mine\"", "name = \"former\"")),
        ("benches/b.rs", "fn main() { bench_diff_harness::main(&former::said()) }"),
    ]);
    user.lock();
    let old = user.commit();
    user.source(2);
    user.0.write(&[("Cargo.toml", &manifest)]);
    user.lock();
    let (words, side) = user.laid(&old, Benches::Auto);
    assert_eq!(words, "today's: 1");
    assert!(side.lines.concat().contains("do not build in"), "{:?}", side.lines);
    assert!(side.other_work.unwrap().ends_with(OTHER_WORK));
}

#[test]
fn lints_of_a_newer_compiler_do_not_stop_the_old_side() {
    let user = User::new(1);
    let library = "fn unused() {}\npub fn said() -> String { \"1\".to_owned() }";
    let of_all = |library: &str| {
        user.0.write(&[("src/lib.rs", library)]);
        let old = user.commit();
        user.source(2);
        old
    };
    let old = of_all(library);
    let flags = [("RUSTFLAGS".to_owned(), "-Dwarnings".to_owned())];
    assert_eq!(said(&user.program_with(&old, &flags).unwrap()), "today's: 1");
    let old = of_all(&format!("#![deny(warnings)]\n{library}"));
    for _ in 0..2 {
        assert_eq!(user.laid(&old, Benches::Auto).0, "today's: 1");
    }

    // Cargo uses the flags of `build` only if a target has none.
    user.0.write(&[(".cargo/config.toml", "[target.'cfg(all())']\nrustflags = [\"--cfg\", \"x\"]\n")]);
    let old = of_all(&format!(
        "#![deny(warnings)]\n#![allow(unexpected_cfgs)]\n{library}\n#[cfg(not(x))] compile_error!(\"no x\");"
    ));
    let program = user.built_with(&old, &["--cfg", "x"]).unwrap().program.unwrap();
    assert_eq!(said(&program), "today's: 1");
}

#[test]
fn a_crate_that_cannot_be_downloaded_is_an_error() {
    let user = User::new(1);
    let manifest = fs::read_to_string(user.0.path("Cargo.toml")).unwrap();
    fs::remove_dir_all(user.0.path("benches")).unwrap();
    user.0.write(&[("Cargo.toml", manifest.split("[[bench]]").next().unwrap())]);
    let old = user.commit();
    user.source(2);
    user.manifest(&format!("{HARNESS}\ngone = {{ git = \"file:///absent\" }}"), "[workspace]\n");
    let error = user.side(&old, Benches::Auto).map(drop).unwrap_err();
    assert!(error.contains("failed to get `gone` as a dependency"), "{error}");
}

#[test]
fn a_dependency_of_todays_bench_may_move_one_of_the_old_library() {
    let user = User::new(1);
    user.0.write(&[("src/lib.rs", "pub fn said() -> String { format!(\"1 with {}\", normal::SAID) }")]);
    user.vendor("normal", "1.0.0", "");
    user.manifest(HARNESS, "[dependencies]\nnormal = \"1\"\n\n[workspace]\n");
    user.lock();
    let without = user.commit();
    user.vendor("normal", "1.1.0", "");
    user.vendor("newer", "1.0.0", "[dependencies]\nnormal = \"1.1\"\n");
    let old = user.commit();

    user.manifest(&format!("{HARNESS}\nnewer = \"1\""), "[dependencies]\nnormal = \"1\"\n\n[workspace]\n");
    user.0.write(&[(
        "benches/b.rs",
        "fn main() { bench_diff_harness::main(&(mine::said() + \", \" + newer::SAID)) }",
    )]);
    user.lock();
    let (words, side) = user.laid(&old, Benches::Auto);
    assert_eq!(words, "today's: 1 with normal 1.1.0, newer 1.0.0");
    let program = side.program.as_ref().unwrap();
    let moved = "normal 1.0.0 -> 1.1.0 in the old revision, for the benches of the working tree";
    assert_eq!(program.settings, [moved]);

    // Crates that the old tree's folder lacks are those of the working tree.
    assert_eq!(user.laid(&without, Benches::Auto).0, "today's: 1 with normal 1.1.0, newer 1.0.0");
}

#[test]
fn a_raised_requirement_of_todays_bench_moves_nothing_in_the_old_library() {
    let user = User::new(1);
    user.0.write(&[("src/lib.rs", "pub fn said() -> String { format!(\"1 with {}\", normal::SAID) }")]);
    let manifest = |version: &str| {
        user.vendor("normal", &format!("{version}.0"), "");
        let both = format!("normal = \"{version}\"");
        user.manifest(&format!("{HARNESS}\n{both}"), &format!("[dependencies]\n{both}\n\n[workspace]\n"));
        user.lock();
    };
    manifest("1.0");
    let old = user.commit();
    manifest("1.1");
    let (words, side) = user.laid(&old, Benches::Auto);
    assert_eq!(words, "today's: 1 with normal 1.0.0");
    assert_eq!(side.program.unwrap().settings, [""; 0]);
}
