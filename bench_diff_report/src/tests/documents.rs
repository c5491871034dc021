//! The documents of a whole run: markdown, JUnit, the metrics of Bencher.

use serde_json::Value;

use super::*;
use crate::file::{markdown, metrics};
use crate::text::safe;

/// A run with a name and a reason full of characters that some format interprets.
fn hostile(plan: &Planned) -> WholeRun {
    let mut run = whole_run(plan);
    let PairRecord { name, notes, end: crate::record::End::Error { reason: why, .. }, .. } =
        &mut run.pairs[3]
    else {
        panic!()
    };
    *name = "a|b`c``d/<T>&\"'\u{1b}[1m*_x".to_owned();
    let reason =
        "\u{1b}[31mred\u{1b}[0m\u{0}\u{8}\u{b}\u{ffff} ]]> </system-out> & | ``` **x**\n```\n<b>\u{fc}";
    reason.clone_into(why);
    notes.push(reason.to_owned());
    // Every report for people gets it this way.
    run.pairs[3] = safe::pair(&run.pairs[3]);
    run
}

/// The reason of the hostile pair as shown to people.
const SHOWN: &str =
    "\\u{1b}[31mred\\u{1b}[0m\\u{0}\\u{8}\\u{b}\\u{ffff} ]]> </system-out> & | ``` **x**\n```\n<b>\u{fc}";

#[test]
fn markdown_is_a_table_and_what_went_wrong() {
    is_expected("report.md", &markdown::document(&whole_run(&a_plan())));
}

#[test]
fn markdown_tells_what_a_run_left_out() {
    let mut run = whole_run(&a_plan());
    run.pairs.truncate(2);
    run.end = RunRecord::of(&run.start, &outcomes(&run.pairs), 1.0);
    let text = markdown::document(&run);
    assert!(text.contains("**1 passed, 1 failed, stopped by --fail-fast, 2 not run**\n"), "{text}");
    run.pairs.clear();
    assert!(!markdown::document(&run).contains("| pair"));
}

#[test]
fn a_limit_that_was_not_checked_is_told_beside_the_pass() {
    let said = "`max_allocations` is not checked: the old revision has no allocator that counts";
    let unchecked = |record: PairRecord| {
        record.with(|figures| figures.slots.advice = vec!["slow start".into(), said.into()])
    };
    let mut run = whole_run(&a_plan());
    run.pairs[0] = unchecked(run.pairs[0].clone());
    let markdown = markdown::document(&run);
    assert!(markdown.contains(&format!("| pass: `` {said} `` |")), "{markdown}");
    let terse = text(|out| {
        let mut sink = Terminal::terse(out, None, false);
        sink.event(&Event::RunStarted(&run.start))?;
        sink.event(&Event::PairFinished { record: &run.pairs[0], rounds: &[] })
    });
    assert!(terse.ends_with(&format!("20.00 us\n    {said}\n")), "{terse}");
}

#[test]
fn nothing_in_a_name_or_a_reason_is_markdown() {
    let text = markdown::document(&hostile(&a_plan()));
    let name = "a\\|b`c``d/<T>&\"'\\u{1b}[1m*_x";
    assert!(text.contains(&format!("\n| ```{name}``` |  |  |  |  | **ERROR** |")), "{text}");
    assert!(text.contains(&format!("\n````text\n{SHOWN}\n````\n")), "{text}");
}

#[test]
fn markdown_shows_groups_fastest_first_and_names_baselines() {
    let shared = |name, line| entry(name, line).of_group("reference");
    let plan = planned("", &[shared("slow", 1), shared("quick", 2), entry("find", 3).baseline("linear")]);
    let pairs = (0..3).map(|index| {
        let ratio = if plan.pairs[index].name == "quick" { 0.5 } else { 1.25 };
        measured(&plan, index, Outcome::Pass, ratio, 0.5)
    });
    let start = plan.started(Machine::default());
    let mut run = WholeRun::default();
    run.add(&Event::RunStarted(&start));
    pairs.for_each(|record| {
        run.add(&Event::PairFinished { record: &record, rounds: &[] });
    });
    let text = markdown::document(&run);
    let first: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next()).collect();
    assert_eq!(
        first,
        [
            "pair",
            "---",
            "`quick` against `reference`",
            "`slow` against `reference`",
            "`find` against `linear`"
        ]
    );
}

#[test]
fn bencher_gets_metrics_without_nulls() {
    let text = metrics::bencher(&whole_run(&a_plan()));
    // An error has no figures.
    is_expected("bencher.json", &text);
    assert!(serde_json::from_str::<Value>(&text).is_ok());
}

#[test]
fn bencher_gets_no_end_that_is_infinite() {
    let mut run = whole_run(&a_plan());
    let interval = IntervalRecord { level: 0.95, low: Some(0.5), high: None };
    run.pairs[0] = run.pairs[0].clone().with(|figures| figures.interval = interval);
    let metrics: Value = serde_json::from_str(&metrics::bencher(&run)).unwrap();
    let ratio = metrics["sort::unstable"]["slowdown-ratio"].as_object().unwrap();
    assert_eq!(ratio.keys().collect::<Vec<_>>(), ["lower_value", "value"]);
    run.pairs.clear();
    assert_eq!(metrics::bencher(&run), "{}\n");
}

mod junit {
    use roxmltree::{Document, Node};

    use super::*;

    fn document(run: &WholeRun) -> String {
        crate::file::junit::document(run)
    }

    fn attributes<'a>(node: Node<'a, '_>, names: &[&str]) -> Vec<&'a str> {
        names
            .iter()
            .map(|name| node.attribute(*name).unwrap_or_else(|| panic!("{name} of {node:?}")))
            .collect()
    }

    fn named<'a>(document: &'a Document<'a>, name: &str) -> Vec<Node<'a, 'a>> {
        document.descendants().filter(|node| node.has_tag_name(name)).collect()
    }

    #[test]
    fn a_pair_is_a_test_case() {
        let text = document(&whole_run(&a_plan()));
        is_expected("junit.xml", &text);
        assert!(Document::parse(&text).is_ok());
    }

    #[test]
    fn what_is_ignored_is_skipped_and_what_is_open_fails_a_strict_run() {
        let mut run = whole_run(&a_plan());
        run.pairs[0].end =
            crate::record::End::Ignored { reason: Some("later".to_owned()), fails_in_old: false };
        run.start.strict = true;
        let text = document(&run);
        let xml = Document::parse(&text).unwrap();
        let counts = ["tests", "failures", "errors", "skipped"];
        assert_eq!(attributes(xml.root_element(), &counts), ["4", "2", "1", "1"]);
        assert_eq!(named(&xml, "skipped")[0].attribute("message"), Some("later"));
        let types: Vec<_> =
            named(&xml, "failure").iter().map(|node| node.attribute("type").unwrap()).collect();
        assert_eq!(types, ["max_slowdown", "inconclusive"]);
    }

    #[test]
    fn any_text_is_well_formed_and_comes_back() {
        let text = document(&hostile(&a_plan()));
        let xml = Document::parse(&text).unwrap();
        assert!(!text.contains('\u{1b}'));
        let case = named(&xml, "testcase")[3];
        assert_eq!(case.attribute("name"), Some("a|b`c``d/<T>&\"'\\u{1b}[1m*_x"));
        let [error] = named(&xml, "error")[..] else { panic!("one error") };
        assert_eq!(error.attribute("message"), SHOWN.lines().next());
        assert!(error.text().unwrap().contains(&format!("\n{SHOWN}\n")));
        let output = case.children().find(|node| node.has_tag_name("system-out")).unwrap();
        assert!(output.text().unwrap().contains("<b>\u{fc}\nrepeat:   cargo bench"), "{output:?}");
    }

    #[test]
    fn a_run_without_pairs_is_a_document_as_well() {
        let text = document(&WholeRun::default());
        assert_eq!(Document::parse(&text).unwrap().root_element().attribute("tests"), Some("0"));
    }
}
