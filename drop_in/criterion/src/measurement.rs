//! The measurement of a benchmark. bench_diff runs the benchmarks that measure [`WallTime`].

use std::time::{Duration, Instant};

use crate::throughput::Throughput;

/// Something that benchmarks measure. bench_diff reports an error for each benchmark that measures anything
/// except [`WallTime`].
pub trait Measurement {
    /// The value that [`start`](Self::start) returns and [`end`](Self::end) takes.
    type Intermediate;

    /// The measured value.
    type Value;

    /// Begins a measurement.
    fn start(&self) -> Self::Intermediate;

    /// Ends a measurement.
    fn end(&self, start: Self::Intermediate) -> Self::Value;

    /// The sum of two values.
    fn add(&self, one: &Self::Value, other: &Self::Value) -> Self::Value;

    /// The neutral element of addition.
    fn zero(&self) -> Self::Value;

    /// The value as a number; for [`WallTime`], in nanoseconds.
    fn to_f64(&self, value: &Self::Value) -> f64;

    /// The formatter of the values.
    fn formatter(&self) -> &dyn ValueFormatter;

    /// Returns whether the values are wall-clock times in nanoseconds.
    #[doc(hidden)]
    fn __is_wall_time(&self) -> bool {
        false
    }
}

/// Formats measured values; bench_diff never calls it.
pub trait ValueFormatter {
    /// A value with its unit.
    fn format_value(&self, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_values(value, &mut values);
        format!("{} {unit}", values[0])
    }

    /// A rate with its unit.
    fn format_throughput(&self, throughput: &Throughput, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_throughputs(value, throughput, &mut values);
        format!("{} {unit}", values[0])
    }

    /// Scales the values to a common unit and returns it.
    fn scale_values(&self, typical_value: f64, values: &mut [f64]) -> &'static str;

    /// Turns the values into rates and returns their unit.
    fn scale_throughputs(
        &self,
        typical_value: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str;

    /// Scales the values to a unit for machine-readable output and returns it.
    fn scale_for_machines(&self, values: &mut [f64]) -> &'static str;
}

/// Elapsed time.
#[derive(Debug)]
pub struct WallTime;

impl Measurement for WallTime {
    type Intermediate = Instant;
    type Value = Duration;

    fn start(&self) -> Instant {
        Instant::now()
    }

    fn end(&self, start: Instant) -> Duration {
        start.elapsed()
    }

    fn add(&self, one: &Duration, other: &Duration) -> Duration {
        *one + *other
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        &Nanoseconds
    }

    fn __is_wall_time(&self) -> bool {
        true
    }
}

struct Nanoseconds;

impl ValueFormatter for Nanoseconds {
    fn scale_values(&self, _: f64, _: &mut [f64]) -> &'static str {
        "ns"
    }

    fn scale_throughputs(&self, _: f64, _: &Throughput, _: &mut [f64]) -> &'static str {
        ""
    }

    fn scale_for_machines(&self, _: &mut [f64]) -> &'static str {
        "ns"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wall_time_is_in_nanoseconds() {
        let time = WallTime.add(&Duration::from_micros(2), &Duration::from_nanos(1));
        assert_eq!(WallTime.to_f64(&time), 2001.0);
        assert_eq!(WallTime.formatter().format_value(2001.0), "2001 ns");
    }
}
