//! JUnit: a pair is a test case, what did not pass is a failure or an error of it.

use std::io;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::plain::plain;
use super::told::Told;
use super::{explain, numbers, overhead, phrase, proof, verdict};
use crate::record::{Outcome, PairRecord};

/// The document: a suite for each binary.
pub(super) fn document(told: &Told) -> io::Result<String> {
    let mut report = Report::new("bench_diff");
    report.set_time(seconds(told.counts().elapsed_s));
    for (binary, pairs) in told.binaries() {
        let mut suite = TestSuite::new(plain(&binary));
        suite.set_time(seconds(pairs.iter().filter_map(|pair| pair.elapsed_s).sum()));
        suite.add_test_cases(pairs.into_iter().map(|pair| case(pair, &binary, told.start.strict)));
        report.add_test_suite(suite);
    }
    report.to_string().map_err(io::Error::other)
}

fn case(pair: &PairRecord, binary: &str, strict: bool) -> TestCase {
    let mut case = TestCase::new(plain(&pair.name), status(pair, strict));
    case.set_classname(plain(binary));
    case.set_time(seconds(pair.elapsed_s.unwrap_or_default()));
    case.extra.insert("file".into(), plain(&pair.file).into());
    case.extra.insert("line".into(), pair.line.to_string().into());
    if pair.outcome != Outcome::Ignored {
        case.set_system_out(plain(&output(pair)));
    }
    case
}

fn status(pair: &PairRecord, strict: bool) -> TestCaseStatus {
    let (kind, ty) = match pair.outcome {
        Outcome::Pass | Outcome::Measured => return TestCaseStatus::success(),
        Outcome::Inconclusive if !strict => return TestCaseStatus::success(),
        Outcome::Ignored => {
            let mut skipped = TestCaseStatus::skipped();
            if let Some(reason) = &pair.reason {
                skipped.set_message(plain(reason));
            }
            return skipped;
        }
        Outcome::Fail => {
            (NonSuccessKind::Failure, pair.gate.as_ref().map_or("fail", |gate| gate.kind.name()))
        }
        Outcome::Inconclusive => (NonSuccessKind::Failure, "inconclusive"),
        Outcome::Error => (NonSuccessKind::Error, "error"),
    };
    let mut status = TestCaseStatus::non_success(kind);
    let (place, lines) = explain::explanation(pair, strict);
    status.set_type(ty);
    status.set_message(plain(&summary(pair)));
    status.set_description(plain(&format!("{place}\n{}\nrepeat:   {}", lines.join("\n"), pair.repeat)));
    status
}

/// What a viewer shows in its list: the figures in one line, or the first line of the reason.
fn summary(pair: &PairRecord) -> String {
    match pair.ratio.zip(pair.interval) {
        None => {
            pair.reason.as_deref().and_then(|reason| reason.lines().next()).unwrap_or_default().to_owned()
        }
        Some((ratio, interval)) => format!(
            "{}: {}, ratio {} {}{}",
            verdict::word(pair.outcome),
            phrase::comparison(ratio, interval),
            numbers::ratio(ratio),
            numbers::interval(interval.low, interval.high),
            pair.p_fail.map(|p| format!(", p {}", numbers::p_value(p))).unwrap_or_default()
        ),
    }
}

/// The row of the table with what stands below it.
fn output(pair: &PairRecord) -> String {
    let details = [Some(summary(pair)), proof::detail(pair), overhead::net(pair), proof::control(pair)];
    let lines = details.into_iter().flatten().chain(pair.notes.iter().cloned());
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    format!("{}\nrepeat:   {}", lines.join("\n"), pair.repeat)
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
