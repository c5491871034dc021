//! The turns of two processes: what is asked of them, and what they tell.

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

/// Two processes, of which each takes turns of one function.
pub trait Turns {
    /// Has the process of this function take a turn, with a new input before it where `renews` says so. None
    /// where it cannot: what is measured then is worth nothing.
    fn turn(&mut self, function: Function, turn: Turn, renews: bool) -> Option<Taken>;

    /// The time that the process of this function takes to make the inputs of this many calls, in
    /// nanoseconds.
    fn time_of_inputs(&mut self, function: Function, iterations: u64) -> Option<u64>;
}

/// A turn that was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// The time of its slot.
    pub time: SlotTime,
    /// The activity of the process in all of its turns so far, where the machine tells.
    pub activity: Option<Activity>,
}

/// The report of a function's process once it is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionApart {
    /// The first call.
    pub first_call: Duration,
    /// Set if every duo has an input of its own.
    pub has_fresh_inputs: bool,
    /// Set if a slot needs memory for each of its calls.
    pub needs_room: bool,
    /// The calls for which there is room.
    pub most_calls: u64,
    /// Set if one call makes all of a slot, in which others take part.
    pub is_whole_slot: bool,
    /// The address at which its code begins, where that is known.
    pub entry: Option<usize>,
}
