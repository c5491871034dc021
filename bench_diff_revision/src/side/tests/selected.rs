//! Packages and features that a cargo call selects, and features that a workspace unifies.

use super::*;

/// A workspace of `mine` and `neighbour`, where `neighbour` turns on a feature of a shared dependency.
fn with_neighbour() -> User {
    let user = User::new(1);
    let dependency =
        "bench_diff_harness = { path = \"../harness\" }\n\n[dependencies]\nshared = { path = \"shared\" }";
    user.manifest(dependency, "[workspace]\nmembers = [\"neighbour\", \"shared\"]\n");
    let package = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n{more}")
    };
    let shared = "pub const SAID: &str = if cfg!(feature = \"fast\") { \"fast\" } else { \"slow\" };";
    user.0.write(&[
        ("src/lib.rs", "pub fn said() -> &'static str { shared::SAID }"),
        ("benches/b.rs", "fn main() { bench_diff_harness::main(mine::said()) }"),
        ("shared/Cargo.toml", &package("shared", "[features]\nfast = []\n")),
        ("shared/src/lib.rs", shared),
        ("neighbour/Cargo.toml", &package("neighbour", NEIGHBOUR)),
        ("neighbour/src/lib.rs", ""),
        ("neighbour/benches/b.rs", "fn main() {}"),
    ]);
    user.lock();
    user.commit();
    user
}

const NEIGHBOUR: &str = "[features]\nown = []\n\n[[bench]]\nname = \"b\"\nharness = false\n\n\
                         [dependencies]\nshared = { path = \"../shared\", features = [\"fast\"] }\n";

impl User {
    /// The old side of a bench that the user built with these words; `call` is the part of cargo's call
    /// that is known.
    fn side_of(&self, words: &str, call: Option<&CargoCall>) -> Result<Program, String> {
        Ok(self.built_by(call, "HEAD", &[&self.library_of_built(words)])?.program.unwrap())
    }

    /// Builds the bench with these words, and returns the rustc argument with the name of its library, which
    /// the harness of the tests makes of the hash in the name of the program.
    fn library_of_built(&self, words: &str) -> String {
        let built = self.build(words);
        let programs = built.split('"').filter(|text| text.contains("/deps/b-") && !text.ends_with(".d"));
        // Both packages have a bench of this name; only one uses the harness.
        let is_mine = |program: &&str| {
            let said = Command::new(program).arg(CALL_FLAG).output().unwrap().stdout;
            String::from_utf8_lossy(&said).contains(CALL_FLAG)
        };
        let name = programs.into_iter().find(is_mine).unwrap();
        format!("--extern=mine=libmine{}.rlib", &name[name.rfind('-').unwrap()..])
    }

    pub(super) fn call(&self, words: &str) -> CargoCall {
        self.call_in(words, "")
    }

    fn call_in(&self, words: &str, folder: &str) -> CargoCall {
        let words = ["cargo", "bench"].into_iter().chain(words.split_whitespace()).map(str::to_owned);
        let mut call = CargoCall::of_call(words.collect(), &self.0.path(folder), |_| None).unwrap();
        call.variables = environment();
        call
    }
}

#[test]
fn what_a_workspace_unifies_is_the_same_on_both_sides() {
    let user = with_neighbour();
    let same = |words: &str, folder: &str| {
        let program = user.side_of(words, Some(&user.call_in(words, folder))).unwrap();
        assert_eq!((program.settings.len(), &program.unexplained), (0, &None), "{words}");
        said(&program)
    };
    assert_eq!(same("--workspace", ""), "today's: fast");
    assert_eq!(same("--workspace --exclude neighbour", ""), "today's: slow");
    assert_eq!(same("", ""), "today's: slow", "only the package at the root");

    // If the cargo call is unknown.
    let alone = user.side_of("-p mine", None).unwrap();
    assert_eq!((said(&alone).as_str(), alone.settings.len()), ("today's: slow", 0));
    let unified = user.side_of("--workspace", None).unwrap().unexplained;
    assert_eq!(unified.unwrap(), "features or profile of mine or of what it depends on");

    // A changed manifest explains the difference: it is part of the change.
    let manifest = fs::read_to_string(user.0.path("neighbour/Cargo.toml")).unwrap();
    user.0.write(&[("neighbour/Cargo.toml", &manifest.replace("\"fast\"", ""))]);
    let all = user.call("--workspace");
    let on_there = user.side_of("--workspace", Some(&all)).unwrap();
    assert_eq!((said(&on_there).as_str(), on_there.unexplained), ("today's: fast", None));
    user.commit();
    user.0.write(&[("neighbour/Cargo.toml", &manifest)]);
    let off_there = user.side_of("--workspace", Some(&all)).unwrap();
    assert_eq!((said(&off_there).as_str(), off_there.unexplained), ("today's: slow", None));

    // A profile setting for a single crate.
    let manifest = fs::read_to_string(user.0.path("Cargo.toml")).unwrap();
    user.0
        .write(&[("Cargo.toml", &(manifest.clone() + "\n[profile.bench.package.shared]\nopt-level = 1\n"))]);
    user.commit();
    user.0.write(&[("Cargo.toml", &manifest)]);
    let other_profile = user.side_of("--workspace", Some(&all)).unwrap();
    assert_eq!(other_profile.settings, ["Cargo.toml has another profile.bench.package.shared.opt-level"]);
}

#[test]
fn a_member_that_is_new_explains_the_features_that_it_turns_on() {
    let user = with_neighbour();
    let manifest = fs::read_to_string(user.0.path("Cargo.toml")).unwrap();
    user.0.write(&[("Cargo.toml", &manifest.replace("[\"neighbour\"", "[\"n*\""))]);
    user.commit();
    let package = "[package]\nname = \"new\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
                   [dependencies]\nmine = { path = \"..\", features = [\"new\"] }\n";
    user.0.write(&[("new/Cargo.toml", package), ("new/src/lib.rs", "")]);
    user.0.write(&[("rust-toolchain.toml", "[toolchain]\nchannel = \"1.0.0\"\n")]);
    user.lock();
    let all = user.call("--workspace");
    let program = user.built_by(Some(&all), "HEAD", &["--cfg=feature=\"new\""]).unwrap().program.unwrap();
    assert_eq!(program.unexplained, None);
    let toolchain = "rust-toolchain.toml differs, and both sides are built with today's compiler";
    assert_eq!(program.settings, [toolchain]);
}

#[test]
fn all_members_of_a_virtual_workspace_are_selected_by_default() {
    let user = with_neighbour();
    let manifest = fs::read_to_string(user.0.path("Cargo.toml")).unwrap();
    let inner = manifest.replace("../harness", "../../harness").replace("\"shared\" }", "\"../shared\" }");
    for moved in ["src", "benches"] {
        fs::create_dir_all(user.0.path("mine")).unwrap();
        fs::rename(user.0.path(moved), user.0.path("mine").join(moved)).unwrap();
    }
    user.0.write(&[
        ("mine/Cargo.toml", inner.split("[workspace]").next().unwrap()),
        ("Cargo.toml", "[workspace]\nmembers = [\"mine\", \"neighbour\", \"shared\"]\nresolver = \"3\"\n"),
    ]);
    user.lock();
    user.commit();
    for (words, folder, expected) in [("", ".", "fast"), ("-p mine", ".", "slow"), ("", "mine", "slow")] {
        let arguments = format!("{words} --manifest-path {folder}/Cargo.toml");
        let package = user.0.path("mine");
        let bench = Bench {
            file: "mine/benches/b.rs",
            folder: &package,
            cargo_call: Some(user.call_in(words, folder)),
            ..user.bench(&[&user.library_of_built(&arguments)])
        };
        let side = user.found("HEAD", &bench).unwrap().build(&bench, &user.against()).unwrap();
        let program = side.program.as_ref().unwrap();
        assert_eq!(said(program), format!("today's: {expected}"), "{words} {folder}");
        assert_eq!(program.settings, [""; 0], "{words} {folder}");
    }
}

#[test]
fn a_patch_by_a_folder_of_the_tree_is_one_of_the_old_tree() {
    let user = with_neighbour();
    let words = "--config patch.crates-io.itoa.path=\"itoa\"";
    let itoa = |number: u32| {
        user.0.write(&[
            ("itoa/Cargo.toml", "[package]\nname = \"itoa\"\nversion = \"1.0.0\"\n\n[workspace]\n"),
            ("itoa/src/lib.rs", &format!("pub const SAID: &str = \"{number}\";")),
        ]);
    };
    itoa(1);
    let manifest = fs::read_to_string(user.0.path("Cargo.toml")).unwrap();
    user.0.write(&[
        ("Cargo.toml", &(manifest + "\n[dependencies.itoa]\nversion = \"1\"\n")),
        ("src/lib.rs", "pub fn said() -> &'static str { itoa::SAID }"),
    ]);
    user.commit();
    itoa(2);
    assert_eq!(said(&user.side_of(words, Some(&user.call(words))).unwrap()), "today's: 1");
}

#[test]
fn a_patch_replaces_a_release_that_the_old_tree_has_locked() {
    let user = User::new(1);
    user.vendor("normal", "1.0.0", "");
    let dependency = "bench_diff_harness = { path = \"../harness\" }\n\n[dependencies]\nnormal = \"1\"";
    user.manifest(dependency, "[workspace]\n");
    user.0.write(&[
        ("src/lib.rs", "pub fn said() -> &'static str { normal::SAID }"),
        ("benches/b.rs", "fn main() { bench_diff_harness::main(mine::said()) }"),
    ]);
    user.lock();
    user.commit();
    let patched = [
        ("Cargo.toml", "[package]\nname = \"normal\"\nversion = \"1.1.0\"\n\n[workspace]\n"),
        ("src/lib.rs", "pub const SAID: &str = \"patched\";"),
    ];
    written(
        &user.0.top.with_file_name("patched"),
        &patched.map(|(file, text)| (file.to_owned(), text.to_owned())),
    );
    fs::remove_file(user.0.path("Cargo.lock")).unwrap();
    let words = "--config patch.crates-io.normal.path=\"../patched\"";
    assert_eq!(said(&user.side_of(words, Some(&user.call(words))).unwrap()), "today's: patched");
}

#[test]
fn missing_packages_and_features_are_not_selected() {
    let user = with_neighbour();
    // The bench of another package does not compile.
    user.0.write(&[("neighbour/benches/b.rs", "fn main() { absent() }")]);
    user.commit();
    user.0.write(&[("neighbour/benches/b.rs", "fn main() {}")]);
    let words = "-p mine -p neighbour -p newer --features new,newer,newer/x,neighbour/own,neighbour/newer";
    let call = user.call(words);
    let side = user.built_by(Some(&call), "HEAD", &[]).unwrap();
    let program = side.program.unwrap();
    assert_eq!(said(&program), "today's: fast");
    let tree = user.tree("HEAD");
    assert!(tree.join("neighbour").is_dir());

    // Another harness is not started, which may ignore its arguments and run its benchmarks.
    let bench = "fn main() { std::fs::write(\"started\", \"\").unwrap() }";
    user.0.write(&[("neighbour/benches/b.rs", bench)]);
    user.commit();
    let call = user.call("--workspace --features neighbour/own");
    let side = user.built_by(Some(&call), "HEAD", &[]).unwrap();
    let program = side.program.unwrap();
    assert_eq!((&*said(&program), program.settings), ("today's: fast", Vec::new()));
    let tree = user.tree("HEAD");
    assert!(tree.join("neighbour/benches/b.rs").is_file() && !tree.join("neighbour/started").exists());

    // The folder of the call is new, so it has no counterpart in the old tree.
    user.0.write(&[("newer/Cargo.toml", "[package]\nname = \"newer\"\n")]);
    let side = user.built_by(Some(&user.call_in("", "newer")), "HEAD", &[]).unwrap();
    let program = side.program.unwrap();
    assert_eq!(said(&program), "today's: slow");
}

#[test]
fn a_target_of_todays_settings_alone_is_a_difference() {
    let user = User::new(1);
    user.0.write(&[(".cargo/config.toml", "")]);
    user.commit();
    let asked = Command::new("rustc").arg("-vV").output().unwrap().stdout;
    let asked = String::from_utf8(asked).unwrap();
    let host = asked.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    user.0.write(&[(".cargo/config.toml", &format!("build.target = \"{host}\""))]);
    let side = user.built_by(Some(&user.call("")), "HEAD", &["--target", host]).unwrap();
    let program = side.program.unwrap();
    assert!(program.executable.path.parent().unwrap().ends_with("target/release/deps"), "{program:?}");
    assert_eq!(program.settings, [format!("target: unset -> {host} (build.target)")]);
    // One that is typed holds for both sides.
    let call = user.call(&format!("--target {host}"));
    let program = user.built_by(Some(&call), "HEAD", &["--target", host]).unwrap().program.unwrap();
    let folder = format!("target/{host}/release/deps");
    assert!(program.executable.path.parent().unwrap().ends_with(folder), "{program:?}");
}
