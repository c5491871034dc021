//! One of the functions of a pair, and the slot that times it with the preparations around it.

use crate::clock::{Call, SlotClock};

/// The longest time for making the inputs of a slot, and the longest slot that keeps its outputs, in
/// nanoseconds. Slots of a single call are exempt.
///
/// This also bounds their memory, which cannot be measured directly: one thread writes at most about 10 GB/s,
/// so inputs and outputs stay below 100 MB.
pub(crate) const LONGEST_FOR_INPUTS: u64 = 10_000_000;

/// One of the functions of a pair, as the sampler sees it.
pub struct Side<'a> {
    /// The function. It is called once per iteration or once per slot, and only it and `rest` are timed.
    pub call: &'a mut dyn Call,
    /// The end of a slot in which a single call makes all iterations: it waits for other threads that make
    /// them as well.
    pub rest: Option<&'a mut dyn Call>,
    /// The untimed work around the slots of this function, if any.
    pub hooks: Option<&'a mut dyn Hooks>,
}

/// The time of a slot, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotTime {
    /// By the wall clock.
    pub wall: u64,
    /// The part that does not depend on waiting for other threads.
    pub without_rest: u64,
    /// By the CPU clock, if that timed the slot.
    pub cpu: Option<u64>,
}

/// Untimed work around a slot.
///
/// If one side of a pair has hooks, the other has the same ones, so that equal work precedes every slot.
pub trait Hooks {
    /// Makes the inputs of a slot of this many calls, if it has inputs.
    fn make_inputs(&mut self, _iterations: u64) {}

    /// Makes room for the outputs of a slot.
    fn make_room(&mut self, iterations: u64);

    /// Drops what is left of the slot.
    fn after_slot(&mut self);

    /// Ends the making of inputs without a slot. Inputs that each belong to one call are kept for the next
    /// slot, which then makes only those that it lacks.
    fn after_making(&mut self) {
        self.after_slot();
    }

    /// The number of calls for which there is room. Slots are not lengthened beyond it.
    fn most_calls(&self) -> u64 {
        u64::MAX
    }

    /// Returns whether a slot needs memory for each of its calls, so that a long one may need too much.
    fn needs_room(&self) -> bool {
        true
    }

    /// The name of the untimed work in the report.
    fn note(&self) -> &'static str;
}

impl<'a> Side<'a> {
    /// A function that only has to be called.
    pub fn plain(call: &'a mut dyn Call) -> Self {
        Self { call, rest: None, hooks: None }
    }

    /// A function with hooks around its slots.
    pub fn with_hooks(call: &'a mut dyn Call, hooks: &'a mut dyn Hooks) -> Self {
        Self { call, rest: None, hooks: Some(hooks) }
    }

    /// A function that makes all iterations of a slot in one call while other threads make as many; its hooks
    /// get the number first. `rest` waits for those threads. Starting and waiting may take time.
    pub fn whole_slot(call: &'a mut dyn Call, rest: &'a mut dyn Call, hooks: &'a mut dyn Hooks) -> Self {
        Self { call, rest: Some(rest), hooks: Some(hooks) }
    }

    /// The time of one slot, in nanoseconds.
    pub(crate) fn slot(&mut self, clock: &dyn SlotClock, iterations: u64) -> u64 {
        self.prepared(iterations, |call, rest| match rest {
            None => clock.slot(call, iterations),
            Some(rest) => {
                let mut whole = || {
                    call.call();
                    rest.call();
                };
                clock.slot(&mut whole, 1)
            }
        })
    }

    /// The time of one slot by this clock, with and without its rest.
    pub(crate) fn slot_and_rest(&mut self, clock: &dyn SlotClock, iterations: u64) -> SlotTime {
        self.prepared(iterations, |call, rest| match rest {
            None => {
                let time = clock.slot(call, iterations);
                SlotTime { wall: time, without_rest: time, cpu: None }
            }
            Some(rest) => {
                let without_rest = clock.slot(call, 1);
                SlotTime { wall: without_rest + clock.slot(rest, 1), without_rest, cpu: None }
            }
        })
    }

    /// Runs the hooks around a slot. `slot` gets the functions to call.
    fn prepared<T>(
        &mut self,
        iterations: u64,
        slot: impl FnOnce(&mut dyn Call, Option<&mut dyn Call>) -> T,
    ) -> T {
        if let Some(hooks) = &mut self.hooks {
            hooks.make_inputs(iterations);
            hooks.make_room(iterations);
        }
        let rest = self.rest.as_mut().map(|rest| &mut **rest as &mut dyn Call);
        let times = slot(self.call, rest);
        if let Some(hooks) = &mut self.hooks {
            hooks.after_slot();
        }
        times
    }

    /// Returns whether the inputs of a slot of this many calls can be made within [`LONGEST_FOR_INPUTS`].
    pub(crate) fn can_make_inputs(&mut self, clock: &dyn SlotClock, iterations: u64) -> bool {
        let Some(hooks) = &self.hooks else { return true };
        // An interruption may spoil one try, but hardly three.
        iterations <= hooks.most_calls()
            && (0..3).any(|_| self.time_of_inputs(clock, iterations) <= LONGEST_FOR_INPUTS)
    }

    /// The time to make the inputs of a slot of this many calls, in nanoseconds. They stay for that slot,
    /// unless making several takes over 10 ms.
    pub fn time_of_inputs(&mut self, clock: &dyn SlotClock, iterations: u64) -> u64 {
        let Some(hooks) = &mut self.hooks else { return 0 };
        let time = clock.slot(&mut || hooks.make_inputs(iterations), 1);
        hooks.make_room(iterations);
        if iterations == 1 || time <= LONGEST_FOR_INPUTS {
            hooks.after_making();
        } else {
            hooks.after_slot();
        }
        time
    }
}
