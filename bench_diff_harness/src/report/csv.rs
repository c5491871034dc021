//! The raw slots as comma-separated values: a line for each duo.

use std::borrow::Cow;
use std::fmt::Write;

use bench_diff_core::{Duo, Order, Recording};

use crate::record::{Event, Measured, StartRecord};

const HEADER: &str =
    "pair,round,program,duo,order,iterations,candidate_1_ns,candidate_2_ns,baseline_1_ns,baseline_2_ns\n";

pub(super) fn lines(start: &StartRecord, event: &Event<'_>) -> String {
    match event {
        Event::RunStarted(_) => HEADER.to_owned(),
        Event::PairFinished { record, measured: Some(measured) } => rows(&start.shown(record).name, measured),
        _ => String::new(),
    }
}

/// The duos that count, of each program of each round from 1, each with the times of its whole slots.
fn rows(pair: &str, measured: &Measured) -> String {
    let pair = quoted(pair);
    let mut rows = String::new();
    for (round, programs) in (1..).zip(&measured.rounds) {
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
