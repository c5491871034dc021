//! The cells of the study, and the line in which a process tells its parent about a gate.

use std::time::Duration;

use bench_diff_core::Verdict;

use crate::gates::{Answer, Question, ZONES};
use crate::kernels::Kernel;

/// A cell of the study, in the words of the command line.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) kernel: String,
    pub(crate) per_mille: u64,
    pub(crate) zone: String,
}

impl Cell {
    /// The question that this cell asks; none where a word is unknown.
    pub(crate) fn question(&self, beta: f64) -> Option<Question> {
        let (_, lo, hi) = ZONES.into_iter().find(|(name, ..)| *name == self.zone)?;
        let kernel = Kernel::named(&self.kernel)?;
        Some(Question { kernel, per_mille: self.per_mille, zone: (lo, hi), beta })
    }
}

/// `cell verdict nanoseconds duos clock`
pub(crate) fn line(cell: usize, answer: &Answer) -> String {
    let verdict = match answer.verdict {
        Some(Verdict::Fail) => "fail",
        Some(Verdict::Pass) => "pass",
        Some(Verdict::Inconclusive) | None => "inconclusive",
    };
    format!("{cell} {verdict} {} {} {}", answer.time.as_nanos(), answer.duos, answer.clock)
}

/// Reads a line: the cell's index and its answer.
pub(crate) fn read_line(line: &str) -> Option<(usize, Answer)> {
    let mut words = line.split(' ');
    let cell = words.next()?.parse().ok()?;
    let verdict = Some(match words.next()? {
        "fail" => Verdict::Fail,
        "pass" => Verdict::Pass,
        _ => Verdict::Inconclusive,
    });
    let time = Duration::from_nanos(words.next()?.parse().ok()?);
    let duos = words.next()?.parse().ok()?;
    let clock = if words.next()? == "cpu" { "cpu" } else { "wall" };
    Some((cell, Answer { verdict, time, duos, clock }))
}
