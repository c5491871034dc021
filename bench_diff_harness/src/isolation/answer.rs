//! The other side: the process that was asked for one pair.

use std::fs;

use bench_diff_core::{Instruments, SystemClocks};

use crate::cli::Isolated;
use crate::config::Mode;
use crate::exit::Exit;
use crate::json;
use crate::measuring::run_pair;
use crate::plan::{PairPlan, RunPlan};
use crate::probe::Check;
use crate::record::StoredPair;
use crate::smoke;
use crate::system::stderr;

/// The answer to a test.
#[derive(miniserde::Deserialize, miniserde::Serialize)]
pub(super) struct Checked {
    pub(super) check: Check,
}

/// Why there is no answer. No answer has its field.
#[derive(miniserde::Deserialize, miniserde::Serialize)]
pub(super) struct Refusal {
    pub(super) refusal: Option<String>,
}

/// Runs the planned pair and leaves its result for the process that asked. That one holds the lock, knows the machine
/// and tells what there is to tell.
pub(crate) fn answer(plan: &RunPlan, mode: Mode, isolated: &Isolated) -> Exit {
    let pair = match &plan.pairs[..] {
        [pair] => Ok(pair),
        _ => Err(NO_SUCH_PAIR.to_owned()),
    };
    let answer = match mode {
        Mode::Test => pair.and_then(smoke::run_once).map(|check| json::to_string(&Checked { check })),
        Mode::List | Mode::Measure => pair.map(|pair| measured(plan, pair).to_json()),
    };
    let text = answer.unwrap_or_else(|reason| json::to_string(&Refusal { refusal: Some(reason) }));
    match fs::write(&isolated.result, text) {
        Ok(()) => Exit::Success,
        Err(error) => {
            stderr::error(format_args!("cannot write {}: {error}", isolated.result.display()));
            Exit::Error
        }
    }
}

const NO_SUCH_PAIR: &str = "its process has no pair of this name: `args` have to give the same values, without a panic, \
    in every process of this program";

fn measured(plan: &RunPlan, pair: &PairPlan) -> StoredPair {
    let clocks = SystemClocks::new();
    let (record, measured) = run_pair(plan, pair, &Instruments::new(&clocks), &mut |_| {});
    StoredPair::new(record, measured.as_ref())
}

/// Has this process end when the one that asked ends, however that comes about: nobody would read the result.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn end_with(parent: u32) {
    use std::os::unix::process::parent_id;

    // SAFETY: sets a number in the kernel and touches no memory of this process.
    #[expect(unsafe_code, reason = "the standard library has no such request")]
    let told = unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong, 0, 0, 0) };
    // It may have ended before the system was told.
    if told == 0 && parent_id() != parent {
        std::process::exit(i32::from(Exit::Error.code()));
    }
}

/// Other systems tell nobody of the end of a parent.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn end_with(_: u32) {}
