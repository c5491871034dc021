//! Builds other sides of small crates with cargo and a harness of a few lines.

#[cfg(target_os = "linux")]
mod killed;
mod laid_over;
#[cfg(unix)]
mod outside;
#[cfg(target_os = "linux")]
mod run_time;
mod selected;

use std::fs;
use std::process::Command;
use std::sync::LazyLock;
use std::time::SystemTime;

use super::*;
use crate::cargo_call::CargoCall;
use crate::fixture::{Repository, environment, names_in};
use crate::program::CALL_FLAG;

/// A harness that prints its name and how it was compiled.
fn harness(name: &str, version: &str) -> Vec<(String, String)> {
    let manifest = format!(
        "[package]\nname = \"bench_diff_harness\"\nversion = \"{version}\"\nedition = \"2024\"\n\n[workspace]\n"
    );
    let said = if name == "older" { version } else { env!("CARGO_PKG_VERSION") };
    let source = format!(
        "pub fn main(said: &str) {{
            if std::env::args().any(|argument| argument == \"{CALL_FLAG}\") {{
                let level = if cfg!(slow) {{ 1 }} else if cfg!(plain) {{ 0 }} else {{ 3 }};
                print!(\"--bench-diff-variables\\0\");
                for (name, value) in std::env::vars() {{
                    print!(\"{{name}}={{value}}\\0\");
                }}
                print!(\"{CALL_FLAG}\\0{said}\\0{{}}\\0/absent\\0-Copt-level={{level}}\\0\", env!(\"RUSTC\"));
                if cfg!(debug_assertions) {{
                    print!(\"-Cdebug-assertions\\0\");
                }}
                // Cargo's hash of the program covers those of its libraries.
                let program = std::env::current_exe().unwrap();
                let name = program.file_stem().unwrap().to_str().unwrap();
                print!(\"-Cextra-filename={{}}\\0\", &name[name.rfind('-').unwrap()..]);
                print!(\"--extern=mine=libmine{{}}.rlib\\0\", &name[name.rfind('-').unwrap()..]);
                print!(\"--out-dir={{}}\\0\", program.parent().unwrap().display());
            }} else {{
                print!(\"{name}: {{said}}\");
            }}
        }}"
    );
    vec![("Cargo.toml".to_owned(), manifest), ("src/lib.rs".to_owned(), source)]
}

fn written(folder: &Path, files: &[(String, String)]) {
    for (file, text) in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// The compiler itself, and not the rustup wrapper.
fn rustc() -> String {
    static RUSTC: LazyLock<String> = LazyLock::new(|| {
        let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output().unwrap();
        format!("{}/bin/rustc", String::from_utf8(sysroot.stdout).unwrap().trim())
    });
    RUSTC.clone()
}

/// A repository of a package with a bench, next to a folder with a harness.
struct User(Repository);

impl User {
    fn new(number: u32) -> Self {
        let this = Self(Repository::new());
        written(&this.harness(), &harness("today's", "0.1.0"));
        this.0.write(&[(".gitignore", "target\n")]);
        this.manifest("bench_diff_harness = { path = \"../harness\" }", "[workspace]\n");
        this.source(number);
        this.lock();
        this
    }

    fn manifest(&self, dependency: &str, more: &str) {
        let manifest = format!(
            "[package]\nname = \"mine\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[features]\nnew = []\n\n\
             [dev-dependencies]\n{dependency}\n\n[[bench]]\nname = \"b\"\nharness = false\n\n{more}"
        );
        self.0.write(&[("Cargo.toml", &manifest)]);
    }

    fn source(&self, number: u32) {
        let bench = "fn main() { bench_diff_harness::main(&mine::said()) }";
        let library = format!(
            "pub fn said() -> String {{ format!(\"{number}{{}}\", if cfg!(feature = \"new\") {{ \", new\" }} else {{ \"\" }}) }}"
        );
        self.0.write(&[("benches/b.rs", bench), ("src/lib.rs", &library)]);
    }

    /// The folder of the harness: in the repository if there is one.
    fn harness(&self) -> PathBuf {
        let inner = self.0.path("harness");
        if inner.exists() { inner } else { self.0.top.with_file_name("harness") }
    }

    fn commit(&self) -> String {
        self.0.commit("a commit", &[])
    }

    fn lock(&self) {
        self.lock_in(&[]);
    }

    fn lock_in(&self, variables: &[(String, String)]) {
        let mut cargo = Command::new("cargo");
        cargo.arg("generate-lockfile").current_dir(&self.0.top).envs(variables.iter().cloned());
        let ran = cargo.output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }

    /// Builds the bench as the user would, with these arguments of `cargo bench`, and returns cargo's
    /// messages.
    fn build(&self, words: &str) -> String {
        self.build_in(words, &[])
    }

    fn build_in(&self, words: &str, variables: &[(String, String)]) -> String {
        let mut cargo = Command::new("cargo");
        cargo.args(["bench", "--no-run", "--message-format=json", "--target-dir"]).arg(self.0.path("target"));
        cargo.args(words.split_whitespace()).env("RUSTC", rustc()).envs(variables.iter().cloned());
        let ran = cargo.current_dir(&self.0.top).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap()
    }

    /// Vendors a crate that has its name and version as a text, and the settings for such crates.
    fn vendor(&self, name: &str, version: &str, needs: &str) {
        let manifest =
            format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\n{needs}");
        let library = format!("pub const SAID: &str = \"{name} {version}\";");
        let checksum = format!("{{\"files\":{{}},\"package\":\"{:064}\"}}", 0);
        let files = [("Cargo.toml", manifest), ("src/lib.rs", library), (".cargo-checksum.json", checksum)];
        written(
            &self.0.path(&format!("vendor/{name}-{version}")),
            &files.map(|(file, text)| (file.to_owned(), text)),
        );
        let settings =
            "[source.crates-io]\nreplace-with = \"vendored\"\n[source.vendored]\ndirectory = \"vendor\"\n";
        self.0.write(&[(".cargo/config.toml", settings)]);
    }

    fn against(&self) -> PathBuf {
        self.0.path("target/bench_diff/against")
    }

    /// The checkout of a revision.
    fn tree(&self, revision: &str) -> PathBuf {
        let id = self.0.id(&format!("{revision}^{{tree}}"));
        let folder = names_in(&self.against()).into_iter().find(|name| name.starts_with(&id)).unwrap();
        self.against().join(folder).join("tree")
    }

    /// The old side of a bench that was compiled with these arguments.
    fn built_with(&self, name: &str, more: &[&str]) -> Result<BuiltSide, String> {
        self.built_by(None, name, more)
    }

    /// The same for a bench that this cargo call built.
    fn built_by(&self, call: Option<&CargoCall>, name: &str, more: &[&str]) -> Result<BuiltSide, String> {
        let bench = Bench { cargo_call: call.cloned(), ..self.bench(more) };
        self.found(name, &bench)?.build(&bench, &self.against())
    }

    /// The old side with these benches.
    fn side(&self, name: &str, benches: Benches) -> Result<BuiltSide, String> {
        let bench = self.bench(&[]);
        self.found(name, &bench)?.running(benches, None).build(&bench, &self.against())
    }

    /// The bench that runs, compiled with these arguments.
    fn bench(&self, more: &[&str]) -> Bench<'_> {
        let out = self.0.path("target/release/deps").display().to_string();
        let call = [
            rustc(),
            self.0.top.display().to_string(),
            format!("--out-dir={out}"),
            "-Copt-level=3".to_owned(),
        ];
        let call = call.into_iter().chain(more.iter().map(|text| (*text).to_owned()));
        let call: Vec<&'static str> = call.map(|text| &*text.leak()).collect();
        Bench {
            folder: &self.0.top,
            harness: self.harness().leak(),
            rustc_call: call.leak(),
            variables: environment(),
            ..Bench::example()
        }
    }

    fn found(&self, name: &str, bench: &Bench<'_>) -> Result<Side, String> {
        Side::find(name, &Bench { variables: Vec::new(), ..bench.clone() }, &self.0.top)
    }

    fn built(&self, name: &str) -> Result<Result<Program, Missing>, String> {
        self.built_with(name, &[]).map(|side| side.program)
    }

    /// The old side of a bench that a cargo with these variables built.
    fn program_with(&self, name: &str, variables: &[(String, String)]) -> Result<Program, String> {
        let more = variables.iter().map(|(name, value)| (name.into(), value.into()));
        let mut all = environment();
        all.retain(|(name, _)| !variables.iter().any(|(other, _)| name == &**other));
        all.extend(more);
        let call = CargoCall { variables: all.clone(), ..self.call("") };
        let bench = Bench { cargo_call: Some(call), variables: all, ..self.bench(&[]) };
        let side = self.found(name, &bench)?.build(&bench, &self.against())?;
        Ok(side.program.unwrap())
    }

    fn program(&self, name: &str) -> Program {
        self.built(name).unwrap().unwrap()
    }

    /// The program of the old side's own bench.
    fn own(&self, name: &str) -> Program {
        self.side(name, Benches::Own).unwrap().program.unwrap()
    }

    /// The reason why there is nothing to compare with.
    fn missing(&self, name: &str) -> Missing {
        self.built(name).unwrap().unwrap_err()
    }
}

/// A build script that prints nothing for cargo, so that every file counts as its input, and that finds the
/// repository of its tree without any changes.
const SCRIPT: &str = "fn main() {
    let git = |arguments: &[&str]| {
        let ran = std::process::Command::new(\"git\").args(arguments).output().unwrap();
        String::from_utf8(ran.stdout).unwrap()
    };
    assert_eq!(git(&[\"rev-parse\", \"--show-toplevel\"]).trim(), env!(\"CARGO_MANIFEST_DIR\"));
    assert_eq!(git(&[\"status\", \"--porcelain\"]), \"\");
}";

fn said(program: &Program) -> String {
    let ran = program.executable.command().output().unwrap();
    String::from_utf8(ran.stdout).unwrap()
}

/// When cargo built this program.
fn built_at(program: &Program) -> SystemTime {
    fs::metadata(&program.executable.path).unwrap().modified().unwrap()
}

#[test]
fn the_old_code_is_built_with_the_running_harness() {
    let user = User::new(1);
    user.0.write(&[("build.rs", SCRIPT)]);
    let old = user.commit();
    user.source(2);
    let built = user.program(&old);
    assert_eq!(said(&built), "today's: 1");
    assert!(built.settings.is_empty() && built.dependencies.is_empty(), "{built:?}");
    assert_eq!(built.call[1..3], ["/absent", "-Copt-level=3"]);

    // The user's tree, and then the first tree again: neither side may pass for the other.
    let new = user.commit();
    assert_eq!(said(&user.program(&new)), "today's: 2");
    let first = built_at(&built);
    let again = user.program(&old);
    assert_eq!(
        (said(&again).as_str(), built_at(&again)),
        ("today's: 1", first),
        "cargo compiles nothing again"
    );
    fs::write(user.tree(&old).join("src/lib.rs"), "").unwrap();
    assert_eq!(said(&user.program(&old)), "today's: 1");
    assert_eq!(user.0.git("status --porcelain"), "");
}

#[test]
fn a_build_script_knows_the_commit_of_its_tree() {
    let user = User::new(1);
    let script = "fn main() {
        println!(\"cargo::rerun-if-changed=.git/HEAD\");
        let ran = std::process::Command::new(\"git\").args([\"describe\", \"--tags\", \"--dirty\"]).output().unwrap();
        println!(\"cargo::rustc-env=DESCRIBED={}\", String::from_utf8(ran.stdout).unwrap());
    }";
    user.0.write(&[
        ("build.rs", script),
        ("src/lib.rs", "pub fn said() -> String { env!(\"DESCRIBED\").to_owned() }"),
    ]);
    user.commit();
    user.0.git("tag v1");
    let same = user.0.commit("same", &[]);
    user.0.git("tag v2");
    user.source(2);
    let old = user.program("v1");
    assert_eq!(said(&old), "today's: v1");
    let first = built_at(&old);
    assert_eq!(
        (said(&user.program("v1")).as_str(), built_at(&old)),
        ("today's: v1", first),
        "cargo compiles nothing again"
    );
    // This commit has the same tree.
    assert_eq!(said(&user.program(&same)), "today's: v2");
}

#[test]
fn the_old_tree_has_its_own_settings() {
    let user = User::new(1);
    // The old tree has no lock file, since the user does not commit one, and it has no `[workspace]`,
    // while the working tree above it does.
    user.0.write(&[(".gitignore", "target\nCargo.lock\n")]);
    user.manifest("bench_diff_harness = { path = \"../harness\" }", "");
    user.0
        .write(&[(".cargo/config.toml", "[build]\nrustflags = [\"--cfg\", \"slow\", \"-Copt-level=1\"]\n")]);
    let old = user.commit();
    user.manifest("bench_diff_harness = { path = \"../harness\" }", "[workspace]\n");
    user.0.write(&[(".cargo/config.toml", "[build]\nrustflags = [\"--cfg\", \"fast\"]\n")]);
    user.lock();
    let now = user.commit();
    let built = user.program(&old);
    assert_eq!(said(&built), "today's: 1");
    assert_eq!(built.settings, ["opt-level: 1 -> 3 (build.rustflags)"]);
    assert_eq!(user.program(&now).settings, [""; 0]);

    // A config file overrides the manifest.
    let both = "[build]\nrustflags = [\"--cfg\", \"slow\"]\n[profile.bench]\nopt-level = 1\n";
    user.manifest(
        "bench_diff_harness = { path = \"../harness\" }",
        "[workspace]\n\n[profile.bench]\nopt-level = 3\n",
    );
    user.0.write(&[(".cargo/config.toml", both)]);
    let old = user.commit();
    user.0.write(&[(".cargo/config.toml", "")]);
    assert_eq!(user.program(&old).settings, ["opt-level: 1 -> 3 (profile.bench.opt-level)"]);
    user.0.git("checkout --quiet HEAD^ .");

    // A difference without an explanation is refused.
    let error = user.built_with("HEAD", &["-Cpanic=abort"]).map(drop).unwrap_err();
    assert!(
        error.contains("differently, and no profile or settings file explains it (panic: unset -> abort"),
        "{error}"
    );
    assert_eq!(user.program(".").settings, [""; 0]);
    assert!(!user.0.path("target/release").exists(), "it has its own target directory");
}

#[test]
fn debugging_on_one_side_is_refused() {
    let user = User::new(1);
    let harness = "bench_diff_harness = { path = \"../harness\" }";
    let built = |variables: &[(&str, &str)]| {
        let variables: Vec<_> =
            variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let program = user.program_with("HEAD", &variables)?;
        Ok::<String, String>(program.settings.join("; "))
    };
    user.manifest(harness, "[workspace]\n\n[profile.bench]\ndebug-assertions = true\n");
    user.commit();
    user.manifest(harness, "[workspace]\n");
    let error = built(&[]).unwrap_err();
    assert!(error.starts_with("one side alone has debug assertions or no optimization, so "), "{error}");
    let off = ("CARGO_PROFILE_BENCH_DEBUG_ASSERTIONS", "false");
    assert!(error.contains(&format!("`{}={}`, cargo builds both like this one", off.0, off.1)), "{error}");
    assert_eq!(built(&[off]).unwrap(), "Cargo.toml has another profile.bench.debug-assertions");

    user.manifest(harness, "[workspace]\n");
    user.0.write(&[(".cargo/config.toml", "[build]\nrustflags = [\"--cfg\", \"plain\"]\n")]);
    user.commit();
    let error = built(&[]).unwrap_err();
    assert!(error.contains("`CARGO_PROFILE_BENCH_OPT_LEVEL=3`"), "{error}");
    assert_eq!(built(&[("RUSTFLAGS", "")]).unwrap(), "");
}

#[test]
fn without_a_lock_file_dependencies_have_the_versions_of_the_working_tree() {
    let user = User::new(1);
    let stored = Repository::new();
    let release = |number: u32| {
        let manifest = "[package]\nname = \"stored\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        let source = format!("pub const NUMBER: &str = \"{number}\";");
        stored.commit("release", &[("Cargo.toml", manifest), ("src/lib.rs", &source)]);
    };
    release(1);
    // Cargo keeps clones of git dependencies there.
    let home = tempfile::tempdir().unwrap();
    let variables = [("CARGO_HOME".to_owned(), home.path().display().to_string())];
    let url = stored.url().replace(' ', "%20");
    user.manifest(
        &format!("bench_diff_harness = {{ path = \"../harness\" }}\nstored = {{ git = \"{url}\" }}"),
        "[workspace]\n",
    );
    user.0.write(&[
        (".gitignore", "target\nCargo.lock\n"),
        ("benches/b.rs", "fn main() { bench_diff_harness::main(stored::NUMBER) }"),
    ]);
    user.lock_in(&variables);
    user.commit();
    release(2);
    assert_eq!(said(&user.program_with("HEAD", &variables).unwrap()), "today's: 1");
}

#[test]
fn what_the_old_tree_lacks_is_new() {
    let user = User::new(1);
    let old = user.commit();
    assert_eq!(said(&user.program("HEAD")), "today's: 1");
    // A feature that the old tree lacks has no code there.
    let feature = |name: &str| {
        let cfg = format!("feature=\"{name}\"");
        let side = user.built_with("HEAD", &["--cfg", &cfg]).unwrap();
        said(&side.program.unwrap())
    };
    assert_eq!(feature("newer"), "today's: 1");
    assert_eq!(feature("new"), "today's: 1, new");

    fs::remove_dir_all(user.0.path("benches")).unwrap();
    user.0.write(&[("Cargo.toml", "[package]\nname = \"mine\"\nversion = \"0.1.0\"\n")]);
    user.commit();
    assert_eq!(user.missing("HEAD"), Missing::NewBench);
    user.0.write(&[("Cargo.toml", "[package]\nname = \"other\"\nversion = \"0.1.0\"\n")]);
    user.commit();
    assert_eq!(user.missing("HEAD"), Missing::NewBench);
    // The file of the bench exists, but the manifest does not name it.
    user.0.write(&[("benches/b.rs", "")]);
    user.commit();
    assert_eq!(user.missing("HEAD"), Missing::OtherHarness, "another name for the package");
    user.0.git("rm --quiet -f Cargo.toml");
    user.commit();
    user.0.write(&[("Cargo.toml", "[package]\nname = \"mine\"\nversion = \"0.1.0\"\nautobenches = false\n")]);
    assert_eq!(user.missing("HEAD"), Missing::NoPackage);
    user.commit();
    assert_eq!(user.missing("HEAD"), Missing::NoBench);
    user.0.git("mv benches/b.rs benches/a.rs");
    user.0.write(&[("benches/a.rs", "// A file that is long enough to be known again.\n")]);
    user.commit();
    user.0.git("mv benches/a.rs benches/b.rs");
    assert_eq!(user.missing("HEAD"), Missing::NoBench, "renamed");
    assert_eq!(said(&user.own(&old)), "today's: 1");
}

#[test]
fn a_lock_file_without_the_harness_is_completed() {
    let user = User::new(1);
    let complete = fs::read_to_string(user.0.path("Cargo.lock")).unwrap();
    let stale = "version = 4\n\n[[package]]\nname = \"mine\"\nversion = \"0.1.0\"\n";
    user.0.write(&[("Cargo.lock", stale)]);
    let old = user.commit();
    user.0.write(&[("Cargo.lock", &complete)]);
    user.source(2);
    let program = user.program(&old);
    assert_eq!(said(&program), "today's: 1");
    assert_eq!(program.dependencies, [""; 0]);
    assert_eq!(said(&user.program(&old)), "today's: 1", "again");

    // A tree that has no use for the harness does not get it.
    user.manifest("", "[workspace]\n");
    user.0.write(&[("Cargo.lock", stale), ("benches/b.rs", "fn main() { println!(\"another harness\") }")]);
    let other = user.commit();
    assert_eq!(user.missing(&other), Missing::OtherHarness);
    user.manifest("bench_diff_harness = { path = \"../harness\" }", "[workspace]\n");
    user.0.write(&[("Cargo.lock", &complete)]);

    // A dependency that cargo cannot find is an error, and no other harness.
    user.manifest("bench_diff_harness = { path = \"../harness\", version = \"9\" }", "[workspace]\n");
    user.0.write(&[("Cargo.lock", stale)]);
    let broken = user.commit();
    user.manifest("bench_diff_harness = { path = \"../harness\" }", "[workspace]\n");
    user.0.write(&[("Cargo.lock", &complete)]);
    let error = user.side(&broken, Benches::Own).map(drop).unwrap_err();
    assert!(error.starts_with("its Cargo.lock lacks what its manifest needs"), "{error}");
}

#[test]
fn a_tree_that_does_not_compile_shows_the_words_of_cargo() {
    let user = User::new(1);
    user.0.write(&[("src/lib.rs", "pub fn said() -> String { 1 }")]);
    user.commit();
    let error = user.built("HEAD").unwrap_err();
    let expected = "its bench does not compile:\nerror[E0308]: mismatched types";
    assert!(error.starts_with(expected), "{error}");
    user.0.write(&[("Cargo.toml", "nonsense")]);
    user.commit();
    let error = user.side("HEAD", Benches::Own).map(drop).unwrap_err();
    assert!(error.starts_with("error: "), "{error}");
}

#[test]
fn a_copy_in_the_repository_is_not_the_repository() {
    let user = User::new(1);
    let manifest = fs::read_to_string(user.0.path("Cargo.toml")).unwrap();
    let copied = ["benches/b.rs", "src/lib.rs", "Cargo.lock"].map(|file| {
        let text = fs::read_to_string(user.0.path(file)).unwrap();
        (format!("old/{file}"), text)
    });
    written(&user.0.top, &copied);
    user.0.write(&[("old/Cargo.toml", &manifest.replace("../harness", "../../harness"))]);
    user.source(2);
    user.commit();
    assert_eq!(said(&user.program("old")), "today's: 1");
    assert_eq!(said(&user.program(".")), "today's: 2");
}

#[test]
fn a_harness_with_a_source_is_replaced_by_the_running_one() {
    let user = User::new(1);
    let stored = Repository::new();
    written(&stored.top, &harness("old", "0.1.0"));
    stored.commit("old", &[]);
    // Cargo keeps clones of git dependencies there.
    let home = tempfile::tempdir().unwrap();
    let variables = [("CARGO_HOME".to_owned(), home.path().display().to_string())];
    let of = |name: &str| user.program_with(name, &variables).unwrap();
    let url = stored.url().replace(' ', "%20");
    user.manifest(&format!("bench_diff_harness = {{ git = \"{url}\", version = \"0.1\" }}"), "[workspace]\n");
    user.lock_in(&variables);
    let old = user.commit();
    let now = |version| {
        written(&user.harness(), &harness("today's", version));
        user.manifest("bench_diff_harness = { path = \"../harness\" }", "[workspace]\n");
        user.lock();
    };
    // The version differs from the locked one.
    now("0.1.7");
    let program = of(&old);
    assert_eq!(said(&program), "today's: 1");
    assert_eq!(program.settings, [""; 0]);
    now("0.2.0");
    // The running harness is incompatible with this tree, which gets the bench of the working tree with
    // its harness.
    assert_eq!(said(&of(&old)), "today's: 1");

    // Without a lock file, only the program shows which harness it has.
    user.0.git("rm --quiet --cached Cargo.lock");
    user.0.write(&[(".gitignore", "target\nCargo.lock\n")]);
    let old = user.commit();
    written(&user.harness(), &harness("today's", "0.2.1"));
    written(&user.0.top.with_file_name("older"), &harness("older", "0.2.0"));
    user.manifest("bench_diff_harness = { path = \"../older\" }", "[workspace]\n");
    let older = user.commit();
    user.manifest("bench_diff_harness = { path = \"../harness\" }", "[workspace]\n");
    user.lock();
    assert_eq!(said(&user.program(&older)), "today's: 1");
    assert_eq!(said(&user.program(&old)), "today's: 1");

    // As the loader ends if a library is missing.
    user.0.write(&[("benches/b.rs", "fn main() { eprintln!(\"no libx\"); std::process::exit(127) }")]);
    user.commit();
    let error = user.built("HEAD").unwrap_err();
    assert!(error.contains("\nno libx\n") && error.contains("(exit status: 127)"), "{error}");

    // Code of `main` that runs before the harness.
    user.0.write(&[("benches/b.rs", "fn main() { panic!(\"no data\") }")]);
    user.commit();
    let error = user.built("HEAD").unwrap_err();
    assert!(error.contains(" panicked at ") && error.contains("\nno data\n"), "{error}");
    user.0.write(&[("benches/b.rs", "fn main() { std::process::exit(2) }")]);
    user.commit();
    assert_eq!(user.missing("HEAD"), Missing::OtherHarness, "the flag is refused");
    user.0.write(&[("benches/b.rs", "fn main() { println!(\"ready\"); bench_diff_harness::main(\"1\") }")]);
    user.commit();
    assert!(user.built("HEAD").unwrap().is_ok());

    user.manifest("", "[workspace]\n");
    user.0.write(&[("benches/b.rs", "fn main() { println!(\"another harness\") }")]);
    user.lock();
    user.commit();
    assert_eq!(user.missing("HEAD"), Missing::OtherHarness);
}

/// The time at which the harness in this folder was built.
fn built_harness(deps: &Path) -> SystemTime {
    let mut files = fs::read_dir(deps).unwrap().map(|file| file.unwrap());
    let is_harness = |name: &str| name.starts_with("libbench_diff_harness-") && name.ends_with(".rlib");
    let built = files.find(|file| is_harness(&file.file_name().to_string_lossy())).unwrap();
    built.metadata().unwrap().modified().unwrap()
}

#[test]
fn a_harness_outside_of_the_repository_is_built_once() {
    let user = User::new(1);
    let old = user.commit();
    user.source(2);
    user.commit();
    user.build("");
    let program = user.program(&old);
    assert_eq!(said(&program), "today's: 1");
    let today = user.0.path("target/release/deps");
    assert_eq!(built_harness(program.executable.path.parent().unwrap()), built_harness(&today));

    // A build from before an edit does not pass for the edited harness.
    written(&user.harness(), &harness("edited", "0.1.0"));
    let program = user.program("HEAD");
    assert_eq!(said(&program), "edited: 2");
    assert!(built_harness(program.executable.path.parent().unwrap()) > built_harness(&today));
}

#[test]
fn each_side_uses_the_harness_in_its_repository() {
    let user = User::new(1);
    let inner = |folder: &str, name: &str| {
        let mut files = harness(name, "0.1.0");
        files[0].1 = files[0].1.replace("[workspace]\n", "");
        written(&user.0.path(folder), &files);
    };
    // The running harness is in another folder.
    inner("copy", "copied");
    user.manifest("bench_diff_harness = { path = \"copy\" }", "[workspace]\n");
    user.lock();
    let copied = user.commit();
    user.manifest("bench_diff_harness = { path = \"../harness\" }", "[workspace]\n");
    user.lock();
    let program = user.own(&copied);
    assert_eq!(said(&program), "copied: 1");

    inner("harness", "old");
    user.manifest("bench_diff_harness = { path = \"harness\" }", "[workspace]\n");
    user.lock();
    user.commit();
    // It is older than the build of the working tree.
    user.0.git("clone --quiet . ../clone");
    inner("harness", "today's");
    user.build("");
    let program = user.program("../clone");
    assert_eq!(said(&program), "old: 1");
}

#[test]
fn a_folder_is_built_where_it_is() {
    let user = User::new(1);
    user.commit();
    let clone = user.0.top.with_file_name("clone");
    user.0.git(&format!("clone --quiet . {}", "../clone"));
    user.source(2);
    // Cargo would otherwise create a lock file.
    fs::remove_file(clone.join("Cargo.lock")).unwrap();
    let built = user.program("../clone");
    assert_eq!(said(&built), "today's: 1");
    assert!(built.executable.path.starts_with(user.against()), "{}", built.executable.path.display());
    assert!(!clone.join("target").exists());
    let locks = [&clone, &user.0.top].map(|folder| fs::read_to_string(folder.join("Cargo.lock")).unwrap());
    assert_eq!(locks[0], locks[1], "it has the versions of the working tree");
    assert_eq!(said(&user.program(".")), "today's: 2");
    let error = user.built("./absent").unwrap_err();
    assert_eq!(error, "`./absent` is neither a revision nor a folder");
}
