//! What the run asks of a process that takes turns.

use std::io;

use bench_diff_core::{Seed, Turn};
use bench_diff_system::json;

use super::channel::Channel;
use super::frame::Frame;
use crate::plan::PairKey;

/// The request to call a function in turns.
#[derive(Debug)]
pub(in crate::run) struct TurnsRequest {
    pub(in crate::run) begin: Begin,
    pub(in crate::run) calls: CallsRequest,
}

/// The beginning of a request. It lets a process decide whether it is the one to answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::run) struct Begin {
    /// The key of the pair whose candidate the function is.
    pub(in crate::run) key: PairKey,
    /// The size of the first block on the heap, in bytes, and the seed of the blocks that the process keeps.
    pub(in crate::run) heap: usize,
    pub(in crate::run) blocks: Seed,
}

/// The calls of the function.
#[derive(Debug, miniserde::Deserialize, miniserde::Serialize)]
pub(in crate::run) struct CallsRequest {
    /// The place of the stack, as in [`StartRequest`](crate::run::protocol::StartRequest), and the seed of
    /// random places.
    pub(in crate::run) stack: Option<u8>,
    pub(in crate::run) stacks: u64,
    /// The fewest calls whose allocations are counted; 0 to count none.
    pub(in crate::run) counted: usize,
    /// True if the process shows how the function has left the heap.
    pub(in crate::run) shows_heap: bool,
}

impl TurnsRequest {
    pub(in crate::run) fn send(&self, channel: &mut Channel) -> io::Result<()> {
        let Begin { key, heap, blocks: Seed(blocks) } = self.begin;
        let begin = Frame::new("begin").with(&key.numbers()).with(&[heap as u64, blocks]);
        channel.send(&begin.with_text(json::to_string(&self.calls)))
    }
}

impl Begin {
    /// Reads the beginning of the next request and leaves the request in the channel. Returns `None` when the
    /// run has no more requests.
    pub(super) fn next(channel: &Channel) -> Option<Self> {
        let mut frame = channel.peek().filter(|frame| frame.kind() == "begin")?;
        Some(Self {
            key: PairKey::of_numbers([(); 5].map(|()| frame.number())),
            heap: frame.number() as usize,
            blocks: Seed(frame.number()),
        })
    }
}

impl CallsRequest {
    /// Takes the next request out of the channel; `None` if the run is gone.
    pub(super) fn receive(channel: &mut Channel) -> Option<Self> {
        json::from_str(&channel.receive(&mut || Ok(())).ok()??.text).ok()
    }
}

/// A request of the run about the function that a process calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::run) enum Instruction {
    /// Calls the function on this CPU from now on. There is no answer.
    Confine { cpu: usize },
    /// A turn, and whether it needs a new input first.
    Turn { turn: Turn, renews: bool },
    /// Making the inputs of this many calls, which is timed. They are dropped.
    Inputs { calls: u64 },
    /// The end of the process.
    End,
}

impl Instruction {
    pub(in crate::run) fn send(self, channel: &mut Channel) -> io::Result<()> {
        channel.send(&match self {
            Self::Confine { cpu } => Frame::new("confine").with(&[cpu as u64]),
            Self::Turn { turn: Turn { is_empty, iterations, uncounted, counted, by_cpu }, renews } => {
                let [is_empty, by_cpu, renews] = [is_empty, by_cpu, renews].map(u64::from);
                Frame::new("turn").with(&[is_empty, iterations, uncounted, counted, by_cpu, renews])
            }
            Self::Inputs { calls } => Frame::new("inputs").with(&[calls]),
            Self::End => Frame::new("end"),
        })
    }

    /// The next instruction, or the end if the run is gone.
    pub(super) fn receive(channel: &mut Channel) -> Self {
        let Ok(Some(mut frame)) = channel.receive(&mut || Ok(())) else { return Self::End };
        match frame.kind() {
            "confine" => Self::Confine { cpu: frame.number() as usize },
            "turn" => {
                let turn = Turn {
                    is_empty: frame.flag(),
                    iterations: frame.number(),
                    uncounted: frame.number(),
                    counted: frame.number(),
                    by_cpu: frame.flag(),
                };
                Self::Turn { turn, renews: frame.flag() }
            }
            "inputs" => Self::Inputs { calls: frame.number() },
            _ => Self::End,
        }
    }
}
