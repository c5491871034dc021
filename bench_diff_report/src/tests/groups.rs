//! Pairs of one baseline.

use super::*;

/// `slow`, `broken`, `middling` and `quick` have one baseline; `find` has its own.
fn a_plan() -> Planned {
    let shared = |name, line| entry(name, line).of_group("reference");
    let entries = [
        shared("slow", 10),
        shared("broken", 12),
        shared("middling", 13),
        shared("quick", 14),
        entry("find", 11).baseline("linear"),
    ];
    planned("", &entries)
}

fn records(plan: &Planned) -> Vec<PairRecord> {
    let figures = [("slow", 1.0512), ("middling", 0.8), ("quick", 0.25), ("find", 1.001)];
    let of = |index: usize| {
        let name = &plan.pairs[index].name;
        match figures.iter().find(|(pair, _)| pair == name) {
            Some((_, ratio)) => measured(plan, index, Outcome::Pass, *ratio, 0.5),
            None => plan.pairs[index].ended(Outcome::Error, Some("no luck".to_owned())),
        }
    };
    (0..plan.pairs.len()).map(of).collect()
}

/// The table of the first `finished` pairs: the first word of its lines, or all of a heading.
fn table(plan: &Planned, finished: usize, sink: impl FnOnce(&mut dyn Write) -> Terminal<'_>) -> Vec<String> {
    let (start, records) = (plan.started(Machine::default()), &records(plan)[..finished]);
    let text = text(|out| emit(&start, records, &mut sink(out)));
    let lines = text.lines().skip_while(|line| line.is_empty() || line.starts_with("running"));
    let lines = lines.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with(' '));
    let shortened =
        |line: &str| if line.ends_with(':') { line } else { line.split("  ").next().unwrap() }.to_owned();
    lines.map(shortened).collect()
}

fn pretty(out: &mut dyn Write) -> Terminal<'_> {
    Terminal::pretty(out, Some(80), false)
}

#[test]
fn a_group_is_shown_fastest_first_and_errors_last() {
    let expected =
        ["pair", "against reference:", "quick", "middling", "slow", "broken", "against linear:", "find"];
    assert_eq!(table(&a_plan(), 5, pretty), expected);
}

#[test]
fn what_there_is_of_a_group_is_shown_when_the_run_stops() {
    let expected = ["pair", "against reference:", "middling", "slow", "broken"];
    assert_eq!(table(&a_plan(), 3, pretty), expected);
}

#[test]
fn a_wide_row_names_its_baseline() {
    let plan = planned("", &[entry("find", 11).baseline("linear"), entry("quick", 14).baseline("reference")]);
    assert_eq!(table(&plan, 2, |out| Terminal::pretty(out, None, false)), ["pair", "find", "quick"]);
    assert_eq!(table(&plan, 2, pretty), ["pair", "against linear:", "find", "against reference:", "quick"]);
}

#[test]
fn terse_and_json_keep_the_order_of_the_run() {
    let terse = table(&a_plan(), 5, |out| Terminal::terse(out, None, false));
    assert_eq!(
        terse,
        [
            "pass slow: 5.1 % slower, 21.02 us against 20.00 us",
            "ERROR broken",
            "pass middling: 20.0 % faster, 16.00 us against 20.00 us",
            "pass quick: 4.00x faster, 5.000 us against 20.00 us",
            "pass find: 0.1 % slower, 20.02 us against 20.00 us"
        ]
    );
    let plan = a_plan();
    let json = text(|out| {
        let mut sink = Added(out, json::line);
        records(&plan).iter().try_for_each(|record| sink.event(&Event::PairFinished { record, rounds: &[] }))
    });
    let lines: Vec<&str> = json.lines().collect();
    assert_eq!(lines.len(), 5);
    let expected = [("slow", 10), ("broken", 12), ("middling", 13), ("quick", 14)];
    for (record, (name, line)) in lines.iter().zip(expected) {
        assert!(record.contains(&format!("\"name\":\"{name}\"")), "{record}");
        assert!(record.contains(&format!("\"line\":{line},\"group\":\"reference\",")), "{record}");
    }
    assert!(lines[4].contains("\"group\":null,"), "{}", lines[4]);
}
