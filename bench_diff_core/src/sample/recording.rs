//! The raw slots of a process, which are all that a judge needs.

use std::time::Duration;

use super::warmup::Warmup;
use crate::duo::Duo;

/// The cache line of the processor, in bytes: 128 on Apple's ARM processors, 64 on most others.
pub const CACHE_LINE: usize =
    if cfg!(all(target_vendor = "apple", target_arch = "aarch64")) { 128 } else { 64 };

/// The raw slots of a pair in one process, which are all that a judge needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The warm-up. Its duos and empty slots are recorded only by the first process of a pair, and not if a
    /// call is so long that a round needs no warm-up.
    pub warmup: Warmup,
    /// The counted duos.
    pub duos: Vec<Duo>,
    /// The times of the empty slots between the duos, in nanoseconds. Each has as many calls as other slots,
    /// but of an empty function. There are none if one call fills a slot.
    pub empty: Vec<u64>,
    /// Set if there are two functions. If there is one, all slots of a duo are its own, and the judge
    /// estimates the ln of a call in nanoseconds.
    pub has_baseline: bool,
    /// Set if both functions are the same code at one address.
    pub is_one_function: bool,
    /// Set if slots are shorter than they should be because inputs for more calls take too much time or
    /// memory.
    pub limited_by_inputs: bool,
    /// The places of both functions in this process, if known.
    pub places: Option<Places>,
    /// The time that preparing the functions took, in a process of a round.
    pub preparing: Duration,
    /// The time of everything after that, including the warm-up.
    pub elapsed: Duration,
}

impl Recording {
    /// The recording of a process of a pair of which only the warm-up and the counted duos are known.
    #[must_use]
    pub fn of(warmup: Warmup, duos: Vec<Duo>) -> Self {
        Self {
            warmup,
            duos,
            empty: Vec::new(),
            has_baseline: true,
            is_one_function: false,
            limited_by_inputs: false,
            places: None,
            preparing: Duration::ZERO,
            elapsed: Duration::ZERO,
        }
    }
}

/// The place of each function in its [cache line](CACHE_LINE): the offset of its first instruction in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// The place of the candidate.
    pub candidate: u8,
    /// The place of the baseline.
    pub baseline: u8,
}

impl Places {
    /// The places of the candidate and the baseline, given their addresses.
    pub(crate) fn of([candidate, baseline]: [usize; 2]) -> Self {
        let place = |address: usize| (address % CACHE_LINE) as u8;
        Self { candidate: place(candidate), baseline: place(baseline) }
    }
}
