//! JUnit: a pair is a test case, what did not pass is a failure or an error of it.

use super::pair_text::PairText;
use super::run_so_far::RunSoFar;
use super::xml::Xml;
use super::{allocations, explain, numbers, phrase, sides, timing};
use crate::record::{FailedGate, Outcome, PairRecord, Severity};

/// The document: a suite for each binary.
pub(super) fn document(so_far: &RunSoFar) -> String {
    let mut xml = Xml::new();
    let strict = so_far.start.strict;
    let all = Counts::of(&so_far.pairs, strict);
    all.element(&mut xml, "testsuites", "bench_diff", so_far.counts().elapsed_s, &mut |suites| {
        for (binary, pairs) in so_far.binaries() {
            let seconds = pairs.iter().copied().map(elapsed).fold(0.0, |all, one| all + one);
            let counts = Counts::of(pairs.iter().copied(), strict);
            counts.element(suites, "testsuite", &binary, seconds, &mut |suite| {
                if let [name, ..] = sides::found(&so_far.start) {
                    suite.element("properties", &[], &mut |all| {
                        all.empty("property", &[("name", &"against"), ("value", name)]);
                    });
                }
                for pair in &pairs {
                    case(suite, pair, &binary, strict);
                }
            });
        }
    });
    xml.into()
}

/// The end of a test case, as JUnit tells them apart.
enum Status {
    Success,
    Skipped,
    /// Its `type`.
    Failure(&'static str),
    Error,
}

impl Status {
    fn of(pair: &PairRecord, strict: bool) -> Self {
        match pair.outcome().severity(strict) {
            Severity::Nothing if pair.outcome() == Outcome::Ignored => Self::Skipped,
            Severity::Nothing | Severity::Warning => Self::Success,
            Severity::Failure => Self::Failure(match (pair.failed_gate(), &pair.gate) {
                (Some(FailedGate::Ratio), Some(gate)) => gate.gate().name(),
                (Some(FailedGate::Tail), _) => "max_tail",
                (Some(FailedGate::Allocations), _) => allocations::GATE,
                _ => pair.outcome().name(),
            }),
            Severity::Error => Self::Error,
        }
    }
}

#[derive(Default)]
struct Counts {
    tests: usize,
    skipped: usize,
    failures: usize,
    errors: usize,
}

impl Counts {
    fn of<'a>(pairs: impl IntoIterator<Item = &'a PairRecord>, strict: bool) -> Self {
        pairs.into_iter().fold(Self::default(), |mut counts, pair| {
            counts.tests += 1;
            match Status::of(pair, strict) {
                Status::Success => {}
                Status::Skipped => counts.skipped += 1,
                Status::Failure(_) => counts.failures += 1,
                Status::Error => counts.errors += 1,
            }
            counts
        })
    }

    fn element(
        &self,
        xml: &mut Xml,
        element: &str,
        name: &str,
        seconds: f64,
        content: &mut dyn FnMut(&mut Xml),
    ) {
        let Self { tests, skipped, failures, errors } = self;
        let time = time(seconds);
        xml.element(
            element,
            &[
                ("name", &name),
                ("tests", tests),
                ("skipped", skipped),
                ("errors", errors),
                ("failures", failures),
                ("time", &time),
            ],
            content,
        );
    }
}

fn case(xml: &mut Xml, pair: &PairRecord, binary: &str, strict: bool) {
    let PairRecord { name, file, line, .. } = pair;
    let time = time(elapsed(pair));
    xml.element(
        "testcase",
        &[("name", name), ("classname", &binary), ("time", &time), ("file", file), ("line", line)],
        &mut |case| {
            match Status::of(pair, strict) {
                Status::Success => {}
                Status::Skipped => match pair.reason() {
                    Some(reason) => case.empty("skipped", &[("message", &reason)]),
                    None => case.empty("skipped", &[]),
                },
                Status::Failure(kind) => wrong(case, "failure", kind, pair, strict),
                Status::Error => wrong(case, "error", "error", pair, strict),
            }
            if pair.outcome() != Outcome::Ignored {
                case.text("system-out", &[], &output(pair));
            }
            if let Some(output) = pair.output() {
                case.text("system-err", &[], output);
            }
        },
    );
}

/// Writes the failure or error, with the message that a viewer shows in its list.
fn wrong(xml: &mut Xml, element: &str, kind: &str, pair: &PairRecord, strict: bool) {
    let (place, lines) = explain::explanation(pair, strict);
    let text = format!("{place}\n{}\nrepeat:   {}", lines.join("\n"), pair.repeat);
    xml.text(element, &[("message", &summary(pair)), ("type", &kind)], &text);
}

/// The figures in one line, or the first line of the reason.
fn summary(pair: &PairRecord) -> String {
    let Some(text) = PairText::of(pair) else {
        return pair.reason().and_then(|reason| reason.lines().next()).unwrap_or_default().to_owned();
    };
    let p = text.figures.p_fail.map(|p| format!(", p {}", numbers::p_value(p))).unwrap_or_default();
    format!("{}: {}{p}", phrase::verdict(pair, usize::MAX), text.summary())
}

/// The row of the table with what stands below it.
fn output(pair: &PairRecord) -> String {
    let mut lines = vec![summary(pair)];
    if let Some(text) = PairText::of(pair) {
        lines.extend(text.ignored());
        lines.push(text.proof());
        lines.extend(text.net());
        lines.extend(allocations::line(text.figures));
    }
    lines.extend(timing::lines(pair));
    lines.extend(phrase::notes(pair));
    lines.retain(|line| !line.is_empty());
    format!("{}\nrepeat:   {}", lines.join("\n"), pair.repeat)
}

fn elapsed(pair: &PairRecord) -> f64 {
    pair.elapsed_s()
}

fn time(seconds: f64) -> String {
    format!("{seconds:.3}")
}
