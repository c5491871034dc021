//! Self-tests on simulated functions: effects that gates find, and gates that are blind to them.

use std::time::Duration;

use super::*;
use crate::fixture::{add, run_pairs, scattered};
use crate::record::{SelfTestRecord, SelfTests};

/// The results of the self-tests of these entries' gates.
fn tested(line: &str, entries: &[PairEntry]) -> Vec<SelfTestRecord> {
    let plan = planned(&format!("--bench --self-test {line}"), entries).self_test();
    let (mut tests, mut records) = (SelfTests::of(&plan), Vec::new());
    run_pairs(&plan, entries, &Machine::default(), &mut |event| {
        if let Event::PairFinished { record, .. } = event {
            records.extend(tests.add(record));
        }
    });
    records.sort_by(|one, other| one.name.cmp(&other.name));
    records
}

/// Adds a candidate that must not be called.
fn of_baseline(cases: &mut Cases<'_>, call: u64) {
    add(cases, || panic!("called"), move || pass(call));
}

fn short(cases: &mut Cases<'_>) {
    of_baseline(cases, 100);
}

fn usual(cases: &mut Cases<'_>) {
    of_baseline(cases, 20_000);
}

fn long(cases: &mut Cases<'_>) {
    of_baseline(cases, 5_000_000);
}

#[test]
fn a_sound_gate_passes_equal_candidates_and_finds_slow_ones() {
    for (line, fewest) in
        [("--judge sequential", Some(8)), ("--judge sequential --layouts none", None), ("", None)]
    {
        let entries = [
            entry("long", 1, long),
            entry("min_speedup", 2, usual).min_speedup(1.5),
            entry("max_difference", 3, usual).max_difference(0.02),
            entry("short", 4, short),
            entry("usual", 5, usual),
        ];
        let records = tested(line, &entries);
        let names: Vec<&str> = records.iter().map(|record| record.name.as_str()).collect();
        assert_eq!(names, ["long", "max_difference", "min_speedup", "short", "usual"]);
        for record in &records {
            assert_eq!((record.plain, record.slowed), (Outcome::Pass, Outcome::Fail), "{line} {record:?}");
            assert_eq!(record.exit(), Exit::Success);
            let (put_in, found) = (record.put_in.unwrap(), record.found.unwrap());
            assert!((found / put_in - 1.0).abs() < 2e-3, "{line} {record:?}");
            assert_eq!(record.rounds.is_some(), fewest.is_some());
            assert!(record.rounds >= fewest, "{record:?}");
        }
        let put_in = |name: &str| records.iter().find(|record| record.name == name).unwrap().put_in.unwrap();
        assert!((put_in("usual") - 1.04).abs() < 1e-9);
        assert!((put_in("short") - 1.0 - 5.0 / 128.0).abs() < 1e-9, "whole calls: {}", put_in("short"));
        assert!((put_in("min_speedup") * 1.456 - 1.0).abs() < 1e-3, "a smaller effect than the limit");
    }
}

#[test]
fn a_margin_that_is_too_small_to_measure_is_blind() {
    let noisy = |margin| {
        let pair =
            sequential("noisy", 1, undecided).max_slowdown(margin).max_time(Duration::from_millis(500));
        tested("", &[pair]).remove(0)
    };
    let sound = noisy(3.0);
    assert_eq!((sound.exit(), sound.blind.as_deref()), (Exit::Success, None), "{sound:?}");
    let blind = noisy(0.000_1);
    assert_eq!(blind.exit(), Exit::Failure, "{blind:?}");
    assert!(
        blind.blind.as_deref().unwrap().contains("cannot tell that an equal candidate passes: "),
        "{blind:?}"
    );
    assert!((blind.put_in.unwrap() - 1.000_2).abs() < 1e-9);
}

#[test]
fn a_gate_on_slow_calls_is_tested_by_slow_calls() {
    fn with_tail(cases: &mut Cases<'_>) {
        add(cases, || panic!("called"), scattered);
    }
    let pairs = [
        sequential("slowdown", 1, with_tail).max_tail(2.0),
        sequential("difference", 2, with_tail).max_difference(0.05).max_tail(3.0),
        sequential("blind", 3, with_tail).max_tail(1.05),
        sequential("speedup", 5, with_tail).min_speedup(1.5).max_tail(2.0),
        sequential("without_rounds", 4, with_tail).layouts(Layouts::None).max_tail(2.0),
    ];
    let mut records = tested("", &pairs);
    records.sort_by_key(|record| record.max_tail.is_some());
    let (of_ratio, of_tail) = records.split_at(5);
    let of = |records: &[SelfTestRecord], name: &str| {
        records.iter().find(|record| record.name == name).unwrap().clone()
    };
    for (name, times) in [("slowdown", 4.0), ("difference", 9.0)] {
        let (ratio, tail) = (of(of_ratio, name), of(of_tail, name));
        for record in [&ratio, &tail] {
            assert_eq!((record.plain, record.slowed), (Outcome::Pass, Outcome::Fail), "{record:?}");
            assert_eq!(record.exit(), Exit::Success);
        }
        assert!((tail.put_in.unwrap() - times).abs() < 1e-9, "{tail:?}");
        assert!((tail.found.unwrap() / times - 1.0).abs() < 0.3, "{tail:?}");
    }
    let (speedup, tested) = (of(of_ratio, "speedup"), of_tail.iter().map(|record| &record.name));
    assert_eq!((speedup.exit(), tested.filter(|name| *name == "speedup").count()), (Exit::Success, 0));
    let (ratio, tail) = (of(of_ratio, "blind"), of(of_tail, "blind"));
    assert_eq!((ratio.exit(), tail.exit()), (Exit::Success, Exit::Failure), "{ratio:?} {tail:?}");
    assert!(
        tail.blind.as_deref().unwrap().contains("cannot tell that a candidate with slow calls fails"),
        "{tail:?}"
    );
    let error = of(of_tail, "without_rounds");
    assert_eq!((error.exit(), error.put_in), (Exit::Error, None));
    assert!(error.reason.unwrap().contains("`max_tail` needs rounds"));
}

#[test]
fn an_unmeasurable_baseline_is_an_error_and_no_blind_gate() {
    fn broken(cases: &mut Cases<'_>) {
        add(cases, || pass(20_000), || panic!("out of order"));
    }
    let record = tested("", &[entry("broken", 1, broken)]).remove(0);
    assert_eq!((record.exit(), &record.blind), (Exit::Error, &None));
    assert!(record.reason.unwrap().ends_with("out of order"));
}

#[test]
fn a_repetition_names_the_pair() {
    let entries = [entry("a", 1, usual)];
    let plan = planned("--bench --self-test --seed 1", &entries).self_test();
    run_pairs(&plan, &entries, &Machine::default(), &mut |event| {
        if let Event::PairFinished { record, .. } = event {
            assert!(record.repeat.contains("--exact a --self-test"), "{}", record.repeat);
        }
    });
}
