//! The program linked again, in random layouts.

#[cfg(target_os = "linux")]
mod programs;

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use serde_json::Value;

use crate::common::skip::skipped;
use crate::fixture::{PLACES, PROOFS, Ran, VERDICTS, command, temporary_folder};
use crate::home::Home;

const LAYOUTS: (&str, &str) = ("BENCH_DIFF_LAYOUTS", "auto");

/// A pair that fails, in few rounds with such an alpha.
const TWICE: &str = "twice --alpha 30% --bench";
const TWICE_WITH_STATISTICS: &str = "twice --alpha 30% --bench --verbose";
const TWICE_AS_JSON: &str = "twice --alpha 30% --format json --bench";

impl Home {
    /// A folder for programs that can be linked again. Says so and returns `None` if this rustc has no linker.
    fn with_linker() -> Option<Self> {
        let has_linker = has_linker();
        if !has_linker {
            skipped("this rustc comes without a linker of its own");
        }
        has_linker.then(Self::new)
    }

    /// The same with a build of `places`.
    fn with_build() -> Option<Self> {
        let home = Self::with_linker()?;
        // With the times of its files, by which it is known again.
        let copied = Command::new("cp").arg("-a").args([&KEPT.join("bench_diff"), home.path()]).status();
        assert!(copied.unwrap().success());
        for file in ["link.json", "joined.json", "map"] {
            let path = home.build().join(file);
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let [kept, home] = [&KEPT, home.path()].map(|path| path.to_str().unwrap());
            fs::write(path, text.replace(kept, home)).unwrap();
        }
        Some(home)
    }

    fn run_in_layouts(&self, executable: &str, arguments: &str) -> Ran {
        self.run_in(executable, arguments, &[LAYOUTS])
    }

    /// The kept build of `places`.
    fn build(&self) -> PathBuf {
        self.build_of("places")
    }

    fn build_of(&self, bench: &str) -> PathBuf {
        let entries = fs::read_dir(self.folder(bench)).unwrap().map(|entry| entry.unwrap().path());
        let mut builds = entries.filter(|path| path.is_dir());
        let build = builds.next().unwrap();
        assert_eq!(builds.next(), None, "one build");
        build
    }

    /// The linked programs that are still there.
    fn links(&self) -> Vec<OsString> {
        let names = fs::read_dir(self.build()).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().starts_with("links-")).collect()
    }
}

/// A target directory with a build of `places`, which stays for the next run of the tests: to compile it takes
/// longer than most of them.
static KEPT: LazyLock<PathBuf> = LazyLock::new(|| {
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("places");
    let temporary = temporary_folder();
    let mut command = command(PLACES, TWICE, temporary.path());
    command.envs([LAYOUTS]).env("CARGO_TARGET_DIR", &kept);
    Ran::from(command.output().unwrap()).ends_with(101);
    kept
});

fn record<'r>(records: &'r [Value], name: &str) -> &'r Value {
    records.iter().find(|record| record["name"] == name).unwrap()
}

/// Returns whether this rustc brings the linker that puts functions into another order, as that of rustup
/// does.
fn has_linker() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let sysroot = Command::new(rustc).args(["--print", "sysroot"]).output().unwrap().stdout;
    let libraries = Path::new(String::from_utf8(sysroot).unwrap().trim()).join("lib/rustlib");
    let mut hosts = fs::read_dir(libraries).unwrap().map(|host| host.unwrap().path());
    hosts.any(|host| host.join("bin/gcc-ld/ld.lld").is_file())
}

const COMPILING: &str = "compiling the bench once more";

#[test]
fn a_program_is_compiled_once_and_linked_in_every_run() {
    let Some(home) = Home::with_linker() else { return };
    let ran = home.run_in_layouts(PLACES, "--format json --bench").ends_with(101).complains(COMPILING);
    let records = ran.records();
    let twice = record(&records, "twice");
    assert_eq!(twice["outcome"], "fail", "{twice}");
    let layouts = &twice["layouts"];
    let rounds = &twice["rounds"];
    assert!(rounds["n"].as_u64() >= Some(8) && twice["ratio"].as_f64() > Some(1.5), "{twice}");
    assert!(layouts["linked"].as_f64() > Some(1.5), "{layouts}");
    assert_eq!(layouts["programs"].as_array().unwrap().len() as u64, rounds["n"].as_u64().unwrap());
    // Unwound in every one of them.
    let caught = record(&records, "caught_again");
    assert!(caught["outcome"] == "pass" && caught["rounds"]["n"].as_u64() >= Some(5), "{caught}");
    assert_eq!(home.links(), [""; 0]);

    let again = home.run_in_layouts(PLACES, TWICE_WITH_STATISTICS).ends_with(101);
    assert!(!again.stderr.contains(COMPILING), "{}", again.stderr);
    again.says(" rounds, ").says(" slower as linked");
}

#[test]
fn what_is_the_same_code_is_decided_by_that() {
    let Some(home) = Home::with_linker() else { return };
    let records = home.run_in_layouts(PROOFS, "--format json --bench").ends_with(101).records();
    for (name, outcome) in [("copy", "pass"), ("not_faster", "fail")] {
        let same = record(&records, name);
        assert_eq!(
            (&same["outcome"], &same["same_code"], &same["ratio"]),
            (&outcome.into(), &true.into(), &1.0.into()),
            "{same}"
        );
        assert!(same["layouts"].is_null() && same["differs"].is_null(), "{same}");
    }
    let changed = record(&records, "changed");
    assert_eq!((&changed["same_code"], changed["layouts"].is_object()), (&false.into(), true), "{changed}");
    let differs = &changed["differs"];
    assert!(differs["why"].is_string() && differs["baseline_bytes"].is_u64(), "{differs}");

    // Nothing is linked where there is nothing to measure.
    let ran = home.run_in_layouts(PROOFS, "copy --bench").ends_with(0).says("unchanged");
    assert!(!ran.stdout.contains("layouts"), "{}", ran.stdout);

    let measured =
        home.run_in_layouts(PROOFS, "copy --no-proof --format json --bench").ends_with(0).records();
    let copy = record(&measured, "copy");
    assert_eq!((&copy["same_code"], copy["layouts"].is_object()), (&false.into(), true), "{copy}");
}

/// As a linker does that is none of lld's kind.
#[cfg(unix)]
#[test]
fn without_lld_there_is_no_layout() {
    let Some(home) = Home::with_build() else { return };
    // The one that is kept, so that the program is the same.
    let call = home.build().join("link.json");
    let picky = home.path().join("picky");
    let mut link: Value = serde_json::from_slice(&fs::read(&call).unwrap()).unwrap();
    let script = "#!/bin/sh\ncase \"$*\" in *shuffle*) echo 'error: what is a shuffle?' >&2; exit 1;; esac\nexec \"$@\"\n";
    fs::write(&picky, script).unwrap();
    make_executable(&picky);
    // The linker of GNU calls what it needs by a program that it is told.
    let wrapper = format!("sh,{}", picky.display());
    link["arguments"].as_array_mut().unwrap().extend(["-wrapper".into(), wrapper.into()]);
    fs::write(&call, link.to_string()).unwrap();
    fs::remove_file(home.build().join("joined.json")).unwrap();

    let ran = home.run_in_layouts(PLACES, TWICE_AS_JSON).ends_with(0);
    let ran = ran.complains("the bench binary cannot be linked again").complains("error: what is a shuffle?");
    let twice = &ran.records()[0];
    assert_eq!((&twice["outcome"], &twice["layouts"]), (&"inconclusive".into(), &Value::Null), "{twice}");
    assert!(twice["reason"].as_str().unwrap().starts_with("code placement could be the cause: "), "{twice}");
}

/// An object may change because its library was built again.
#[test]
fn what_is_not_as_it_was_checked_is_compiled_again() {
    let Some(home) = Home::with_build() else { return };
    let objects = fs::read_dir(home.build().join("objects")).unwrap().map(|entry| entry.unwrap().path());
    let object = objects.max_by_key(|path| fs::metadata(path).unwrap().len());
    fs::write(object.unwrap(), "something else").unwrap();
    home.run_in_layouts(PLACES, TWICE).ends_with(101).complains(COMPILING);
}

/// A build follows no link, and waits for no pipe.
#[test]
fn what_lies_in_the_place_of_a_kept_file_is_neither_followed_nor_waited_for() {
    let Some(home) = Home::with_build() else { return };
    let victim = home.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    let [call, joined] = ["link.json", "joined.json"].map(|name| home.build().join(name));
    for kept in [&call, &joined] {
        let _ = fs::remove_file(kept);
    }
    assert!(Command::new("mkfifo").arg(call).status().unwrap().success());
    std::os::unix::fs::symlink(&victim, joined).unwrap();
    home.run_in_layouts(PLACES, TWICE).ends_with(101).complains(COMPILING);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
}

/// Commas divide what a compiler passes on to the linker, and blanks and quotes what stands in a file.
#[test]
fn a_target_directory_may_have_any_name() {
    let Some(home) = Home::with_linker() else { return };
    let long = "long".repeat(50);
    let target = home.path().join("a,b 'c' \"d\" \\ $e ü").join(&long).join(&long).join(&long);
    let target = target.to_str().unwrap();
    for run in ["compiles", "links again"] {
        let environment = [LAYOUTS, ("CARGO_TARGET_DIR", target)];
        let ran =
            home.run_in(PLACES, TWICE_WITH_STATISTICS, &environment).ends_with(101).says(" slower as linked");
        assert!(!ran.stderr.contains("note: "), "{run}: {}", ran.stderr);
    }
}

/// The compiler cannot start if it gets too little memory.
#[test]
fn where_programs_cannot_be_linked_again_a_failure_is_inconclusive() {
    let Some(home) = Home::with_linker() else { return };
    let mut command = command("sh", "", home.path());
    command.args(["-c", "ulimit -v 200000; exec \"$0\" twice --bench", PLACES]).envs([LAYOUTS]);
    let starved = Ran::from(command.output().unwrap()).ends_with(0).says("1 inconclusive");
    starved.complains("error while loading shared libraries: ");
}

#[test]
fn why_a_program_cannot_be_compiled_again_is_told() {
    let Some(home) = Home::with_linker() else { return };
    let no_path = [LAYOUTS, ("PATH", "/absent")];
    let ran = home.run_in(PLACES, TWICE, &no_path).ends_with(0).says("1 inconclusive");
    ran.complains("cannot start cc: ").complains(": build the bench again, with tools that can be executed");

    // A build that is kept contains the path of its linker.
    Home::with_build().unwrap().run_in(PLACES, TWICE, &no_path).ends_with(101);
}

fn make_executable(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn processes_that_want_one_build_at_once_share_it() {
    let Some(home) = Home::with_linker() else { return };
    // Folders of their own for temporary files, so that neither waits for the other to measure.
    let temporary = [temporary_folder(), temporary_folder(), temporary_folder()];
    let runs = temporary.each_ref().map(|temporary| {
        let mut command = command(PLACES, TWICE, temporary.path());
        command.envs([LAYOUTS]).env("CARGO_TARGET_DIR", home.path());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    });
    let ended = runs.map(|run| Ran::from(run.wait_with_output().unwrap()).ends_with(101));
    let compiled: usize = ended.iter().map(|ran| ran.stderr.matches(COMPILING).count()).sum();
    assert_eq!(compiled, 1);
}

/// Nothing of it is needed to list, to test, or to measure in one place.
#[test]
fn nothing_is_compiled_where_no_layout_is_asked_for() {
    let Some(home) = Home::with_linker() else { return };
    for arguments in ["--list", "--test", "same --layouts linked --bench", "same --layouts none --bench"] {
        let ran = home.run_in_layouts(PLACES, arguments);
        assert!(!ran.stderr.contains(COMPILING), "{arguments}: {}", ran.stderr);
    }
    let welch = home.run_in_layouts(VERDICTS, "erratic --bench").ends_with(0);
    assert!(!welch.stderr.contains(COMPILING), "{}", welch.stderr);
}
