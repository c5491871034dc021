//! The pages of measurements keep to the bounds that the documents state, and say how they were made.

use std::fs;
use std::path::{Path, PathBuf};

use crate::bounds;
use crate::numbers::{numbers, value};
use crate::study::STUDIES;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/measurements")
}

/// The pages with their names.
fn pages() -> Vec<(String, String)> {
    let paths = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let pages = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.map(|path| (path.display().to_string(), fs::read_to_string(path).unwrap())).collect()
}

/// A bound that the documents state holds for what they quote.
#[test]
fn the_measurements_keep_to_the_stated_bounds() {
    let bounds = bounds::read(&folder().join("bounds.csv")).unwrap();
    assert!(bounds.len() >= 10, "{}", bounds.len());
    let complaints = bounds::complaints(&bounds, &folder());
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    for bound in bounds {
        let is_made = STUDIES.iter().any(|study| study.name() == bound.study);
        assert!(is_made, "{}: no study makes it again", bound.study);
    }
}

/// With the machine and the command, a reader can repeat the measurement.
#[test]
fn every_page_has_a_machine_and_a_command() {
    let pages = pages();
    assert!(pages.len() > 5);
    for (name, page) in pages {
        // A line may end anywhere.
        let words = page.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        assert!(
            ["machine", "cores", "no clock"].iter().any(|phrase| words.contains(phrase)),
            "{name}: on what?"
        );
        assert!(page.lines().any(|line| line.starts_with("$ ")), "{name}: how?");
    }
}

const PAGE: &str = "# Layouts\n\n2 cores.\n\n| mode | runs | red |\n|---|---|---|\n\
                    | `auto` | 300 | **0** |\n| linked | 300 | 298 |\n";

#[test]
fn a_figure_outside_of_its_bounds_is_found() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("layouts.md"), PAGE).unwrap();
    let found = |row: &str| {
        let path = folder.path().join("bounds.csv");
        fs::write(&path, format!("study,row,column,of,least,most,claim\n{row}\n")).unwrap();
        bounds::complaints(&bounds::read(&path).unwrap(), folder.path())
    };
    assert_eq!(found("layouts,auto | 300,red,runs,,0.01,few"), [""; 0]);
    assert_eq!(
        found("layouts,linked,red,runs,,0.01,few"),
        ["layouts, linked, red: 0.9761 to 0.9992, where ... to 0.01 is stated (few)"]
    );
    assert_eq!(
        found("layouts,linked,red,,300,,many"),
        ["layouts, linked, red: 298, where 300 to ... is stated (many)"]
    );
    assert_eq!(found("layouts,none,red,,,1,few"), ["layouts, none, red: is not there"]);
    assert!(found("power,a,b,,,1,few")[0].starts_with("power: "));
}

#[test]
fn numbers_are_read_as_they_are_written() {
    let found: Vec<&str> =
        numbers("0.1 % (0.0-0.4), 2,000 of x86 on 2026-11-22: +32.4 %, 100. i7_2 B2, 2.58x").collect();
    assert_eq!(found, ["0.1", "0.0", "0.4", "2,000", "2026", "11", "22", "32.4", "100", "2.58"]);
    assert_eq!(
        ["-0.8 %", "2,000 ms", "about 7 of 8", "none"].map(value),
        [Some(-0.8), Some(2000.0), Some(7.0), None]
    );
}
