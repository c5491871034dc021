//! The lines of the standard benchmark harness.

use super::*;
use crate::report::bench_lines::BenchLines;

fn lines(plan: &RunPlan, err: &mut Vec<u8>) -> String {
    text(|out| emit_all(plan, &mut BenchLines::new(out, err, 2)))
}

#[test]
fn they_are_those_of_the_standard_harness() {
    let mut err = Vec::new();
    assert_eq!(
        lines(&a_plan(), &mut err),
        "
running 4 tests
test sort::unstable ... bench:       10820.00 ns/iter (+/- 0.00)
test sort::slow     ... bench:       21024.00 ns/iter (+/- 0.00)
test find           ... bench:       20020.00 ns/iter (+/- 0.00)
test broken         ... FAILED

test result: FAILED. 0 passed; 2 failed; 0 ignored; 2 measured; 2 filtered out; finished in 1.26s

"
    );
}

#[test]
fn what_they_cannot_say_stands_on_the_error_stream() {
    let mut err = Vec::new();
    lines(&a_plan(), &mut err);
    let err = String::from_utf8(err).unwrap();
    assert!(err.starts_with(
        "fail: sort::slow (benches/sorting.rs:11)\n    measured: 5.1 % slower, ratio 1.0512, 95 % interval [1.0482, 1.0542]"
    ));
    assert!(err.contains("\ninconclusive: find (benches/sorting.rs:12)\n    too noisy"), "{err}");
    assert!(err.contains("\nerror: broken (benches/sorting.rs:13)\n    panicked at"), "{err}");
    assert_eq!(err.matches("\n    repeat:   cargo bench").count(), 3);
}

/// The pattern of github-action-benchmark: `^test (.+)\s+\.\.\. bench:\s+([0-9,.]+) (\w+\/\w+) \(\+\/-
/// ([0-9,.]+)\)$`.
#[test]
fn a_dashboard_reads_them() {
    let mut err = Vec::new();
    let lines = lines(&a_plan(), &mut err);
    let read = |line: &str| {
        let (name, rest) = line.strip_prefix("test ")?.split_once(" ... bench:")?;
        let (value, range) = rest.trim_start().strip_suffix(')')?.split_once(" ns/iter (+/- ")?;
        let number = |text: &str| text.chars().all(|c| c.is_ascii_digit() || ",.".contains(c));
        assert!(number(value) && number(range), "{line}");
        Some((name.trim_end().to_owned(), value.replace(',', "").parse::<f64>().unwrap()))
    };
    let read: Vec<_> = lines.lines().filter_map(read).collect();
    let expected = [("sort::unstable", 10_820.0), ("sort::slow", 21_024.0), ("find", 20_020.0)];
    assert_eq!(read, expected.map(|(name, value)| (name.to_owned(), value)));
}

#[test]
fn ignored_pairs_and_parts_of_nanoseconds() {
    let plan = planned("", &[entry("add", 1, equal), entry("later", 2, equal)]);
    let quick = measured(&plan, 0, Outcome::Pass, 1.0, 0.5);
    let candidate = SummaryRecord { p5: 0.2512, p95: 0.3098, ..summary(0.2749) };
    let quick = quick.with(|figures| figures.candidate = candidate);
    let reason = Some("one\nday".to_owned());
    let ignored = PairRecord::ended(&plan, &plan.pairs[1], Outcome::Ignored, reason);
    let start = StartRecord::of(&plan, &Machine::default());
    let end = RunRecord::of(&start, &[Outcome::Pass, Outcome::Ignored], 0.1);
    let text = text(|out| {
        let mut sink = BenchLines::new(out, io::sink(), 0);
        sink.event(&Event::RunStarted(&start))?;
        sink.event(&Event::PairFinished { record: &quick, measured: None })?;
        sink.event(&Event::PairFinished { record: &ignored, measured: None })?;
        sink.event(&Event::RunFinished(&end))
    });
    assert!(text.contains("\ntest add   ... bench:           0.27 ns/iter (+/- 0.06)\n"), "{text}");
    assert!(text.contains("\ntest later ... ignored, one day\n"), "{text}");
    let result = "test result: ok. 0 passed; 0 failed; 1 ignored; 1 measured; 0 filtered out;";
    assert!(text.contains(result), "{text}");
}
