//! A function without a baseline, in every report.

use super::*;
use crate::file::{junit, markdown, metrics};
use crate::fixture::alone;
use crate::html;

fn shown_by(sink: impl FnOnce(&mut Vec<u8>, &mut dyn FnMut(&mut dyn Sink))) -> String {
    let (start, record, rounds) = alone();
    let end = RunRecord::of(&start, &[record.outcome()], 0.5);
    let mut out = Vec::new();
    sink(&mut out, &mut |sink| {
        sink.event(&Event::RunStarted(&start)).unwrap();
        sink.event(&Event::PairFinished { record: &record, rounds: &rounds }).unwrap();
        sink.event(&Event::RunFinished(&end)).unwrap();
    });
    String::from_utf8(out).unwrap()
}

/// The line without the numbers, which differ from machine to machine.
fn without_numbers(line: &str) -> String {
    let is_number = |word: &&str| word.parse::<f64>().is_ok();
    line.split_whitespace().filter(|word| !is_number(word)).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_row_is_a_latency_and_a_throughput() {
    for width in [None, Some(60), Some(80), Some(140)] {
        let table = shown_by(|out, emit| emit(&mut Terminal::pretty(&mut Plain::new(out), width, false)));
        let lines: Vec<String> = table.lines().map(without_numbers).collect();
        assert!(lines[1].starts_with("running function (seed"), "{table}");
        let row = lines.iter().position(|line| line == "alone us M items/s").expect(&table);
        assert_eq!(lines[row - 1], "function latency", "{table}");
        assert_eq!(lines[row + 1..row + 3], ["", "measured without a verdict"], "{table}");
    }
    let narrow = shown_by(|out, emit| emit(&mut Terminal::pretty(out, Some(30), false)));
    assert!(narrow.contains(" us\n") && !narrow.contains("items/s"), "{narrow}");
    let verbose = shown_by(|out, emit| emit(&mut Terminal::pretty(out, None, true)));
    assert!(verbose.contains(" us per call in 5 rounds, 90 % interval 20."), "{verbose}");
    assert!(
        verbose.contains(" us  49.") && verbose.contains("throughput: 49.") && verbose.contains(" p99 20."),
        "{verbose}"
    );
    let terse = shown_by(|out, emit| emit(&mut Terminal::terse(out, None, false)));
    assert!(terse.contains(" alone: 20.") && terse.contains(" M items/s\n"), "{terse}");
}

#[test]
fn every_file_has_the_latency_and_no_baseline() {
    let json = shown_by(|out, emit| emit(&mut Added(out, json::line)));
    assert!(json.contains("\"ratio\":null") && json.contains("\"latency\":{\"ns\":20"), "{json}");

    let (start, record, rounds) = alone();
    let mut slots = WholeRun::drawn_by(metrics::csv_rows);
    slots.add(&Event::RunStarted(&start));
    slots.add(&Event::PairFinished { record: &record, rounds: &rounds });
    let csv = metrics::csv(&slots);
    let rows: Vec<&str> = csv.lines().skip(1).collect();
    assert!(
        rows.len() >= 2 && rows.iter().all(|row| row.contains(",CC,1,2") && row.ends_with(",,")),
        "{csv}"
    );
    let mut run = WholeRun::default();
    run.add(&Event::RunStarted(&start));
    run.add(&Event::PairFinished { record: &record, rounds: &rounds });
    let bencher = metrics::bencher(&run);
    assert!(
        bencher.contains("\"latency\"") && !bencher.contains("ratio") && !bencher.contains("baseline"),
        "{bencher}"
    );
    let markdown = markdown::document(&run);
    let rows: Vec<&str> = markdown.lines().filter(|line| line.starts_with('|')).collect();
    assert_eq!(rows[..2], ["| function | latency | throughput |", "| --- | ---: | --- |"]);
    assert!(rows[2].starts_with("| `alone` | 20.") && rows[2].ends_with(" M items/s |"), "{markdown}");
    run.drawn = vec![String::new()];
    let page = html::document(&run);
    let table = page.split_once("<table").unwrap().1.split_once("<tr class=d").unwrap().0;
    let row = table.split_once("</thead>").unwrap().1;
    assert_eq!((table.matches("<th scope=col").count(), row.matches("<td>").count()), (3, 2), "{table}");
    assert!(table.contains(" M items/s") && !table.contains("<svg"), "{table}");
    let junit = junit::document(&run);
    assert!(junit.contains(" us per call in 5 rounds"), "{junit}");
}

#[test]
fn without_a_latency_there_is_an_outcome() {
    let (start, record, _) = alone();
    let mut run = WholeRun::default();
    run.add(&Event::RunStarted(&start));
    let mut table = Vec::new();
    let mut terminal = Terminal::pretty(&mut table, Some(80), false);
    terminal.event(&Event::RunStarted(&start)).unwrap();
    let end = crate::record::End::Error { reason: "out of order".to_owned(), output: None };
    let record = PairRecord { end, ..record };
    let event = Event::PairFinished { record: &record, rounds: &[] };
    run.add(&event);
    terminal.event(&event).unwrap();
    let table = String::from_utf8(table).unwrap();
    assert!(table.contains("ERROR") && table.contains("\u{1b}[31m"), "{table}");
    let markdown = markdown::document(&run);
    assert!(markdown.contains("| latency |\n") && markdown.contains("| `alone` | **ERROR** |"), "{markdown}");
}

#[test]
fn the_end_says_how_to_compare() {
    let command = "cargo bench -p my_package@1.2.0 --bench sorting -- --against base";
    let shown = shown_by(|out, emit| {
        emit(&mut Terminal::pretty(out, Some(80), false).with_comparison(Some(command.to_owned())));
    });
    let last = format!("\nto compare with an earlier revision: {command}\n\n");
    assert!(shown.ends_with(&last), "{shown}");
    let mut nothing = Vec::new();
    let mut terminal = Terminal::pretty(&mut nothing, None, false).with_comparison(Some(command.to_owned()));
    let (start, ..) = alone();
    terminal.event(&Event::RunStarted(&start)).unwrap();
    terminal.event(&Event::RunFinished(&RunRecord::of(&start, &[], 0.5))).unwrap();
    assert!(!String::from_utf8(nothing).unwrap().contains(command), "nothing was measured");
}
