//! JUnit: a pair is a test case, what did not pass is a failure or an error of it.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event as Xml};

use super::run_so_far::RunSoFar;
use super::{allocations, explain, numbers, overhead, phrase, proof};
use crate::record::{FailedGate, Outcome, PairRecord, Severity};

const INDENT: usize = 4;

/// The document: a suite for each binary.
pub(super) fn document(so_far: &RunSoFar) -> io::Result<String> {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', INDENT);
    xml.write_event(Xml::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let strict = so_far.start.strict;
    let all = Counts::of(&so_far.pairs, strict).attributes("bench_diff", so_far.counts().elapsed_s);
    xml.create_element("testsuites").with_attributes(pairs_of(&all)).write_inner_content(|xml| {
        for (binary, pairs) in so_far.binaries() {
            let seconds = pairs.iter().filter_map(|pair| pair.elapsed_s).fold(0.0, |all, one| all + one);
            let suite = Counts::of(pairs.iter().copied(), strict).attributes(&binary, seconds);
            xml.create_element("testsuite").with_attributes(pairs_of(&suite)).write_inner_content(|xml| {
                pairs.iter().try_for_each(|pair| case(xml, pair, &binary, strict))
            })?;
        }
        Ok(())
    })?;
    String::from_utf8(xml.into_inner()).map(|text| text + "\n").map_err(io::Error::other)
}

/// How a test case ended, as JUnit tells them apart.
enum Status {
    Success,
    Skipped,
    /// Its `type`.
    Failure(&'static str),
    Error,
}

impl Status {
    fn of(pair: &PairRecord, strict: bool) -> Self {
        match pair.outcome.severity(strict) {
            Severity::Nothing if pair.outcome == Outcome::Ignored => Self::Skipped,
            Severity::Nothing | Severity::Warning => Self::Success,
            Severity::Failure => Self::Failure(match (pair.failed_gate(), &pair.gate) {
                (Some(FailedGate::Ratio), Some(gate)) => gate.gate().name(),
                (Some(FailedGate::Tail), _) => "max_tail",
                (Some(FailedGate::Allocations), _) => allocations::GATE,
                _ => pair.outcome.name(),
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

    fn attributes(&self, name: &str, seconds: f64) -> [(&'static str, String); 6] {
        [
            ("name", name.to_owned()),
            ("tests", self.tests.to_string()),
            ("skipped", self.skipped.to_string()),
            ("errors", self.errors.to_string()),
            ("failures", self.failures.to_string()),
            ("time", time(seconds)),
        ]
    }
}

fn case(xml: &mut Writer<Vec<u8>>, pair: &PairRecord, binary: &str, strict: bool) -> io::Result<()> {
    let attributes = [
        ("name", pair.name.clone()),
        ("classname", binary.to_owned()),
        ("time", time(pair.elapsed_s.unwrap_or_default())),
        ("file", pair.file.clone()),
        ("line", pair.line.to_string()),
    ];
    xml.create_element("testcase").with_attributes(pairs_of(&attributes)).write_inner_content(|xml| {
        match Status::of(pair, strict) {
            Status::Success => {}
            Status::Skipped => {
                let message = pair.reason.iter().map(|reason| ("message", reason.as_str()));
                xml.create_element("skipped").with_attributes(message).write_empty()?;
            }
            Status::Failure(kind) => wrong(xml, "failure", kind, pair, strict)?,
            Status::Error => wrong(xml, "error", "error", pair, strict)?,
        }
        if pair.outcome != Outcome::Ignored {
            xml.create_element("system-out").write_text_content(BytesText::new(&output(pair)))?;
        }
        if let Some(output) = &pair.output {
            xml.create_element("system-err").write_text_content(BytesText::new(output))?;
        }
        Ok(())
    })?;
    Ok(())
}

/// What went wrong, with what a viewer shows in its list.
fn wrong(
    xml: &mut Writer<Vec<u8>>,
    element: &str,
    kind: &str,
    pair: &PairRecord,
    strict: bool,
) -> io::Result<()> {
    let (place, lines) = explain::explanation(pair, strict);
    let text = format!("{place}\n{}\nrepeat:   {}", lines.join("\n"), pair.repeat);
    let message = summary(pair);
    xml.create_element(element)
        .with_attributes([("message", message.as_str()), ("type", kind)])
        .write_text_content(BytesText::new(&text))?;
    Ok(())
}

fn pairs_of<'a>(attributes: &'a [(&'static str, String)]) -> impl Iterator<Item = (&'a str, &'a str)> {
    attributes.iter().map(|(name, value)| (*name, value.as_str()))
}

/// The figures in one line, or the first line of the reason.
fn summary(pair: &PairRecord) -> String {
    match pair.ratio.zip(pair.interval).zip(phrase::change(pair)) {
        None => {
            pair.reason.as_deref().and_then(|reason| reason.lines().next()).unwrap_or_default().to_owned()
        }
        Some(((ratio, interval), change)) => format!(
            "{}: {change}, ratio {}, {} interval {}{}",
            phrase::verdict(pair, usize::MAX),
            numbers::ratio(ratio),
            numbers::share(interval.level),
            numbers::interval(interval.low, interval.high),
            pair.p_fail.map(|p| format!(", p {}", numbers::p_value(p))).unwrap_or_default()
        ),
    }
}

/// The row of the table with what stands below it.
fn output(pair: &PairRecord) -> String {
    let details = [
        Some(summary(pair)),
        phrase::ignored(pair),
        proof::detail(pair),
        overhead::net(pair),
        proof::control(pair),
        allocations::line(pair),
    ];
    let lines = details.into_iter().flatten().chain(phrase::notes(pair));
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    format!("{}\nrepeat:   {}", lines.join("\n"), pair.repeat)
}

fn time(seconds: f64) -> String {
    format!("{seconds:.3}")
}
