//! The report for people: a table of the pairs, those that went wrong, the count; and the `progress`.

pub(crate) mod columns;
pub(crate) mod progress;

use std::collections::HashMap;
use std::io::{self, Write};
use std::mem;

use bench_diff_system::stderr;
use bench_diff_system::text::counted;
use bench_diff_system::wrap::wrapped;

use crate::record::{Event, Outcome, PairRecord, PlannedRecord, RunRecord, StartRecord};
use crate::sink::Sink;
use crate::terminal::columns::{BOLD, Columns, DIM, INDENT, dimmed, style};
use crate::text::pair::{self, PairText};
use crate::text::table::fastest_first;
use crate::text::{explain, numbers, overall, phrase};

/// The table on a terminal, row by row.
pub(crate) struct Terminal<'a> {
    out: &'a mut dyn Write,
    width: Option<usize>,
    terse: bool,
    /// True if the proof of each pair is shown below its row.
    verbose: bool,
    /// The command that compares the functions with another revision, if the run compares nothing.
    comparison: Option<String>,
    start: StartRecord,
    places: HashMap<String, usize>,
    columns: Columns,
    /// Records whose rows wait for earlier rows or for the rest of their group, by index.
    waiting: Vec<Option<PairRecord>>,
    /// The index of the next row.
    next: usize,
    /// True once the titles of the columns are written.
    has_header: bool,
    /// The baseline of the latest row.
    baseline: Option<String>,
    /// The records that are explained at the end.
    wrong: Vec<PairRecord>,
}

impl<'a> Terminal<'a> {
    /// A table with a title and notes.
    pub(crate) fn pretty(out: &'a mut dyn Write, width: Option<usize>, verbose: bool) -> Self {
        Self {
            out,
            width,
            terse: false,
            verbose,
            comparison: None,
            start: StartRecord::default(),
            places: HashMap::new(),
            columns: Columns::default(),
            waiting: Vec::new(),
            next: 0,
            has_header: false,
            baseline: None,
            wrong: Vec::new(),
        }
    }

    /// Adds the command that compares the functions, if the run compares nothing.
    pub(crate) fn with_comparison(self, command: Option<String>) -> Self {
        Self { comparison: command, ..self }
    }

    /// A line for each pair.
    pub(crate) fn terse(out: &'a mut dyn Write, width: Option<usize>, verbose: bool) -> Self {
        Self { terse: true, ..Self::pretty(out, width, verbose) }
    }

    fn start(&mut self, start: &StartRecord) -> io::Result<()> {
        self.start = start.clone();
        self.places = start.places();
        self.columns = Columns::new(start, self.width);
        self.waiting.resize(start.pairs.len(), None);
        let matched = overall::matched(start);
        if self.terse {
            matched.iter().for_each(|line| stderr::say(line));
            return Ok(());
        }
        // Cargo passes a filter to all benches, and most of them have nothing to show.
        if start.pairs.is_empty() {
            return self.lines(&matched);
        }
        let what = counted(start.pairs.len(), overall::subject(start));
        writeln!(self.out, "\nrunning {what} {DIM}(seed {}){DIM:#}", start.seed)?;
        if let Some(line) = start.machine.line() {
            dimmed(self.out, &line, "", self.width)?;
        }
        self.lines(&matched)
    }

    fn lines(&mut self, texts: &[String]) -> io::Result<()> {
        let mut lines = texts.iter().flat_map(|text| wrapped(text, "", self.width));
        lines.try_for_each(|line| writeln!(self.out, "{line}"))
    }

    /// Writes what comes before a row: the titles before the first one, as notes may precede it, and the name
    /// of the baseline if rows have no room for it.
    fn header(&mut self, record: &PairRecord) -> io::Result<()> {
        if !mem::replace(&mut self.has_header, true) {
            writeln!(self.out, "{BOLD}{}{BOLD:#}", self.columns.header(&self.start))?;
        }
        let is_named = self.start.against.is_some() || self.columns.names_baselines();
        if is_named || self.baseline == record.against {
            return Ok(());
        }
        self.baseline.clone_from(&record.against);
        let against = record.against.as_ref().map(|name| format!("against {name}:"));
        self.lines(&[against.unwrap_or_else(|| "without a baseline:".to_owned())])
    }

    /// Writes every row whose predecessors and group have ended.
    fn decided(&mut self, record: &PairRecord) -> io::Result<()> {
        if let Some(index) = self.places.get(&record.name) {
            self.waiting[*index] = Some(record.clone());
        }
        while self.next < self.waiting.len() {
            let end = self.end_of_group();
            if self.waiting[self.next..end].iter().any(Option::is_none) {
                break;
            }
            self.rows(end)?;
        }
        self.out.flush()
    }

    /// The index behind the next row and the rest of its group.
    fn end_of_group(&self) -> usize {
        let (first, others) = (&self.start.pairs[self.next], &self.start.pairs[self.next + 1..]);
        let is_of = |pair: &&PlannedRecord| first.group.is_some() && pair.group == first.group;
        let others = if self.terse { 0 } else { others.iter().take_while(is_of).count() };
        self.next + 1 + others
    }

    /// Writes the rows up to this index for pairs that have ended.
    fn rows(&mut self, end: usize) -> io::Result<()> {
        let records: Vec<PairRecord> =
            self.waiting[self.next..end].iter_mut().filter_map(Option::take).collect();
        self.next = end;
        fastest_first(&records).into_iter().try_for_each(|record| self.row(record))?;
        let wrong = records.into_iter().filter(|record| record.outcome().is_shown_at_the_end());
        self.wrong.extend(wrong);
        Ok(())
    }

    fn row(&mut self, record: &PairRecord) -> io::Result<()> {
        let text = PairText::of(record);
        if self.terse {
            let style = style(record.outcome());
            let of_pair = text.map(|text| {
                let [baseline, candidate] = text.latencies();
                format!(": {}, {candidate} against {baseline}", text.change())
            });
            let alone = record.timing().map(|timing| {
                let throughput = explain::rates(record, usize::MAX).map(|rates| format!(", {rates}"));
                format!(": {}{}", pair::latency_summary(timing), throughput.unwrap_or_default())
            });
            let figures = of_pair.or(alone).unwrap_or_default();
            let verdict = phrase::verdict(record);
            writeln!(self.out, "{style}{verdict}{style:#} {}{figures}", record.name)?;
        } else if !self.verbose && overall::is_left_out(&self.start, record) {
            return Ok(());
        } else {
            self.header(record)?;
            writeln!(self.out, "{}", self.columns.row(record))?;
        }
        self.below(record).iter().try_for_each(|text| dimmed(self.out, text, INDENT, self.width))
    }

    /// The lines below a row.
    fn below(&self, record: &PairRecord) -> Vec<String> {
        let text = PairText::of(record);
        let mut below = Vec::new();
        // The end of the report says more about a pair that did not pass.
        let is_explained = record.outcome().is_shown_at_the_end();
        if text.is_none() && !is_explained {
            below.extend(explain::cause(record));
        }
        if self.verbose {
            let mut facts = Vec::new();
            if !self.terse && self.columns.shortens(&record.name) {
                facts.push(record.name.clone());
            }
            facts.extend(text.map(PairText::facts));
            below.extend(Some(facts.join("; ")).filter(|facts| !facts.is_empty()));
            below.extend(explain::details(record));
            return below;
        }
        below.extend(text.and_then(PairText::allowed));
        if self.terse {
            below.extend(record.unchecked().filter(|_| !is_explained).cloned());
        } else {
            below.extend(text.and_then(PairText::varying_allocations));
            if !is_explained {
                below.extend_from_slice(record.advice());
            }
        }
        below
    }

    fn finish(&mut self, run: &RunRecord) -> io::Result<()> {
        if self.start.pairs.is_empty() {
            let nothing = overall::nothing_compared(run);
            return nothing.iter().try_for_each(|line| writeln!(self.out, "{line}\n"));
        }
        while self.next < self.waiting.len() {
            self.rows(self.end_of_group())?;
        }
        for (outcome, title) in
            Outcome::SHOWN_AT_THE_END.into_iter().zip(["failures", "inconclusive", "errors"])
        {
            self.explain(outcome, title)?;
        }
        if let Some(left) = overall::left(run) {
            writeln!(self.out, "\n{left}")?;
        }
        writeln!(self.out, "\n{}", wrapped(&overall::counts(run), "", self.width).join("\n"))?;
        writeln!(self.out, "{DIM}finished in {}{DIM:#}", numbers::seconds(run.elapsed_s))?;
        if let Some(command) = self.comparison.as_ref().filter(|_| run.measured > 0) {
            writeln!(self.out, "to compare with an earlier revision: {command}")?;
        }
        writeln!(self.out)?;
        self.out.flush()
    }

    /// Explains the pairs with this outcome.
    fn explain(&mut self, outcome: Outcome, title: &str) -> io::Result<()> {
        let mut title = Some(title);
        for record in self.wrong.iter().filter(|record| record.outcome() == outcome) {
            if let Some(title) = title.take() {
                let style = style(outcome);
                writeln!(self.out, "\n{style}{title}:{style:#}")?;
            }
            let (location, lines) = explain::explanation(record, self.start.strict, self.verbose);
            writeln!(self.out, "\n{BOLD}{}{BOLD:#} ({location})", record.name)?;
            for line in lines.iter().flat_map(|text| wrapped(text, INDENT, self.width)) {
                writeln!(self.out, "{line}")?;
            }
            for line in explain::repetition(record) {
                writeln!(self.out, "{INDENT}{line}")?;
            }
        }
        Ok(())
    }
}

impl Sink for Terminal<'_> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::RunStarted(start) => self.start(start),
            Event::PairFinished { record, .. } => self.decided(record),
            Event::RunFinished(record) => self.finish(record),
            _ => Ok(()),
        }
    }
}
