//! The turns of two processes: the requests and the replies.

use std::time::Duration;

use crate::clock::Activity;
use crate::sample::{SlotTime, Turn};

/// One of the two functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The candidate of the pair.
    Candidate,
    /// Its baseline.
    Baseline,
}

/// Two processes, each of which takes the turns of one function.
pub trait Turns {
    /// Makes the process of this function take a turn, with a new input before it if `renews` is set. `None`
    /// if it cannot; the measurement is then worthless.
    fn turn(&mut self, function: Function, turn: Turn, renews: bool) -> Option<Taken>;

    /// The time that the process of this function needs to make the inputs of this many calls, in
    /// nanoseconds.
    fn time_of_inputs(&mut self, function: Function, iterations: u64) -> Option<u64>;
}

/// A completed turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// The time of its slot.
    pub time: SlotTime,
    /// The activity of the process in all of its turns so far, if the machine reports it.
    pub activity: Option<Activity>,
}

/// The report of a function's process when it is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionApart {
    /// The time of the first call.
    pub first_call: Duration,
    /// Set if every duo gets a new input.
    pub has_fresh_inputs: bool,
    /// Set if a slot needs memory for each of its calls.
    pub needs_room: bool,
    /// The number of calls for which there is room.
    pub most_calls: u64,
    /// Set if one call makes a whole slot, together with other threads.
    pub is_whole_slot: bool,
    /// Set if the function reports the time of a slot by itself.
    pub times_itself: bool,
    /// The address at which its code begins, if known.
    pub entry: Option<usize>,
}
