//! The raw slots that a process leaves behind, which is all that a judge needs.

use std::time::Duration;

use super::sampler::BLOCK;
use super::warmup::Warmup;
use crate::duo::Duo;

/// A line of most caches, in bytes.
const LINE: usize = 64;

/// The raw slots of a pair in one process, which is all that a judge needs. Stored, they can be
/// judged again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The warm-up. Its duos and its empty slots are told by the first process
    /// of a pair.
    pub warmup: Warmup,
    /// The counted duos.
    pub duos: Vec<Duo>,
    /// The empty slots among them, in nanoseconds: slots of as many calls of nothing. None where one call
    /// fills a slot.
    pub empty: Vec<u64>,
    /// Set if there are two functions. Where there is one, all slots of a duo are its own, and what its judge
    /// estimates is ln of a call in nanoseconds.
    pub has_baseline: bool,
    /// Set if both functions are one piece of code at one address.
    pub is_one_function: bool,
    /// Set if slots are shorter than they should be, since inputs for more calls take too much time or
    /// memory.
    pub limited_by_inputs: bool,
    /// The places of both functions in this process, as far as they are known.
    pub places: Option<Places>,
    /// The time that it took to get the functions ready, where the process is that of a round.
    pub preparing: Duration,
    /// The time that it all took after that, warm-up included.
    pub elapsed: Duration,
}

/// The place of each function on its cache line of 64 bytes: where its code begins, in bytes from 0 to 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// The place of the candidate.
    pub candidate: u8,
    /// The place of the baseline.
    pub baseline: u8,
}

impl Places {
    /// The places of these addresses of the candidate and the baseline.
    pub(crate) fn of([candidate, baseline]: [usize; 2]) -> Self {
        let place = |address: usize| (address % LINE) as u8;
        Self { candidate: place(candidate), baseline: place(baseline) }
    }
}

impl Recording {
    /// Makes the first duos a warm-up where there was none: up to a block of them, and half of all at most.
    pub(crate) fn complete_warmup(&mut self) {
        if self.warmup.duos.is_empty() {
            let count = BLOCK.min(self.duos.len() / 2);
            self.warmup.duos = self.duos.drain(..count).collect();
            self.empty.clear();
        }
    }

    /// Leaves out all but the first duos.
    pub(crate) fn truncate(&mut self, duos: usize) {
        if duos < self.duos.len() {
            // What follows a block that was left out, or cut, is no slot among those that are kept.
            self.empty.truncate(duos / self.warmup.block());
            self.duos.truncate(duos);
        }
    }
}
