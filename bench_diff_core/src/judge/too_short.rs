//! Functions that take hardly longer than an empty one: the bounds for judging them, and the notes for the
//! reader.

use crate::gate::{Bounds, Zone};
use crate::note::{Note, Which};
use crate::overhead::{Call, Calls, EMPTY_FACTOR};
use crate::stats::Interval;

/// From this share on, only a factor of two counts. Overhead is the same for both functions, except for the
/// effect of the addresses of their calls. If overhead is most of a slot, that effect is as large as the
/// margin of a gate.
const MOST_OVERHEAD: f64 = 2.0 / 3.0;

/// The address of a call cannot make it more than twice as slow.
const BEYOND_LAYOUT: f64 = std::f64::consts::LN_2;

/// If an interval is more than this many times as wide as a gap, noise is the reason.
const MUCH_WIDER: f64 = 2.0;

/// The bounds that are used. They are the ones for raw slots; if most of a slot is overhead, they are also
/// beyond any effect of the address of a call.
///
/// A difference of less than the ignored share of a slot does not count. Overhead takes the same time in both
/// functions, so it does not hide a difference in time; only the address of a call may.
pub(super) fn judged(gate: Zone, calls: Option<Calls>, ignored: f64) -> Zone {
    let raw = gate.raw(calls);
    if !is_mostly_overhead(gate, calls) {
        return raw.ignoring_of(gate, ignored, 0.0);
    }
    let beyond =
        |bounds: Bounds| Bounds { lo: bounds.lo.max(BEYOND_LAYOUT), hi: bounds.hi.min(-BEYOND_LAYOUT) };
    let beyond = Zone {
        slower: beyond(raw.slower),
        faster: raw.faster.map(|faster| beyond(faster.mirrored()).mirrored()),
    };
    beyond.ignoring_of(gate, ignored, BEYOND_LAYOUT)
}

/// Returns whether a pair can hardly be judged because overhead is most of its slots.
pub(super) fn is_mostly_overhead(gate: Zone, calls: Option<Calls>) -> bool {
    first_mostly_overhead(gate, calls).is_some()
}

fn first_mostly_overhead(gate: Zone, calls: Option<Calls>) -> Option<Direction> {
    let mut all = directions(gate, calls?).into_iter().flatten();
    all.find(|direction| direction.call.share_max >= MOST_OVERHEAD)
}

/// A note for a pair that is undecided because of its overhead, with this interval of delta.
pub(super) fn undecided(gate: Zone, calls: Option<Calls>, interval: Interval) -> Option<Note> {
    let mostly = first_mostly_overhead(gate, calls).map(|direction| direction.note());
    mostly.or_else(|| too_short(gate, calls, interval))
}

/// A note for an undecided pair whose slots are partly, but not mostly, overhead. `None` if the overhead
/// leaves no gap near the interval, or if noise hides more than the overhead does.
///
/// A pair that stopped because of [`Zone::is_undecidable`] always gets a note, since its interval is inside
/// the gap or next to it.
fn too_short(gate: Zone, calls: Option<Calls>, interval: Interval) -> Option<Note> {
    let [slower, faster] = directions(gate, calls?);
    let zone = gate.raw(calls);
    let is_near = |(low, high): (f64, f64)| {
        interval.low <= high
            && low <= interval.high
            && interval.high - interval.low <= MUCH_WIDER * (high - low)
    };
    let slower = slower.filter(|_| zone.slower_gap().is_some_and(is_near));
    let faster = faster.filter(|_| zone.faster_gap().is_some_and(is_near));
    let worst = [slower, faster].into_iter().flatten().max_by(|a, b| a.excess().total_cmp(&b.excess()));
    worst.map(|direction| direction.note())
}

/// A direction of a gate, with the function whose overhead moves its bounds.
#[derive(Clone, Copy)]
struct Direction {
    /// Its bounds; for "faster", they are mirrored into bounds of "slower".
    bounds: Bounds,
    call: Call,
    which: Which,
}

/// "Slower" and, if being faster breaks the gate as well, "faster".
fn directions(gate: Zone, Calls { candidate, baseline }: Calls) -> [Option<Direction>; 2] {
    let slower = Direction { bounds: gate.slower, call: baseline, which: Which::Baseline };
    let faster = gate.faster.map(Bounds::mirrored);
    [Some(slower), faster.map(|bounds| Direction { bounds, call: candidate, which: Which::Candidate })]
}

impl Direction {
    /// The overhead as a multiple of what the bounds allow.
    fn excess(&self) -> f64 {
        self.call.share_max / self.bounds.largest_share()
    }

    fn note(&self) -> Note {
        let Self { bounds, call, which } = *self;
        let overhead = call.time * call.share_max;
        Note::TooShort { which, call: call.time, overhead, needed: overhead / bounds.largest_share() }
    }
}

/// A note if a function turns out to be empty.
pub(super) fn empty(calls: Option<Calls>) -> Option<Note> {
    let Calls { candidate, baseline } = calls?;
    let is_empty = |call: Call| call.share_min * EMPTY_FACTOR >= 1.0;
    let which = match (is_empty(candidate), is_empty(baseline)) {
        (true, true) => Which::Both,
        (true, false) => Which::Candidate,
        (false, true) => Which::Baseline,
        (false, false) => return None,
    };
    Some(Note::Empty { which })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Gate;
    use crate::simulation::{calls, near};

    fn note(gate: Gate, [candidate, baseline]: [f64; 2], low: f64, high: f64) -> Option<Which> {
        match too_short(gate.zone().unwrap(), calls(candidate, baseline), Interval { level: 0.95, low, high })
        {
            Some(Note::TooShort { which, .. }) => Some(which),
            None => None,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_a_factor_of_two_is_judged_if_most_is_overhead() {
        let ln_2 = 2_f64.ln();
        for gate in [Gate::MaxSlowdown(0.02), Gate::MinSpeedup(1.5), Gate::MaxDifference(0.02)] {
            let gate = gate.zone().unwrap();
            assert_eq!(judged(gate, calls(0.6, 0.6), 0.0), gate.raw(calls(0.6, 0.6)));
            let zone = judged(gate, calls(0.7, 0.7), 0.0);
            assert_eq!((zone.slower.lo, zone.slower.hi), (ln_2, -ln_2), "{gate:?}");
            assert!(zone.faster.is_none_or(|faster| (faster.lo, faster.hi) == (-ln_2, ln_2)), "{gate:?}");
        }
        let wide = Gate::MaxSlowdown(3.0).zone().unwrap();
        let lo = judged(wide, calls(0.0, 1.0), 0.0).slower.lo;
        assert!((lo - wide.slower.lo).abs() < 1e-12, "further out already");
    }

    #[test]
    fn overhead_hides_no_difference_in_time() {
        let gate = Gate::MaxDifference(0.02).zone().unwrap();
        // The ignored difference is a third of a slot.
        let third = gate.ignoring(1.0 / 3.0);
        assert_eq!(judged(gate, calls(0.0, 0.0), 1.0 / 3.0), third);
        assert_eq!(judged(gate, calls(0.6, 0.6), 1.0 / 3.0), third);
        assert_eq!(judged(gate, None, 1.0 / 3.0), third);
        // Its address may make a call twice as slow, so a slot may take half or twice its time at another
        // address.
        let mostly = judged(gate, calls(0.7, 0.7), 0.5);
        assert!(near(mostly.slower.lo, 3_f64.ln()) && near(mostly.slower.hi, 1.25_f64.ln()), "{mostly:?}");
        let faster = mostly.faster.unwrap();
        assert!(near(faster.lo, 0.25_f64.ln()) && faster.hi < -19.0, "{faster:?}");
        let speedup = Gate::MinSpeedup(1.5).zone().unwrap();
        assert_eq!(judged(speedup, calls(0.6, 0.6), 0.5), judged(speedup, calls(0.6, 0.6), 0.0));
    }

    #[test]
    fn a_pair_is_too_short_only_if_its_interval_is_in_the_gap_and_hardly_wider() {
        use Which::{Baseline, Candidate};
        let (slowdown, difference) = (Gate::MaxSlowdown(0.02), Gate::MaxDifference(0.02));
        for (gate, shares, low, high, expected) in [
            // If slots are pure overhead, the gap is from 0 to .00995, and from -.00995 to 0 for "faster".
            (slowdown, [1.0; 2], 0.001, 0.009, Some(Baseline)),
            (slowdown, [1.0; 2], -0.009, 0.0105, Some(Baseline)),
            (slowdown, [1.0; 2], -0.010, 0.0105, None),
            (slowdown, [1.0; 2], -0.5, 0.5, None),
            (slowdown, [1.0; 2], 0.010, 0.011, None),
            (slowdown, [1.0; 2], -0.002, -0.001, None),
            (slowdown, [1.0, 0.0], 0.001, 0.009, None),
            (difference, [1.0; 2], 0.001, 0.009, Some(Baseline)),
            (difference, [1.0; 2], -0.009, -0.001, Some(Candidate)),
            (difference, [1.0, 0.0], 0.001, 0.009, None),
        ] {
            assert_eq!(note(gate, shares, low, high), expected, "{gate:?} {shares:?} {low} {high}");
        }
    }
}
