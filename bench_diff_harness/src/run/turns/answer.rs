//! What a process that takes turns answers.

use std::io;
use std::time::Duration;

use bench_diff_core::apart::{FunctionApart, Taken};
use bench_diff_core::{Activity, SlotTime, saturating_nanoseconds};
use bench_diff_report::record::FunctionAllocations;
use bench_diff_system::json;

use super::channel::{Channel, Wait};
use super::frame::Frame;
use crate::call::work::Work;
use crate::run::fault::Fault;

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
    /// The binary has no pair with the requested name.
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
    pub(in crate::run) times_itself: bool,
    /// The place of its code in its cache line.
    pub(in crate::run) place: Option<usize>,
    /// The number of calls whose allocations were counted, and their allocations.
    pub(in crate::run) allocations: Option<(usize, FunctionAllocations)>,
    /// A digest of the heap after the first call, if it was requested.
    pub(in crate::run) heap: Option<u64>,
    /// True if other threads may have worked in the first calls.
    pub(in crate::run) has_threads: bool,
    /// True if the pair has another name in this process than the run knows.
    pub(in crate::run) is_renamed: bool,
    pub(in crate::run) call_note: Option<String>,
}

impl Ready {
    pub(in crate::run) fn function(&self) -> FunctionApart {
        FunctionApart {
            first_call: Duration::from_nanos(self.first_call),
            has_fresh_inputs: self.has_fresh_inputs,
            needs_room: self.needs_room,
            most_calls: self.most_calls,
            is_whole_slot: self.is_whole_slot,
            times_itself: self.times_itself,
            entry: self.place,
        }
    }
}

impl Answer {
    pub(in crate::run) fn send(self, channel: &mut Channel) -> io::Result<()> {
        channel.send(&match self {
            Self::Taken(Taken { time, activity }) => Frame::new("taken")
                .with(&[time.wall, time.without_rest])
                .with_option(time.cpu)
                .with_option(activity.map(|activity| activity.voluntary_switches))
                .with(&[activity.map_or(0, |activity| saturating_nanoseconds(activity.other_threads_cpu))]),
            Self::Inputs(time) => Frame::new("inputs").with(&[time]),
            Self::Ready(ready) => Frame::new("ready").with_text(json::to_string(&*ready)),
            Self::Done(Ok(work)) => Frame::new("done").with_text(json::to_string(&work)),
            Self::Done(Err(failed)) => Frame::new("failed").with_text(json::to_string(&failed)),
            Self::NoSuchPair => Frame::new("no pair"),
            Self::Ended => Frame::new("ended"),
        })
    }

    /// The next answer; `None` if the process is gone.
    pub(in crate::run) fn receive(channel: &mut Channel, wait: Wait<'_>) -> Result<Option<Self>, Fault> {
        let Some(mut frame) = channel.receive(wait)? else { return Ok(None) };
        Ok(Some(match frame.kind() {
            "taken" => Self::Taken(taken(&mut frame)),
            "inputs" => Self::Inputs(frame.number()),
            "ready" => Self::Ready(Box::new(json::from_str(&frame.text).map_err(Fault::Outside)?)),
            "done" => Self::Done(Ok(json::from_str(&frame.text).map_err(Fault::Outside)?)),
            "failed" => Self::Done(Err(json::from_str(&frame.text).map_err(Fault::Outside)?)),
            "no pair" => Self::NoSuchPair,
            "ended" => Self::Ended,
            _ => return Err(Fault::Outside("it sent an unknown answer".to_owned())),
        }))
    }
}

fn taken(frame: &mut Frame) -> Taken {
    let time = SlotTime { wall: frame.number(), without_rest: frame.number(), cpu: frame.option() };
    let (switches, other_threads_cpu) = (frame.option(), Duration::from_nanos(frame.number()));
    let activity = switches.map(|voluntary_switches| Activity { voluntary_switches, other_threads_cpu });
    Taken { time, activity }
}
