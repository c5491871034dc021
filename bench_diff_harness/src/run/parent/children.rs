//! The processes of a round: in the program as linked, and in the layouts of the round one after the other.

use std::ops::ControlFlow;
use std::process::Stdio;
use std::time::Duration;

use bench_diff_core::Instruments;

use super::session;
use crate::layout::Layout;
use crate::plan::{ListedPair, PairPlan, RunPlan};
use crate::run::one_pair::{Entries, Finding, Inputs};
use crate::run::protocol::{CostsRequest, PairRequest, Request, RoundRequest};
use crate::run::side::{Side, Start};
use crate::run::started::Started;
use crate::run::{Asked, Message, Processes, Receive, Task};
use crate::settings::TimeLimit;
use crate::system::temporary::TempFolder;

/// Processes of this program, or of this one and of an old one.
pub(crate) struct Children<'p> {
    now: Side,
    /// The old program, where the functions of this one are compared with its own.
    old: Option<Side>,
    /// True if this is the program that pairs of another one are compared with.
    is_other: bool,
    pub(super) folder: TempFolder,
    pub(super) costs: CostsRequest,
    /// True if each pair has a process of its own.
    isolate: bool,
    /// Of one pair, in all of its rounds.
    pub(super) timeout: Option<&'p TimeLimit>,
    /// The time that each pair of the run has used of that.
    pub(super) used: Vec<Duration>,
}

impl<'p> Children<'p> {
    /// Of this program, and of an old one if there is one.
    ///
    /// # Errors
    ///
    /// If there can be none; the text says why.
    pub(crate) fn new(
        plan: &'p RunPlan,
        instruments: &Instruments<'_>,
        now: Side,
        old: Option<Side>,
    ) -> Result<Self, String> {
        Ok(Self {
            now,
            old,
            is_other: false,
            folder: TempFolder::of_run()?,
            costs: CostsRequest::of(instruments),
            isolate: plan.isolate,
            timeout: plan.timeout.as_ref(),
            used: vec![Duration::ZERO; plan.pairs.len()],
        })
    }

    /// The same of the program that the pairs are compared with, whose attributes have other places.
    pub(crate) fn of_another_program(self) -> Self {
        Self { is_other: true, ..self }
    }

    /// The layouts of the next round, those of the old program beside them.
    fn next_round(&mut self) -> Result<Vec<(Layout, Option<Layout>)>, String> {
        let now = self.now.next_round()?;
        let old = self.old.as_mut().map_or(Ok(Vec::new()), Side::next_round)?;
        let mut old = old.into_iter();
        Ok(now.into_iter().map(|now| (now, old.next())).collect())
    }

    /// Has all of these pairs measured by processes of this program, or of both.
    fn all(
        &mut self,
        now: &Start,
        old: Option<&Start>,
        asked: &[Asked<'_>],
        receive: Receive<'_>,
    ) -> ControlFlow<()> {
        if let Some(old) = old {
            return self.in_turns([now, old], asked, receive);
        }
        let mut rest = asked;
        while !rest.is_empty() {
            let together = if self.isolate { 1 } else { rest.len() };
            let answered = self.one_process(now, &rest[..together], receive)?;
            rest = &rest[answered..];
        }
        ControlFlow::Continue(())
    }

    /// Has one process measure these pairs, as far as it gets. How many of them it answered comes back.
    fn one_process(
        &mut self,
        start: &Start,
        asked: &[Asked<'_>],
        receive: Receive<'_>,
    ) -> ControlFlow<(), usize> {
        let request = |Asked { pair, task, .. }: &Asked<'_>| {
            PairRequest::new(if self.is_other { pair.listed.there() } else { pair.listed.here() }, *task)
        };
        let pairs = asked.iter().map(request).collect();
        let round = RoundRequest { costs: self.costs, start: start.memory, pairs };
        let request = Request { round: Some(round), ..Request::default() };
        match Started::new(&start.program, &self.folder, request, Stdio::null()) {
            Ok(started) => session::hear(self.timeout, &mut self.used, asked, receive, started),
            Err(reason) => {
                all_failed(asked, &reason, receive)?;
                ControlFlow::Continue(asked.len())
            }
        }
    }
}

impl Processes for Children<'_> {
    /// Has each of these pairs measured where it asks for it. What fails in one layout is not asked of the
    /// others.
    fn round(&mut self, asked: &[Asked<'_>], receive: Receive<'_>) -> ControlFlow<()> {
        let (mut in_layout, as_linked): (Vec<Asked<'_>>, Vec<Asked<'_>>) =
            asked.iter().partition(|asked| asked.in_layout);
        let (now, old) = (self.now.as_linked(), self.old.as_ref().map(Side::as_linked));
        self.all(&now, old.as_ref(), &as_linked, receive)?;
        if in_layout.is_empty() {
            return ControlFlow::Continue(());
        }
        let layouts = match self.next_round() {
            Ok(layouts) => layouts,
            Err(reason) => return all_failed(&in_layout, &reason, receive),
        };
        for (number, (now, old)) in layouts.into_iter().enumerate() {
            let share: Vec<Asked<'_>> =
                in_layout.iter().map(|asked| Asked { task: asked.task.share_of(number), ..*asked }).collect();
            let old = self.old.as_ref().zip(old.as_ref()).map(|(side, old)| side.in_layout(old));
            let now = self.now.in_layout(&now);
            self.all(&now, old.as_ref(), &share, &mut |message| {
                if let Message::Found { index, found } = &message
                    && found.is_err()
                {
                    in_layout.retain(|asked| asked.index != *index);
                }
                receive(message)
            })?;
        }
        ControlFlow::Continue(())
    }

    fn alone(&self, pair: &PairPlan) -> Result<Box<dyn Processes + '_>, String> {
        if self.old.is_some() {
            return Err("it has another side".to_owned());
        }
        let relinker = self.now.relinker.as_ref().ok_or("it cannot be linked again")?;
        let ListedPair { location, digest, .. } = &pair.listed;
        let (program, relinker) = relinker.alone(&format!("{} {digest}", location.line))?;
        Ok(Box::new(Self {
            now: Side { program: self.now.program.with_path(program), relinker: Some(relinker) },
            old: None,
            folder: TempFolder::of_run()?,
            used: vec![Duration::ZERO; self.used.len()],
            ..*self
        }))
    }
}

/// Fails all of these pairs for one reason.
fn all_failed(asked: &[Asked<'_>], reason: &str, receive: Receive<'_>) -> ControlFlow<()> {
    asked.iter().try_for_each(|asked| receive(Message::found(asked.index, Err(reason.to_owned()))))
}

impl Children<'_> {
    /// The offsets of the functions of these pairs in the program as linked; `None` if no process can tell.
    pub(crate) fn entries(self, pairs: &[&PairPlan]) -> Vec<Option<Entries>> {
        self.found(pairs, Task::Compare, |finding| finding.entries)
    }

    /// The makers of what these pairs work on, and what they make now; `None` if no process can tell.
    pub(crate) fn inputs(self, pairs: &[&PairPlan]) -> Vec<Option<Inputs>> {
        self.found(pairs, Task::Show, |finding| finding.inputs)
    }

    /// The findings of a process of the program as linked.
    fn found<T>(mut self, pairs: &[&PairPlan], task: Task, part: fn(Finding) -> Option<T>) -> Vec<Option<T>> {
        let pairs_asked = pairs.iter().enumerate();
        let asked: Vec<Asked<'_>> =
            pairs_asked.map(|(index, pair)| Asked { index, pair, task, in_layout: false }).collect();
        self.used = vec![Duration::ZERO; pairs.len()];
        let mut parts: Vec<Option<T>> = pairs.iter().map(|_| None).collect();
        // What goes wrong in it goes wrong again where it is told.
        let _ = self.round(&asked, &mut |message| {
            if let Message::Found { index, found } = message {
                parts[index] = found.ok().and_then(part);
            }
            ControlFlow::Continue(())
        });
        parts
    }
}
