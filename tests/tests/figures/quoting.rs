//! What the documents quote has been measured, and is quoted from the newest measurement.

use std::fs;

use crate::bounds;
use crate::documents;
use crate::measurements::{Measurements, folder};
use crate::numbers::{numbers, value};
use crate::page::sections;
use crate::quotes::{Document, complaints};
use crate::study::STUDIES;

#[test]
fn every_figure_of_the_documents_has_its_source() {
    let complaints = documents::complaints().unwrap();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

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
    let paths = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
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
                let csv = fs::read_to_string(folder().join(date).join(&name)).unwrap();
                assert_eq!(csv, String::from_utf8(table.csv().unwrap()).unwrap(), "{date}, {name}");
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "{checked}");
}

const PAGE: &str = "# Measured\n\n## Layouts\n\n2 cores, 2026-11-22.\n\n| mode | runs | red |\n|---|---|---|\n\
                    | `auto` | 300 | **0** |\n| linked | 300 | 298 |\n\n## Build cost\n\nIt takes 2.58x.\n";
const LINK: &str = "[rows](docs/measurements/2026-11-22.md#layouts)";

fn measurements(later: &[(&str, &str)]) -> Measurements {
    let pages = [("2026-11-22", PAGE)].into_iter().chain(later.iter().copied());
    Measurements::of(pages.map(|(date, text)| (date.to_owned(), text.to_owned())).collect())
}

fn found(text: &str, settings: &[&str]) -> Vec<String> {
    complaints(&[Document { name: "A.md", text }], settings, &measurements(&[]))
}

#[test]
fn a_figure_that_was_not_measured_is_found() {
    assert_eq!(found(&format!("Of 300 runs 298 were red ({LINK})."), &[]), [""; 0]);
    assert_eq!(
        found(&format!("# Title\n\nOf 300 runs\n299 were red ({LINK})."), &[]),
        ["A.md:3: 299 is not in 2026-11-22.md#layouts"]
    );
    let table = format!("As measured, {LINK}:\n\n| mode | red |\n|---|---|\n| `auto` | **7** |\n");
    assert_eq!(found(&table, &[]), ["A.md:3: 7 is not in 2026-11-22.md#layouts"]);
    let two = format!("It takes 2.58x, and 298 are red: {LINK}, [c](measurements/2026-11-22.md#build-cost)");
    assert_eq!(found(&two, &[]), [""; 0]);
}

#[test]
fn a_figure_without_a_source_is_found() {
    let complaint =
        |figures: &str| [format!("A.md:1: {figures} without a link to a measurement, and no setting")];
    for (text, figure) in [
        ("It takes 3.5 s.", "3.5 s"),
        ("It is 2.58x as slow.", "2.58x"),
        ("- some 12 % of it", "12 %"),
        ("It fails 3 of 400.", "3 of 400"),
        ("| a | b |\n|---|---|\n| c | 40 ns |", "40 ns"),
    ] {
        assert_eq!(found(text, &[]), complaint(figure), "{text}");
    }
    // A year, a count without a unit, code, and a link.
    for text in ["Since 1939 it takes 9 rounds.", "`--max-time 2 s`", "```text\n5 ms\n```", "[a](b/12%.md)"] {
        assert_eq!(found(text, &[]), [""; 0], "{text}");
    }
}

#[test]
fn a_setting_needs_no_source_and_has_to_be_said() {
    assert_eq!(found("A slot takes\n10 us at least.", &["slot takes 10 us"]), [""; 0]);
    assert_eq!(
        found("A slot takes 20 us.", &["slot takes 10 us"]),
        [
            "A.md:1: 20 us without a link to a measurement, and no setting",
            "no document says \"slot takes 10 us\", which is called a setting"
        ]
    );
}

#[test]
fn a_link_leads_to_the_newest_section() {
    let other =
        "Red: [a](docs/measurements/2026-11-22.md#other), [b](docs/measurements/2025-01-01.md#layouts)";
    assert_eq!(
        found(other, &[]),
        [
            "A.md:1: there is no section other in measurements/2026-11-22.md",
            "A.md:1: there is no section layouts in measurements/2025-01-01.md"
        ]
    );
    let text = format!("Of 300 runs 298 were red ({LINK}).");
    let documents = [Document { name: "A.md", text: &text }];
    for (date, is_newer) in [("2026-11-21", false), ("2026-11-22b", true), ("2027-01-01", true)] {
        let pages = measurements(&[(date, "## Layouts\n\n## Power\n")]);
        let again = format!("A.md:1: layouts of 2026-11-22 is quoted, and has been measured again on {date}");
        let expected: &[String] = if is_newer { &[again] } else { &[] };
        assert_eq!(complaints(&documents, &[], &pages), expected, "{date}");
    }
}

#[test]
fn a_figure_outside_of_its_bounds_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let found = |row: &str| {
        let path = folder.path().join("bounds.csv");
        fs::write(&path, format!("section,row,column,of,least,most,claim\n{row}\n")).unwrap();
        bounds::complaints(&bounds::read(&path).unwrap(), &measurements(&[]))
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
