//! The output of a self-test.

use bench_diff_core::JudgeKind;
use serde_json::Value;

use super::*;
use crate::fixture::{add, entry, pass, planned, run_pairs, scattered, undecided};
use crate::record::SelfTests;
use crate::register::{Cases, PairEntry};
use crate::report::self_test::SelfTestTable;

fn sound(cases: &mut Cases<'_>) {
    add(cases, || panic!("called"), || pass(20_000));
}

fn broken(cases: &mut Cases<'_>) {
    add(cases, || pass(20_000), || panic!("out of order"));
}

fn with_tail(cases: &mut Cases<'_>) {
    add(cases, || panic!("called"), scattered);
}

fn a_self_test() -> (RunPlan, [PairEntry; 5]) {
    let entries = [
        entry("sound", 1, sound).judge(JudgeKind::Sequential),
        entry("speedup", 2, sound).judge(JudgeKind::Sequential).min_speedup(1.5),
        entry("blind", 3, undecided).judge(JudgeKind::Sequential).max_slowdown(0.000_1),
        entry("broken", 4, broken),
        entry("tail", 5, with_tail).judge(JudgeKind::Sequential).max_tail(2.0),
    ];
    (planned("--bench --self-test", &entries).self_test(), entries)
}

fn emit_all(sink: &mut dyn Sink) {
    let (plan, entries) = a_self_test();
    let mut tests = SelfTests::of(&plan);
    run_pairs(&plan, &entries, &a_machine(), &mut |event| match event {
        Event::RunFinished(end) => {
            let end = RunRecord { elapsed_s: 1.26, ..(*end).clone() };
            sink.event(&Event::RunFinished(&end)).unwrap();
        }
        Event::PairFinished { record, measured } => {
            // Without the location, which is a line of this file.
            let reason = record.reason().and_then(|reason| Some(reason.rsplit(": ").next()?.to_owned()));
            let end = match &record.end {
                crate::record::End::Error { .. } => {
                    crate::record::End::Error { reason: reason.clone().unwrap(), output: None }
                }
                end => end.clone(),
            };
            let record = PairRecord { end, ..(*record).clone() }.with(|figures| figures.reason = reason);
            sink.event(&Event::PairFinished { record: &record, measured: *measured }).unwrap();
            for test in &tests.add(&record) {
                sink.event(&Event::GateTested(test)).unwrap();
            }
        }
        _ => sink.event(event).unwrap(),
    });
}

#[test]
fn the_table_of_a_self_test() {
    let table = text(|out| {
        emit_all(&mut SelfTestTable::new(out, Some(80)));
        Ok(())
    });
    is_expected("self_test.txt", &table);
    assert!(table.lines().all(|line| line.width() <= 80));
}

#[test]
fn programs_get_both_records_and_what_they_say_of_the_gate() {
    let mut out = Vec::new();
    emit_all(&mut Added::new(&mut out, json::lines));
    let text = String::from_utf8(out).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let events: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(events.iter().filter(|event| **event == "pair").count(), 11);
    let tests: Vec<&Value> = lines.iter().filter(|line| line["event"] == "self_test").collect();
    assert_eq!((tests.len(), events[events.len() - 1]), (6, "run"));
    let of = |name: &str| tests.iter().find(|test| test["name"] == name).unwrap();
    assert_eq!((of("sound")["plain"].as_str(), of("sound")["slowed"].as_str()), (Some("pass"), Some("fail")));
    assert!(of("sound")["blind"].is_null() && of("blind")["blind"].is_string());
    assert!(of("broken")["reason"].is_string() && of("broken")["put_in"].is_null());
    let names: Vec<&str> = lines.iter().filter_map(|line| line["name"].as_str()).collect();
    assert!(names.contains(&"sound (self-test, plain)") && names.contains(&"sound (self-test, slowed)"));
}
