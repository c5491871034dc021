//! What a reader should know of functions that take hardly longer than a call of nothing.

use super::call::{Call, Calls};
use crate::gate::Zone;
use crate::judge::{Note, Which};

/// A function that takes at most so many times as long as one that does nothing.
pub(super) const AS_LONG_AS_NOTHING: f64 = 1.05;

/// A note on a pair that is undecided because of its overhead; none where the overhead leaves no gap.
pub(crate) fn too_short(gate: Zone, calls: Option<Calls>) -> Option<Note> {
    let Calls { candidate, baseline } = calls.filter(|_| gate.raw(calls).has_gap())?;
    let slower = (gate.slower.largest_share(), baseline);
    let faster = gate.faster.map(|faster| (faster.mirrored().largest_share(), candidate));
    let excess = |(largest, call): &(f64, Call)| call.share_max / largest;
    let (largest, call) =
        [Some(slower), faster].into_iter().flatten().max_by(|a, b| excess(a).total_cmp(&excess(b)))?;
    let overhead = call.time * call.share_max;
    Some(Note::TooShort { call: call.time, overhead, needed: overhead / largest })
}

/// A note where a function is found to do nothing.
pub(crate) fn empty(calls: Option<Calls>) -> Option<Note> {
    let Calls { candidate, baseline } = calls?;
    let is_empty = |call: Call| call.share_min * AS_LONG_AS_NOTHING >= 1.0;
    let which = match (is_empty(candidate), is_empty(baseline)) {
        (true, true) => Which::Both,
        (true, false) => Which::Candidate,
        (false, true) => Which::Baseline,
        (false, false) => return None,
    };
    Some(Note::Empty { which })
}
