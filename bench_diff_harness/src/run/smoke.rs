//! Test mode: each function runs once, the outputs are compared, and nothing is measured.

use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::Instant;

use super::{Asked, Message, Processes, Task};
use crate::call::probe::Check;
use crate::plan::RunPlan;
use crate::record::End;
use crate::system::exit::Exit;
use crate::system::text::{self, counted};

/// Runs both functions of every planned pair once, and reports as the standard test harness would.
///
/// Failing to write does not end the run: the exit code has to reflect every failure.
pub(crate) fn run(plan: &RunPlan, terse: bool, processes: &mut dyn Processes, out: &mut dyn Write) -> Exit {
    let start = Instant::now();
    let count = plan.pairs.len();
    let mut out = Output { out, written: Ok(()) };
    writeln!(out, "\nrunning {}", counted(count, "test"));
    let mut progress = Progress { plan, terse, out, checks: Vec::new(), failures: Vec::new(), ignored: 0 };
    progress.pairs(processes);
    let Progress { mut out, checks, failures, ignored, .. } = progress;
    if terse {
        writeln!(out);
    }
    write_failures(&failures, &mut out);
    write_checks(&checks, &mut out);
    let done = checks.len() + failures.len() + ignored;
    if done < count {
        writeln!(out, "\nstopped by --fail-fast, {} not run", count - done);
    }
    writeln!(
        out,
        "\ntest result: {}. {} passed; {} failed; {ignored} ignored; 0 measured; {} filtered out; \
         finished in {:.2}s\n",
        if failures.is_empty() { "ok" } else { "FAILED" },
        checks.len(),
        failures.len(),
        plan.elsewhere.len(),
        start.elapsed().as_secs_f64(),
    );
    let exit = if failures.is_empty() { Exit::Success } else { Exit::Failure };
    exit.max(Exit::of_writing("the report", out.written))
}

/// The output, up to the first error.
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
    terse: bool,
    out: Output<'o>,
    checks: Vec<Check>,
    failures: Vec<(&'p str, String)>,
    ignored: usize,
}

impl Progress<'_, '_> {
    /// Reports the result of a pair, `None` if it is ignored, and returns whether to go on.
    fn pair(&mut self, index: usize, result: Option<Result<Check, String>>) -> ControlFlow<()> {
        let name = &self.plan.pairs[index].name;
        let (word, letter) = match result {
            None => {
                self.ignored += 1;
                ("ignored", 'i')
            }
            Some(Ok(check)) => {
                self.checks.push(check);
                ("ok", '.')
            }
            Some(Err(reason)) => {
                self.failures.push((name, reason));
                ("FAILED", 'F')
            }
        };
        if self.terse {
            write!(self.out, "{letter}");
        } else {
            writeln!(self.out, "test {name} ... {word}");
        }
        let stops = self.plan.fail_fast && !self.failures.is_empty();
        if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Checks every pair, and reports them in the order of the plan.
    fn pairs(&mut self, processes: &mut dyn Processes) {
        let (mut asked, mut known) = (Vec::new(), Vec::new());
        for (index, pair) in self.plan.pairs.iter().enumerate() {
            match &pair.can_run {
                _ if pair.ignored.is_some() => known.push((index, None)),
                Err(reason) => known.push((index, Some(Err(reason.clone())))),
                Ok(()) => asked.push(Asked { index, pair, task: Task::Check, in_layout: false }),
            }
        }
        let mut known = known.into_iter().peekable();
        let flow = processes.round(&asked, &mut |message| {
            let Message::Found { index, found } = message else { return ControlFlow::Continue(()) };
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
        End::Ignored { .. } | End::FailsInOld { .. } | End::Timed(_) | End::Measured(_) => String::new(),
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

/// Writes one line, which readers of the standard format skip.
fn write_checks(checks: &[Check], out: &mut Output<'_>) {
    let count = |check: Check| checks.iter().filter(|found| **found == check).count();
    let (equal, none, off) = (count(Check::Equal), count(Check::None), count(Check::Off));
    writeln!(out, "\ncheck: {equal} equal, {none} none, {off} off");
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use bench_diff_core::Instruments;

    use super::*;
    use crate::fixture::{Broken, CLOCK, entry, equal, panicking, planned, registered};
    use crate::register::PairEntry;
    use crate::run::here::Here;

    fn told(line: &str, entries: &[PairEntry], out: &mut dyn Write) -> Exit {
        CLOCK.with(|clock| {
            let mut here = Here { pairs: registered(entries), instruments: Instruments::new(clock) };
            run(&planned(line, entries), false, &mut here, out)
        })
    }

    #[test]
    fn a_failure_is_known_even_where_nobody_reads() {
        let exit = |run, kind| told("", &[entry("a", 1, run)], &mut Broken(kind));
        assert_eq!(exit(equal, ErrorKind::BrokenPipe), Exit::Success);
        assert_eq!(exit(panicking, ErrorKind::BrokenPipe), Exit::Failure);
        assert_eq!(exit(equal, ErrorKind::StorageFull), Exit::Error);
    }

    #[test]
    fn pairs_are_told_in_the_order_of_the_plan() {
        let entries = [
            entry("a", 1, equal).ignore(""),
            entry("b", 2, equal),
            entry("c", 3, equal).ignore(""),
            entry("d", 4, panicking),
            entry("e", 5, equal).ignore(""),
        ];
        let mut out = Vec::new();
        assert_eq!(told("", &entries, &mut out), Exit::Failure);
        let text = String::from_utf8(out).unwrap();
        let words: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("test ")).collect();
        assert_eq!(
            words[..5],
            ["a ... ignored", "b ... ok", "c ... ignored", "d ... FAILED", "e ... ignored"]
        );
        let mut out = Vec::new();
        told("--fail-fast", &entries, &mut out);
        assert!(String::from_utf8(out).unwrap().contains("stopped by --fail-fast, 1 not run"));
    }
}
