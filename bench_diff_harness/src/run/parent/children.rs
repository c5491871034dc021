//! Runs the processes of a round: first of the binary as linked, then of the round's layouts, one after the
//! other.

use std::ops::ControlFlow;
use std::process::Stdio;
use std::time::{Duration, Instant};

use bench_diff_binary::{Entries, Layout};
use bench_diff_core::Instruments;
use bench_diff_report::record::End;
use bench_diff_system::order::sort_by_key;
use bench_diff_system::temporary::TempFolder;

use super::in_turns::keep_equal_heaps;
use super::session;
use crate::plan::{ListedPair, PairKey, PairPlan, RunPlan};
use crate::run::protocol::{CostsRequest, PairRequest, Request, RoundRequest};
use crate::run::started::{Side, Start, Started};
use crate::run::{Message, Processes, Receive, RoundPair, Task};
use crate::settings::TimeLimit;

/// Starts processes of this binary, or of this binary and an old one.
pub(crate) struct Children<'p> {
    new: Side,
    /// The old binary, if the functions are compared with their old versions.
    old: Option<Side>,
    pub(super) folder: TempFolder,
    pub(super) costs: CostsRequest,
    /// The limit for one pair, over all of its rounds.
    pub(super) timeout: Option<&'p TimeLimit>,
    /// The time that each pair of the run has already used of that limit.
    pub(super) used: Vec<Duration>,
    /// When the budget of the run is spent.
    pub(super) end: Option<Instant>,
}

impl<'p> Children<'p> {
    /// Children of this binary, and of an old one if there is one.
    ///
    /// # Errors
    ///
    /// If there is no folder for their files.
    pub(crate) fn new(
        plan: &'p RunPlan,
        instruments: &Instruments<'_>,
        new: Side,
        old: Option<Side>,
    ) -> Result<Self, String> {
        Ok(Self {
            new,
            old,
            folder: TempFolder::of_run()?,
            costs: CostsRequest::of(instruments),
            timeout: plan.config.timeout.as_ref(),
            used: vec![Duration::ZERO; plan.pairs.len()],
            end: None,
        })
    }

    /// The layouts of the next round, at least this many, each with a layout of the old binary.
    fn next_round(&mut self, programs: usize) -> Result<Vec<(Layout, Option<Layout>)>, String> {
        let new = self.new.next_round(programs)?;
        let old = self.old.as_mut().map_or(Ok(Vec::new()), |side| side.next_round(programs))?;
        let mut old = old.into_iter();
        Ok(new.into_iter().map(|new| (new, old.next())).collect())
    }

    /// Measures all of these pairs in processes of this binary, or of both.
    fn all(
        &mut self,
        new: &Start,
        old: Option<&Start>,
        pairs: &[RoundPair<'_>],
        receive: Receive<'_>,
    ) -> ControlFlow<()> {
        if let Some(old) = old {
            return self.in_turns([new, old], pairs, receive);
        }
        let mut rest = pairs;
        while !rest.is_empty() {
            let answered = self.one_process(new, rest, receive)?;
            rest = &rest[answered..];
        }
        ControlFlow::Continue(())
    }

    /// Measures these pairs in one process, as far as it gets. Returns how many of them it answered.
    fn one_process(
        &mut self,
        start: &Start,
        wanted: &[RoundPair<'_>],
        receive: Receive<'_>,
    ) -> ControlFlow<(), usize> {
        let pairs = wanted.iter().map(|pair| PairRequest::new(pair.key, pair.task)).collect();
        let round = RoundRequest { costs: self.costs, start: start.memory, pairs };
        let request = Request { round: Some(round), ..Request::default() };
        match Started::new(&start.program, &self.folder, request, Stdio::null()) {
            Ok(started) => session::follow(self.timeout, &mut self.used, wanted, receive, started),
            Err(fault) => {
                all_failed(wanted, &fault.into(), receive)?;
                ControlFlow::Continue(wanted.len())
            }
        }
    }
}

impl Processes for Children<'_> {
    /// Measures each of these pairs as requested. If a pair fails in one layout, the other layouts skip it.
    fn round(
        &mut self,
        pairs: &[RoundPair<'_>],
        left: Option<Duration>,
        receive: Receive<'_>,
    ) -> ControlFlow<()> {
        self.end = left.and_then(|left| Instant::now().checked_add(left));
        let (mut in_layout, as_linked): (Vec<RoundPair<'_>>, Vec<RoundPair<'_>>) =
            pairs.iter().partition(|pair| pair.layouts > 0);
        let (new, old) = (self.new.as_linked(), self.old.as_ref().map(Side::as_linked));
        self.all(&new, old.as_ref(), &as_linked, receive)?;
        let Some(programs) = in_layout.iter().map(|pair| pair.layouts).max() else {
            return ControlFlow::Continue(());
        };
        keep_equal_heaps(&mut in_layout);
        let layouts = match self.next_round(programs) {
            Ok(layouts) => layouts,
            Err(reason) => return all_failed(&in_layout, &End::Error { reason, output: None }, receive),
        };
        for (number, (new, old)) in layouts.into_iter().enumerate() {
            let share: Vec<RoundPair<'_>> = in_layout
                .iter()
                .filter(|pair| number < pair.layouts)
                .map(|pair| RoundPair { task: pair.task.share_of(number), ..*pair })
                .collect();
            let old = self.old.as_ref().zip(old.as_ref()).map(|(side, old)| side.in_layout(old));
            let new = self.new.in_layout(&new);
            self.all(&new, old.as_ref(), &share, &mut |message| {
                if let Message::Found { index, found } = &message
                    && found.is_err()
                {
                    in_layout.retain(|pair| pair.index != *index);
                }
                receive(message)
            })?;
        }
        ControlFlow::Continue(())
    }
}

/// Ends all of these pairs in the same way.
fn all_failed(pairs: &[RoundPair<'_>], end: &End, receive: Receive<'_>) -> ControlFlow<()> {
    let found = || Box::new(Err(end.clone()));
    pairs.iter().try_for_each(|pair| receive(Message::Found { index: pair.index, found: found() }))
}

impl Children<'_> {
    /// The offsets of the functions of these pairs, which have these keys in the binary, as it is linked;
    /// `None` if no process can provide them.
    pub(crate) fn entries(
        mut self,
        pairs: &[&PairPlan],
        key: fn(&ListedPair) -> PairKey,
    ) -> Vec<Option<Entries>> {
        let wanted = pairs.iter().enumerate().map(|(index, pair)| RoundPair {
            key: key(&pair.listed),
            ..RoundPair::as_linked(index, pair, Task::Compare)
        });
        // In the order of the source, one visit of an attribute finds all.
        let mut wanted: Vec<RoundPair<'_>> = wanted.collect();
        sort_by_key(&mut wanted, |pair| (pair.key.attribute, pair.key.index));
        self.used = vec![Duration::ZERO; pairs.len()];
        let mut entries = vec![None; pairs.len()];
        // If anything fails here, it fails again when the pairs are measured, and is reported then.
        let _ = self.round(&wanted, None, &mut |message| {
            if let Message::Found { index, found } = message {
                entries[index] = found.ok().and_then(|finding| finding.entries);
            }
            ControlFlow::Continue(())
        });
        entries
    }
}
