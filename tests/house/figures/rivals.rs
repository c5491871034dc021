//! The outputs of other harnesses are understood, as they are printed.

#[path = "../../benches/rivals/read.rs"]
mod read;

use read::{Answer, Verdict};

fn answers(answers: &[Answer]) -> Vec<(&str, f64, Verdict)> {
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
        ("sum", 4.2866, Verdict::NoSlower),
        ("sieve", -0.2157, Verdict::Faster),
        ("words", 0.0273, Verdict::Slower),
    ];
    assert_eq!(answers(&read::tango(text)), expected);
}

#[test]
fn bench_diff() {
    let text = "\
{\"event\":\"start\",\"name\":\"none\"}
{\"event\":\"pair\",\"name\":\"sum\",\"outcome\":\"fail\",\"ratio\":1.05}
{\"event\":\"pair\",\"name\":\"sort\",\"outcome\":\"pass\",\"ratio\":0.9}
{\"event\":\"pair\",\"name\":\"words\",\"outcome\":\"inconclusive\",\"ratio\":1.02}
{\"event\":\"run\",\"passed\":1}
";
    let expected =
        [("sum", 0.05, Verdict::Slower), ("sort", -0.1, Verdict::NoSlower), ("words", 0.02, Verdict::Open)];
    assert_eq!(answers(&read::records(text)), expected);
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
        ("sum", -0.1972, Verdict::NoSlower),
        ("sieve", 0.051, Verdict::Slower),
        ("sort", -0.051, Verdict::Faster),
        ("fnv", 0.005, Verdict::NoSlower),
    ];
    assert_eq!(answers(&read::criterion(text)), expected);
}

#[test]
fn zenbench() {
    let text = "\
  UNCONFIRMED: exploratory results

  Baseline comparison
  sum                                312.2ns →     315.0ns    +0.90%    unchanged
  sieve                            14771.0ns →   15518.8ns    +5.06%  \u{1b}[31m▲ slower (descriptive)\u{1b}[0m
  sort::sort                       14771.0ns →   14001.0ns    -5.21%  \u{1b}[32m▼ faster (descriptive)\u{1b}[0m

  Descriptive counts: 1 slower, 1 faster, 1 unchanged
";
    let expected = [
        ("sum", 0.009, Verdict::NoSlower),
        ("sieve", 0.0506, Verdict::Slower),
        ("sort", -0.0521, Verdict::Faster),
    ];
    assert_eq!(answers(&read::zenbench_comparison(text)), expected);
}
