//! The rounds of two programs, in layouts of both or as they are linked.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use bench_diff_core::Instruments;
use bench_diff_core::apart::Function;

use super::both::{Both, Failure, Partners};
use super::partner::Partner;
use crate::layout::{Layout, PROGRAMS};
use crate::plan::RunPlan;
use crate::run::each_layout::{InLayouts, Receive};
use crate::run::list::Functions;
use crate::run::one_pair::Finding;
use crate::run::protocol::{CostsRequest, StartRequest, TurnsRequest};
use crate::run::side::{Side, Start};
use crate::run::started::folder;
use crate::run::{Asked, Message, Processes, Task};
use crate::settings::TimeLimit;
use crate::system::affinity;
use crate::system::temporary::TempFolder;

/// Processes of two programs.
pub(crate) struct Revisions<'p> {
    now: Side,
    old: Side,
    old_functions: Functions,
    folder: TempFolder,
    costs: CostsRequest,
    /// The CPUs of which each round draws one.
    cpus: Vec<usize>,
    /// Of one pair, in all of its rounds.
    timeout: Option<&'p TimeLimit>,
    /// The time that each pair of the run has used of that.
    used: Vec<Duration>,
}

impl<'p> Revisions<'p> {
    /// The programs of today and of an old revision, which has these functions.
    ///
    /// # Errors
    ///
    /// If there is no folder for the messages of processes; the text says why.
    pub(crate) fn new(
        plan: &'p RunPlan,
        instruments: &Instruments<'_>,
        now: Side,
        old: Side,
        old_functions: Functions,
    ) -> Result<Self, String> {
        Ok(Self {
            now,
            old,
            old_functions,
            folder: folder()?,
            costs: CostsRequest::of(instruments),
            cpus: affinity::own(),
            timeout: plan.timeout.as_ref(),
            used: vec![Duration::ZERO; plan.pairs.len()],
        })
    }

    /// Has a pair measured by these processes, or by new ones.
    fn pair(
        &mut self,
        partners: &mut Option<Partners<'p>>,
        starts: &[Start; 2],
        asked: &Asked<'_>,
        receive: &mut dyn FnMut(Message) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let index = asked.index;
        receive(Message::Started(index))?;
        let start = Instant::now();
        let found = self.found(partners, starts, asked);
        self.used[index] += start.elapsed();
        receive(match found {
            Ok(finding) => Message::found(index, Ok(finding)),
            Err(Failure { function: Function::Candidate, reason, output }) => {
                Message::Found { index, found: Box::new(Err(reason)), output }
            }
            Err(Failure { function: Function::Baseline, reason, .. }) => {
                Message::Incomparable { index, reason: format!("in the old revision: {reason}") }
            }
        })
    }

    fn found(
        &mut self,
        partners: &mut Option<Partners<'p>>,
        starts: &[Start; 2],
        asked: &Asked<'_>,
    ) -> Result<Finding, Failure> {
        let task = asked.task;
        let of_old = self.old_functions.attributes.get(&asked.pair.listed.name);
        let of_old = *of_old.ok_or_else(|| Failure::of(Function::Baseline, "it has no such function"))?;
        let cpu = self.cpu(asked);
        let mut pair = match partners.take() {
            Some(partners) => partners,
            None => {
                let [now, old] = starts;
                let start = |(program, _): &Start, function| {
                    Partner::start(program, &self.folder).map_err(|reason| Failure::of(function, reason))
                };
                [start(now, Function::Candidate)?, start(old, Function::Baseline)?]
            }
        };
        let limit = self.timeout.map(|limit| (limit, self.used[asked.index]));
        let sides = [(Function::Candidate, asked.pair.listed.attribute), (Function::Baseline, of_old)];
        for ((partner, (_, start)), (function, attribute)) in pair.iter_mut().zip(starts).zip(sides) {
            partner.begin(&request(asked, *start, function, attribute, cpu), limit);
        }
        let mut both = Both::new(pair);
        let found = both.found(task, &self.costs, cpu)?;
        if task.is_first_judged() {
            both.show();
        }
        // Whoever could not be measured takes its processes along.
        *partners = both.partners_that_stay();
        Ok(found)
    }

    /// The CPU on which both functions take turns, where each is called by one thread.
    fn cpu(&self, asked: &Asked<'_>) -> Option<usize> {
        let drawn = asked.pair.plan.seed.for_round(number(asked.task)).for_pair("cpu");
        let count = self.cpus.len().max(1);
        let cpu = self.cpus.get(drawn.0 as usize % count).copied();
        cpu.filter(|_| asked.pair.listed.threads == 1)
    }
}

/// The number of the process in all rounds of its pair.
fn number(task: Task) -> usize {
    if let Task::Measure { round: Some(share), .. } = task { share.number } else { 0 }
}

/// The request to a process of one side.
fn request(
    asked: &Asked<'_>,
    start: StartRequest,
    function: Function,
    attribute: usize,
    cpu: Option<usize>,
) -> TurnsRequest {
    let side = match function {
        Function::Candidate => "now",
        Function::Baseline => "old",
    };
    let (seed, number) = (asked.pair.plan.seed, number(asked.task));
    TurnsRequest {
        attribute,
        name: asked.pair.listed.name.clone(),
        start,
        // The programs of a round have their heaps at four places of the line, behind equal blocks.
        blocks: seed.for_round(number / PROGRAMS).for_pair(side).0,
        stacks: seed.for_round(number).for_pair(side).0,
        cpu,
        counts: asked.task.counts(),
    }
}

impl InLayouts for Revisions<'_> {
    type Layout = (Layout, Layout);

    fn next_round(&mut self) -> Result<Vec<(Layout, Layout)>, String> {
        Ok(self.now.next_round()?.into_iter().zip(self.old.next_round()?).collect())
    }

    fn all(
        &mut self,
        layout: Option<&(Layout, Layout)>,
        asked: &[Asked<'_>],
        receive: Receive<'_>,
    ) -> ControlFlow<()> {
        let (now, old) = layout.map(|(now, old)| (now, old)).unzip();
        let (starts, mut partners) = ([self.now.start(now), self.old.start(old)], None);
        asked.iter().try_for_each(|asked| self.pair(&mut partners, &starts, asked, receive))
    }
}

impl Processes for Revisions<'_> {
    fn round(
        &mut self,
        asked: &[Asked<'_>],
        receive: &mut dyn FnMut(Message) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.linked_and_in_layouts(asked, receive)
    }
}
