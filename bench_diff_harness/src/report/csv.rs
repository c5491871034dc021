//! The raw slots as comma-separated values: a line for each duo.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use bench_diff_core::{Duo, Order, Recording};

use super::sink::Sink;
use crate::record::{Event, Measured, StartRecord};

const HEADER: &str =
    "pair,round,program,duo,order,iterations,candidate_1_ns,candidate_2_ns,baseline_1_ns,baseline_2_ns\n";

pub(super) struct Csv<W> {
    out: W,
    start: StartRecord,
}

impl<W: Write> Csv<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, start: StartRecord::default() }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
}

impl<W: Write> Sink for Csv<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::RunStarted(start) => {
                self.start = (*start).clone();
                self.write(HEADER)
            }
            Event::PairFinished { record, measured: Some(measured) } => {
                self.write(&rows(&self.start.shown(record).name, measured))
            }
            _ => Ok(()),
        }
    }
}

/// The duos that count, of each program of each round from 1, each with the times of its whole slots.
fn rows(pair: &str, measured: &Measured) -> String {
    let pair = quoted(pair);
    let mut rows = String::new();
    let programs = (1..).zip(&measured.rounds).flat_map(|(round, of_round)| {
        (1..).zip(of_round).map(move |(program, recording)| (round, program, recording))
    });
    for (round, program, Recording { warmup, duos, has_baseline, .. }) in programs {
        let iterations = warmup.iterations;
        for (number, Duo { order, candidate, baseline }) in (1..).zip(duos) {
            let ([c1, c2], [b1, b2]) = (candidate, baseline);
            let start = format!("{pair},{round},{program},{number}");
            if !has_baseline {
                // Four slots of one function.
                let _ = writeln!(
                    rows,
                    "{start},CC,{iterations},{c1},{c2},,\n{start},CC,{iterations},{b1},{b2},,"
                );
                continue;
            }
            let order = match order {
                Order::BaselineFirst => "BCCB",
                Order::CandidateFirst => "CBBC",
            };
            let _ = writeln!(rows, "{start},{order},{iterations},{c1},{c2},{b1},{b2}");
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
