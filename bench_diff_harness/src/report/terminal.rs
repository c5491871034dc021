//! The report for people: a table of the pairs, then the pairs that went wrong, then the count.

use std::io::{self, Write};
use std::mem;

use super::pair_text::PairText;
use super::row::{Columns, INDENT, fastest_first};
use super::sink::Sink;
use super::style::{BOLD, DIM, dimmed, style};
use super::{allocations, count, explain, numbers, phrase, sides, timing};
use crate::record::{Event, Outcome, PairRecord, PlanOrder, PlannedRecord, RunRecord, StartRecord};
use crate::system::text::counted;
use crate::system::wrap::wrapped;

pub(super) struct Terminal<'a> {
    out: &'a mut dyn Write,
    width: Option<usize>,
    terse: bool,
    /// True if each row has its proofs below it.
    verbose: bool,
    run: Option<Table>,
}

/// The state of a run until its end.
struct Table {
    start: StartRecord,
    order: PlanOrder,
    /// The place of the next row.
    next: usize,
    /// Records whose rows have to wait for those before them, in their places.
    early: Vec<Option<Box<PairRecord>>>,
    columns: Columns,
    /// True once a row has had figures.
    has_figures: bool,
    /// The records of the group that runs.
    started: Vec<PairRecord>,
    /// The records that the end comes back to.
    wrong: Vec<PairRecord>,
}

impl<'a> Terminal<'a> {
    /// A table with a title and notes.
    pub(super) fn pretty(out: &'a mut dyn Write, width: Option<usize>, verbose: bool) -> Self {
        Self { out, width, terse: false, verbose, run: None }
    }

    /// A line for each pair.
    pub(super) fn terse(out: &'a mut dyn Write, width: Option<usize>) -> Self {
        Self { out, width, terse: true, verbose: false, run: None }
    }

    fn start(&mut self, start: &StartRecord) -> io::Result<()> {
        let matched = sides::matched(start);
        // Of many benches that a filter goes to, most have nothing to tell.
        if start.pairs.is_empty() {
            return matched.iter().try_for_each(|line| writeln!(self.out, "{line}"));
        }
        let columns = Columns::new(start, self.width);
        self.run = Some(Table {
            start: start.clone(),
            order: PlanOrder::of(start),
            next: 0,
            early: vec![None; start.pairs.len()],
            columns,
            has_figures: false,
            started: Vec::new(),
            wrong: Vec::new(),
        });
        if self.terse {
            return Ok(());
        }
        let seed = start.seed.as_ref().map(|seed| format!(" {DIM}(seed {seed}){DIM:#}")).unwrap_or_default();
        let [what, ..] = sides::titles(start);
        writeln!(self.out, "\nrunning {}{seed}", counted(start.pairs.len(), &what))?;
        if let Some(line) = start.machine.line() {
            dimmed(self.out, &line, "", self.width)?;
        }
        matched.iter().try_for_each(|line| writeln!(self.out, "{line}"))?;
        let is_empty = start.against.as_ref().is_some_and(|side| side.same_code == start.pairs.len());
        if self.verbose || !is_empty {
            writeln!(self.out, "{BOLD}{}{BOLD:#}", columns.header(start))?;
        }
        Ok(())
    }

    /// Writes its row in the order of the plan, and those that have waited for it.
    fn decided(&mut self, record: &PairRecord) -> io::Result<()> {
        let Some(run) = &mut self.run else { return Ok(()) };
        let place = run.order.of_pair(&record.name);
        if place == usize::MAX {
            return self.pair(record);
        }
        run.early[place] = Some(Box::new(record.clone()));
        while let Some(run) = &mut self.run
            && let Some(record) = run.early.get_mut(run.next).and_then(Option::take)
        {
            run.next += 1;
            self.pair(&record)?;
        }
        Ok(())
    }

    fn pair(&mut self, record: &PairRecord) -> io::Result<()> {
        let Some(run) = &mut self.run else { return Ok(()) };
        let has_row = self.verbose || !sides::is_left_out(&run.start, record);
        run.has_figures |= record.figures().is_some() && !self.terse && has_row;
        if Outcome::SHOWN_AT_THE_END.contains(&record.outcome()) {
            run.wrong.push(record.clone());
        }
        let group = record.group.as_ref().filter(|_| !self.terse);
        let is_of = |pair: &&PlannedRecord| group.is_some() && pair.group.as_ref() == group;
        match run.start.pairs.iter().filter(is_of).count() {
            0 => self.row(record)?,
            size => {
                run.started.push(record.clone());
                if run.started.len() == size {
                    self.group()?;
                }
            }
        }
        self.out.flush()
    }

    /// The rows of the group that was started, if there is one.
    fn group(&mut self) -> io::Result<()> {
        let Some(run) = &mut self.run else { return Ok(()) };
        let records = mem::take(&mut run.started);
        if let Some(group) = records.first().and_then(|record| record.group.as_ref()) {
            let heading = format!("{group}, the baseline of {}:", records.len());
            for line in wrapped(&heading, "", self.width) {
                writeln!(self.out, "{BOLD}{line}{BOLD:#}")?;
            }
        }
        fastest_first(&records).into_iter().try_for_each(|record| self.row(record))
    }

    fn row(&mut self, record: &PairRecord) -> io::Result<()> {
        let Some(run) = &self.run else { return Ok(()) };
        if !self.verbose && !self.terse && sides::is_left_out(&run.start, record) {
            return Ok(());
        }
        let text = PairText::of(record);
        if self.terse {
            let style = style(record.outcome());
            let of_pair = text.map(|text| {
                let [baseline, candidate] = text.latencies();
                format!(": {}, {candidate} against {baseline}", text.change())
            });
            let alone = record.timing().map(|timing| format!(": {}", timing::summary(timing)));
            let figures = of_pair.or(alone).unwrap_or_default();
            let verdict = phrase::verdict(record, usize::MAX);
            writeln!(self.out, "{style}{verdict}{style:#} {}{figures}", record.name)?;
        } else {
            writeln!(self.out, "{}", run.columns.row(record))?;
        }
        let mut below = Vec::new();
        if text.is_none() {
            below.extend(record.reason().and_then(|reason| reason.lines().next()).map(str::to_owned));
        }
        if self.verbose {
            // A heading has the baseline of a group.
            let against = record.against.as_ref().filter(|_| record.group.is_none());
            let against = against.map(|baseline| format!("against {baseline}"));
            let whole = run.columns.shortens(&record.name).then(|| record.name.clone());
            let facts: Vec<String> =
                [whole, against, text.map(PairText::facts)].into_iter().flatten().collect();
            below.extend(Some(facts.join("; ")).filter(|facts| !facts.is_empty()));
            below.extend(explain::details(record));
        } else if !self.terse {
            below.extend(text.and_then(|text| allocations::unsure(text.figures)));
            // Those of a pair that did not pass stand with it at the end.
            let is_shown_later = Outcome::SHOWN_AT_THE_END.contains(&record.outcome());
            if !is_shown_later {
                below.extend_from_slice(record.advice());
            }
        }
        below.iter().try_for_each(|text| dimmed(self.out, text, INDENT, self.width))
    }

    fn finish(&mut self, record: &RunRecord) -> io::Result<()> {
        let early = self.run.as_mut().map(|run| mem::take(&mut run.early)).unwrap_or_default();
        early.iter().flatten().try_for_each(|record| self.pair(record))?;
        self.group()?;
        let Some(run) = &self.run else { return Ok(()) };
        if let Some(legend) = run.columns.legend().filter(|_| run.has_figures) {
            dimmed(self.out, legend, "", self.width)?;
        }
        for (outcome, title) in
            Outcome::SHOWN_AT_THE_END.into_iter().zip(["failures", "inconclusive", "errors"])
        {
            let of_outcome: Vec<&PairRecord> =
                run.wrong.iter().filter(|record| record.outcome() == outcome).collect();
            if !of_outcome.is_empty() {
                let style = style(outcome);
                writeln!(self.out, "\n{style}{title}:{style:#}")?;
            }
            for record in of_outcome {
                let (heading, lines) = explain::explanation(record, run.start.strict);
                writeln!(self.out, "\n{BOLD}{}{BOLD:#} ({heading})", record.name)?;
                for text in lines {
                    for line in wrapped(&text, INDENT, self.width) {
                        writeln!(self.out, "{line}")?;
                    }
                }
                for line in explain::repetition(record) {
                    writeln!(self.out, "{INDENT}{line}")?;
                }
            }
        }
        if let Some(left) = count::left(record, run.start.pairs.len(), true) {
            writeln!(self.out, "\n{left}")?;
        }
        writeln!(self.out, "\n{}", wrapped(&count::judged(record), "", self.width).join("\n"))?;
        let others = count::others(record).map(|others| format!("{others}; ")).unwrap_or_default();
        writeln!(self.out, "{DIM}{others}finished in {}{DIM:#}\n", numbers::seconds(record.elapsed_s))?;
        self.out.flush()
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
