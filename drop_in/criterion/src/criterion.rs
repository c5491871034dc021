//! `Criterion`, which registers the benchmarks of a target, and its settings.

use std::panic;
use std::path::Path;
use std::time::Duration;

use bench_diff_harness::front_end::Location;

use crate::main_by_hand;
use crate::measurement::{Measurement, WallTime};
use crate::registering::begin_in_main;
use crate::settings::{PlottingBackend, without_effect};

/// Registers the benchmarks of a target that [`criterion_group!`](crate::criterion_group) names.
pub struct Criterion<M: Measurement = WallTime> {
    pub(crate) measurement: M,
}

impl Default for Criterion {
    #[track_caller]
    fn default() -> Self {
        let place = panic::Location::caller();
        let (file, line, column) = (place.file(), place.line(), place.column());
        begin_in_main(Location { module: "", file, line, column });
        Self { measurement: WallTime }
    }
}

impl<M: Measurement> Criterion<M> {
    without_effect! { self:
        confidence_level(f64)
        configure_from_args()
        measurement_time(Duration)
        noise_threshold(f64)
        nresamples(usize)
        output_directory(&Path)
        plotting_backend(PlottingBackend)
        profile_time(Option<Duration>)
        retain_baseline(String, bool)
        sample_size(usize)
        save_baseline(String)
        significance_level(f64)
        warm_up_time(Duration)
        with_output_color(bool)
        with_plots()
        without_plots()
    }

    /// Returns `false`: bench_diff draws no plots.
    #[must_use]
    pub fn can_plot(&self) -> bool {
        false
    }

    /// Has no effect: `cargo bench -- FILTER` selects benchmarks.
    #[must_use]
    pub fn with_filter<S: Into<String>>(self, _: S) -> Self {
        self
    }

    /// Has no effect. The profiler may also implement the [trait](crate::profiler::Profiler) of the real
    /// Criterion.
    #[must_use]
    pub fn with_profiler<P>(self, _: P) -> Self {
        self
    }

    /// Sets what benchmarks measure. With anything except [`WallTime`], they end with an error.
    pub fn with_measurement<N: Measurement>(self, measurement: N) -> Criterion<N> {
        Criterion { measurement }
    }

    /// Ends a `main` that is written by hand, and its process after the run. Has no effect anywhere else.
    pub fn final_summary(&self) {
        main_by_hand::end();
    }
}
