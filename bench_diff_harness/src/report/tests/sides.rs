//! A run whose functions are compared with themselves in another revision.

use super::*;
use crate::plan::{OtherSide, Proof};
use crate::report::document::{Place, Rewritten};
use crate::report::{junit, markdown};

const FOUND: &str = "against 3f2c9e1 \"parser: borrow `keys`\", where this branch left main";

/// A run of this many functions, of which this many are not the same code, and the last of these is slower.
fn run(count: u32, changed: usize) -> (RunPlan, Vec<PairRecord>) {
    let names: Vec<&'static str> = (0..count).map(|number| &*format!("f{number}").leak()).collect();
    let entries: Vec<_> = names.into_iter().zip(1..).map(|(name, line)| entry(name, line, equal)).collect();
    let mut plan = planned("--bench --judge sequential --seed 8f3a", &entries);
    for pair in &mut plan.pairs[changed..] {
        pair.proof = Proof::Same;
    }
    plan.against = Some(OtherSide {
        name: "3f2c9e1".to_owned(),
        program: Some("0".repeat(16)),
        gone: vec!["lex_old".to_owned()],
        told: vec![FOUND.to_owned()],
        ..OtherSide::default()
    });
    let of = |index: usize| match changed.checked_sub(index + 1) {
        None => measured(&plan, index, Outcome::Pass, 1.0, 1.0).with(|figures| {
            figures.interval = IntervalRecord { level: 0.9, low: Some(1.0), high: Some(1.0) };
        }),
        Some(0) => measured(&plan, index, Outcome::Fail, 1.098, 1e-9),
        Some(_) => measured(&plan, index, Outcome::Pass, 0.867, 1.0),
    };
    let records = (0..plan.pairs.len()).map(of).collect();
    (plan, records)
}

fn emit((plan, records): &(RunPlan, Vec<PairRecord>), sink: &mut dyn Sink) -> io::Result<()> {
    let start = StartRecord::of(plan, &Machine::default());
    sink.event(&Event::RunStarted(&start))?;
    records.iter().try_for_each(|record| sink.event(&Event::PairFinished { record, measured: None }))?;
    sink.event(&Event::RunFinished(&RunRecord::of(&start, &outcomes(records), 1.0)))
}

fn table(run: &(RunPlan, Vec<PairRecord>), verbose: bool) -> String {
    text(|out| emit(run, &mut Terminal::pretty(out, None, verbose)))
}

#[test]
fn the_table_has_the_sides_by_name_and_what_changed() {
    is_expected("table_against.txt", &table(&run(5, 2), false));
    let verbose = table(&run(5, 2), true);
    assert!(verbose.lines().any(|line| line.starts_with("f4 ")), "{verbose}");
    let unchanged = table(&run(5, 0), false);
    assert!(unchanged.contains("\nall 5 functions are the same code: nothing to measure\n"), "{unchanged}");
    assert!(unchanged.contains("\n5 passed, 0 failed") && !unchanged.contains("function "), "{unchanged}");
}

#[test]
fn a_run_without_a_function_says_why() {
    let (mut plan, _) = run(1, 1);
    plan.pairs.clear();
    plan.against.as_mut().unwrap().new = vec!["f0".to_owned()];
    assert_eq!(table(&(plan, Vec::new()), false), "new since 3f2c9e1: f0\ngone since 3f2c9e1: lex_old\n");
}

fn summary_of(run: &(RunPlan, Vec<PairRecord>)) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("summary");
    emit(run, &mut Rewritten::new(Place::end_of(&path).unwrap(), markdown::document)).unwrap();
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_summary_is_as_long_as_what_changed() {
    is_expected("report_against.md", &summary_of(&run(200, 3)));
    let unchanged = summary_of(&run(200, 0));
    assert!(
        unchanged.contains("\n`all 200 functions are the same code: nothing to measure`\n"),
        "{unchanged}"
    );
    assert!(unchanged.len() < 500 && !unchanged.contains("| function |"), "{unchanged}");
}

#[test]
fn every_document_knows_the_other_side() {
    let run = run(2, 1);
    let mut keeper = Keeper(RunSoFar::default());
    emit(&run, &mut keeper).unwrap();
    assert!(markdown::document(&keeper.0).contains(&format!("\n``{FOUND}``\n")));
    let xml = junit::document(&keeper.0);
    let property = format!("<property name=\"against\" value=\"{}\"/>", FOUND.replace('"', "&quot;"));
    assert!(xml.contains(&property), "{xml}");
    assert!(keeper.0.pairs.iter().all(|pair| pair.against.as_deref() == Some("3f2c9e1")));
    let json = text(|out| emit(&run, &mut JsonLines::new(out)));
    assert!(
        json.lines().last().unwrap().contains("\"against\":{\"asked\":\"\",\"name\":\"3f2c9e1\""),
        "{json}"
    );
}
