//! The verdicts of the harnesses, counted.

use crate::median::median;
use crate::program::{Change, FUNCTIONS, Revision};
use crate::read::{Answer, Verdict};
use crate::rival::Rival;

/// The verdicts of one harness.
#[derive(Default)]
pub(crate) struct Row {
    same: Counts,
    more: Counts,
    less: Counts,
    seconds: Vec<f64>,
}

/// The verdicts on one kind of change.
#[derive(Default)]
struct Counts {
    slower: usize,
    no_slower: usize,
    faster: usize,
    open: usize,
    /// The changes that were shown, whatever was said of them.
    changes: Vec<f64>,
}

impl Counts {
    fn total(&self) -> usize {
        self.slower + self.no_slower + self.faster + self.open
    }

    /// The changes that were shown, in percent.
    fn range(&self) -> String {
        if self.changes.iter().all(|change| change.is_nan()) {
            return "-".to_owned();
        }
        let least = self.changes.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.changes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        format!("{:+.1} to {:+.1} %", 100.0 * least, 100.0 * most)
    }
}

impl Row {
    pub(crate) fn add(&mut self, revision: Revision, answers: &[Answer], seconds: f64) {
        for answer in answers {
            let counts = match revision.change(&answer.function) {
                Change::Same => &mut self.same,
                Change::More => &mut self.more,
                Change::Less => &mut self.less,
            };
            match answer.verdict {
                Verdict::Slower => counts.slower += 1,
                Verdict::NoSlower => counts.no_slower += 1,
                Verdict::Faster => counts.faster += 1,
                Verdict::Open => counts.open += 1,
            }
            counts.changes.push(answer.change);
        }
        self.seconds.push(seconds);
    }

    /// The cells of the counts.
    fn cells(&self) -> String {
        let Self { same, more, less, .. } = self;
        let total = same.total() + more.total() + less.total();
        // Said to be faster is as wrong as said to be slower, though no alarm.
        let right = same.no_slower + more.slower + less.no_slower + less.faster;
        format!(
            "{right} of {total} | {} | {} | {} | {} | {}",
            same.slower + less.slower,
            same.faster,
            more.slower,
            more.no_slower + more.faster,
            same.open + more.open + less.open,
        )
    }
}

pub(crate) fn print<'a>(rows: impl Iterator<Item = (&'a Rival, &'a Row)> + Clone, runs: usize) {
    println!(
        "{} functions in {runs} runs of each harness, of which a quarter has 5 % more input in each run and a quarter \
         5 % less",
        FUNCTIONS.len(),
    );
    println!(
        "\n| harness | right verdicts | false alarms | nothing changed, said to be faster | slowdowns found | \
         missed | undecided | changes shown, nothing changed | with 5 % more | with 5 % less | seconds of a run |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for (rival, row) in rows.clone() {
        println!(
            "| {} | {} | {} | {} | {} | {:.1} |",
            rival.name,
            row.cells(),
            row.same.range(),
            row.more.range(),
            row.less.range(),
            median(&row.seconds).unwrap_or_default()
        );
    }
    println!("\n| harness | how it was asked | what it is for |\n|---|---|---|");
    rows.for_each(|(rival, _)| println!("| {} | {} | {} |", rival.name, rival.way, rival.purpose));
}
