//! The timed slot: the one place where a function is called and the clock is read.

use crate::clock::Clock;

/// One of the functions of a pair, as the sampler sees it.
pub struct Side<'a> {
    /// The function: called once for every iteration of a slot, or once for a whole slot, and nothing else is timed.
    pub call: &'a mut dyn FnMut(),
    /// Whether one call is a whole slot, which makes its iterations by itself: as many as its chores were told.
    pub is_whole_slot: bool,
    /// The untimed work around the slots of this function, where there is any.
    pub chores: Option<&'a mut dyn Chores>,
}

/// Untimed work around a slot.
///
/// Where one side of a pair has chores the other has the same ones, so that every slot is preceded by equal work.
pub trait Chores {
    /// Makes room and inputs for a slot of this many calls.
    fn before_slot(&mut self, iterations: u64);

    /// Drops what the slot left behind.
    fn after_slot(&mut self);

    /// The calls for which there is room: a slot never has more.
    fn most_calls(&self) -> u64 {
        u64::MAX
    }

    /// What is done, for those who read the report.
    fn note(&self) -> &'static str;
}

impl<'a> Side<'a> {
    /// A function that needs nothing but to be called.
    pub fn plain(call: &'a mut dyn FnMut()) -> Self {
        Self { call, is_whole_slot: false, chores: None }
    }

    /// A function with chores around its slots.
    pub fn with_chores(call: &'a mut dyn FnMut(), chores: &'a mut dyn Chores) -> Self {
        Self { call, is_whole_slot: false, chores: Some(chores) }
    }

    /// A function that makes all the iterations of a slot in one call, as many as its chores are told before, and that
    /// may take time of its own for it, such as that of starting several threads.
    pub fn whole_slot(call: &'a mut dyn FnMut(), chores: &'a mut dyn Chores) -> Self {
        Self { call, is_whole_slot: true, chores: Some(chores) }
    }

    /// The time of one slot, in nanoseconds.
    pub(crate) fn slot<C: Clock>(&mut self, clock: &C, iterations: u64) -> u64 {
        if let Some(chores) = &mut self.chores {
            chores.before_slot(iterations);
        }
        let calls = if self.is_whole_slot { 1 } else { iterations };
        let time = time_slot(clock, self.call, calls);
        if let Some(chores) = &mut self.chores {
            chores.after_slot();
        }
        time
    }

    /// Whether a slot of so many calls can be prepared within this time, in nanoseconds.
    pub(crate) fn can_prepare<C: Clock>(&mut self, clock: &C, iterations: u64, limit: u64) -> bool {
        let Some(chores) = &mut self.chores else { return true };
        // An interruption spoils one try, hardly three.
        iterations <= chores.most_calls()
            && (0..3).any(|_| {
                let start = clock.now();
                chores.before_slot(iterations);
                let end = clock.now();
                chores.after_slot();
                clock.nanoseconds(start, end) <= limit
            })
    }
}

/// Times `iterations` calls.
///
/// All functions of a pair pass through this one loop and its one call instruction: two call sites alone make equal
/// machine code differ by up to ten percent.
#[inline(never)]
pub(crate) fn time_slot<C: Clock>(clock: &C, call: &mut dyn FnMut(), iterations: u64) -> u64 {
    let start = clock.now();
    for _ in 0..iterations {
        call();
    }
    let end = clock.now();
    clock.nanoseconds(start, end)
}
