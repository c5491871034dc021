//! The run: the plan in, events out.

use bench_diff_core::{Clock, Clocks, Instruments};

use crate::event::Event;
use crate::exit::Exit;
use crate::exit_guard::ExitGuard;
use crate::isolation;
use crate::machine::Machine;
use crate::measuring::run_pair;
use crate::plan::RunPlan;
use crate::record::{RunRecord, StartRecord};
use crate::watchdog::Watchdog;

/// Measures the planned pairs one after the other and tells what happens.
pub(crate) fn run<C: Clocks>(
    plan: &RunPlan,
    machine: &Machine,
    instruments: &Instruments<'_, C>,
    tell: &mut dyn FnMut(&Event<'_>),
) -> Exit {
    let guard = ExitGuard::new();
    let watchdog = plan.watchdog();
    let clock = instruments.clocks().wall();
    let start = clock.now();
    let started = StartRecord::of(plan, machine);
    tell(&Event::RunStarted(&started));
    let mut outcomes = Vec::with_capacity(plan.pairs.len());
    for (index, pair) in plan.pairs.iter().enumerate() {
        guard.pair(&pair.name);
        tell(&Event::PairStarted(index));
        let (record, measured) = if plan.isolate && pair.runs() {
            isolation::measure(plan, pair, tell)
        } else {
            let _watch = watchdog.as_ref().map(Watchdog::watch);
            run_pair(plan, pair, instruments, tell)
        };
        tell(&Event::PairFinished { record: &record, measured: measured.as_ref() });
        outcomes.push(record.outcome);
        if plan.fail_fast && record.outcome.exit(plan.strict) != Exit::Success {
            break;
        }
    }
    let elapsed = clock.nanoseconds(start, clock.now());
    #[expect(clippy::cast_precision_loss, reason = "a run of 2^53 ns lasts 104 days")]
    let record = RunRecord::of(&started, &outcomes, elapsed as f64 / 1e9);
    tell(&Event::RunFinished(&record));
    let mut exit = Exit::Success;
    for outcome in outcomes {
        exit = exit.max(outcome.exit(plan.strict));
    }
    exit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::PairEntry;
    use crate::fixture::{entry, equal, panicking, ran, slower, unsettled};
    use crate::record::Outcome;

    fn outcomes(line: &str, entries: &[PairEntry]) -> (Exit, Vec<Outcome>) {
        let (exit, records, _) = ran(line, entries);
        (exit, records.iter().map(|record| record.outcome).collect())
    }

    #[test]
    fn outcomes_decide_the_exit_code() {
        use Outcome::{Error, Fail, Ignored, Inconclusive, Measured, Pass};
        let fair = entry("fair", 1, equal);
        let slow = entry("slow", 2, slower);
        let open = entry("open", 3, unsettled).alpha(1e-9).beta(1e-9);
        let broken = entry("broken", 4, panicking);
        let after = entry("after", 9, equal);
        let left_out = entry("left_out", 5, slower).ignore("");
        let reported = entry("reported", 6, slower).report_only();

        assert_eq!(outcomes("", &[fair]), (Exit::Success, vec![Pass]));
        assert_eq!(outcomes("", &[fair, slow]), (Exit::Failure, vec![Pass, Fail]));
        assert_eq!(outcomes("", &[open]), (Exit::Success, vec![Inconclusive]));
        assert_eq!(outcomes("--strict", &[open]), (Exit::Failure, vec![Inconclusive]));
        assert_eq!(outcomes("", &[left_out, reported]), (Exit::Success, vec![Ignored, Measured]));
        assert_eq!(outcomes("", &[fair, slow, broken]), (Exit::Error, vec![Pass, Fail, Error]), "3 wins");
        assert_eq!(outcomes("", &[broken, after]), (Exit::Error, vec![Error, Pass]), "the rest goes on");
        assert_eq!(outcomes("nothing", &[slow]), (Exit::Success, vec![]));
        assert_eq!(outcomes("--order fixed", &[slow]), (Exit::Success, vec![Measured]));
    }

    #[test]
    fn fail_fast_stops_after_what_does_not_pass() {
        let pairs = [entry("a", 1, equal), entry("b", 2, slower), entry("c", 3, equal)];
        assert_eq!(outcomes("--fail-fast", &pairs), (Exit::Failure, vec![Outcome::Pass, Outcome::Fail]));
        let open = [entry("a", 1, unsettled).alpha(1e-9).beta(1e-9), entry("b", 2, equal)];
        assert_eq!(outcomes("--fail-fast", &open).1.len(), 2);
        assert_eq!(outcomes("--fail-fast --strict", &open).1.len(), 1);
    }
}
