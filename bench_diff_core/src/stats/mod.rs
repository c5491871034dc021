//! The statistics of a comparison. They map numbers to numbers and know nothing about clocks, benchmarks or
//! verdicts.
//!
//! * [`Moments`]: size, mean and variance of a sample, free of cancellation.
//! * [`WelchTest`]: the difference of two means, its tests and its confidence interval.
//! * [`Interval`]: a confidence interval, on the log scale or as a ratio.
//! * [`Summary`]: the latencies of one side, as mean, extremes and percentiles.
//! * [`t_upper_tail`] and [`t_quantile_upper`]: Student's t distribution, for 1 to infinitely many degrees
//!   of freedom.
//! * [`median_time`]: the median of raw times.
//! * [`standard_normal`]: normal numbers from uniform ones, for simulations.
//! * [`StatsError`]: why a sample has no statistics. Such a sample never gives a NaN.

mod error;
mod interval;
mod median;
mod moments;
mod normal;
pub(crate) mod robust;
mod student;
mod summary;
mod welch;

pub use error::StatsError;
pub use interval::Interval;
pub use median::median_time;
pub use moments::Moments;
pub use normal::standard_normal;
pub(crate) use student::normal_quantile_upper;
pub use student::{t_quantile_upper, t_upper_tail};
pub use summary::Summary;
pub use welch::WelchTest;
