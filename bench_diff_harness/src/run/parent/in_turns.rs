//! Pairs whose functions are those of two programs, in processes that take turns.

use std::ops::ControlFlow;
use std::time::Instant;

use super::both::{Both, Partners};
use super::children::Children;
use super::partner::Partner;
use crate::call::allocations::{FEW, MANY};
use crate::layout::PROGRAMS;
use crate::record::End;
use crate::run::one_pair::Finding;
use crate::run::protocol::{CallsRequest, TurnsRequest};
use crate::run::side::Start;
use crate::run::{Asked, Message, Receive, Task};
use crate::system::affinity;

impl<'p> Children<'p> {
    /// Has all of these pairs measured by processes of this program and of the old one.
    pub(super) fn in_turns(
        &mut self,
        starts: [&Start; 2],
        asked: &[Asked<'_>],
        receive: Receive<'_>,
    ) -> ControlFlow<()> {
        let mut partners = None;
        asked.iter().try_for_each(|asked| {
            receive(Message::Started(asked.index))?;
            let start = Instant::now();
            let found = self.found_in_turns(&mut partners, starts, asked);
            self.used[asked.index] += start.elapsed();
            receive(Message::Found { index: asked.index, found: Box::new(found) })
        })
    }

    /// The finding on a pair of these processes, or of new ones.
    fn found_in_turns(
        &self,
        partners: &mut Option<Partners<'p>>,
        starts: [&Start; 2],
        asked: &Asked<'_>,
    ) -> Result<Finding, End> {
        let task = asked.task;
        let cpu = cpu(asked);
        let mut pair = match partners.take() {
            Some(partners) => partners,
            None => {
                let [now, old] = starts;
                // That there is no process is no fault of the function.
                let start = |start: &Start| {
                    Partner::start(&start.program, &self.folder)
                        .map_err(|reason| End::Error { reason, output: None })
                };
                [start(now)?, start(old)?]
            }
        };
        let limit = self.timeout.map(|limit| (limit, self.used[asked.index]));
        let requests = requests(asked, starts, cpu);
        for (partner, request) in pair.iter_mut().zip(&requests) {
            partner.begin(request, limit);
        }
        let mut both = Both::new(pair);
        let found = both.found(task, &self.costs, cpu).map_err(|failure| {
            let [_, old] = &requests;
            let comes_again = || {
                // Calls it for the first time in a new process.
                Partner::start(&starts[1].program, &self.folder).is_ok_and(|mut partner| {
                    partner.begin(old, limit);
                    partner.ready().is_err_and(|fault| fault.is_own_end())
                })
            };
            failure.end(comes_again, || both.today_goes_on())
        })?;
        if task.is_first_judged() {
            both.show();
        }
        // Whoever could not be measured takes its processes along.
        *partners = both.partners_that_stay();
        Ok(found)
    }
}

/// The requests to both processes.
fn requests(asked: &Asked<'_>, starts: [&Start; 2], cpu: Option<usize>) -> [TurnsRequest; 2] {
    let (seed, number) = (asked.pair.plan.seed, number(asked.task));
    let listed = &asked.pair.listed;
    // Each counts without the other, and where there is a gate none of them can tell what is enough.
    let counted = match asked.pair.max_allocations {
        _ if !asked.task.counts() => 0,
        None => FEW,
        Some(_) => MANY,
    };
    let [now, old] = starts;
    [("now", listed.here(), now), ("old", listed.there(), old)].map(|(side, (attribute, name), start)| {
        TurnsRequest {
            attribute,
            name: name.to_owned(),
            heap: start.memory.heap,
            blocks: seed.for_round(round(asked)).for_pair(side).0,
            calls: CallsRequest {
                stack: start.memory.stack,
                stacks: seed.for_round(number).for_pair(side).0,
                cpu,
                counted,
            },
        }
    })
}

/// The CPU on which both functions take turns, where each is called by one thread.
fn cpu(asked: &Asked<'_>) -> Option<usize> {
    let drawn = asked.pair.plan.seed.for_round(number(asked.task)).for_pair("cpu");
    let cpus = affinity::own();
    let cpu = cpus.get(drawn.0 as usize % cpus.len().max(1)).copied();
    cpu.filter(|_| asked.pair.listed.threads == 1)
}

/// The number of the process in all rounds of its pair.
fn number(task: Task) -> usize {
    if let Task::Measure { round: Some(share), .. } = task { share.number } else { 0 }
}

/// The number of the round, whose blocks are equal: its programs have their heaps behind them at four places
/// of the line.
fn round(asked: &Asked<'_>) -> usize {
    number(asked.task) / if asked.in_layout { PROGRAMS } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, planned};
    use crate::run::one_pair::Share;

    #[test]
    fn processes_of_one_round_have_equal_blocks() {
        let plan = planned("--bench", &[entry("a", 1, equal)]);
        let pair = &plan.pairs[0];
        let rounds = |in_layout| {
            [0, 3, 4, 5].map(|number| {
                let round = Some(Share { number, duos: 1, iterations: 1, counts: false });
                let task = Task::Measure { plan: pair.plan, round };
                super::round(&Asked { index: 0, pair, task, in_layout })
            })
        };
        assert_eq!(rounds(true), [0, 0, 1, 1]);
        assert_eq!(rounds(false), [0, 3, 4, 5]);
    }
}
