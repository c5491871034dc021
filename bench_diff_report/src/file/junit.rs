//! JUnit: each pair is a test case, with a failure or an error if it did not pass.

use bench_diff_system::exit::Exit;

use crate::record::{FailedGate, Outcome, PairRecord};
use crate::sink::WholeRun;
use crate::text::pair::PairText;
use crate::text::safe::escaped;
use crate::text::{evidence, explain, numbers, overall, phrase};

/// The document: one suite, each element on its own line.
pub(crate) fn document(run: &WholeRun) -> String {
    let strict = run.start.strict;
    let counts = |name, seconds| counts(name, &run.pairs, seconds, strict);
    let all = counts("bench_diff", run.end.elapsed_s);
    let binary = run.title();
    let seconds = run.pairs.iter().map(PairRecord::elapsed_s).fold(0.0, |all, one| all + one);
    let suite = counts(&binary, seconds);
    let mut xml =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites{all}>\n    <testsuite{suite}>\n");
    let against = overall::found(&run.start).first().cloned().map(|name| ("against", name));
    let verdicts = [run.counts()].into_iter().chain(run.unjudged()).map(|verdict| ("verdict", verdict));
    let properties: String = against.into_iter().chain(verdicts).map(property).collect();
    xml += &format!("        <properties>\n{properties}        </properties>\n");
    xml.extend(run.pairs.iter().map(|pair| case(pair, &binary, strict)));
    xml + "    </testsuite>\n</testsuites>\n"
}

fn property((name, value): (&str, String)) -> String {
    format!("            <property name=\"{name}\" value=\"{}\"/>\n", escaped(&value))
}

/// The attributes of a suite of these pairs.
fn counts(name: &str, pairs: &[PairRecord], seconds: f64, strict: bool) -> String {
    let count = |is_one: &dyn Fn(Outcome) -> bool| pairs.iter().filter(|pair| is_one(pair.outcome())).count();
    let of = |exit| count(&|outcome| outcome.exit(strict) == exit);
    format!(
        " name=\"{}\" tests=\"{}\" skipped=\"{}\" errors=\"{}\" failures=\"{}\" time=\"{seconds:.3}\"",
        escaped(name),
        pairs.len(),
        count(&|outcome| outcome == Outcome::Ignored),
        of(Exit::Error),
        of(Exit::Failure)
    )
}

fn case(pair: &PairRecord, binary: &str, strict: bool) -> String {
    let [name, binary, file] = [&pair.name, binary, &pair.file].map(escaped);
    let (line, seconds) = (pair.line, pair.elapsed_s());
    let mut xml = format!(
        "        <testcase name=\"{name}\" classname=\"{binary}\" time=\"{seconds:.3}\" file=\"{file}\" line=\"{line}\">\n"
    );
    let exit = pair.outcome().exit(strict);
    if exit != Exit::Success {
        let (element, kind) =
            if exit == Exit::Error { ("error", "error") } else { ("failure", failure(pair)) };
        // Viewers show this message in their lists.
        let attributes = format!(" message=\"{}\" type=\"{kind}\"", escaped(&summary(pair)));
        xml += &part(element, &attributes, &explain::whole(pair, strict));
    }
    if pair.outcome() == Outcome::Ignored {
        let reason = pair.reason().map(|reason| format!(" message=\"{}\"", escaped(&reason)));
        xml += &part("skipped", &reason.unwrap_or_default(), "");
    } else {
        xml += &part("system-out", "", &output(pair));
    }
    if let Some(output) = pair.output() {
        xml += &part("system-err", "", output);
    }
    xml + "        </testcase>\n"
}

/// An element of a test case.
fn part(element: &str, attributes: &str, text: &str) -> String {
    format!("            <{element}{attributes}>{}</{element}>\n", escaped(text))
}

/// The type of a failure.
fn failure(pair: &PairRecord) -> &'static str {
    match (pair.failed_gate(), &pair.gate) {
        (Some(FailedGate::Ratio), Some(gate)) => gate.gate().name(),
        (Some(FailedGate::Allocations), _) => evidence::GATE,
        _ => pair.outcome().name(),
    }
}

/// The figures in one line, or the first line of the reason.
fn summary(pair: &PairRecord) -> String {
    let Some(text) = PairText::of(pair) else {
        return explain::cause(pair).unwrap_or_default();
    };
    let p = text.figures.p_fail.map(|p| format!(", p {}", numbers::p_value(p))).unwrap_or_default();
    format!("{}: {}{p}", phrase::verdict(pair), text.summary())
}

/// The row of the table and the lines below it.
fn output(pair: &PairRecord) -> String {
    let mut output = summary(pair);
    for line in explain::details(pair) {
        output += &format!("\n{line}");
    }
    format!("{output}\nrepeat:   {}", pair.repeat)
}
