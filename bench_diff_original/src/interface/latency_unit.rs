//! The unit in which latencies are reported.

use std::time::Duration;

/// The unit of the latencies in a [`DiffOut`](crate::DiffOut).
///
/// Statistics are computed from the nanoseconds that were measured, so the unit loses nothing but in the
/// whole numbers of [`SummaryStats`](crate::SummaryStats).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatencyUnit {
    /// Milliseconds.
    Milli,
    /// Microseconds.
    Micro,
    /// Nanoseconds.
    Nano,
}

impl LatencyUnit {
    /// The nanoseconds of one unit.
    pub(super) fn nanoseconds(self) -> u32 {
        match self {
            Self::Milli => 1_000_000,
            Self::Micro => 1_000,
            Self::Nano => 1,
        }
    }

    /// The whole units in a latency, without what is left over; at most 2^64 - 1.
    #[must_use]
    pub fn latency_as_u64(&self, latency: Duration) -> u64 {
        u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX) / u64::from(self.nanoseconds())
    }

    /// The latency of this many units; at most 2^64 - 1 ns, which is 584 years.
    #[must_use]
    pub fn latency_from_u64(&self, elapsed: u64) -> Duration {
        Duration::from_nanos(elapsed.saturating_mul(u64::from(self.nanoseconds())))
    }

    /// A latency in this unit, with its fraction.
    #[must_use]
    pub fn latency_as_f64(&self, latency: Duration) -> f64 {
        latency.as_nanos() as f64 / f64::from(self.nanoseconds())
    }

    /// The latency of this many units and a fraction, to the nearest nanosecond; zero where that is negative
    /// or NaN.
    #[must_use]
    pub fn latency_from_f64(&self, elapsed: f64) -> Duration {
        // A cast of what is out of range gives the nearest number that is in range, and 0 of NaN.
        Duration::from_nanos((elapsed * f64::from(self.nanoseconds())).round() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::LatencyUnit::{Micro, Milli, Nano};
    use super::*;

    const LATENCY: Duration = Duration::from_nanos(20_900_123);

    #[test]
    fn a_conversion_keeps_the_fraction_of_a_unit() {
        assert_eq!(Milli.latency_as_f64(LATENCY), 20.900_123, "and not 20");
        assert_eq!(Micro.latency_as_f64(LATENCY), 20_900.123);
        assert_eq!(Nano.latency_as_f64(LATENCY), 20_900_123.0);
        for unit in [Milli, Micro, Nano] {
            assert_eq!(unit.latency_from_f64(unit.latency_as_f64(LATENCY)), LATENCY);
        }
        assert_eq!(Micro.latency_from_f64(0.9), Duration::from_nanos(900));
    }

    #[test]
    fn whole_units_are_those_that_fit() {
        assert_eq!([Milli, Micro, Nano].map(|unit| unit.latency_as_u64(LATENCY)), [20, 20_900, 20_900_123]);
        assert_eq!(Milli.latency_from_u64(20), Duration::from_millis(20));
        assert_eq!(Micro.latency_from_u64(20), Duration::from_micros(20));
        assert_eq!(Nano.latency_from_u64(20), Duration::from_nanos(20));
    }

    #[test]
    fn what_is_out_of_range_becomes_the_nearest_latency() {
        assert_eq!(Nano.latency_as_u64(Duration::MAX), u64::MAX);
        assert_eq!(Milli.latency_from_u64(u64::MAX), Duration::from_nanos(u64::MAX));
        assert_eq!(Milli.latency_from_f64(f64::INFINITY), Duration::from_nanos(u64::MAX));
        assert_eq!([-1.0, f64::NAN].map(|elapsed| Milli.latency_from_f64(elapsed)), [Duration::ZERO; 2]);
    }
}
