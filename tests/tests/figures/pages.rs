//! The dated pages keep to the bounds that the documents state, and have their tables as CSV beside them.

use std::fs;

use crate::bounds;
use crate::measurements::{Measurements, folder, pages};
use crate::numbers::{numbers, value};
use crate::page::sections;
use crate::study::STUDIES;

/// A bound that the documents state holds for what they quote.
#[test]
fn the_newest_measurements_keep_to_the_stated_bounds() {
    let bounds = bounds::read(&folder().join("bounds.csv")).unwrap();
    assert!(bounds.len() >= 10, "{}", bounds.len());
    let complaints = bounds::complaints(&bounds, &Measurements::read(&folder()).unwrap());
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    for bound in bounds {
        let is_made = STUDIES.iter().any(|study| study.name() == bound.section);
        assert!(is_made, "{}: no study makes it again", bound.section);
    }
}

/// Whoever doubts a table finds its rows, the machine and the command; a section without a command says so.
#[test]
fn every_table_of_a_page_has_a_machine_a_command_and_its_rows_as_csv() {
    let mut checked = 0;
    for path in pages(&folder()).unwrap() {
        let date = path.file_stem().unwrap().to_str().unwrap();
        for section in sections(&fs::read_to_string(&path).unwrap()) {
            // A line may end anywhere.
            let words = section.text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            let says = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(phrase));
            assert!(says(&["machine", "cores", "no clock"]), "{date}, {}: on what?", section.anchor);
            assert!(says(&["cargo ", "no command of the"]), "{date}, {}: how?", section.anchor);
            for (number, table) in (1..).zip(section.tables()) {
                let name = match number {
                    1 => format!("{}.csv", section.anchor),
                    number => format!("{}-{number}.csv", section.anchor),
                };
                assert!(
                    section.text.contains(&format!("[{name}]({date}/{name})")),
                    "{date}, {name}: no link"
                );
                let csv = fs::read_to_string(path.with_extension("").join(&name)).unwrap();
                assert_eq!(csv, String::from_utf8(table.csv().unwrap()).unwrap(), "{date}, {name}");
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "{checked}");
}

/// The page that collects the figures names commands that a dated page has run.
#[test]
fn every_command_of_the_evidence_is_that_of_a_dated_page() {
    let dated = pages(&folder()).unwrap().into_iter().map(|path| fs::read_to_string(path).unwrap());
    let dated: Vec<String> = dated.collect();
    let evidence = fs::read_to_string(folder().with_file_name("evidence.md")).unwrap();
    let commands: Vec<&str> = evidence.lines().filter(|line| line.starts_with("$ cargo ")).collect();
    for command in &commands {
        assert!(dated.iter().any(|page| page.lines().any(|line| line == *command)), "{command}");
    }
    assert!(commands.len() > 5, "{commands:?}");
}

const PAGE: &str = "# Measured\n\n## Layouts\n\n2 cores, 2026-11-22.\n\n| mode | runs | red |\n|---|---|---|\n\
                    | `auto` | 300 | **0** |\n| linked | 300 | 298 |\n";

#[test]
fn a_figure_outside_of_its_bounds_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let found = |row: &str| {
        let path = folder.path().join("bounds.csv");
        fs::write(&path, format!("section,row,column,of,least,most,claim\n{row}\n")).unwrap();
        bounds::complaints(
            &bounds::read(&path).unwrap(),
            &Measurements::of(vec![("2026-11-22".to_owned(), PAGE.to_owned())]),
        )
    };
    assert_eq!(found("layouts,auto | 300,red,runs,,0.01,few"), [""; 0]);
    assert_eq!(
        found("layouts,linked,red,runs,,0.01,few"),
        ["2026-11-22, layouts, linked, red: 0.9761 to 0.9992, where ... to 0.01 is stated (few)"]
    );
    assert_eq!(
        found("layouts,linked,red,,300,,many"),
        ["2026-11-22, layouts, linked, red: 298, where 300 to ... is stated (many)"]
    );
    assert_eq!(found("layouts,none,red,,,1,few"), ["2026-11-22, layouts, none, red: is not there"]);
    assert_eq!(found("power,a,b,,,1,few"), ["power: nothing has been measured under this name"]);
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
