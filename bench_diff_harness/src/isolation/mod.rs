//! Each pair in a process of its own, whose end is not the end of the run.
//!
//! The process is this program, asked for one pair of this run. It leaves its result in a file and says nothing else.

mod answer;
mod end;
mod process;

use std::env;
use std::fmt::Display;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use bench_diff_core::Progress;

use self::answer::{Checked, Refusal};
pub(crate) use self::answer::{answer, end_with};
use crate::cli::{ISOLATED_BY, ISOLATED_RESULT};
use crate::event::{Event, Measured};
use crate::json;
use crate::plan::{PairPlan, RunPlan};
use crate::probe::Check;
use crate::record::{Outcome, PairRecord, StoredPair};
use crate::system::temporary::FreshFolder;

/// Measures a pair in a process of its own.
pub(crate) fn measure(
    plan: &RunPlan,
    pair: &PairPlan,
    tell: &mut dyn FnMut(&Event<'_>),
) -> (PairRecord, Option<Measured>) {
    // How far it has come is known in the other process only.
    let progress = Progress::Warmup { elapsed: Duration::ZERO };
    let answer = ask("--bench", plan, pair, &mut || tell(&Event::Progress { run: plan, progress }));
    answer
        .and_then(|text| StoredPair::from_json(&text).map_err(unreadable))
        .and_then(|stored| of_this_run(plan, pair, stored))
        .unwrap_or_else(|reason| (PairRecord::unmeasured(plan, pair, Outcome::Error, Some(reason)), None))
}

/// Runs both functions of a pair once, in a process of its own.
pub(crate) fn test(plan: &RunPlan, pair: &PairPlan) -> Result<Check, String> {
    let text = ask("--test", plan, pair, &mut || ())?;
    let Checked { check } = json::from_str(&text).map_err(unreadable)?;
    Ok(check)
}

/// A result as if it had been measured here.
fn of_this_run(
    plan: &RunPlan,
    pair: &PairPlan,
    stored: StoredPair,
) -> Result<(PairRecord, Option<Measured>), String> {
    let measured = stored.measured().map_err(unreadable)?;
    if measured.as_ref().is_some_and(|measured| measured.plan != pair.plan) {
        return Err(OTHER_PLAN.to_owned());
    }
    // The other process knows of no other pair that has the same baseline.
    let group = pair.group.clone();
    let record = PairRecord { group, repeat: plan.repetition.command(&pair.name), ..stored.record };
    Ok((record, measured))
}

const OTHER_PLAN: &str = "its process was to judge it otherwise than this one: `args` and gates have to be the same in \
    every process of this program";

/// The answer of a process that was asked for a pair, or why there is none. `running` is called once, where the answer
/// takes long enough for somebody to wonder.
fn ask(mode: &str, plan: &RunPlan, pair: &PairPlan, running: &mut dyn FnMut()) -> Result<String, String> {
    let folder = FreshFolder::new("bench_diff-")
        .map_err(|error| format!("no folder for the result of its process: {error}"))?;
    let result = folder.path().join("result.json");
    let program = env::current_exe().map_err(process::not_started)?;
    process::run(command(&program, mode, plan, pair, &result), plan.timeout.as_ref(), running)?;
    let text = fs::read_to_string(&result).map_err(|error| match error.kind() {
        ErrorKind::NotFound => end::with_code(0),
        _ => unreadable(error),
    })?;
    let Refusal { refusal } = json::from_str(&text).map_err(unreadable)?;
    refusal.map_or(Ok(text), Err)
}

fn unreadable(error: impl Display) -> String {
    format!("the result of its process cannot be read: {error}")
}

fn command(program: &Path, mode: &str, plan: &RunPlan, pair: &PairPlan, result: &Path) -> Command {
    let mut command = Command::new(program);
    command.args([mode, "--exact", "--seed", &plan.seed.to_string()]).args(&plan.repetition.flags);
    command.arg(format!("--{ISOLATED_RESULT}")).arg(result);
    command.arg(format!("--{ISOLATED_BY}")).arg(std::process::id().to_string());
    command.args(["--", &pair.name]);
    // What a function prints must not get between the lines of a report.
    command.stdout(io::stderr());
    command
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use bench_diff_core::Instruments;

    use super::*;
    use crate::entry::PairEntry;
    use crate::fixture::{CLOCK, entry, equal, planned, slower};
    use crate::measuring::run_pair;

    fn entries() -> [PairEntry; 2] {
        [entry("a", 1, slower).baseline("base"), entry("b", 2, equal).baseline("base")]
    }

    fn stored(line: &str) -> StoredPair {
        let plan = planned(line, &entries());
        let (record, measured) =
            CLOCK.with(|clock| run_pair(&plan, &plan.pairs[0], &Instruments::new(clock), &mut |_| {}));
        StoredPair::new(record, measured.as_ref())
    }

    #[test]
    fn the_process_is_asked_for_one_pair_of_this_run() {
        let plan =
            planned("--bench --isolate --seed 8f3a --alpha 3% --ignored", &[entry("a", 1, equal).ignore("")]);
        let command =
            command(Path::new("bench"), "--bench", &plan, &plan.pairs[0], Path::new("/t/result.json"));
        let this = std::process::id().to_string();
        let words: Vec<&OsStr> = command.get_args().collect();
        assert_eq!(
            words,
            [
                "--bench",
                "--exact",
                "--seed",
                "0000000000008f3a",
                "--alpha",
                "3%",
                "--isolate",
                "--include-ignored",
                "--isolated-result",
                "/t/result.json",
                "--isolated-by",
                &this,
                "--",
                "a"
            ]
        );
    }

    #[test]
    fn the_group_of_a_pair_is_that_of_the_whole_run() {
        let plan = planned("--bench --seed 1", &entries());
        let alone = stored("--bench --seed 1 a --exact");
        assert_eq!(alone.record.group, None);
        let (record, measured) = of_this_run(&plan, &plan.pairs[0], alone).unwrap();
        assert_eq!(record.group.as_deref(), Some("base"));
        assert!(measured.is_some());
    }

    #[test]
    fn a_result_for_another_plan_is_none_of_this_run() {
        let plan = planned("--bench --seed 1", &entries());
        for line in ["--bench --seed 2", "--bench --seed 1 --alpha 3%"] {
            assert_eq!(of_this_run(&plan, &plan.pairs[0], stored(line)).unwrap_err(), OTHER_PLAN);
        }
    }
}
