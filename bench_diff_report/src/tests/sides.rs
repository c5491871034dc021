//! A run whose functions are compared with themselves in another revision.

use super::*;
use crate::GitHub;
use crate::file::github::Annotations;
use crate::file::{AtEnd, Destination, junit, markdown};
use crate::html;
use crate::record::{AllowedRecord, Differs, End, GateRecord, Hindrance, Obstacle, OtherSide};
use crate::text::overall::beside_records;

const FOUND: &str = "against 3f2c9e1 \"parser: borrow `keys`\", where this branch left main";

/// A run of this many functions, of which this many are not the same code, and the last of these is slower.
fn run(count: u32, changed: usize) -> (Planned, Vec<PairRecord>) {
    let names: Vec<&'static str> = (0..count).map(|number| &*format!("f{number}").leak()).collect();
    let entries: Vec<_> = names.into_iter().zip(1..).map(|(name, line)| entry(name, line)).collect();
    let side = OtherSide {
        name: "3f2c9e1".to_owned(),
        id: Some("3f2c9e1".repeat(6)),
        program: Some("0".repeat(16)),
        not_compared: vec!["lex_new".to_owned()],
        lines: vec![FOUND.to_owned()],
        same_code: count as usize - changed,
        ..OtherSide::default()
    };
    let plan = planned("--judge sequential --against 3f2c9e1 ", &entries).against(side);
    let differs = Differs {
        function: "parser::lex".to_owned(),
        baseline_bytes: 212,
        candidate_bytes: 318,
        why: "changed machine code".to_owned(),
    };
    let of = |index: usize| match changed.checked_sub(index + 1) {
        None => measured(&plan, index, Outcome::Pass, 1.0, 1.0).with(|figures| {
            figures.interval = IntervalRecord { level: 0.9, low: Some(1.0), high: Some(1.0) };
            figures.same_code = true;
        }),
        Some(0) => measured(&plan, index, Outcome::Fail, 1.098, 1e-9)
            .with(|figures| figures.differs = Some(differs.clone())),
        Some(_) => measured(&plan, index, Outcome::Pass, 0.867, 1.0),
    };
    let records = (0..plan.pairs.len()).map(of).collect();
    (plan, records)
}

fn emitted((plan, records): &(Planned, Vec<PairRecord>), sink: &mut dyn Sink) -> io::Result<()> {
    emit(&plan.started(Machine::default()), records, sink)
}

fn table(run: &(Planned, Vec<PairRecord>), verbose: bool) -> String {
    text(|out| emitted(run, &mut Terminal::pretty(out, None, verbose)))
}

#[test]
fn a_row_of_the_same_code_has_a_header() {
    let (plan, mut records) = run(2, 0);
    records[1] = plan.pairs[1].ended(Outcome::Error, Some("panicked".to_owned()));
    let shown = table(&(plan, records), false);
    let lines: Vec<&str> = shown.lines().collect();
    let row = lines.iter().position(|line| line.starts_with("f1 ")).unwrap();
    assert!(lines[row - 1].starts_with("function "), "{shown}");
}

#[test]
fn the_table_has_the_sides_by_name_and_what_changed() {
    is_expected("table_against.txt", &table(&run(5, 2), false));
    let verbose = table(&run(5, 2), true);
    assert!(verbose.lines().any(|line| line.starts_with("f4 ")), "{verbose}");
    let unchanged = table(&run(5, 0), false);
    assert!(
        unchanged.contains("\nall 5 functions are unchanged: same machine code, not measured\n"),
        "{unchanged}"
    );
    assert!(
        unchanged.contains("\n5 passed, 1 not compared\n") && !unchanged.contains("\nfunction "),
        "{unchanged}"
    );
}

#[test]
fn a_row_says_what_the_change_allows() {
    let allowing = |by: &str| {
        let (plan, mut records) = run(3, 2);
        for record in &mut records {
            let allowed = Some(AllowedRecord { slowdown: 0.12, by: by.to_owned() });
            let gate = record.gate.take().map(|gate| GateRecord { allowed, ..gate });
            let zone = gate.as_ref().and_then(|gate| gate.zone(None)).unwrap();
            record.gate = gate.map(|gate| gate.with_bounds(zone));
        }
        (plan, records)
    };
    let run = allowing("3f2c9e1");
    for is_verbose in [false, true] {
        // Not that of unchanged machine code.
        let shown = table(&run, is_verbose);
        assert_eq!(shown.matches("\n    allowed by 3f2c9e1: 12 %\n").count(), 2, "{shown}");
    }
    let limit = "limit:    2 % slower (max_slowdown), allowed by the description: 12 %; a failure proves more than 13.12 %";
    let shown = table(&allowing("the description"), false);
    assert!(shown.contains(limit), "{shown}");
    let summary = summary_of(&run);
    assert!(summary.contains(" | pass: `allowed by 3f2c9e1: 12 %` |\n"), "{summary}");
    let json = run.1[0].to_json();
    assert!(json.contains(r#""margin":0.02,"allowed":{"slowdown":0.12,"by":"3f2c9e1"},"#), "{json}");
}

#[test]
fn a_pass_beyond_its_own_limit_is_one_that_the_change_allows() {
    let (plan, _) = run(1, 1);
    let passes = |outcome, ratio, allows: bool| {
        let mut record = measured(&plan, 0, outcome, ratio, 1.0);
        let allowed = allows.then(|| AllowedRecord { slowdown: 0.12, by: "3f2c9e1".to_owned() });
        record.gate = record.gate.map(|gate| GateRecord { allowed, ..gate });
        record.passes_by_allowance()
    };
    assert!(passes(Outcome::Pass, 1.05, true));
    for (outcome, ratio, allows) in
        [(Outcome::Pass, 1.01, true), (Outcome::Pass, 1.05, false), (Outcome::Fail, 1.2, true)]
    {
        assert!(!passes(outcome, ratio, allows), "{outcome:?} {ratio}");
    }
}

#[test]
fn what_hinders_the_proofs_of_most_functions_is_in_the_table_and_in_records() {
    let why = "they are linked with other options";
    let hindered = |changed| {
        let (mut plan, records) = run(5, changed);
        let hindrance = Hindrance { obstacle: Obstacle::Unknown, why: why.to_owned(), functions: changed };
        plan.start.against.as_mut().unwrap().hindrance = Some(hindrance);
        (plan, records)
    };
    let line = format!("\n3 of 5 functions are not proven unchanged: {why}\n");
    assert!(table(&hindered(3), false).contains(&line));
    let start = hindered(3).0.started(Machine::default());
    let end = bench_diff_system::json::to_string(&RunRecord::of(&start, &[], 1.0));
    let end: serde_json::Value = serde_json::from_str(&end).unwrap();
    let expected = serde_json::json!({"obstacle": "unknown", "why": why, "functions": 3});
    assert_eq!(end["against"]["hindrance"], expected);
}

#[test]
fn a_run_without_a_function_says_why() {
    let (mut plan, _) = run(1, 1);
    plan.pairs.clear();
    plan.start.pairs.clear();
    plan.start.against.as_mut().unwrap().not_compared = vec!["f0".to_owned()];
    let run = (plan, Vec::new());
    let nothing = "nothing was compared: 1 function is not in the old revision\n";
    let names = "not compared: f0: 3f2c9e1 has no function of this name, or another number of them";
    let lines = format!("{names}\n{nothing}");
    assert_eq!(table(&run, false), format!("{lines}\n"));
    let beside = text(|out| emitted(&run, &mut Added(out, beside_records)));
    assert_eq!(beside, lines);
    assert!(summary_of(&run).contains("**nothing was compared: 1 function is not in the old revision**\n"));
}

#[test]
fn every_report_has_the_verdict_of_a_run_that_compared_nothing() {
    let (mut plan, _) = run(2, 2);
    plan.start.against.as_mut().unwrap().not_compared.clear();
    let records: Vec<PairRecord> =
        (0..2).map(|index| plan.pairs[index].ended(Outcome::Ignored, None)).collect();
    let run = (plan, records);
    let verdict = "nothing was compared: 2 functions are ignored or fail in the old revision";
    let shown = table(&run, false);
    assert!(shown.contains(&format!("\n{verdict}\n")) && !shown.contains(" passed"), "{shown}");
    assert!(summary_of(&run).contains(&format!("**{verdict}**\n")), "{}", summary_of(&run));
    let mut whole = WholeRun::default();
    emitted(&run, &mut whole).unwrap();
    let property = format!("<property name=\"verdict\" value=\"{verdict}\"/>");
    assert!(junit::document(&whole).contains(&property), "{}", junit::document(&whole));
    assert!(html::document(&whole).contains(&format!("<p class=counts>{verdict}</p>")));
    let json = text(|out| emitted(&run, &mut Added(out, json::line)));
    assert!(json.lines().last().unwrap().contains("\"uncompared\":\"no_function\""), "{json}");

    let (mut plan, _) = self::run(0, 0);
    plan.start.against.as_mut().unwrap().not_compared = vec!["lex".to_owned()];
    let mut whole = WholeRun::default();
    emitted(&(plan, Vec::new()), &mut whole).unwrap();
    let suite = "name=\"my_package::sorting\" tests=\"0\"";
    let xml = junit::document(&whole);
    assert!(
        xml.contains(suite) && xml.contains("nothing was compared: 1 function is not in the old revision"),
        "{xml}"
    );
}

#[test]
fn junit_says_that_nothing_is_judged() {
    let (mut plan, records) = run(2, 2);
    plan.start.unjudged = Some("debug assertions are on".to_owned());
    let mut whole = WholeRun::default();
    emitted(&(plan, records), &mut whole).unwrap();
    let xml = junit::document(&whole);
    assert!(xml.contains("name=\"verdict\" value=\"no verdicts: debug assertions are on"), "{xml}");
}

fn summary_of(run: &(Planned, Vec<PairRecord>)) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("summary");
    emitted(
        run,
        &mut AtEnd {
            destination: Destination::end_of(&path).unwrap(),
            document: markdown::document,
            run: WholeRun::default(),
        },
    )
    .unwrap();
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_summary_is_as_long_as_what_changed() {
    is_expected("report_against.md", &summary_of(&run(200, 3)));
    let unchanged = summary_of(&run(200, 0));
    assert!(
        unchanged.contains("\n`all 200 functions are unchanged: same machine code, not measured`\n"),
        "{unchanged}"
    );
    assert!(unchanged.len() < 500 && !unchanged.contains("| function |"), "{unchanged}");
    let (plan, mut records) = run(2, 1);
    records[1] = records[1].clone().with(|figures| figures.slots.bytes = Some(64));
    let without = summary_of(&(plan, records));
    assert!(!without.contains("throughput"), "of what has no row: {without}");
}

#[test]
fn a_summary_says_why_a_function_is_not_judged() {
    let (plan, mut records) = run(2, 1);
    let reason = Some("in the old revision: panicked at src/lib.rs:1:5: a | b\n  left: 1".to_owned());
    let end = End::Ignored { reason, fails_in_old: true };
    records[0] = PairRecord { end, ..plan.pairs[0].clone() };
    let summary = summary_of(&(plan, records));
    let row =
        "\n| `f0` |  |  |  |  | ignored: `in the old revision: panicked at src/lib.rs:1:5: a \\| b` |\n";
    assert!(summary.contains(row), "{summary}");
}

#[test]
fn every_document_knows_the_other_side() {
    let run = run(2, 1);
    let mut whole = WholeRun::default();
    emitted(&run, &mut whole).unwrap();
    assert!(markdown::document(&whole).contains(&format!("\n``{FOUND}``\n")));
    let xml = junit::document(&whole);
    let property = format!("<property name=\"against\" value=\"{}\"/>", FOUND.replace('"', "&quot;"));
    assert!(xml.contains(&property), "{xml}");
    assert!(
        xml.contains("\ndiffers:  `parser::lex`: 212 -&gt; 318 bytes, changed machine code\n")
            && xml.contains(" --against 3f2c9e1 --seed "),
        "{xml}"
    );
    assert!(whole.pairs.iter().all(|pair| pair.against.as_deref() == Some("3f2c9e1")));
    let json = text(|out| emitted(&run, &mut Added(out, json::line)));
    assert!(
        json.lines().last().unwrap().contains("\"against\":{\"asked\":\"\",\"name\":\"3f2c9e1\""),
        "{json}"
    );
}

#[test]
fn a_page_has_the_sides_by_name_and_what_changed() {
    let page = |(plan, records): &(Planned, Vec<PairRecord>)| {
        let start = plan.started(Machine::default());
        let mut page = WholeRun::drawn_by(html::details);
        page.add(&Event::RunStarted(&start));
        records.iter().for_each(|record| page.add(&Event::PairFinished { record, rounds: &[] }));
        page.add(&Event::RunFinished(&RunRecord::of(&start, &outcomes(records), 1.0)));
        html::document(&page)
    };
    let few = page(&run(200, 3));
    for expected in [
        "<th scope=col data-key=name>function",
        "<th scope=col data-key=baseline>3f2c9e1",
        "<th scope=col data-key=candidate>now",
        "<caption>Change from 3f2c9e1 to now, with its interval</caption>",
        "where this branch left main<br>197 of 200 functions are unchanged: same machine code, not measured<br>not compared: lex_new",
        "<p class=counts><a href=\"#/f2\">f2</a> got 9.8 % slower since 3f2c9e1 (limit: 2 %)</p>",
        "<p>differs:  `parser::lex`: 212 -&gt; 318 bytes, changed machine code",
        ", against <b>3f2c9e1</b><code>cargo bench ",
    ] {
        assert!(few.contains(expected), "{expected} in {few}");
    }
    let none = page(&run(200, 0));
    assert!(
        none.contains("<br>all 200 functions are unchanged: same machine code, not measured<br>"),
        "{none}"
    );
    assert!(
        none.contains("<p class=counts>200 passed, 1 not compared</p>") && !none.contains("<ul class=look>"),
        "{none}"
    );
}

#[test]
fn an_annotation_stands_at_the_function_and_says_what_changed() {
    let annotations = |run: &(Planned, Vec<PairRecord>)| {
        let mut out = Vec::new();
        let job = GitHub { package: "/absent".into(), ..GitHub::default() };
        emitted(run, &mut Annotations::new(&mut out, job)).unwrap();
        String::from_utf8(out).unwrap()
    };
    let [few, none] = [run(200, 3), run(200, 0)].map(|run| annotations(&run));
    let at =
        "::error file=benches/sorting.rs,line=3,title=bench_diff%3A f2 failed::measured: 9.8 %25 slower; ";
    assert!(few.starts_with(at) && few.lines().count() == 1, "{few}");
    for expected in [
        " per call against 20.00 us in 3f2c9e1%0A",
        "%0Adiffers:  `parser::lex`: 212 -> 318 bytes, changed machine code%0Arepeat: ",
        " --against 3f2c9e1 --seed ",
    ] {
        assert!(few.contains(expected), "{expected} in {few}");
    }
    assert_eq!(none, "");
}
