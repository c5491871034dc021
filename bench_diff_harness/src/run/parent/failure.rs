//! Decides what a failure means when two processes take turns: whether the new function failed, the old one,
//! or neither.

use bench_diff_core::apart::Function;
use bench_diff_report::record::End;

use crate::run::fault::Fault;

/// How far both functions got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Each function is called for the first time.
    FirstCalls,
    /// The functions take turns.
    Turns,
    /// The turns are over.
    LastWords,
}

/// The failure of one of the two processes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Failure {
    pub(super) function: Function,
    pub(super) stage: Stage,
    pub(super) fault: Fault,
    /// What the function printed.
    pub(super) output: Option<String>,
}

/// The beginning of the reason if an old function is at fault.
const IN_OLD_REVISION: &str = "in the old revision: ";

impl Failure {
    /// A failure of the new function.
    pub(super) fn of_new(failed: String) -> Self {
        Self {
            function: Function::Candidate,
            stage: Stage::LastWords,
            fault: Fault::Reported(failed),
            output: None,
        }
    }

    /// The end of the pair. `new_function_goes_on` calls the new function as often as the old one was called,
    /// and ends both processes. `comes_again` returns whether the old function then fails in another one.
    ///
    /// If an old function fails by itself, that says nothing about the new one. A failure that may have
    /// another cause could hide a slowdown, and is an error: at the first call, the new function may have
    /// held a file or a port that the old one needs.
    pub(super) fn end(
        self,
        new_function_goes_on: impl FnOnce() -> Result<(), Self>,
        comes_again: impl FnOnce() -> bool,
    ) -> End {
        if self.function == Function::Candidate {
            return End::Error { reason: self.fault.to_string(), output: self.output };
        }
        let reason = format!("{IN_OLD_REVISION}{}", self.fault);
        let cause = match (&self.fault, self.stage) {
            (Fault::Outside(_), _) => "",
            (Fault::Exited(_) | Fault::Crashed(_), Stage::Turns | Stage::LastWords) => {
                " after its first call"
            }
            (_, stage) => {
                if let Err(Self { fault, output, .. }) = new_function_goes_on() {
                    return End::Error { reason: fault.to_string(), output };
                }
                if stage != Stage::FirstCalls || comes_again() {
                    return End::Ignored { reason: Some(reason), fails_in_old: true };
                }
                ", but not when it was started again"
            }
        };
        End::Error { reason: reason + cause + ADVICE, output: self.output }
    }
}

const ADVICE: &str = "; the function was not compared: run it again, or leave it out with `ignore`";

#[cfg(test)]
mod tests {
    use Function::{Baseline, Candidate};
    use Stage::{FirstCalls, LastWords, Turns};

    use super::*;

    fn text() -> String {
        "words".to_owned()
    }

    /// Which end the failure leads to: a failure of the new function, of the old one, or an error of the old
    /// side.
    fn end(failure: Failure, comes_again: bool, new_is_unharmed: bool) -> &'static str {
        let new = || if new_is_unharmed { Ok(()) } else { Err(Failure::of_new("harmed".into())) };
        match failure.end(new, || comes_again) {
            End::Ignored { reason: Some(reason), fails_in_old: true }
                if reason.starts_with(IN_OLD_REVISION) =>
            {
                "not judged"
            }
            End::Error { reason, .. } if reason == "harmed" => "today's, later",
            End::Error { reason, .. }
                if reason.starts_with(IN_OLD_REVISION) && reason.contains("`ignore`") =>
            {
                "error of the old side"
            }
            End::Error { reason, .. } if !reason.contains(IN_OLD_REVISION) => "today's",
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_old_function_is_blamed_only_for_what_it_does_itself() {
        // At the first call in two processes, at the first call in only one process, and later.
        let table = [
            (Fault::Reported(text()), [true, false, true]),
            (Fault::Exited(0), [true, false, false]),
            (Fault::Crashed(text()), [true, false, false]),
            (Fault::Outside(text()), [false; 3]),
        ];
        let whens = [(FirstCalls, true, 0), (FirstCalls, false, 1)];
        let later =
            [Turns, LastWords].into_iter().flat_map(|stage| [true, false].map(|again| (stage, again, 2)));
        for (stage, comes_again, column) in whens.into_iter().chain(later) {
            for (fault, blames_function) in &table {
                let end = |function, is_unharmed| {
                    let failure = Failure { function, stage, fault: fault.clone(), output: None };
                    end(failure, comes_again, is_unharmed)
                };
                let blames_function = blames_function[column];
                let case = format!("{fault:?} {stage:?} {comes_again}");
                assert_eq!(
                    end(Baseline, true),
                    if blames_function { "not judged" } else { "error of the old side" },
                    "{case}"
                );
                let goes_on = blames_function || (stage == FirstCalls && *fault != Fault::Outside(text()));
                assert_eq!(
                    end(Baseline, false),
                    if goes_on { "today's, later" } else { "error of the old side" },
                    "{case}"
                );
                assert_eq!([end(Candidate, true), end(Candidate, false)], ["today's"; 2], "{case}");
            }
        }
    }

    #[test]
    fn an_error_of_the_old_side_has_a_cause_and_a_remedy() {
        let reason = |stage, fault| {
            let failure = Failure { function: Baseline, stage, fault, output: None };
            let End::Error { reason, .. } = failure.end(|| Ok(()), || false) else { panic!("no error") };
            reason.strip_suffix(ADVICE).unwrap().to_owned()
        };
        let late = || Fault::Outside("took too long".to_owned());
        let was_late = "in the old revision: took too long";
        assert_eq!([reason(FirstCalls, late()), reason(Turns, late())], [was_late; 2]);
        assert_eq!(
            reason(Turns, Fault::Exited(7)),
            "in the old revision: ended the process with code 7 after its first call"
        );
        assert_eq!(
            reason(FirstCalls, Fault::Crashed("signal: 11 (SIGSEGV)".to_owned())),
            "in the old revision: its process was ended by signal: 11 (SIGSEGV), but not when it was started again"
        );
    }
}
