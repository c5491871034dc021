//! The outputs of other harnesses are understood, as they are printed.

#[path = "../../benches/rivals/read.rs"]
mod read;

use read::{Answer, Verdict};

fn answers(answers: &[Answer]) -> Vec<(&str, f64, Option<Verdict>)> {
    let rounded = |answer: &Answer| (answer.change * 1e4).round() / 1e4;
    answers.iter().map(|answer| (answer.function.as_str(), rounded(answer), answer.verdict)).collect()
}

#[test]
fn tango() {
    let text = "\
sum                                                [ 133.5 ns ... 705.9 ns ]    +428.66%
sieve                                              [  34.2 us ...  26.8 us ]     -21.57%*
words                                              [  14.7 us ...  15.1 us ]      +2.73%*
";
    let expected = [
        ("sum", 4.2866, Some(Verdict::NoSlower)),
        ("sieve", -0.2157, Some(Verdict::Faster)),
        ("words", 0.0273, Some(Verdict::Slower)),
    ];
    assert_eq!(answers(&read::tango(text)), expected);
}

#[test]
fn original() {
    let text = "sum 1.05 0.0001 0.9999\nsieve 0.9 1 0.000002\nsort 1.01 0.004 0.996\n";
    let expected = [
        ("sum", 0.05, Some(Verdict::Slower)),
        ("sieve", -0.1, Some(Verdict::Faster)),
        ("sort", 0.01, Some(Verdict::NoSlower)),
    ];
    assert_eq!(answers(&read::p_values(text)), expected);
}

#[test]
fn bench_diff() {
    let text = "\
{\"event\":\"start\",\"name\":\"none\"}
{\"event\":\"pair\",\"name\":\"sum::after\",\"outcome\":\"fail\",\"ratio\":1.05}
{\"event\":\"pair\",\"name\":\"sort::after\",\"outcome\":\"pass\",\"ratio\":0.9}
{\"event\":\"pair\",\"name\":\"words::after\",\"outcome\":\"inconclusive\",\"ratio\":1.02}
{\"event\":\"run\",\"passed\":1}
";
    let expected = [
        ("sum", 0.05, Some(Verdict::Slower)),
        ("sort", -0.1, Some(Verdict::NoSlower)),
        ("words", 0.02, Some(Verdict::Open)),
    ];
    assert_eq!(answers(&read::records(text)), expected);
}

#[test]
fn divan() {
    let text = "\
w1            fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ fnv                      │               │               │               │         │
│  ├─ after   8.973 µs      │ 10.24 µs      │ 8.8 µs        │ 9.235 µs      │ 5       │ 5
│  ╰─ before  8.552 µs      │ 8.872 µs      │ 8 µs          │ 8.622 µs      │ 5       │ 5
╰─ words                    │               │               │               │         │
   ├─ after   902.6 ns      │ 5.687 µs      │ 950 ns        │ 3.28 µs       │ 5       │ 5
   ╰─ before  1.902 µs      │ 5.638 µs      │ 1 µs          │ 3.016 µs      │ 5       │ 5

";
    assert_eq!(answers(&read::divan(text)), [("fnv", 0.1, None), ("words", -0.05, None)]);
}

#[test]
fn criterion() {
    let text = "\
sum                     time:   [312.21 ns 391.74 ns 497.04 ns]
                        change: [−43.754% −19.719% +18.119%] (p = 0.29 > 0.05)
                        No change in performance detected.
Found 1 outliers among 10 measurements (10.00%)
  1 (10.00%) high severe

sieve                   time:   [14.771 µs 20.760 µs 29.124 µs]
                        change: [+3.7520% +5.0961% +6.1000%] (p = 0.00 < 0.05)
                        Performance has regressed.
sort                    time:   [14.771 µs 20.760 µs 29.124 µs]
                        change: [−6.7520% −5.0961% −4.1000%] (p = 0.00 < 0.05)
                        Performance has improved.
fnv                     time:   [14.771 µs 20.760 µs 29.124 µs]
                        change: [+0.3000% +0.5000% +0.7000%] (p = 0.00 < 0.05)
                        Change within noise threshold.
";
    let expected = [
        ("sum", -0.1972, Some(Verdict::NoSlower)),
        ("sieve", 0.051, Some(Verdict::Slower)),
        ("sort", -0.051, Some(Verdict::Faster)),
        ("fnv", 0.005, Some(Verdict::NoSlower)),
    ];
    assert_eq!(answers(&read::criterion(text)), expected);
}

#[test]
fn zenbench_of_two_revisions() {
    let text = "\
  UNCONFIRMED: exploratory results

  Baseline comparison
  sum                                312.2ns →     315.0ns    +0.90%    unchanged
  sieve                            14771.0ns →   15518.8ns    +5.06%  \u{1b}[31m▲ slower (descriptive)\u{1b}[0m
  sort::sort                       14771.0ns →   14001.0ns    -5.21%  \u{1b}[32m▼ faster (descriptive)\u{1b}[0m

  Descriptive counts: 1 slower, 1 faster, 1 unchanged
";
    let expected = [
        ("sum", 0.009, Some(Verdict::NoSlower)),
        ("sieve", 0.0506, Some(Verdict::Slower)),
        ("sort", -0.0521, Some(Verdict::Faster)),
    ];
    assert_eq!(answers(&read::zenbench_comparison(text)), expected);
}

#[test]
fn zenbench() {
    let text = "\
group,benchmark,mean_ns,vs_base_pct,vs_base_ci_lo_pct,significant,cpu_placement_evidence
sum,before,117.37,,,,\"mode=iterate cpu_class=\"\"capacity1024\"\"\"
sum,after,119.33,1.6664,-0.4210,false,\"mode=iterate cpu_class=\"\"capacity1024\"\"\"
fnv,before,117.37,,,,
fnv,after,119.33,5.0,4.0,true,
sort,before,117.37,,,,
sort,after,119.33,-5.0,-6.0,true,
";
    let expected = [
        ("sum", 0.0167, Some(Verdict::NoSlower)),
        ("fnv", 0.05, Some(Verdict::Slower)),
        ("sort", -0.05, Some(Verdict::Faster)),
    ];
    assert_eq!(answers(&read::zenbench(text)), expected);
}

#[test]
fn zenbench_confirming() {
    let table = "  sum    312.2ns →     315.0ns    +0.90%    unchanged\n  \
                 sieve  14771.0ns →  15518.8ns   +5.06%  \u{1b}[31m▲ slower (descriptive)\u{1b}[0m\n";
    let verdicts = |end: &str| {
        let found = read::zenbench_confirmation(&format!("{table}{end}"), &["sum", "sieve"]);
        found.iter().map(|answer| answer.verdict).collect::<Option<Vec<_>>>().unwrap()
    };
    let failed = verdicts("[zenbench] FAIL: confirmed regression exceeds 2% margin\n");
    assert_eq!(failed, [Verdict::NoSlower, Verdict::Slower]);
    let passed = verdicts("[zenbench] PASS: non-inferiority established within 2%\n");
    assert_eq!(passed, [Verdict::NoSlower; 2]);
    assert_eq!(verdicts("[zenbench] INVALID comparison: none\n"), [Verdict::Open; 2]);
    let unsaved = read::zenbench_confirmation("[zenbench] no baseline\n", &["sum"]);
    assert!(unsaved[0].verdict == Some(Verdict::Open) && unsaved[0].change.is_nan());
}

#[test]
fn gungraun() {
    assert_eq!(read::counted("sum", 1.05).verdict, Some(Verdict::Slower));
    assert_eq!(read::counted("sum", 1.019).verdict, Some(Verdict::NoSlower));
    assert_eq!(read::counted("sum", 0.9).verdict, Some(Verdict::NoSlower));
}
