//! Trees that are not as usual: a workspace beside its package, sources outside of the repository, a former
//! spelling.

use super::*;

#[test]
fn a_package_may_name_a_workspace_that_is_not_above_it() {
    let user = User::new(1);
    let manifest = fs::read_to_string(user.0.path("Cargo.toml")).unwrap();
    let manifest = manifest.replace("[workspace]\n", "").replace("../harness", "../../harness");
    let manifest = manifest.replace("edition =", "workspace = \"../ws\"\nedition =");
    for moved in ["Cargo.toml", "benches", "src"] {
        fs::create_dir_all(user.0.path("mine")).unwrap();
        fs::rename(user.0.path(moved), user.0.path("mine").join(moved)).unwrap();
    }
    user.0.write(&[
        ("mine/Cargo.toml", &manifest),
        ("ws/Cargo.toml", "[workspace]\nmembers = [\"../mine\"]\nresolver = \"3\"\n"),
    ]);
    fs::rename(user.0.path("Cargo.lock"), user.0.path("ws/Cargo.lock")).unwrap();
    user.commit();
    user.0.write(&[("mine/src/lib.rs", "pub fn said() -> String { String::new() }")]);

    let package = user.0.path("mine");
    let mut bench = Bench { folder: &package, ..user.bench(&[]) };
    // Rustc runs in the folder of a package that is not below its workspace.
    let mut call = bench.rustc_call.to_vec();
    call[1] = package.to_str().unwrap();
    bench.rustc_call = &call;
    let side = user.found("HEAD", &bench).unwrap().build(&bench, &user.against()).unwrap();
    assert_eq!(said(&side.program.unwrap()), "today's: 1");
}

#[test]
fn sources_outside_of_the_repository_are_the_same_for_both_sides() {
    let user = User::new(1);
    let outer = user.0.top.with_file_name("outer");
    written(&outer, &[("one.rs", "1"), ("two/two.rs", "2")].map(|(file, text)| (file.into(), text.into())));
    let library = "pub fn said() -> String { format!(\"{}{}\", include!(\"../../outer/one.rs\"), include!(\"two/two.rs\")) }";
    user.0.write(&[("src/lib.rs", library)]);
    std::os::unix::fs::symlink("../../outer/two", user.0.path("src/two")).unwrap();
    user.commit();
    user.build("");
    fs::write(outer.join("one.rs"), "3").unwrap();
    assert_eq!(said(&user.program("HEAD")), "today's: 32");
    let bench = user.bench(&[]);
    let line = user.found("HEAD", &bench).unwrap().outside(&bench).unwrap().unwrap();
    let files = ["one.rs", "two"].map(|file| outer.join(file).display().to_string()).join(", ");
    assert_eq!(line, format!("outside of the repository, so both sides have it as it is now: {files}"));
}

#[test]
fn a_manifest_may_spell_dev_dependencies_as_cargo_once_did() {
    let user = User::new(1);
    let bench = fs::read_to_string(user.0.path("benches/b.rs")).unwrap();
    let manifest = fs::read_to_string(user.0.path("Cargo.toml")).unwrap().replace("2024", "2021");
    fs::remove_dir_all(user.0.path("benches")).unwrap();
    user.0.write(&[("Cargo.toml", "[package]\nname = \"mine\"\nversion = \"0.1.0\"\n")]);
    fs::remove_file(user.0.path("Cargo.lock")).unwrap();
    let old = user.commit();
    user.0.write(&[
        ("Cargo.toml", &manifest.replace("dev-dependencies", "dev_dependencies")),
        ("benches/b.rs", &bench),
    ]);
    user.source(2);
    user.lock();
    user.0.git("add benches/b.rs");
    assert_eq!(said(&user.program(&old)), "today's: 1");
}

#[test]
fn vendored_crates_that_git_ignores_are_those_of_the_working_tree() {
    let user = User::new(1);
    user.vendor("normal", "1.0.0", "");
    user.0.write(&[
        (".gitignore", "target\nvendor\n.cargo\n"),
        ("src/lib.rs", "pub fn said() -> &'static str { normal::SAID }"),
        ("benches/b.rs", "fn main() { bench_diff_harness::main(mine::said()) }"),
    ]);
    let dependency = "bench_diff_harness = { path = \"../harness\" }\n\n[dependencies]\nnormal = \"1\"";
    user.manifest(dependency, "[workspace]\n");
    user.lock();
    user.commit();
    user.0.write(&[("src/lib.rs", "pub fn said() -> &'static str { \"\" }")]);
    for _ in 0..2 {
        assert_eq!(said(&user.program("HEAD")), "today's: normal 1.0.0");
    }
}

#[test]
fn a_member_that_is_reached_through_a_link_gets_the_old_crates() {
    let user = User::new(1);
    let package = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n{more}")
    };
    let member = "[dev-dependencies]\nbench_diff_harness = { path = \"../../harness\" }\nlib = { path = \"../lib\" }\n\n\
                  [[bench]]\nname = \"b\"\nharness = false\n";
    let library = |number: u32| format!("pub fn said() -> String {{ String::from(\"{number}\") }}");
    user.0.write(&[
        ("Cargo.toml", &package("root", "[workspace]\nmembers = [\"inner\", \"lib\"]\n")),
        ("inner/Cargo.toml", &package("mine", member)),
        ("inner/src/lib.rs", ""),
        ("inner/benches/b.rs", "fn main() {}"),
        ("lib/Cargo.toml", &package("lib", "")),
        ("lib/src/lib.rs", &library(1)),
    ]);
    user.lock();
    user.commit();
    user.0.write(&[
        ("inner/benches/b.rs", "fn main() { bench_diff_harness::main(&lib::said()) }"),
        ("lib/src/lib.rs", &library(2)),
    ]);
    let link = user.0.top.with_file_name("link");
    std::os::unix::fs::symlink(&user.0.top, &link).unwrap();
    let folder = link.join("inner");
    let bench = Bench { folder: &folder, file: "inner/benches/b.rs", ..user.bench(&[]) };
    let side = user.found("HEAD", &bench).unwrap().build(&bench, &user.against()).unwrap();
    assert_eq!(said(&side.program.unwrap()), "today's: 1");
}
