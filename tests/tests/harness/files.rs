//! Reports in files: written when a run ends, and refused before it begins.

use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::Value;
use tempfile::TempDir;

use crate::fixture::{Ran, VERDICTS, command, run_in, temporary_folder};

/// Each report that goes to a file, with a name for it.
const FILES: [(&str, &str); 6] = [
    ("json", "run.jsonl"),
    ("junit", "junit.xml"),
    ("markdown", "run.md"),
    ("csv", "slots.csv"),
    ("bencher", "bencher.json"),
    ("html", "page.html"),
];

/// A folder that stands for the root of the package.
struct Package(TempDir);

impl Package {
    fn new() -> Self {
        Self(temporary_folder())
    }

    fn run(&self, executable: &str, arguments: &str, environment: &[(&str, &str)]) -> Ran {
        let root = [("CARGO_MANIFEST_DIR", self.0.path().to_str().unwrap())];
        run_in(executable, arguments, &[&root, environment].concat())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn holds(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The names and the results of the test cases.
fn cases(junit: &str) -> Vec<(String, Option<String>)> {
    let document = roxmltree::Document::parse(junit).unwrap();
    let cases = document.descendants().filter(|node| node.has_tag_name("testcase"));
    let result = |case: roxmltree::Node<'_, '_>| {
        let names: Vec<&str> = case.children().map(|node| node.tag_name().name()).collect();
        names.into_iter().find(|name| ["failure", "error", "skipped"].contains(name)).map(str::to_owned)
    };
    cases.map(|case| (case.attribute("name").unwrap().to_owned(), result(case))).collect()
}

fn check_files(package: &Package) {
    let records = lines(&package.read("run.jsonl"));
    let events: Vec<&Value> = records.iter().map(|record| &record["event"]).collect();
    assert_eq!(events, ["pair", "pair", "pair", "run"]);
    let record = |name: &str| records.iter().find(|record| record["name"] == name).unwrap();
    assert_eq!(record("five_times")["outcome"], "fail");

    let none = |name: &str| (name.to_owned(), None);
    let some = |name: &str, result: &str| (name.to_owned(), Some(result.to_owned()));
    let expected = [none("equal"), some("five_times", "failure"), some("nested::left_out", "skipped")];
    assert_eq!(cases(&package.read("junit.xml")), expected);

    let markdown = package.read("run.md");
    assert!(markdown.starts_with("### `bench_diff_tests::verdicts`\n\n**1 passed, 1 failed, "), "{markdown}");
    assert!(markdown.contains("\n#### `five_times` failed (`tests/src/bin/verdicts.rs:24`)\n"), "{markdown}");

    let slots = package.read("slots.csv");
    let mut reader = csv::Reader::from_reader(slots.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let of = |name: &str| rows.iter().filter(|row| &row[0] == name).count() as u64;
    assert_eq!(Some(of("equal")), record("equal")["duos"].as_u64());
    assert_eq!(Some(of("five_times")), record("five_times")["duos"].as_u64());
    // The numbers of a line are those that the record sums up.
    let header = reader.headers().unwrap();
    let columns = ["iterations", "candidate_1_ns", "candidate_2_ns"]
        .map(|name| header.iter().position(|field| field == name).unwrap());
    let candidate = rows.iter().filter(|row| &row[0] == "five_times").flat_map(|row| {
        let [iterations, first, second] = columns.map(|column| row[column].parse::<f64>().unwrap());
        [first / iterations, second / iterations]
    });
    let least = candidate.fold(f64::INFINITY, f64::min);
    let min = record("five_times")["candidate"]["min"].as_f64().unwrap();
    assert!((least / min - 1.0).abs() < 0.01, "{least} against {min}");

    let metrics: Value = serde_json::from_str(&package.read("bencher.json")).unwrap();
    assert_eq!(metrics.as_object().unwrap().keys().collect::<Vec<_>>(), ["equal", "five_times"]);
    assert_eq!(metrics["equal"]["slowdown-ratio"]["value"], record("equal")["ratio"]);
    assert_eq!(metrics["equal"]["latency"]["value"], record("equal")["candidate"]["median"]);
}

#[test]
fn each_report_has_its_file() {
    let package = Package::new();
    let flags: Vec<String> = FILES.iter().map(|(flag, name)| format!("--{flag} {name}")).collect();
    let line = format!("equal five_times left_out --bench {}", flags.join(" "));
    package.run(VERDICTS, &line, &[]).ends_with(101).says("1 passed, 1 failed");
    check_files(&package);
    assert_eq!(package.holds().len(), 6, "no other file: {:?}", package.holds());
}

#[test]
fn a_path_is_relative_to_the_package_and_may_hold_placeholders() {
    let package = Package::new();
    let line = "equal --bench --json out/{package}/{bench}.jsonl";
    package.run(VERDICTS, line, &[]).ends_with(0);
    assert_eq!(lines(&package.read("out/bench_diff_tests/verdicts.jsonl")).len(), 2);
}

/// A run that begins says so before it measures anything.
fn refused(package: &Package, arguments: &str, environment: &[(&str, &str)], expected: &str) {
    let ran = package.run(VERDICTS, &format!("equal --bench {arguments}"), environment).ends_with(3);
    assert_eq!(ran.stdout, "", "nothing is measured");
    ran.complains(expected);
}

#[test]
fn a_path_that_cannot_be_written_ends_the_run_before_it_begins() {
    let package = Package::new();
    fs::create_dir(package.path("folder")).unwrap();
    fs::write(package.path("file"), "").unwrap();
    fs::write(package.path("old.jsonl"), "kept").unwrap();
    refused(&package, "--json folder", &[], "folder is a folder; expected the path of a file");
    refused(&package, "--json absent/", &[], "absent/ is a folder; expected the path of a file");
    refused(&package, "--json file/a", &[], "invalid value 'file/a' for '--json': cannot ");
    refused(&package, "", &[("BENCH_DIFF_JUNIT", "folder")], "invalid value 'folder' for 'BENCH_DIFF_JUNIT'");
    refused(&package, "--json old.jsonl --junit folder", &[], "'folder' for '--junit'");
    assert_eq!(package.read("old.jsonl"), "kept");
}

/// A run refuses a pipe at once. To open it would wait until somebody reads.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_report() {
    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;

    let package = Package::new();
    let pipe = package.path("pipe");
    mkfifo(&pipe, Mode::S_IRWXU).unwrap();
    refused(&package, "--json pipe", &[], "pipe is a pipe or a disk; expected the path of a file");
    let summary = [("GITHUB_STEP_SUMMARY", pipe.to_str().unwrap())];
    let ran = package.run(VERDICTS, "equal --bench --github always", &summary);
    ran.ends_with(3).complains("GITHUB_STEP_SUMMARY");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_the_run_goes_on() {
    let package = Package::new();
    for (flag, _) in FILES {
        let line = format!("equal one_box --bench --{flag} /dev/full");
        let ran = package.run(VERDICTS, &line, &[]).ends_with(3).says("\n2 passed, 4 filtered out\n");
        let message =
            format!("error: cannot write the file of '--{flag}', /dev/full: No space left on device");
        assert_eq!(ran.stderr.matches(&message).count(), 1, "{}", ran.stderr);
        assert!(fs::metadata("/dev/full").is_ok_and(|full| !full.is_file()), "it is still a device");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_may_be_full_or_closed() {
    let folder = temporary_folder();
    let spawn = |arguments: &str, stdout: Stdio| {
        let mut command = command(VERDICTS, arguments, folder.path());
        command.stdout(stdout).stderr(Stdio::piped()).spawn().unwrap()
    };
    for format in ["pretty", "terse", "json"] {
        let line = format!("equal one_box --bench --format {format}");
        let full = File::options().write(true).open("/dev/full").unwrap();
        let ran = Ran::from(spawn(&line, full.into()).wait_with_output().unwrap()).ends_with(3);
        assert_eq!(
            ran.stderr.matches("error: cannot write the report: No space left").count(),
            1,
            "{}",
            ran.stderr
        );

        // As `| head -1` does.
        let mut child = spawn(&line, Stdio::piped());
        let mut stdout = child.stdout.take().unwrap();
        let mut first = [0];
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        Ran::from(child.wait_with_output().unwrap()).ends_with(0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_stream_gets_a_document_once() {
    let package = Package::new();
    let ran = package.run(VERDICTS, "equal one_box -q --bench --bencher /dev/stdout", &[]).ends_with(0);
    let (_, metrics) = ran.stdout.split_once('{').unwrap();
    let metrics: Value = serde_json::from_str(&format!("{{{metrics}")).unwrap();
    assert_eq!(metrics.as_object().unwrap().len(), 2);
    // A shell turns `--json >(cat)` into such a path as the second one.
    for path in ["/dev/stdout", "/dev/fd/1"] {
        let ran = package.run(VERDICTS, &format!("equal -q --bench --json {path}"), &[]).ends_with(0);
        ran.says("\n{\"schema\":2,\"event\":\"pair\"").says("\n{\"event\":\"run\"");
    }
}

/// A file to which standard output was redirected goes on where it is.
#[cfg(target_os = "linux")]
#[test]
fn a_redirected_stream_keeps_what_it_has() {
    let folder = temporary_folder();
    let path = folder.path().join("out");
    let line = "equal -q --bench --junit /dev/stdout --color never";
    let mut command = command(VERDICTS, line, folder.path());
    let status = command.stdout(File::create(&path).unwrap()).stderr(Stdio::null()).status().unwrap();
    assert!(status.success());
    let text = fs::read_to_string(path).unwrap();
    assert!(text.starts_with("pass equal: ") && text.contains("\n1 passed, 5 filtered out\n"), "{text}");
    assert!(text.trim_end().ends_with("</testsuites>"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_link_stays_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let package = Package::new();
    fs::write(package.path("real.xml"), "").unwrap();
    fs::set_permissions(package.path("real.xml"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.xml", package.path("link.xml")).unwrap();
    package.run(VERDICTS, "equal --bench --junit link.xml --markdown new.md", &[]).ends_with(0);
    assert!(fs::symlink_metadata(package.path("link.xml")).unwrap().is_symlink());
    assert_eq!(cases(&package.read("real.xml")), [("equal".to_owned(), None)]);
    let mode = |name: &str| fs::metadata(package.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("real.xml"), 0o640);
    fs::write(package.path("plain"), "").unwrap();
    assert_eq!(mode("new.md"), mode("plain"), "those of any new file");
}
