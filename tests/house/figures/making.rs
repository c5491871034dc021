//! Pages made by studies that are not run: what they would print is handed in.

use std::error::Error;
use std::fs;
use std::path::Path;

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
# Two words

What is asked.

Measured on 2026-12-24: a machine, 2 cores.

```console
$ cargo bench -p bench_diff_tests --bench one -- --runs 30
```

idle

| a | b |
|---|---|
| `x` | 30, **2** |

```console
$ cargo test -p core --test two
```

| name | count |
|---|---|
| y | 7 |
| z | 8 |
";

#[test]
fn a_study_becomes_a_page_which_is_written_anew() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        make(&[STUDY], false, folder.path(), &occasion(), &mut printed).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("two-words.md")).unwrap(), PAGE);
    }
    make(&[STUDY], true, folder.path(), &occasion(), &mut printed).unwrap();
    let page = fs::read_to_string(folder.path().join("two-words.md")).unwrap();
    assert!(page.contains("--bench one -- --runs 1\n") && page.contains("--test two short\n"), "{page}");
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
    assert!(folder.path().join("two-words.md").exists() && !folder.path().join("broken.md").exists());
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
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest: toml::Table = fs::read_to_string(tests.join("Cargo.toml")).unwrap().parse().unwrap();
    let benches: Vec<&str> =
        manifest["bench"].as_array().unwrap().iter().map(|bench| bench["name"].as_str().unwrap()).collect();
    assert!(STUDIES.iter().all(|study| study.minutes > 0));
    for command in STUDIES.iter().flat_map(|study| study.commands) {
        for words in [command.full, command.short] {
            let words: Vec<&str> = words.split_whitespace().collect();
            match words[..] {
                ["bench", name, ..] => assert!(benches.contains(&name), "{name}"),
                ["test", package, ..] => assert!(tests.join("..").join(package).is_dir(), "{package}"),
                _ => panic!("{words:?}"),
            }
        }
    }
    let mut names: Vec<String> = STUDIES.iter().map(Study::name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), STUDIES.len());
}
