//! The messages between the run and a process that takes turns.

use std::io;
use std::time::Duration;

use bench_diff_core::apart::{FunctionApart, Taken};
use bench_diff_core::{Activity, Seed, SlotTime, Turn};

use super::channel::{Channel, Wait, Words};
use crate::call::allocations::FunctionAllocations;
use crate::call::work::Work;
use crate::record::{json, nanoseconds};
use crate::run::fault::Fault;
use crate::run::protocol::{CallsRequest, TurnsRequest};

/// The beginning of a request for a function. It lets a process decide whether it is the one to answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Begin {
    /// The length of the text that follows.
    length: u64,
    /// The position of the function's attribute in the program.
    pub(super) attribute: usize,
    /// The digest of the name of its pair.
    pair: u64,
    /// The size of the first block on the heap, and the seed of the blocks that the process keeps.
    pub(super) heap: usize,
    pub(super) blocks: Seed,
}

impl Begin {
    /// Reads the beginning of the next request and leaves the request in the channel. Returns `None` when the
    /// run has no more requests.
    pub(super) fn next(channel: &Channel) -> Option<Self> {
        let [kind, length, attribute, pair, heap, blocks, _] = channel.peek()?;
        let begin =
            Self { length, attribute: attribute as usize, pair, heap: heap as usize, blocks: Seed(blocks) };
        (kind == BEGIN).then_some(begin)
    }

    pub(super) fn is_for(self, pair: &str) -> bool {
        self.pair == digest(pair)
    }

    /// Takes the whole request out of the channel, and returns the text after its beginning.
    pub(super) fn receive(self, channel: &mut Channel) -> Result<CallsRequest, String> {
        let text =
            channel.receive(&mut || Ok(())).and_then(|_| channel.receive_text(self.length, &mut || Ok(())));
        let text = text.map_err(|fault| fault.to_string())?.ok_or("the run is gone")?;
        json::from_str(&text)
    }
}

fn digest(pair: &str) -> u64 {
    Seed(0).for_pair(pair).0
}

impl TurnsRequest {
    pub(in crate::run) fn send(&self, channel: &mut Channel) -> io::Result<()> {
        let text = json::to_string(&self.calls);
        let [length, attribute, heap] = [text.len(), self.attribute, self.heap].map(|number| number as u64);
        let begin = [BEGIN, length, attribute, digest(&self.name), heap, self.blocks, 0];
        channel.send_with_text(begin, &text)
    }
}

/// A request of the run to a process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::run) enum Wish {
    /// A turn, and whether it needs a new input first.
    Turn(Turn, bool),
    /// Making the inputs of this many calls, which is timed. They are dropped.
    Inputs(u64),
    /// The end of the process.
    End,
}

/// The answer of a process.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::run) enum Answer {
    Taken(Taken),
    /// The time of making the inputs, in nanoseconds.
    Inputs(u64),
    /// The function has been called once.
    Ready(Box<Ready>),
    /// The last answer: the work of one call, or why the function cannot be measured.
    Done(Result<Work, String>),
    /// The program has no pair with the requested name.
    NoSuchPair,
    /// The copy of the process that called the function has ended. The run may request another one.
    Ended,
}

/// What a process knows about its function after the first call. Times are nanoseconds.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(in crate::run) struct Ready {
    pub(in crate::run) first_call: u64,
    /// The time of preparing the function, including its first calls.
    pub(in crate::run) preparing: u64,
    pub(in crate::run) has_fresh_inputs: bool,
    pub(in crate::run) needs_room: bool,
    pub(in crate::run) most_calls: u64,
    pub(in crate::run) is_whole_slot: bool,
    /// The place of its code in its cache line.
    pub(in crate::run) place: Option<usize>,
    /// The number of calls whose allocations were counted, and their allocations.
    pub(in crate::run) allocations: Option<(usize, FunctionAllocations)>,
    pub(in crate::run) call_notes: Vec<String>,
}

impl Ready {
    pub(in crate::run) fn function(&self) -> FunctionApart {
        FunctionApart {
            first_call: Duration::from_nanos(self.first_call),
            has_fresh_inputs: self.has_fresh_inputs,
            needs_room: self.needs_room,
            most_calls: self.most_calls,
            is_whole_slot: self.is_whole_slot,
            entry: self.place,
        }
    }
}

/// The kinds of messages.
const TURN: u64 = 1;
const INPUTS: u64 = 2;
const END: u64 = 3;
const READY: u64 = 4;
const DONE: u64 = 5;
const BEGIN: u64 = 6;
const ENDED: u64 = 7;
const NO_SUCH_PAIR: u64 = 8;

/// Stands for a missing number.
const NONE: u64 = u64::MAX;

impl Wish {
    pub(in crate::run) fn send(self, channel: &mut Channel) -> io::Result<()> {
        channel.send(match self {
            Self::Turn(Turn { is_empty, iterations, uncounted, counted, by_cpu }, renews) => {
                [TURN, iterations, uncounted, counted, is_empty.into(), by_cpu.into(), renews.into()]
            }
            Self::Inputs(iterations) => [INPUTS, iterations, 0, 0, 0, 0, 0],
            Self::End => [END, 0, 0, 0, 0, 0, 0],
        })
    }

    /// The next wish, or the end if the run is gone.
    pub(super) fn receive(channel: &mut Channel) -> Self {
        match channel.receive(&mut || Ok(())) {
            Ok(Some([TURN, iterations, uncounted, counted, is_empty, by_cpu, renews])) => {
                let (is_empty, by_cpu) = (is_empty != 0, by_cpu != 0);
                Self::Turn(Turn { is_empty, iterations, uncounted, counted, by_cpu }, renews != 0)
            }
            Ok(Some([INPUTS, iterations, ..])) => Self::Inputs(iterations),
            _ => Self::End,
        }
    }
}

impl Answer {
    pub(in crate::run) fn send(self, channel: &mut Channel) -> io::Result<()> {
        match self {
            Self::Taken(Taken { time: SlotTime { wall, without_rest, cpu }, activity }) => {
                let switches = activity.map_or(NONE, |activity| activity.voluntary_switches);
                let others = activity.map_or(0, |activity| nanoseconds(activity.other_threads_cpu));
                channel.send([TURN, wall, without_rest, cpu.unwrap_or(NONE), switches, others, 0])
            }
            Self::Inputs(time) => channel.send([INPUTS, time, 0, 0, 0, 0, 0]),
            Self::Ended => channel.send([ENDED, 0, 0, 0, 0, 0, 0]),
            Self::NoSuchPair => channel.send([NO_SUCH_PAIR, 0, 0, 0, 0, 0, 0]),
            Self::Ready(ready) => channel.send_text(READY, &json::to_string(&*ready)),
            Self::Done(done) => {
                let reason = done.as_ref().err().cloned();
                channel.send_text(DONE, &json::to_string(&(reason, done.unwrap_or_default())))
            }
        }
    }

    /// The next answer; `None` if the process is gone.
    pub(in crate::run) fn receive(channel: &mut Channel, wait: Wait<'_>) -> Result<Option<Self>, Fault> {
        let Some(words) = channel.receive(wait)? else { return Ok(None) };
        let [kind, first, ..] = words;
        Ok(Some(match kind {
            TURN => Self::Taken(taken(words)),
            INPUTS => Self::Inputs(first),
            ENDED => Self::Ended,
            NO_SUCH_PAIR => Self::NoSuchPair,
            READY | DONE => {
                let Some(text) = channel.receive_text(first, wait)? else { return Ok(None) };
                if kind == READY {
                    Self::Ready(Box::new(json::from_str(&text).map_err(Fault::Lost)?))
                } else {
                    let done: Result<(Option<String>, Work), String> = json::from_str(&text);
                    let (reason, work) = done.map_err(Fault::Lost)?;
                    Self::Done(reason.map_or(Ok(work), Err))
                }
            }
            _ => return Err(Fault::Lost("it sent an unknown answer".to_owned())),
        }))
    }
}

fn taken([_, wall, without_rest, cpu, switches, others, _]: Words) -> Taken {
    let number = |word: u64| Some(word).filter(|word| *word != NONE);
    let activity = number(switches).map(|voluntary_switches| Activity {
        voluntary_switches,
        other_threads_cpu: Duration::from_nanos(others),
    });
    Taken { time: SlotTime { wall, without_rest, cpu: number(cpu) }, activity }
}
