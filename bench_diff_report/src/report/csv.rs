//! The raw slots as comma-separated values: a line for each duo.

use std::borrow::Cow;
use std::fmt::Write;

use bench_diff_core::{Duo, Order, Recording};

use super::whole_run::WholeRun;
use crate::record::PairRecord;

const HEADER: &str =
    "pair,round,program,duo,order,iterations,candidate_1_ns,candidate_2_ns,baseline_1_ns,baseline_2_ns\n";

pub(super) fn document(run: &WholeRun) -> String {
    HEADER.to_owned() + &run.drawn.concat()
}

/// The duos that count, by round (from 1) and binary, with the times of their whole slots.
pub(super) fn rows(_: &WholeRun, record: &PairRecord, rounds: &[Vec<Recording>]) -> String {
    let mut rows = String::new();
    let pair = quoted(&record.name);
    for (round, programs) in (1..).zip(rounds) {
        for (program, Recording { warmup, duos, has_baseline, .. }) in (1..).zip(programs) {
            let iterations = warmup.iterations;
            for (number, Duo { order, candidate: [c1, c2], baseline: [b1, b2] }) in (1..).zip(duos) {
                let start = format!("{pair},{round},{program},{number}");
                let order = match order {
                    // Four slots of one function.
                    _ if !has_baseline => {
                        let _ = writeln!(rows, "{start},CC,{iterations},{c1},{c2},,");
                        let _ = writeln!(rows, "{start},CC,{iterations},{b1},{b2},,");
                        continue;
                    }
                    Order::BaselineFirst => "BCCB",
                    Order::CandidateFirst => "CBBC",
                };
                let _ = writeln!(rows, "{start},{order},{iterations},{c1},{c2},{b1},{b2}");
            }
        }
    }
    rows
}

/// A field by RFC 4180.
fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace("\"", "\"\"")).into()
    } else {
        field.into()
    }
}
