//! Pages made by studies that are not run: what they would print is handed in.

use std::error::Error;
use std::fs;

use crate::make::{Occasion, make};
use crate::output::{Part, parts};
use crate::study::{Measured, STUDIES, Study};

const STUDY: Study = Study {
    title: "Two words",
    about: "What is asked.",
    commands: &[
        Measured { full: "bench one --runs 30", short: "bench one --runs 1", columns: "" },
        Measured {
            full: "test core --test two",
            short: "test core --test two short",
            columns: "name | count",
        },
    ],
    minutes: 1,
};

fn occasion() -> Occasion {
    Occasion { date: "2026-12-24".to_owned(), machine: "a machine, 2 cores".to_owned() }
}

/// The output of the commands of the study.
fn printed(arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    match arguments {
        ["bench", "-p", "bench_diff_tests", "--bench", "one", "--", "--runs", runs] => {
            Ok(format!("idle\n\n| a | b |\n|---|---|\n| `x` | {runs}, **2** |\n"))
        }
        ["test", "-p", "core", "--test", "two", ..] => {
            Ok("\nrunning 1 test\ntest a ... | y | 7 |\n| z | 8 |\nok\n\ntest result: ok. 1 passed\n"
                .to_owned())
        }
        other => Err(format!("{other:?}").into()),
    }
}

const PAGE: &str = "\
## Two words

What is asked.

Measured on 2026-12-24: a machine, 2 cores.

```console
$ cargo bench -p bench_diff_tests --bench one -- --runs 30
```

idle

| a | b |
|---|---|
| `x` | 30, **2** |

[two-words.csv](2026-12-24/two-words.csv)

```console
$ cargo test -p core --test two
```

| name | count |
|---|---|
| y | 7 |
| z | 8 |

[two-words-2.csv](2026-12-24/two-words-2.csv)
";

#[test]
fn a_study_becomes_a_section_with_its_rows_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = make(&[STUDY], false, folder.path(), &occasion(), &mut printed).unwrap();
    let page = fs::read_to_string(path).unwrap();
    let (head, section) = page.split_at(page.find("## ").unwrap());
    assert!(head.starts_with("# Measured on 2026-12-24\n"), "{head}");
    assert_eq!(section, PAGE);
    let csv = |name: &str| fs::read_to_string(folder.path().join("2026-12-24").join(name)).unwrap();
    assert_eq!(csv("two-words.csv"), "a,b\nx,\"30, 2\"\n");
    assert_eq!(csv("two-words-2.csv"), "name,count\ny,7\nz,8\n");
}

#[test]
fn the_short_form_runs_the_short_commands() {
    let folder = tempfile::tempdir().unwrap();
    let path = make(&[STUDY], true, folder.path(), &occasion(), &mut printed).unwrap();
    let page = fs::read_to_string(path).unwrap();
    assert!(page.contains("--bench one -- --runs 1\n") && page.contains("--test two short\n"), "{page}");
}

#[test]
fn what_is_written_is_never_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let other = Study { title: "Other", ..STUDY };
    let made = |studies: &[Study]| {
        let path = make(studies, false, folder.path(), &occasion(), &mut printed).unwrap();
        path.file_name().unwrap().to_str().unwrap().to_owned()
    };
    assert_eq!(made(&[STUDY]), "2026-12-24.md");
    let first = fs::read_to_string(folder.path().join("2026-12-24.md")).unwrap();
    // Another study is added to the page of the day, and the same one begins a page of its own.
    assert_eq!(made(&[other]), "2026-12-24.md");
    let both = fs::read_to_string(folder.path().join("2026-12-24.md")).unwrap();
    assert!(both.starts_with(&first) && both.contains("\n\n## Other\n"), "{both}");
    assert_eq!(made(&[STUDY]), "2026-12-24b.md");
    assert_eq!(made(&[other, STUDY]), "2026-12-24c.md");
    let again = fs::read_to_string(folder.path().join("2026-12-24b.md")).unwrap();
    assert!(again.contains("(2026-12-24b/two-words.csv)"), "{again}");
    assert_eq!(fs::read_to_string(folder.path().join("2026-12-24.md")).unwrap(), both);
}

#[test]
fn a_command_that_fails_leaves_what_was_measured_before() {
    let folder = tempfile::tempdir().unwrap();
    let broken = Study {
        title: "Broken",
        commands: &[Measured { full: "bench none", short: "bench none", columns: "" }],
        ..STUDY
    };
    let error = make(&[STUDY, broken], false, folder.path(), &occasion(), &mut printed).unwrap_err();
    assert_eq!(error.to_string(), "[\"bench\", \"-p\", \"bench_diff_tests\", \"--bench\", \"none\"]");
    let page = fs::read_to_string(folder.path().join("2026-12-24.md")).unwrap();
    assert!(page.contains("## Two words") && !page.contains("## Broken"), "{page}");
}

#[test]
fn what_a_test_prints_is_told_from_what_the_harness_says() {
    let output =
        "\nrunning 2 tests\ntest a ... Normal at lo: 5\nBursts at lo: 7\nok\n.\n\ntest result: ok.\n";
    let lines = ["Normal at lo: 5", "Bursts at lo: 7"].map(str::to_owned);
    assert_eq!(parts(output, ""), [Part::Text(lines.to_vec())]);
}

#[test]
fn rows_without_a_title_get_one() {
    let table = |rows: &[&str]| [Part::Table(rows.iter().map(|row| (*row).to_owned()).collect())];
    assert_eq!(parts("| a | 1 |\n", "x | y"), table(&["| x | y |", "|---|---|", "| a | 1 |"]));
    assert_eq!(parts("| a | 1 |\n", "x"), table(&["| column 1 | column 2 |", "|---|---|", "| a | 1 |"]));
}

/// Cargo would be asked for what is not there.
#[test]
fn every_study_names_a_benchmark_or_a_package_that_exists() {
    let [manifest, workspace] = ["Cargo.toml", "../Cargo.toml"].map(|path| -> toml::Table {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        fs::read_to_string(path).unwrap().parse().unwrap()
    });
    let members = workspace["workspace"]["members"].as_array().unwrap();
    let benches: Vec<&str> =
        manifest["bench"].as_array().unwrap().iter().map(|bench| bench["name"].as_str().unwrap()).collect();
    assert!(STUDIES.iter().all(|study| study.minutes > 0));
    for command in STUDIES.iter().flat_map(|study| study.commands) {
        for words in [command.full, command.short] {
            let words: Vec<&str> = words.split_whitespace().collect();
            match words[..] {
                ["bench", name, ..] => assert!(benches.contains(&name), "{name}"),
                // The one package whose folder has another name.
                ["test", "bench_diff_tests", ..] => {}
                ["test", package, ..] => assert!(members.contains(&package.into()), "{package}"),
                _ => panic!("{words:?}"),
            }
        }
    }
    let mut names: Vec<String> = STUDIES.iter().map(Study::name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), STUDIES.len());
}
