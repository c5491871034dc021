//! Runs old benches of a library whose interface a front end of the running harness offers.

use super::*;

/// A user with a front end next to the harness, and a registry of libraries that do not compile.
fn with_front_end() -> User {
    let user = User::new(1);
    let beside = |name: &str| user.0.top.with_file_name(name);
    user.0.write(&[
        (".gitignore", "target\n"),
        ("benches/b.rs", "fn main() { criterion::main(&mine::said()) }"),
    ]);
    const FEATURES: &str = "[features]\ndefault = []\nhtml_reports = []\n\n";
    const LIBRARY: &str = "compile_error!(\"the library itself\");";
    let front_end = format!("{FEATURES}[dependencies]\nbench_diff_harness = {{ path = \"../harness\" }}\n");
    let stand_in = "[dependencies]\nbench_diff_criterion = { path = \"../../bench_diff_criterion\" }\n";
    for (path, version, more, source) in [
        ("bench_diff_criterion", "0.1.0", &*front_end, "pub use bench_diff_harness::main;"),
        ("stand_in/criterion", "0.5.1", stand_in, "pub use bench_diff_criterion::*;"),
        ("registry/criterion", "0.5.1", FEATURES, LIBRARY),
        ("registry/criterion@0.4.0", "0.4.0", "", LIBRARY),
        ("registry/criterion2", "1.2.0", "[lib]\nname = \"criterion\"\n", LIBRARY),
        ("registry/stored", "0.1.2", "[dependencies]\nderive = \"=0.1.2\"\n", ""),
        ("registry/stored@0.1.0", "0.1.0", "[dependencies]\nderive = \"=0.1.0\"\n", ""),
        ("registry/derive", "0.1.2", "", ""),
        ("registry/derive@0.1.0", "0.1.0", "", ""),
    ] {
        let name = path.split(['/', '@']).find(|part| !["registry", "stand_in"].contains(part)).unwrap();
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\n\n[workspace]\n\n{more}"
        );
        let files =
            [("Cargo.toml", &*manifest), ("src/lib.rs", source), (".cargo-checksum.json", "{\"files\":{}}")];
        written(&beside(path), &files.map(|(file, text)| (file.to_owned(), text.to_owned())));
    }
    let settings = format!(
        "[source.crates-io]\nreplace-with = \"here\"\n\n[source.here]\ndirectory = {:?}\n",
        beside("registry").display().to_string()
    );
    written(&beside(".cargo"), &[("config.toml".to_owned(), settings)]);
    user
}

const FRONT_END: &str =
    "criterion = { package = \"bench_diff_criterion\", path = \"../bench_diff_criterion\" }";

impl User {
    /// Commits the bench with this dependency, with a lock file for it or without one.
    fn commit_with(&self, dependency: &str, has_lock: bool) -> String {
        self.manifest(dependency, "[workspace]\n");
        let _ = fs::remove_file(self.0.path("Cargo.lock"));
        if has_lock {
            self.lock();
        }
        self.commit()
    }

    /// Builds the bench of the working tree with this dependency and these arguments of cargo, and then the
    /// other side.
    fn against_old(&self, old: &str, dependency: &str, words: &str) -> (String, String, Program) {
        self.source_of_today();
        self.manifest(dependency, "[workspace]\n");
        let _ = fs::remove_file(self.0.path("Cargo.lock"));
        let hash = self.hash_of_built(words);
        let side = self.built_by(Some(&self.call(words)), old, &[&hash]).unwrap();
        let Built::Program(program) = side.built else { panic!("{:?}", side.built) };
        (said(&program), side.note.unwrap_or_default(), program)
    }

    fn source_of_today(&self) {
        self.0.write(&[("src/lib.rs", "pub fn said() -> String { \"2\".to_owned() }")]);
    }
}

#[test]
fn todays_front_end_runs_the_old_benches() {
    let user = with_front_end();
    let old = user.commit_with("criterion = { version = \"0.5\", features = [\"html_reports\"] }", true);
    let (words, note, program) = user.against_old(&old, FRONT_END, "");
    assert_eq!(words, "today's: 1");
    let short = &old[..7];
    let in_place = |library: &str| {
        format!("{short} runs its own benches, with bench_diff_criterion in place of criterion {library}")
    };
    assert_eq!((note, User::settings(&program)), (in_place("0.5.1"), vec![""; 0]));
    // The order of the code depends on this hash.
    let today = user.hash_of_built("");
    assert!(program.call.contains(&today), "{today}: {:?}", program.call);
    assert_eq!(user.0.git("status --porcelain"), " M Cargo.lock\n M Cargo.toml\n M src/lib.rs");

    // First the same again, and then a bench that uses what the front end lacks: the working tree's bench
    // replaces it.
    assert_eq!(user.against_old(&old, FRONT_END, "").0, "today's: 1");
    user.0.write(&[("benches/b.rs", "fn main() { criterion::own(&mine::said()) }")]);
    let other = user.commit_with("criterion = \"0.5\"", true);
    user.0.write(&[("benches/b.rs", "fn main() { criterion::main(&(mine::said() + \" now\")) }")]);
    let (words, note, _) = user.against_old(&other, FRONT_END, "");
    assert_eq!(words, "today's: 2 now");
    let short = &other[..7];
    let why = format!(
        "{short} has `b` for criterion 0.5.1, which does not build with bench_diff_criterion in its place (error[E0425]: "
    );
    assert!(note.starts_with(&why) && note.ends_with("), so it gets that of the working tree"), "{note}");
}

#[test]
fn libraries_have_stand_ins_under_other_names_and_without_a_lock_file() {
    let user = with_front_end();
    user.0.write(&[(".gitignore", "target\nCargo.lock\n")]);
    for (dependency, library) in [
        ("criterion = \"0.5\"", "criterion 0.5"),
        ("criterion2 = \"1\"", "criterion2 1"),
        ("criterion = { package = \"criterion2\", version = \"1.1\" }", "criterion2 1.1"),
    ] {
        user.0.write(&[("src/lib.rs", "pub fn said() -> String { \"1\".to_owned() }")]);
        let old = user.commit_with(dependency, false);
        let (words, note, _) = user.against_old(&old, FRONT_END, "");
        let expected =
            format!("{} runs its own benches, with bench_diff_criterion in place of {library}", &old[..7]);
        assert_eq!((words.as_str(), note), ("today's: 1", expected));
    }
    // Today's bench uses no front end, so nothing replaces the library.
    let old = user.commit_with("criterion = \"0.5\"", false);
    user.0.write(&[("benches/b.rs", "fn main() { bench_diff_harness::main(&mine::said()) }")]);
    let (words, note, _) = user.against_old(&old, "bench_diff_harness = { path = \"../harness\" }", "");
    let expected = format!("{} has `b` for another harness, so it gets that of the working tree", &old[..7]);
    assert_eq!((words.as_str(), note), ("today's: 2", expected));
}

#[test]
fn a_patch_of_the_user_holds_for_both_sides() {
    let user = with_front_end();
    let words = "--config patch.crates-io.criterion.path=\"../stand_in/criterion\"";
    let old = user.commit_with("criterion = \"0.5\"", true);
    let (said, note, program) = user.against_old(&old, "criterion = \"0.5\"", words);
    assert_eq!(said, "today's: 1");
    assert!(note.ends_with("with bench_diff_criterion in place of criterion 0.5.1"), "{note}");
    let today = user.hash_of_built(words);
    assert!(program.call.contains(&today), "{today}: {:?}", program.call);

    // The version differs from the user's.
    user.0.write(&[("src/lib.rs", "pub fn said() -> String { \"1\".to_owned() }")]);
    let older = user.commit_with("criterion = \"0.4\"", true);
    let (said, note, _) = user.against_old(&older, "criterion = \"0.5\"", words);
    assert_eq!(said, "today's: 1");
    assert!(note.ends_with("with bench_diff_criterion in place of criterion 0.4.0"), "{note}");

    // A tree without the bench gets the working tree's.
    user.0.write(&[("src/lib.rs", "pub fn said() -> String { \"1\".to_owned() }")]);
    user.0.git("rm --quiet -r --cached benches");
    fs::rename(user.0.path("benches"), user.0.path("target/benches")).unwrap();
    user.0.write(&[("Cargo.toml", "[package]\nname = \"mine\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")]);
    fs::remove_file(user.0.path("Cargo.lock")).unwrap();
    let without = user.commit();
    fs::rename(user.0.path("target/benches"), user.0.path("benches")).unwrap();
    let (said, note, _) = user.against_old(&without, "criterion = \"0.5\"", words);
    assert_eq!(said, "today's: 1");
    assert!(note.ends_with(" has no bench `b`, so it gets that of the working tree"), "{note}");
}

#[test]
fn dependencies_of_the_front_end_are_new_enough() {
    let user = with_front_end();
    let manifest = user.0.top.with_file_name("bench_diff_criterion/Cargo.toml");
    // The package itself needs this crate too, and that crate needs exactly its own version.
    let needs_it = fs::read_to_string(&manifest).unwrap() + "derive = \"0.1.2\"\n";
    fs::write(&manifest, needs_it).unwrap();
    let dependencies = "\n[dependencies]\nstored = \"0.1\"\n";
    user.commit_with(&format!("criterion = \"0.5\"\n{dependencies}"), true);
    let lock = fs::read_to_string(user.0.path("Cargo.lock")).unwrap();
    let old = user.0.commit("older", &[("Cargo.lock", &lock.replace("0.1.2", "0.1.0"))]);
    let (words, _, program) = user.against_old(&old, &format!("{FRONT_END}\n{dependencies}"), "");
    assert_eq!(words, "today's: 1");
    let moved = "derive 0.1.0 -> 0.1.2, stored 0.1.0 -> 0.1.2 in the old revision, for bench_diff";
    assert_eq!(User::settings(&program), [moved]);
}
