//! Measures pairs whose functions are in two binaries, by processes that take turns.

use std::ops::ControlFlow;
use std::time::Instant;

use bench_diff_binary::PROGRAMS;
use bench_diff_report::record::End;
use bench_diff_system::affinity;
use bench_diff_system::order::in_order;

use super::both::{Both, Partners};
use super::children::Children;
use super::partner::Partner;
use crate::call::allocations::{FEW, MANY};
use crate::run::fault::Fault;
use crate::run::one_pair::{AS_LINKED, Finding};
use crate::run::started::Start;
use crate::run::turns::{Begin, CallsRequest, TurnsRequest};
use crate::run::{Message, Receive, RoundPair, Task};

impl<'p> Children<'p> {
    /// Measures all of these pairs in processes of this binary and of the old one.
    pub(super) fn in_turns(
        &mut self,
        starts: [&Start; 2],
        pairs: &[RoundPair<'_>],
        receive: Receive<'_>,
    ) -> ControlFlow<()> {
        let mut partners = None;
        let received = pairs.iter().try_for_each(|pair| {
            receive(Message::Started(pair.index))?;
            let start = Instant::now();
            let found = self.found_in_turns(&mut partners, starts, pair);
            self.used[pair.index] += start.elapsed();
            if found.is_err() {
                // Ends the run instead, if its budget is what ended the function.
                receive(Message::Started(pair.index))?;
            }
            receive(Message::Found { index: pair.index, found: Box::new(found) })
        });
        let names_benchmarks = pairs.last().is_some_and(|last| last.pair.listed.key.is_named_by_front_end());
        if let Some(partners) = partners.filter(|_| names_benchmarks) {
            Partner::end_all(partners);
        }
        received
    }

    /// The finding on a pair, from these processes or from new ones.
    fn found_in_turns(
        &self,
        partners: &mut Option<Partners<'p>>,
        starts: [&Start; 2],
        round_pair: &RoundPair<'_>,
    ) -> Result<Finding, End> {
        let task = round_pair.task;
        let mut pair = match partners.take() {
            Some(partners) => partners,
            None => {
                let [new, old] = starts;
                // A process that cannot start is not the function's fault.
                let start = |start: &Start| Partner::start(&start.program, &self.folder);
                [start(new)?, start(old)?]
            }
        };
        let limit = self.timeout.map(|limit| (limit, self.used[round_pair.index]));
        let requests = requests(round_pair, starts);
        for (partner, request) in pair.iter_mut().zip(&requests) {
            partner.begin(request, limit, self.end);
        }
        let mut both = Both::new(pair);
        let found = match both.found(task, &self.costs, cpu(round_pair)) {
            Ok(found) => found,
            Err(failure) => {
                let new_function_goes_on = move || both.new_function_goes_on();
                let [_, old] = &requests;
                let comes_again = || {
                    // Calls the old function for the first time in a new process.
                    Partner::start(&starts[1].program, &self.folder).is_ok_and(|mut partner| {
                        partner.begin(old, limit, self.end);
                        partner.ready().is_err_and(|fault| !matches!(fault, Fault::Outside(_)))
                    })
                };
                return Err(failure.end(new_function_goes_on, comes_again));
            }
        };
        if task.is_first() {
            let [new, _] = &mut both.partners;
            new.output.show(new.output.length());
        }
        // After a failure, the processes are dropped and not used for another pair.
        *partners = Some(both.partners).filter(|both| both.iter().all(|partner| partner.stays));
        Ok(found)
    }
}

/// Decides which pairs may let both heaps begin at the same line. That takes rounds of four layouts, since a
/// single line could favor one side. It also takes equal heaps in all pairs of an attribute, since one
/// process visits the attribute for all of them.
pub(super) fn keep_equal_heaps(pairs: &mut [RoundPair<'_>]) {
    let attribute = |pair: &RoundPair<'_>| pair.pair.listed.key.attribute;
    let is_unequal = |pair: &&RoundPair<'_>| !pair.has_equal_heaps || pair.layouts < PROGRAMS;
    let unequal = in_order(pairs.iter().filter(is_unequal).map(attribute));
    for pair in pairs {
        pair.has_equal_heaps = unequal.binary_search(&attribute(pair)).is_err();
    }
}

/// The requests to both processes.
fn requests(round_pair: &RoundPair<'_>, starts: [&Start; 2]) -> [TurnsRequest; 2] {
    let (seed, number) = (round_pair.pair.plan.seed, number(round_pair.task));
    let listed = &round_pair.pair.listed;
    // Each process counts without the other, so with a gate, neither can know whether a few calls are
    // enough.
    let counted = match round_pair.pair.max_allocations {
        _ if !round_pair.task.is_first() => 0,
        None => FEW,
        Some(_) => MANY,
    };
    let [new, old] = starts;
    [("new", listed.key, new), ("old", listed.in_old(), old)].map(|(side, key, start)| TurnsRequest {
        begin: Begin {
            key,
            // If the change moves nothing on the heap, both sides may have the same line.
            heap: if round_pair.has_equal_heaps { new.memory.heap } else { start.memory.heap },
            // A change of the source does not affect their sizes, so both sides have the same.
            blocks: seed.for_round(number).for_pair("blocks"),
        },
        calls: CallsRequest {
            stack: start.memory.stack,
            stacks: seed.for_round(number).for_pair(side).0,
            counted,
            shows_heap: number == AS_LINKED,
        },
    })
}

/// The CPU on which both functions take turns, if each is called by a single thread.
fn cpu(round_pair: &RoundPair<'_>) -> Option<usize> {
    let drawn = round_pair.pair.plan.seed.for_round(number(round_pair.task)).for_pair("cpu");
    let cpus = affinity::own();
    let cpu = cpus.get(drawn.0 as usize % cpus.len().max(1)).copied();
    cpu.filter(|_| round_pair.pair.listed.threads == 1)
}

/// The process number, counted over all rounds of the pair.
fn number(task: Task) -> usize {
    if let Task::Measure { round: Some(share), .. } = task { share.number } else { 0 }
}

#[cfg(test)]
mod tests {
    use bench_diff_system::executable::Executable;

    use super::*;
    use crate::fixture::{entry, equal, planned};
    use crate::run::one_pair::Share;
    use crate::run::protocol::StartRequest;

    #[test]
    fn both_sides_have_equal_blocks_and_other_ones_in_each_process() {
        let plan = planned("--bench", &[entry("a", 1, equal)]);
        let pair = &plan.pairs[0];
        let [new, old] = [16, 32].map(|heap| Start {
            program: Executable::this().unwrap(),
            memory: StartRequest { heap, ..StartRequest::default() },
        });
        let blocks = [0, 1, 2, 3].map(|number| {
            let round = Some(Share { number, duos: 1, iterations: 1, is_first: false, is_of_four: true });
            let task = Task::Measure { plan: pair.plan, round };
            let [alone, alike] = [false, true].map(|has_equal_heaps| {
                let key = pair.listed.key;
                let pair = RoundPair { index: 0, pair, key, task, layouts: PROGRAMS, has_equal_heaps };
                requests(&pair, [&new, &old])
            });
            assert_eq!(alone.each_ref().map(|side| side.begin.heap), [16, 32]);
            assert_eq!(alike.each_ref().map(|side| side.begin.heap), [16, 16]);
            let [new, old] = alone;
            assert_eq!(new.begin.blocks, old.begin.blocks);
            assert_ne!(new.calls.stacks, old.calls.stacks);
            new.begin.blocks.0
        });
        assert_eq!(in_order(blocks).len(), 4);
    }

    #[test]
    fn heaps_begin_at_one_line_in_four_layouts_for_whole_attributes() {
        let mut plan = planned("--bench", &[entry("a", 1, equal), entry("b", 2, equal)]);
        plan.pairs[1].listed.key.attribute = 1;
        let kept = |pairs: &[(usize, usize, bool)]| {
            let pair = |(index, layouts, has_equal_heaps)| RoundPair {
                index,
                pair: &plan.pairs[index],
                key: plan.pairs[index].listed.key,
                task: Task::Check,
                layouts,
                has_equal_heaps,
            };
            let mut pairs: Vec<RoundPair<'_>> = pairs.iter().copied().map(pair).collect();
            keep_equal_heaps(&mut pairs);
            pairs.iter().map(|pair| pair.has_equal_heaps).collect::<Vec<_>>()
        };
        assert_eq!(kept(&[(0, PROGRAMS, true), (1, PROGRAMS, false)]), [true, false]);
        assert_eq!(kept(&[(0, PROGRAMS, true), (0, PROGRAMS, false)]), [false, false]);
        assert_eq!(kept(&[(0, 1, true)]), [false]);
    }
}
