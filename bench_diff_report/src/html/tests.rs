//! The page as a whole, of synthetic runs.

use bench_diff_core::{Duo, Measurement, Order, Places, Plan, Recording, Rounds, Warmup};

use crate::fixture::{Planned, entry, planned, recording, verdict};
use crate::html::*;
use crate::record::{Event, Facts, Machine, Outcome, PairRecord, PlannedRecord, RunRecord, StartRecord};
use crate::sink::WholeRun;
use crate::text::pair::PairText;

type Slots = Vec<Vec<Recording>>;

fn a_plan() -> Planned {
    planned("--judge sequential ", &[entry("sort", 10)])
}

/// A number from 0 to 999 that looks like any other.
fn spread(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17) % 1000
}

/// A round of this many duos, whose candidate takes this many thousandths more.
fn a_round(duos: u64, seed: u64, slower: u64) -> Recording {
    let duo = |index| {
        let slot = |side| 20_000 + spread(seed * 1000 + index * 4 + side);
        let candidate = [0, 1].map(|side| slot(side) * (1000 + slower) / 1000);
        Duo { order: Order::BaselineFirst, candidate, baseline: [2, 3].map(slot) }
    };
    let plain = recording((0..duos).map(duo).collect());
    Recording { warmup: Warmup { iterations: 4, ..plain.warmup.clone() }, ..plain }
}

/// The candidate in this place of four, and the baseline in the place behind it.
fn at(place: u8) -> Places {
    Places { candidate: 16 * place, baseline: 16 * ((place + 1) % 4) }
}

/// A pair as a run in layouts tells it, whose candidate takes this many thousandths more, and in every other
/// layout this many besides.
fn a_pair(plan: &Planned, name: &str, duos: u64, [slower, apart]: [u64; 2]) -> (PairRecord, Slots) {
    let round = |round| a_round(duos, round, slower + apart * (round % 2));
    let of_round =
        |number| (0..4).map(|place| Recording { places: Some(at(place)), ..round(number) }).collect();
    let mut judge = Rounds::new(&Plan::default());
    let mut rounds = Vec::new();
    while judge.next().is_some() {
        let round: Vec<Recording> = of_round(rounds.len() as u64);
        judge.add(&round).unwrap();
        rounds.push(round);
    }
    let measurement = Measurement::of(&Plan::default(), rounds).unwrap();
    let linked = a_round(duos, 77, slower + 30);
    let record = PairRecord { name: name.to_owned(), ..plan.pairs[0].ended(Outcome::Measured, None) };
    let facts = Facts { linked: Some(&linked), ..Facts::default() };
    let record = record.judged(&measurement, facts).unwrap();
    (record, measurement.rounds)
}

/// The page of a run of these pairs.
fn page(plan: &Planned, pairs: &[(PairRecord, Slots)]) -> String {
    let planned = |(record, _): &(PairRecord, Slots)| PlannedRecord {
        name: record.name.clone(),
        group: None,
        is_compared: true,
    };
    let start =
        StartRecord { pairs: pairs.iter().map(planned).collect(), ..plan.started(Machine::default()) };
    let mut html = WholeRun::drawn_by(details);
    html.add(&Event::RunStarted(&start));
    for (record, rounds) in pairs {
        html.add(&Event::PairFinished { record, rounds });
    }
    let outcomes: Vec<Outcome> = pairs.iter().map(|(record, _)| record.outcome()).collect();
    html.add(&Event::RunFinished(&RunRecord::of(&start, &outcomes, 1.5)));
    document(&html)
}

/// Pairs that pass, that fail, and that nothing decides in as many rounds as there may be.
#[test]
fn a_thousand_pairs_fit_into_three_megabytes() {
    let plan = a_plan();
    let kinds = [(32, 0, 0), (256, 60, 0), (64, 5, 40)]
        .map(|(duos, slower, apart)| a_pair(&plan, "", duos, [slower, apart]));
    let pair = |number: usize| {
        let (record, slots) = &kinds[number % kinds.len()];
        let name = format!("module::function_{number}/1000");
        let repeat = record.repeat.replace("sort ", &format!("{name} "));
        (PairRecord { name, repeat, ..record.clone() }, slots.clone())
    };
    let page = page(&plan, &(0..1000).map(pair).collect::<Vec<_>>());
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    assert_eq!(page.matches("<tbody class=").count(), 1000);
    assert!(page.matches("<figure>").count() >= 3000, "a pair has plots of its rounds, duos and latencies");
}

#[test]
fn few_pairs_have_all_their_dots() {
    let plan = a_plan();
    let (record, slots) = a_pair(&plan, "one", 8, [60, 0]);
    let text = page(&plan, &[(record.clone(), slots.clone())]);
    let dots = |class: &str| {
        let path = text.split(&format!("<path class={class} d=\"")).nth(1).unwrap();
        path.split('"').next().unwrap().matches('z').count()
    };
    assert_eq!(dots("k"), record.of().rounds.as_ref().unwrap().n);
    assert_eq!(dots("s"), slots.iter().flatten().map(|process| process.duos.len()).sum::<usize>());
    assert_eq!(text.matches("<use href=#linked x=").count(), 1);
}

#[test]
fn a_failure_is_the_headline_and_the_first_row_which_is_open() {
    let plan = a_plan();
    let pair = |name, slower| a_pair(&plan, name, 32, [slower, 0]);
    let text = page(&plan, &[pair("fast", 0), pair("slow", 60)]);
    let head = "<p class=counts><a href=\"#/slow\">slow</a> is 5.5 % slower (limit: 2 %)</p>";
    assert!(text.contains(head), "{text}");
    assert!(text.contains("<p class=q>1 passed, 1 failed</p>"), "{text}");
    let states: Vec<&str> =
        text.split("<tr class=").skip(1).map(|row| row.split(" id=").next().unwrap()).collect();
    assert_eq!(states, ["\"d open\"", "d"]);
    assert!(text.find("<a href=\"#/slow\">slow</a><td>") < text.find("<a href=\"#/fast\">fast</a><td>"));
    let text = page(&plan, &[pair("one", 60), pair("other", 60)]);
    assert!(text.contains("<p class=counts>2 failed</p>") && text.matches("<li class=fail>").count() == 2);
}

#[test]
fn a_round_that_lies_far_out_is_an_arrow_and_squeezes_nothing() {
    let plan = a_plan();
    let (record, _) = a_pair(&plan, "one", 32, [0, 0]);
    let plot = |record: &PairRecord| plots::rounds(PairText::of(record).unwrap()).unwrap();
    let before = plot(&record);
    assert!(!before.contains("<title>"), "{before}");
    let record = record.with(|figures| figures.rounds.as_mut().unwrap().contrasts[2] = -1.27);
    let after = plot(&record);
    let scale = |plot: &str| plot.split("<svg data-r=").nth(1).unwrap().split('>').next().unwrap().to_owned();
    assert_eq!(scale(&after), scale(&before));
    assert_eq!(after.matches("<use href=#down ").count(), 1);
    assert!(after.contains(" class=n><title>round 3: -71.9 %</title></use>"), "{after}");
    let dots =
        |plot: &str| plot.split("class=k").nth(1).unwrap().split('"').nth(1).unwrap().matches('z').count();
    assert_eq!(dots(&after) + 1, dots(&before));
    // The binary as linked is as well, and from farther away.
    let record = record.with(|figures| figures.layouts.as_mut().unwrap().linked = Some(3.0));
    assert!(plot(&record).contains("<use href=#up ") && plot(&record).contains("as linked: +200 %"));
}

#[test]
fn nothing_is_loaded_and_no_text_of_others_is_markup() {
    const HOSTILE: &str =
        "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>&amp;\u{202e}\u{1b}[2J";

    let plan = a_plan();
    let (record, slots) = a_pair(&plan, HOSTILE, 16, [0, 0]);
    let end = |outcome| plan.pairs[0].ended(outcome, Some(HOSTILE.to_owned())).end;
    let text = |outcome: Outcome| PairRecord {
        end: if verdict(outcome).is_some() { record.end.clone() } else { end(outcome) },
        notes: vec![HOSTILE.to_owned()],
        file: HOSTILE.to_owned(),
        group: Some(HOSTILE.to_owned()),
        repeat: HOSTILE.to_owned(),
        package: HOSTILE.to_owned(),
        ..record.clone()
    };
    let reason = || Some(HOSTILE.to_owned());
    let text = |outcome: Outcome| {
        text(outcome).with(|figures| (figures.verdict, figures.reason) = (verdict(outcome), reason()))
    };
    let outcomes = [Outcome::Pass, Outcome::Fail, Outcome::Inconclusive, Outcome::Error, Outcome::Ignored];
    let pairs = outcomes.map(|outcome| (text(outcome), slots.clone()));
    let page = page(&plan, &pairs);
    let own = include_str!("script.js");
    assert_eq!(page.matches("<script>").count(), 1);
    assert_eq!(page.matches("</script>").count(), 1);
    assert!(!page.contains("<img") && !page.contains(['\u{202e}', '\u{1b}']));
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)") && page.contains("\\u{202e}\\u{1b}[2J"));
    let without_own = page.replace(own, "");
    for loading in ["http:", "https:", "url(", "@import", "src=", "<link rel=stylesheet"] {
        let found = without_own.replace("img src=x", "").contains(loading);
        assert!(!found, "{loading}");
    }
}

#[test]
fn a_run_that_measured_nothing_is_a_page_as_well() {
    let plan = a_plan();
    let mut html = WholeRun::drawn_by(details);
    assert!(document(&html).starts_with("<!DOCTYPE html>"));
    html.add(&Event::RunStarted(&plan.started(Machine::default())));
    let ignored = plan.pairs[0].ended(Outcome::Ignored, Some("later".to_owned()));
    html.add(&Event::PairFinished { record: &ignored, rounds: &[] });
    let text = document(&html);
    assert!(text.contains("<tbody class=ignored>") && text.contains("<p>later<p"), "{text}");
    assert!(!text.contains("<figure>"));
}
