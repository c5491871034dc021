//! The output of a self-test: the effects that each gate finds on this machine, and the time it takes.

use std::io::{self, Write};

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::columns::{self, Align, Column, shortened};
use super::row::INDENT;
use super::sink::Sink;
use super::style::{BOLD, DIM, dimmed, style};
use super::{numbers, phrase};
use crate::plan::SelfTestCase;
use crate::record::{Event, Outcome, RunRecord, SelfTestRecord, StartRecord};
use crate::system::text::{counted, lines, one_line};
use crate::system::wrap::wrapped;

/// The columns after the name, with their widths. With a name of 14 columns, a row takes 80.
const COLUMNS: [Column; 6] = [
    ("plain", 12, Align::Left),
    ("slowed", 12, Align::Left),
    ("put in", 8, Align::Left),
    ("found", 8, Align::Left),
    ("rounds", 6, Align::Left),
    ("time", 8, Align::Left),
];

/// The columns that a narrow terminal has no room for, from the first that goes.
const DISPENSABLE: [usize; 4] = [4, 5, 2, 3];

const NAME: &str = "pair";

/// The name of a row: a gate on slow calls is listed below its pair.
fn name_of(pair: &str, of_tail: bool) -> String {
    if of_tail { "  max_tail".to_owned() } else { one_line(pair).into_owned() }
}

/// The largest width of names if the output is not a terminal.
const WIDEST_NAME: usize = 60;

/// The table for people.
pub(super) struct SelfTestTable<'a> {
    out: &'a mut dyn Write,
    width: Option<usize>,
    /// The width of the names.
    name: usize,
    shown: Vec<bool>,
    /// The number of gates that were tested, of those that are blind, and of those that could not be tested.
    tested: usize,
    blind: usize,
    errors: usize,
}

impl<'a> SelfTestTable<'a> {
    pub(super) fn new(out: &'a mut dyn Write, width: Option<usize>) -> Self {
        let shown = Vec::new();
        Self { out, width, name: NAME.len(), shown, tested: 0, blind: 0, errors: 0 }
    }

    fn start(&mut self, start: &StartRecord) -> io::Result<()> {
        let names: Vec<String> =
            start.tested().map(|(name, half)| name_of(name, half == SelfTestCase::SlowCalls)).collect();
        // With a filter over many benches, most have nothing to report.
        if names.is_empty() {
            return Ok(());
        }
        let (shown, room) = columns::with_room(&COLUMNS, &DISPENSABLE, self.width);
        let room = room.unwrap_or(WIDEST_NAME);
        self.shown = shown;
        let longest = names.iter().map(|name| name.width()).max().unwrap_or_default();
        self.name = longest.min(room).max(NAME.len());
        let title = format!(
            "testing {}: each baseline against itself, plain and with extra work on one side",
            counted(names.len(), "limit")
        );
        writeln!(self.out, "\n{}", wrapped(&title, "", self.width).join("\n"))?;
        if let Some(line) = start.machine.line() {
            dimmed(self.out, &one_line(&line), "", self.width)?;
        }
        let titles = COLUMNS.map(|(title, ..)| (title.to_owned(), Style::new()));
        let header = columns::line(NAME, self.name, &titles, &COLUMNS, &self.shown);
        writeln!(self.out, "{BOLD}{}{BOLD:#}", header.trim_end())
    }

    fn row(&mut self, record: &SelfTestRecord) -> io::Result<()> {
        let outcome = |outcome: Outcome, right: Outcome| {
            let color = style(if outcome == right { Outcome::Pass } else { Outcome::Fail });
            (outcome.name().to_owned(), color)
        };
        let figure = |text: Option<String>| (text.unwrap_or_else(|| "-".to_owned()), Style::new());
        let change = |ratio: f64| match record.max_tail {
            None => format!("{} %", numbers::change_of(ratio)),
            Some(_) => format!("{ratio:.1} x"),
        };
        let cells = [
            outcome(record.plain, Outcome::Pass),
            outcome(record.slowed, Outcome::Fail),
            figure(record.put_in.map(change)),
            figure(record.found.map(change)),
            figure(record.rounds.map(|rounds| rounds.to_string())),
            figure(record.elapsed_s.map(numbers::seconds)),
        ];
        let name = name_of(&record.name, record.max_tail.is_some());
        let row = columns::line(&shortened(&name, self.name), self.name, &cells, &COLUMNS, &self.shown);
        writeln!(self.out, "{}", row.trim_end())?;
        let mut text =
            lines(record.reason.as_deref().or(record.blind.as_deref()).unwrap_or_default()).into_owned();
        if record.blind.is_some() {
            let of_gate = || record.gate.as_ref().map(phrase::limit_and_error_rate);
            let limit = record.max_tail.map(phrase::limit_of_tail).or_else(of_gate);
            text.extend(limit.map(|limit| format!("\nlimit:    {limit}")));
        }
        for line in text.lines().flat_map(|line| wrapped(line, INDENT, self.width)) {
            writeln!(self.out, "{line}")?;
        }
        self.tested += 1;
        self.blind += usize::from(record.blind.is_some());
        self.errors += usize::from(record.reason.is_some());
        self.out.flush()
    }

    fn finish(&mut self, run: &RunRecord) -> io::Result<()> {
        if self.tested == 0 {
            return Ok(());
        }
        let Self { tested, blind, errors, .. } = *self;
        let (sound, errors) = (tested - blind - errors, counted(errors, "error"));
        writeln!(self.out, "\n{sound} sound, {blind} blind, {errors}")?;
        writeln!(self.out, "{DIM}finished in {}{DIM:#}\n", numbers::seconds(run.elapsed_s))?;
        self.out.flush()
    }
}

impl Sink for SelfTestTable<'_> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::RunStarted(start) => self.start(start),
            Event::GateTested(test) => self.row(test),
            Event::RunFinished(run) => self.finish(run),
            _ => Ok(()),
        }
    }
}
