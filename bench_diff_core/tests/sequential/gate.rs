//! The gates of the simulations.

use bench_diff_core::{Bounds, Gate};

/// A zone 1 % wide, the narrowest that is meant for use: lo = ln 1.005, hi = ln 1.015.
pub(crate) const NARROW: Gate = Gate::MaxSlowdown(0.01);

/// The default gate: lo = ln 1.01, hi = ln 1.03.
pub(crate) const DEFAULT: Gate = Gate::MaxSlowdown(0.02);

/// The bounds of a gate. A true effect of exactly `lo` is the largest that must not fail, one of exactly `hi`
/// the smallest that must not pass: where errors are most probable.
pub(crate) fn bounds(gate: Gate) -> Bounds {
    gate.zone().expect("a gate has a zone").slower
}
