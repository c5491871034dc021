//! Test mode: each function runs once, the outputs are compared, and nothing is measured.

use std::io::{self, Write};
use std::time::Instant;

use crate::exit::Exit;
use crate::exit_guard::ExitGuard;
use crate::plan::{PairPlan, RunPlan};
use crate::probe::{Bench, Check, Comparison, Probe, check};
use crate::report::exit_of_writing;
use crate::system::text;
use crate::watchdog::Watchdog;
use crate::{isolation, panics};

/// Runs both functions of every planned pair once and tells it as the standard test harness would.
///
/// What cannot be written does not end the run: the exit code has to know every failure.
pub(crate) fn run(plan: &RunPlan, terse: bool, out: &mut dyn Write) -> Exit {
    let mut out = Tolerant { out, error: None };
    let passed = run_and_tell(plan, terse, &mut out);
    let written = exit_of_writing(out.error);
    passed.map_or(Exit::Error, |exit| exit.max(written))
}

/// A writer that keeps its first error to itself.
struct Tolerant<'a> {
    out: &'a mut dyn Write,
    error: Option<io::Error>,
}

impl Write for Tolerant<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.error.is_none() {
            self.error = self.out.write_all(bytes).err();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.error.is_none() {
            self.error = self.out.flush().err();
        }
        Ok(())
    }
}

fn run_and_tell(plan: &RunPlan, terse: bool, out: &mut dyn Write) -> io::Result<Exit> {
    let guard = ExitGuard::new();
    let watchdog = plan.watchdog();
    let start = Instant::now();
    let count = plan.pairs.len();
    let seed = plan.shuffle_seed.map(|seed| format!(" (shuffle seed: {seed})")).unwrap_or_default();
    writeln!(out, "\nrunning {count} test{}{seed}", if count == 1 { "" } else { "s" })?;

    let (mut checks, mut ignored) = (Vec::new(), 0);
    let mut failures = Vec::new();
    for pair in &plan.pairs {
        if plan.fail_fast && !failures.is_empty() {
            break;
        }
        guard.pair(&pair.name);
        let (word, letter) = if pair.ignored.is_some() {
            ignored += 1;
            ("ignored", 'i')
        } else {
            match run_pair(plan, pair, watchdog.as_ref()) {
                Ok(check) => {
                    checks.push(check);
                    ("ok", '.')
                }
                Err(reason) => {
                    failures.push((&pair.name, reason));
                    ("FAILED", 'F')
                }
            }
        };
        if terse {
            write!(out, "{letter}")?;
        } else {
            writeln!(out, "test {} ... {word}", pair.name)?;
        }
        out.flush()?;
    }
    if terse {
        writeln!(out)?;
    }
    tell_failures(&failures, out)?;
    tell_checks(&checks, out)?;
    let done = checks.len() + failures.len() + ignored;
    if done < count {
        writeln!(out, "\nstopped by --fail-fast, {} not run", count - done)?;
    }
    writeln!(
        out,
        "\ntest result: {}. {} passed; {} failed; {ignored} ignored; 0 measured; {} filtered out; \
         finished in {:.2}s\n",
        if failures.is_empty() { "ok" } else { "FAILED" },
        checks.len(),
        failures.len(),
        plan.filtered_out,
        start.elapsed().as_secs_f64(),
    )?;
    Ok(if failures.is_empty() { Exit::Success } else { Exit::Failure })
}

fn tell_failures(failures: &[(&String, String)], out: &mut dyn Write) -> io::Result<()> {
    if failures.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nfailures:\n")?;
    for (name, reason) in failures {
        writeln!(out, "---- {name} ----\n{}\n", text::lines(reason))?;
    }
    writeln!(out, "\nfailures:")?;
    failures.iter().try_for_each(|(name, _)| writeln!(out, "    {name}"))
}

/// One line, which readers of the standard format pass over.
fn tell_checks(checks: &[Check], out: &mut dyn Write) -> io::Result<()> {
    let count = |check: Check| checks.iter().filter(|found| **found == check).count();
    let (equal, none, off) = (count(Check::Equal), count(Check::None), count(Check::Off));
    writeln!(out, "\ncheck: {equal} equal, {none} none, {off} off")
}

fn run_pair(plan: &RunPlan, pair: &PairPlan, watchdog: Option<&Watchdog>) -> Result<Check, String> {
    if plan.isolate && pair.runs() {
        return isolation::test(plan, pair);
    }
    let _watch = watchdog.map(Watchdog::watch);
    run_once(pair)
}

/// Calls both functions of a pair, in this process.
pub(crate) fn run_once(pair: &PairPlan) -> Result<Check, String> {
    let mut once = Once { arg: pair.arg.as_deref(), result: Ok(Check::None) };
    let run = pair.run.clone()?;
    panics::catch(|| run.0(&mut Probe::new(&mut once)))?;
    once.result
}

/// Calls each function once and compares what they return.
struct Once<'a> {
    arg: Option<&'a str>,
    result: Result<Check, String>,
}

impl Bench for Once<'_> {
    fn run(&mut self, pair: &mut dyn Comparison) {
        self.result = check(pair, self.arg);
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;
    use crate::fixture::{Broken, entry, equal, panicking, planned};

    #[test]
    fn a_failure_is_known_even_where_nobody_reads() {
        let exit = |run, kind| super::run(&planned("", &[entry("a", 1, run)]), false, &mut Broken(kind));
        assert_eq!(exit(equal, ErrorKind::BrokenPipe), Exit::Success);
        assert_eq!(exit(panicking, ErrorKind::BrokenPipe), Exit::Failure);
        assert_eq!(exit(equal, ErrorKind::StorageFull), Exit::Error);
    }
}
