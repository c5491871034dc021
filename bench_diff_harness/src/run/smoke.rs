//! Test mode: runs each function once and compares the outputs, and measures nothing. Prints lines for
//! people, or the events of the standard test harness.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::Instant;

use bench_diff_report::Format;
use bench_diff_report::record::End;
use bench_diff_system::exit::Exit;
use bench_diff_system::json::to_string;
use bench_diff_system::text::{self, counted};

use super::{Message, Processes, RoundPair, Task, note_renamed};
use crate::call::probe::Check;
use crate::plan::{ListedPair, PairPlan, RunPlan};

/// Calls both functions of every planned pair once, and reports in the form of the standard test harness.
///
/// If writing fails, the run continues, since the exit code has to reflect every failure.
pub(crate) fn run(plan: &RunPlan, processes: &mut dyn Processes, out: &mut dyn Write) -> Exit {
    let start = Instant::now();
    let count = plan.pairs.len();
    let mut out = Output { out, written: Ok(()) };
    let format = plan.config.format;
    match format {
        Format::Json => {
            writeln!(out, "{{\"type\":\"suite\",\"event\":\"started\",\"test_count\":{count}}}");
        }
        _ => writeln!(out, "\nrunning {}", counted(count, "test")),
    }
    let (checks, failures, renamed) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut progress = Progress { plan, out, checks, failures, renamed, ignored: 0 };
    progress.pairs(processes);
    if !progress.renamed.is_empty() {
        note_renamed(plan, &progress.renamed);
    }
    let Progress { mut out, checks, failures, ignored, .. } = progress;
    let [passed, failed, filtered_out] = [checks.len(), failures.len(), plan.elsewhere.len()];
    let seconds = start.elapsed().as_secs_f64();
    if format == Format::Json {
        let event = if failed == 0 { "ok" } else { "failed" };
        writeln!(
            out,
            "{{\"type\":\"suite\",\"event\":\"{event}\",\"passed\":{passed},\"failed\":{failed},\
             \"ignored\":{ignored},\"measured\":0,\"filtered_out\":{filtered_out},\"exec_time\":{seconds}}}"
        );
    } else {
        if format == Format::Terse {
            writeln!(out);
        }
        write_failures(&failures, &mut out);
        write_checks(&checks, &mut out);
        let done = passed + failed + ignored;
        if done < count {
            writeln!(out, "\nstopped by --fail-fast, {} not run", count - done);
        }
        writeln!(
            out,
            "\ntest result: {}. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; {filtered_out} filtered \
             out; finished in {seconds:.2}s\n",
            if failures.is_empty() { "ok" } else { "FAILED" },
        );
    }
    let exit = if failures.is_empty() { Exit::Success } else { Exit::Failure };
    exit.max(Exit::of_writing("the report", out.written))
}

/// The output, which ends at the first error.
struct Output<'a> {
    out: &'a mut dyn Write,
    written: io::Result<()>,
}

impl Output<'_> {
    /// Called by `write!`.
    fn write_fmt(&mut self, text: fmt::Arguments<'_>) {
        if self.written.is_ok() {
            self.written = self.out.write_fmt(text).and_then(|()| self.out.flush());
        }
    }
}

/// The pairs reported so far.
struct Progress<'p, 'o> {
    plan: &'p RunPlan,
    out: Output<'o>,
    checks: Vec<Check>,
    failures: Vec<(&'p str, String)>,
    /// The pairs that have other names in the processes that call them.
    renamed: BTreeSet<usize>,
    ignored: usize,
}

impl Progress<'_, '_> {
    /// Reports the result of a pair (`None` if it is ignored), and returns whether to go on.
    fn pair(&mut self, index: usize, result: Option<Result<Check, String>>) -> ControlFlow<()> {
        let PairPlan { listed: ListedPair { name, .. }, ignored, .. } = &self.plan.pairs[index];
        let field = |key: &str, text: &str| format!(",\"{key}\":{}", to_string(text));
        let (word, letter, more) = match &result {
            None => ("ignored", 'i', ignored.filter(|why| !why.is_empty()).map(|why| field("message", why))),
            Some(Ok(_)) => ("ok", '.', None),
            Some(Err(reason)) => ("FAILED", 'F', Some(field("stdout", reason))),
        };
        match self.plan.config.format {
            Format::Json => {
                let (name, event, more) = (to_string(name), word.to_lowercase(), more.unwrap_or_default());
                writeln!(
                    self.out,
                    "{{\"type\":\"test\",\"event\":\"started\",\"name\":{name}}}\n\
                     {{\"type\":\"test\",\"name\":{name},\"event\":\"{event}\"{more}}}"
                );
            }
            Format::Terse => write!(self.out, "{letter}"),
            _ => writeln!(self.out, "test {name} ... {word}"),
        }
        match result {
            None => self.ignored += 1,
            Some(Ok(check)) => self.checks.push(check),
            Some(Err(reason)) => self.failures.push((name, reason)),
        }
        let stops = self.plan.config.fail_fast && !self.failures.is_empty();
        if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Checks every pair, and reports them in the order of the plan.
    fn pairs(&mut self, processes: &mut dyn Processes) {
        let (mut wanted, mut known) = (Vec::new(), Vec::new());
        for (index, pair) in self.plan.pairs.iter().enumerate() {
            match &pair.unmeasurable {
                _ if pair.ignored.is_some() => known.push((index, None)),
                Some(reason) => known.push((index, Some(Err(reason.clone())))),
                None => wanted.push(RoundPair::as_linked(index, pair, Task::Check)),
            }
        }
        let mut known = known.into_iter().peekable();
        let flow = processes.round(&wanted, None, &mut |message| {
            let Message::Found { index, found } = message else { return ControlFlow::Continue(()) };
            if found.as_ref().as_ref().is_ok_and(|finding| finding.is_renamed) {
                self.renamed.insert(index);
            }
            while let Some((known, result)) = known.next_if(|(known, _)| *known < index) {
                self.pair(known, result)?;
            }
            self.pair(index, Some(found.map(|finding| finding.check).map_err(reason_and_output)))
        });
        if flow.is_continue() {
            let _ = known.try_for_each(|(index, result)| self.pair(index, result));
        }
    }
}

fn reason_and_output(end: End) -> String {
    match end {
        End::Error { reason, output: Some(output) } => format!("{reason}\n\n{output}"),
        End::Error { reason, output: None } => reason,
        End::Ignored { .. } | End::Unmeasured { .. } | End::Timed(_) | End::Measured(_) => String::new(),
    }
}

fn write_failures(failures: &[(&str, String)], out: &mut Output<'_>) {
    if failures.is_empty() {
        return;
    }
    writeln!(out, "\nfailures:\n");
    for (name, reason) in failures {
        writeln!(out, "---- {name} ----\n{}\n", text::lines(reason));
    }
    writeln!(out, "\nfailures:");
    for (name, _) in failures {
        writeln!(out, "    {name}");
    }
}

/// Writes one line. Parsers of the standard format ignore it.
fn write_checks(checks: &[Check], out: &mut Output<'_>) {
    let count = |check: Check| checks.iter().filter(|found| **found == check).count();
    let (equal, none, off) = (count(Check::Equal), count(Check::None), count(Check::Off));
    writeln!(out, "\ncheck: {equal} equal, {none} none, {off} off");
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use bench_diff_core::Instruments;
    use serde_json::{Value, json};

    use super::*;
    use crate::fixture::{Broken, CLOCK, count, entry, equal, panicking, planned};
    use crate::register::PairEntry;
    use crate::run::here::Here;

    fn report_of(line: &str, entries: &[PairEntry], out: &mut dyn Write) -> Exit {
        CLOCK.with(|clock| {
            let mut here = Here { entries, instruments: Instruments::new(clock), count };
            run(&planned(line, entries), &mut here, out)
        })
    }

    #[test]
    fn a_failure_is_known_even_if_nobody_reads_the_output() {
        let exit = |run, kind| report_of("", &[entry("a", 1, run)], &mut Broken(kind));
        assert_eq!(exit(equal, ErrorKind::BrokenPipe), Exit::Success);
        assert_eq!(exit(panicking, ErrorKind::BrokenPipe), Exit::Failure);
        assert_eq!(exit(equal, ErrorKind::StorageFull), Exit::Error);
    }

    #[test]
    fn pairs_are_reported_in_the_order_of_the_plan() {
        let entries = [
            entry("a", 1, equal).ignore(""),
            entry("b", 2, equal),
            entry("c", 3, equal).ignore(""),
            entry("d", 4, panicking),
            entry("e", 5, equal).ignore(""),
        ];
        let mut out = Vec::new();
        assert_eq!(report_of("", &entries, &mut out), Exit::Failure);
        let text = String::from_utf8(out).unwrap();
        let words: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("test ")).collect();
        assert_eq!(
            words[..5],
            ["a ... ignored", "b ... ok", "c ... ignored", "d ... FAILED", "e ... ignored"]
        );
        let mut out = Vec::new();
        report_of("--fail-fast", &entries, &mut out);
        assert!(String::from_utf8(out).unwrap().contains("stopped by --fail-fast, 1 not run"));
    }
    /// As the standard test harness of a nightly compiler writes them, except for blanks and the order of
    /// fields.
    #[test]
    fn editors_get_the_events_of_the_standard_harness() {
        let entries =
            [entry("a", 1, equal), entry("b", 2, panicking), entry("c", 3, equal).ignore("later \"x\"")];
        let mut out = Vec::new();
        assert_eq!(report_of("--format json", &entries, &mut out), Exit::Failure);
        let text = String::from_utf8(out).unwrap();
        let mut events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(events[4]["stdout"].as_str().unwrap().contains("panicked at "), "{}", events[4]);
        events[4]["stdout"] = "".into();
        assert!(events[7]["exec_time"].as_f64().unwrap() >= 0.0);
        events[7]["exec_time"] = 0.into();
        let test = |name: &str, event: &str| json!({"type": "test", "event": event, "name": name});
        let expected = [
            json!({"type": "suite", "event": "started", "test_count": 3}),
            test("a", "started"),
            test("a", "ok"),
            test("b", "started"),
            json!({"type": "test", "name": "b", "event": "failed", "stdout": ""}),
            test("c", "started"),
            json!({"type": "test", "name": "c", "event": "ignored", "message": "later \"x\""}),
            json!({"type": "suite", "event": "failed", "passed": 1, "failed": 1, "ignored": 1, "measured": 0,
                   "filtered_out": 0, "exec_time": 0}),
        ];
        assert_eq!(events, expected);
    }
}
